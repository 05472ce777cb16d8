/* SPDX-License-Identifier: MIT */
#ifndef CLI_SAFE_TEXT_H
#define CLI_SAFE_TEXT_H

#include <stddef.h>

/*
 * For people: control characters, characters that change the direction of text, and bytes that are
 * not UTF-8 become \xHH. Without UTF-8 in the locale every byte above 0x7e does. To be freed.
 */
char *safe_text_for_terminal(const char *text);

/* For JSON: bytes that are not UTF-8 become U+FFFD. To be freed. */
char *safe_text_for_json(const char *text);

/* How many columns of a terminal @text takes that came out of safe_text_for_terminal(). */
size_t safe_text_width(const char *text);

#endif

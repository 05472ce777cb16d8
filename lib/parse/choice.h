/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_CHOICE_H
#define LIB_PARSE_CHOICE_H

#include <stddef.h>

/*
 * "always [madvise] never": writes the words without brackets, separated by one blank, to @choices
 * and the one in brackets to @value; both have room for length + 1 bytes.
 * 1 when one word was in brackets; 0 when none was, which is how numbers and plain words look:
 * then @value is the whole text and @choices is empty; -1 when it makes no sense.
 */
int choice_parse(const char *text, size_t length, char *value, char *choices);

#endif

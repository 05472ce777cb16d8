/* SPDX-License-Identifier: MIT */
#ifndef CLI_TEXT_MATCH_H
#define CLI_TEXT_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Questions about texts that end with their length, not with a NUL. */

static inline bool text_begins(const char *text, size_t length, const char *with)
{
	return length >= strlen(with) && !memcmp(text, with, strlen(with));
}

static inline bool text_ends(const char *text, size_t length, const char *with)
{
	return length >= strlen(with) && !memcmp(text + length - strlen(with), with, strlen(with));
}

static inline bool text_is(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && !memcmp(text, word, length);
}

/* How many of the first bytes are among @set. */
static inline size_t text_span(const char *text, size_t length, const char *set)
{
	size_t n = 0;

	while (n < length && text[n] && strchr(set, text[n]))
		n++;
	return n;
}

#endif

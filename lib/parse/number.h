/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_NUMBER_H
#define LIB_PARSE_NUMBER_H

#include <stdint.h>

enum parse_result {
	PARSE_OK = 0,
	PARSE_MALFORMED,
	PARSE_OVERFLOW,
};

/*
 * Digits from *p on, at least one; *p moves behind them. On overflow it moves behind all of them
 * too; when there is no digit it stays.
 */
enum parse_result number_decimal(const char **p, const char *end, uint64_t *ret);
enum parse_result number_hex(const char **p, const char *end, uint64_t *ret);

/* The whole of [p, end) is one decimal number, blanks and newlines around it allowed. */
enum parse_result number_only(const char *p, const char *end, uint64_t *ret);

static inline const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

#endif

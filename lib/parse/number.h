/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_NUMBER_H
#define LIB_PARSE_NUMBER_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

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

/* Lower case only, as the kernel writes it. 0: no digit, else the digit + 1. */
extern const unsigned char hex_digit[256];

/* Eight hex digits at once, all in one register, the first in its lowest byte; 0 unless all are. */
static inline int eight_hex_digits(const char *p, uint64_t *ret)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t text;

	memcpy(&text, p, sizeof(text));
	text = le64toh(text);

	uint64_t letter = text >> 6 & each; /* 0x61 to 0x66; the others are 0x30 to 0x39 */
	uint64_t value = (text & each * 0x0f) + letter * 9;

	/* a letter is 10 or more, a digit is not; none is 16 or more */
	if ((text & each * 0xf0) != (each + letter) * 0x30 ||
	    ((((value + each * 6) ^ letter * 0x10) | value) & each * 0x10))
		return 0;
	/* pairs, fours, eights */
	value = (value << 4 | value >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	value = (value << 8 | value >> 16) & UINT64_C(0x0000ffff0000ffff);
	*ret = (value << 16 | value >> 32) & UINT64_C(0xffffffff);
	return 1;
}

/* The same as number_decimal() for hex digits; inline, since mappings begin with five of them. */
static inline enum parse_result number_hex(const char **p, const char *end, uint64_t *ret)
{
	const char *start = *p, *at = start;
	uint64_t value = 0, eight;
	unsigned int digit;

	/* that there are not so many the fifth tells, mostly: of an address four are left */
	for (; end - at >= 8 && hex_digit[(unsigned char)at[4]] && eight_hex_digits(at, &eight);
	     at += 8)
		value = value << 32 | eight;
	for (; at < end && (digit = hex_digit[(unsigned char)*at]); at++)
		value = value << 4 | (digit - 1);
	if (at == start)
		return PARSE_MALFORMED;
	*p = at;
	while (at - start > 16)
		if (*start++ != '0')
			return PARSE_OVERFLOW;
	*ret = value;
	return PARSE_OK;
}

/* The whole of [p, end) is one decimal number, blanks and newlines around it allowed. */
enum parse_result number_only(const char *p, const char *end, uint64_t *ret);

static inline const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

#endif

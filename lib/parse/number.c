/* SPDX-License-Identifier: MIT */
#include "parse/number.h"

/* Above 9 when it is none. */
static unsigned int digit_of(char c)
{
	return (unsigned int)(unsigned char)c - '0';
}

enum parse_result number_decimal(const char **p, const char *end, uint64_t *ret)
{
	const char *at = *p;
	/* so many digits fit, whatever they are */
	const char *safe = end - at > 19 ? at + 19 : end;
	uint64_t value = 0;
	unsigned int digit;
	int overflow = 0;

	for (; at < safe && (digit = digit_of(*at)) <= 9; at++)
		value = value * 10 + digit;
	for (; at < end && (digit = digit_of(*at)) <= 9; at++)
		overflow |= __builtin_mul_overflow(value, UINT64_C(10), &value) ||
			    __builtin_add_overflow(value, digit, &value);
	if (at == *p)
		return PARSE_MALFORMED;
	*p = at;
	if (overflow)
		return PARSE_OVERFLOW;
	*ret = value;
	return PARSE_OK;
}

const unsigned char hex_digit[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

enum parse_result number_only(const char *p, const char *end, uint64_t *ret)
{
	uint64_t value;

	p = skip_blanks(p, end);
	enum parse_result result = number_decimal(&p, end, &value);

	while (p < end && (*p == ' ' || *p == '\t' || *p == '\n'))
		p++;
	if (p < end)
		return PARSE_MALFORMED;
	if (result == PARSE_OK)
		*ret = value;
	return result;
}

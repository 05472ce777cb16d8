/* SPDX-License-Identifier: MIT */
#include "parse/number.h"

enum parse_result number_decimal(const char **p, const char *end, uint64_t *ret)
{
	const char *at = *p;
	uint64_t value = 0;
	int overflow = 0;

	for (; at < end; at++) {
		unsigned int digit = (unsigned int)(unsigned char)*at - '0';

		if (digit > 9)
			break;
		overflow |= __builtin_mul_overflow(value, UINT64_C(10), &value) ||
			    __builtin_add_overflow(value, digit, &value);
	}
	if (at == *p)
		return PARSE_MALFORMED;
	*p = at;
	if (overflow)
		return PARSE_OVERFLOW;
	*ret = value;
	return PARSE_OK;
}

/* Lower case only, as the kernel writes it. 0: no digit, else the digit + 1. */
static const unsigned char hex_digit[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

enum parse_result number_hex(const char **p, const char *end, uint64_t *ret)
{
	const char *start = *p, *at = start;
	uint64_t value = 0;
	unsigned int digit;

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

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parse/buddyinfo.h"
#include "parse/number.h"

int buddyinfo_free_blocks(const char *text, size_t length, unsigned int order, uint64_t *ret)
{
	const char *end = text + strnlen(text, length);
	uint64_t sum = 0;
	int found = 0;

	for (const char *p = text, *next; p < end; p = next) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *eol = newline ? newline : end;
		const char *zone = memmem(p, (size_t)(eol - p), "zone", 4);
		uint64_t blocks;

		next = eol + 1;
		if (!zone)
			continue;
		p = skip_blanks(zone + 4, eol); /* "Node 0, zone   Normal   1 2 3": skip the name */
		while (p < eol && *p != ' ')
			p++;
		for (unsigned int column = 0;; column++) {
			p = skip_blanks(p, eol);

			enum parse_result result = number_decimal(&p, eol, &blocks);

			if (result == PARSE_MALFORMED)
				break;
			if (column < order)
				continue;
			found = 1;
			if (result == PARSE_OVERFLOW || column - order >= 32 ||
			    __builtin_mul_overflow(blocks, UINT64_C(1) << (column - order),
						   &blocks) ||
			    __builtin_add_overflow(sum, blocks, &sum))
				return -1;
		}
	}
	if (!found)
		return -1;
	*ret = sum;
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parse/number.h"
#include "parse/stat.h"

int stat_parse(const char *text, size_t length, struct stat_line *ret)
{
	const char *end = text + length;
	const char *p = memrchr(text, ')', length); /* the last one: a name may hold others */
	struct stat_line line = { 0 };

	if (!p)
		return -1;
	p = skip_blanks(p + 1, end);
	if (p == end)
		return -1;
	line.state = *p++;
	for (int field = 4; field <= 22; field++) {
		uint64_t number;

		p = skip_blanks(p, end);
		if (p < end && *p == '-') /* tpgid, priority and nice may be negative */
			p++;
		if (number_decimal(&p, end, &number))
			return -1;
		if (field == 9)
			line.flags = number;
		else if (field == 22)
			line.start_time = number;
	}
	*ret = line;
	return 0;
}

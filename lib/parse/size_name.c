/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parse/number.h"
#include "parse/size_name.h"

int size_name_parse(const char *name, uint64_t *ret)
{
	static const char prefix[] = "hugepages-";
	const char *p = name, *end = name + strlen(name);
	uint64_t kilobytes, bytes;

	if (strncmp(name, prefix, sizeof(prefix) - 1))
		return -1;
	p += sizeof(prefix) - 1;
	/* the kernel prints no leading zero: a size has one name only */
	if (*p == '0' || number_decimal(&p, end, &kilobytes) || strcmp(p, "kB") ||
	    __builtin_mul_overflow(kilobytes, UINT64_C(1024), &bytes))
		return -1;
	*ret = bytes;
	return 0;
}

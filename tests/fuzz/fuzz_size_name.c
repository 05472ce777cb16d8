/* SPDX-License-Identifier: MIT */
/* Names of directories such as "hugepages-2048kB". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parse/size_name.h"

#define UNTOUCHED UINT64_C(0x5ca1ab1e5ca1ab1e)

static bool is_name(const char *name, uint64_t bytes)
{
	char printed[64];

	snprintf(printed, sizeof(printed), "hugepages-%llukB", (unsigned long long)(bytes / 1024));
	return !(bytes % 1024) && !strcmp(printed, name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name = fuzz_text(data, size);
	uint64_t bytes = UNTOUCHED;
	unsigned long long kilobytes;
	int result = size_name_parse(name, &bytes);

	fuzz_require(!result || (result == -1 && bytes == UNTOUCHED), "%d", result);
	/* a name and a size belong to each other, and to no others */
	fuzz_require(result || is_name(name, bytes), "%s is %llu", name, (unsigned long long)bytes);
	if (sscanf(name, "hugepages-%llu", &kilobytes) == 1 && kilobytes &&
	    kilobytes <= UINT64_MAX / 1024 && is_name(name, kilobytes * 1024))
		fuzz_require(!result, "%s", name);
	free(name);
	return 0;
}

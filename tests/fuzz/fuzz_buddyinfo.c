/* SPDX-License-Identifier: MIT */
/* Free blocks of an order and above. The first byte chooses the order, the rest is the file. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parse/buddyinfo.h"
#include "reference.h"

#define UNTOUCHED UINT64_C(0x5ca1ab1e5ca1ab1e)

/* Larger than any sum that fits, and stays so. */
#define TOO_LARGE ((unsigned __int128)1 << 64)

static void add_line(const char *line, unsigned int order, unsigned __int128 *sum, bool *found)
{
	const char *p = strstr(line, "zone");

	if (!p)
		return;
	p += strlen("zone");
	p += strspn(p, " \t");
	p += strcspn(p, " ");
	for (unsigned int column = 0;; column++) {
		char *number;
		uint64_t blocks;
		enum reference_kind kind;

		p += strspn(p, " \t");
		number = fuzz_text(p, strspn(p, "0123456789"));
		kind = reference_number(number, 10, &blocks);
		p += strlen(number);
		free(number);
		if (kind == REFERENCE_NO_NUMBER)
			return;
		if (column < order)
			continue;
		*found = true;
		/* no kernel has orders that far apart */
		if (kind == REFERENCE_TOO_LARGE || column - order >= 32)
			*sum = TOO_LARGE;
		else if (*sum < TOO_LARGE)
			*sum += (unsigned __int128)blocks << (column - order);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = { data, data + size };
	unsigned int order = fuzz_byte(&input) % 32;
	size_t length = (size_t)(input.end - input.p);
	char *exact = fuzz_copy(input.p, length), *text = fuzz_text(input.p, length), *save;
	uint64_t value = UNTOUCHED;
	int result = buddyinfo_free_blocks(exact, length, order, &value);
	unsigned __int128 sum = 0;
	bool found = false;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		add_line(line, order, &sum, &found);
	if (found && sum <= UINT64_MAX) {
		fuzz_require(!result, "not found");
		fuzz_require(value == (uint64_t)sum, "%llu blocks, wanted %llu",
			     (unsigned long long)value, (unsigned long long)sum);
	} else {
		fuzz_require(result == -1 && value == UNTOUCHED, "%d", result);
	}
	free(text);
	free(exact);
	return 0;
}

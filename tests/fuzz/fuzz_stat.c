/* SPDX-License-Identifier: MIT */
/* /proc/PID/stat, whose second field may hold anything. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parse/stat.h"
#include "reference.h"

/* The fields behind the name, numbered as in proc(5): state is 3. */
#define FIRST 3
#define LAST 22

/* As the kernel writes it? Then it is clear what has to come out. */
static bool is_plain(char *rest, struct stat_line *ret)
{
	char *save, *word = strtok_r(rest, " ", &save);

	if (!word || strlen(word) != 1 || *word == '\t')
		return false;
	ret->state = *word;
	for (int field = FIRST + 1; field <= LAST; field++) {
		uint64_t number;

		word = strtok_r(NULL, " ", &save);
		if (!word || reference_number(word + (*word == '-'), 10, &number))
			return false;
		if (field == 9)
			ret->flags = number;
		if (field == LAST)
			ret->start_time = number;
	}
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct stat_line untouched = { '?', 1, 2 };
	struct stat_line line = untouched, wanted = { 0 };
	char *text = fuzz_copy(data, size);
	const char *name_end = size ? memrchr(text, ')', size) : NULL;
	int result = stat_parse(text, size, &line);

	fuzz_require(!result || result == -1, "%d", result);
	fuzz_require(!result || (line.state == untouched.state && line.flags == untouched.flags &&
				 line.start_time == untouched.start_time),
		     "touched");
	fuzz_require(result || name_end, "no name");
	if (name_end) {
		char *rest = fuzz_text(name_end + 1, (size_t)(text + size - name_end - 1));
		bool plain = is_plain(rest, &wanted);

		fuzz_require(!plain || !result, "not parsed");
		fuzz_require(!plain || line.state == wanted.state, "%c", line.state);
		fuzz_require(!plain || line.flags == wanted.flags, "flags");
		fuzz_require(!plain || line.start_time == wanted.start_time, "start");
		free(rest);
	}
	free(text);
	return 0;
}

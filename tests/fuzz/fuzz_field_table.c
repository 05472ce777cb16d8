/* SPDX-License-Identifier: MIT */
/*
 * Files of keys and values in both layouts. The first byte is 'f' for the flat one; the rest is the
 * file.
 */
#include <stdlib.h>
#include <string.h>

#include "empty_source.h"
#include "fuzz.h"
#include "reference.h"

static void parse(const struct field_table *table, bool flat, const char *text, size_t size,
		  struct figures *figures)
{
	figures_clear(figures);
	if (flat)
		field_table_flat(table, text, size, figures);
	else
		field_table_text(table, text, size, figures);
}

static void hold(const struct field_table *table, const char *file, bool flat, const char *text,
		 size_t size)
{
	struct reference_figures wanted = { 0 };
	struct figures figures;

	parse(table, flat, text, size, &figures);
	reference_text(file, flat, text, size, &wanted);
	reference_compare(&wanted, &figures, file);
}

/* The last line first, and so on: where each key is there once nothing may change. */
static char *reversed(const char *text, size_t size)
{
	char *copy = fuzz_copy(text, size);
	size_t done = 0;

	while (done < size) {
		size_t length = reference_line_length(text + done, text + size) + 1;

		if (done + length > size) { /* no newline */
			memcpy(copy, text, size);
			break;
		}
		memcpy(copy + size - done - length, text + done, length);
		done += length;
	}
	return copy;
}

static bool has_key_twice(const char *file, bool flat, const char *text, size_t size)
{
	uint8_t seen[METRIC_LIMIT] = { 0 };

	for (size_t done = 0; done < size;) {
		struct reference_figures line = { 0 };
		size_t length = reference_line_length(text + done, text + size);

		reference_text(file, flat, text + done, length, &line);
		for (unsigned int i = 0; i < METRIC_LIMIT; i++) {
			const struct reference_figure *figure = &line.of[i];

			seen[i] += figure->present || figure->overflow || figure->malformed;
			if (seen[i] > 1)
				return true;
		}
		done += length + 1;
	}
	return false;
}

static void hold_any_order(const struct field_table *table, const char *file, bool flat,
			   const char *text, size_t size)
{
	struct reference_figures wanted = { 0 };
	struct figures backward;
	char *copy;

	/* what stands behind a NUL is not read, so it must not come to the front */
	if (!size || memchr(text, '\0', size) || has_key_twice(file, flat, text, size))
		return;
	copy = reversed(text, size);
	parse(table, flat, copy, size, &backward);
	reference_text(file, flat, text, size, &wanted);
	reference_compare(&wanted, &backward, "in reverse order");
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct thpstat *source = empty_source();
	struct fuzz_input input = { data, data + size };
	bool flat = fuzz_byte(&input) == 'f';
	const struct field_table *table = flat ? &source->vmstat : &source->meminfo;
	const char *file = flat ? "vmstat" : "meminfo";
	size_t length = (size_t)(input.end - input.p);
	char *text = fuzz_copy(input.p, length);

	hold(table, file, flat, text, length);
	hold_any_order(table, file, flat, text, length);
	if (!flat)
		hold(&source->node_meminfo, "node/meminfo", flat, text, length);
	free(text);
	return 0;
}

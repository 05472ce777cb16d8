/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_REFERENCE_H
#define TESTS_FUZZ_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <thpstat/metric.h>

#include "parse/figures.h"

/*
 * The same files read in the plainest way, with copies and strtoull(), to hold the library's
 * parsers against. Of the library it uses the public list of metrics only.
 */

enum reference_kind { REFERENCE_NUMBER, REFERENCE_NO_NUMBER, REFERENCE_TOO_LARGE };

/* @text is one number from beginning to end, in this base; hexadecimal digits are small. */
enum reference_kind reference_number(const char *text, int base, uint64_t *ret);

struct reference_figures {
	struct reference_figure {
		bool present;
		bool overflow;
		bool malformed;
		uint64_t value;
	} of[METRIC_LIMIT];
};

/*
 * One line without its newline, of a file with this name in thpstat_metric_info.kernel_files.
 * Which metric it was, 0 for none.
 */
enum thpstat_metric reference_line(const char *file, const char *line, size_t length,
				   struct reference_figures *figures);

/* Every line up to a NUL. @flat: "key 123" as in vmstat, else "Key: 123 kB". */
void reference_text(const char *file, bool flat, const char *text, size_t length,
		    struct reference_figures *figures);

/* Does a metric come from this file? */
bool reference_is_of(enum thpstat_metric metric, const char *file);

/* Aborts when they differ. */
void reference_compare(const struct reference_figures *wanted, const struct figures *found,
		       const char *what);

/* The first line of a record of smaps. */
struct reference_header {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t inode;
	uint64_t major;
	uint64_t minor;
	char permissions[4];
	const char *name; /* in the line */
	size_t name_length;
};

bool reference_header(const char *line, size_t length, struct reference_header *ret);

/* Length of the line that begins at @text, without its newline. */
size_t reference_line_length(const char *text, const char *end);

#endif

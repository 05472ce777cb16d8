/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_FIELD_TABLE_H
#define LIB_PARSE_FIELD_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "parse/figures.h"

#define FIELD_TABLE_MAX 40

/* The keys of one kind of file that are metrics. */
struct field {
	const char *key;
	uint8_t length;
	uint8_t kilobytes; /* the kernel writes it with " kB" */
	uint16_t metric;
};

/* Empty when all zero. */
struct field_table {
	struct field fields[FIELD_TABLE_MAX];
	size_t n;
	uint64_t hashes; /* a bit for each: tells most other keys at a glance */
};

/* @key is borrowed. The table is full at FIELD_TABLE_MAX: a mistake of whoever adds a metric. */
void field_table_add(struct field_table *table, const char *key, enum thpstat_metric metric,
		     int kilobytes);

/*
 * Finds a whole key; *hint is where to look first and becomes the place after the one found, so
 * that a file whose order does not change is looked up in one comparison a line. Order is never
 * relied upon. NULL: not a metric.
 */
const struct field *field_table_find(const struct field_table *table, const char *key,
				     size_t length, size_t *hint);

/* Takes [text, end), what stands behind the colon of a field, into figures. */
void field_store(const struct field *field, const char *text, const char *end,
		 struct figures *figures);

/* What one line is. */
enum field_line {
	FIELD_LINE_NONE,    /* no key: blank, garbage */
	FIELD_LINE_UNKNOWN, /* a key, but no metric */
	FIELD_LINE_VALUE, /* a metric; its value was stored, or marked as malformed or overflown */
};

/*
 * Takes one line "Key:  123 kB" (without its newline) into figures. The key ends at the first
 * colon and has no blanks.
 */
enum field_line field_table_line(const struct field_table *table, const char *line, const char *end,
				 size_t *hint, struct figures *figures);

/* Takes every line of a text; stops at a NUL, which tar puts behind saved sysfs files. */
void field_table_text(const struct field_table *table, const char *text, size_t length,
		      struct figures *figures);

/* The same for files of lines "key 123", as vmstat has them. */
void field_table_flat(const struct field_table *table, const char *text, size_t length,
		      struct figures *figures);

#endif

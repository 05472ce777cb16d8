/* SPDX-License-Identifier: MIT */
#ifndef CLI_COLUMN_H
#define CLI_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

#include <thpstat/thpstat.h>

#include "report.h"

/* A subject of our own: sums over the mappings of one kind. */
#define COLUMNS_OF_KIND (1u << 31)

/* What is told of a process, a mapping, a kind or an object beside its metrics. */
enum identity {
	IDENTITY_PID,
	IDENTITY_PPID,
	IDENTITY_UID,
	IDENTITY_USER,
	IDENTITY_COMM,
	IDENTITY_STATE,
	IDENTITY_ERROR,
	IDENTITY_CGROUP,
	IDENTITY_START_TIME,
	IDENTITY_INCONSISTENT,
	IDENTITY_CUT,
	IDENTITY_ONCE_METHOD,
	IDENTITY_FOOTPRINT_METHOD,
	IDENTITY_PAGE_SOURCE,
	IDENTITY_START,
	IDENTITY_END,
	IDENTITY_OFFSET,
	IDENTITY_DEVICE,
	IDENTITY_INODE,
	IDENTITY_KIND,
	IDENTITY_CLASS,
	IDENTITY_PERMS,
	IDENTITY_NOTES,
	IDENTITY_NAME,
	IDENTITY_MAPPINGS,
	IDENTITY_NAMES_DIFFER,
};

/* One column: it drives -o, tables, JSON keys and --list-columns. */
struct column {
	struct report_column shape;
	enum { COLUMN_IDENTITY, COLUMN_METRIC, COLUMN_RATIO } kind;
	int id; /* identity, thpstat_metric or thpstat_ratio */
	const char *unit;
	const char *kernel_field;
	const char *description;
};

/* Some columns, in the order of their use. */
struct columns {
	struct column *items;
	size_t n;
	size_t capacity;
};

/* The columns beside the metrics that records of a subject have; NULL behind the last one. */
const struct column *identity_column(unsigned int subject, size_t i);

/* All columns of records of a subject: THPSTAT_OF_..., COLUMNS_OF_KIND. */
struct columns columns_of(unsigned int subject);
void columns_free(struct columns *columns);

const struct column *columns_find(const struct columns *columns, const char *name, size_t length);

/* Add @column unless it is there. Returns its place. */
size_t columns_add(struct columns *columns, const struct column *column);

/*
 * Apply one argument of -o to @chosen: "LIST" replaces what was chosen, "+LIST" adds to it. Returns
 * 0, or STATUS_USAGE after a message.
 */
int columns_apply(struct columns *chosen, const struct columns *all, const char *list);

/*
 * The metrics that @columns are made from, in @ret, to be freed; at least one byte is allocated.
 * Returns their number.
 */
size_t columns_metrics(const struct columns *columns, enum thpstat_metric **ret);

/* Does one of @columns need this part of the identity? */
bool columns_have(const struct columns *columns, enum identity identity);

/* An empty report with these columns. */
struct report *columns_report(const struct columns *columns, const char *name);

/* Fill the cell of a metric or ratio. */
void column_fill(const struct column *column, const struct thpstat_usage *usage, struct cell *cell);

/* The same for each of @columns. */
void columns_fill(const struct columns *columns, const struct thpstat_usage *usage,
		  struct cell *row);

/* What there is: name, unit, kernel field and description of each, on stdout for people. */
void columns_explain(const struct columns *columns);

/* The same for programs. */
struct report *columns_describe(const struct columns *columns);

#endif

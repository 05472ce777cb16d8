/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Rows of typed cells: what a command found out, before anybody thought of how to print it. The
 * back ends are report_table.c and report_json.c.
 */
enum cell_type {
	CELL_ABSENT, /* not known, or does not apply */
	CELL_BYTES,
	CELL_COUNT,
	CELL_FLAG,
	CELL_RATIO,   /* 0 to 1 */
	CELL_TEXT,    /* any bytes but NUL */
	CELL_WORDS,   /* likewise, words separated by blanks: a list in JSON */
	CELL_ADDRESS, /* printed as hexadecimal */
};

struct cell {
	enum cell_type type;
	union {
		uint64_t number;
		double ratio;
		char *text;	 /* owned */
		const char *why; /* of CELL_ABSENT: static, NULL when there is nothing to explain */
	};
	uint64_t missing; /* parts that a sum lacks */
};

/* Bits of report_column.flags. */
#define REPORT_HIDDEN (1u << 0)	  /* there to sort by only */
#define REPORT_BAR (1u << 1)	  /* tables for people draw a bar beside the ratio */
#define REPORT_TRUNCATE (1u << 2) /* may be cut to the width of a terminal */
#define REPORT_WRAP (1u << 3)	  /* words wrapped to what room a terminal leaves; the last one */
#define REPORT_PATH (1u << 5)	  /* of a path that is too long the end is shown; the last one */
#define REPORT_NARROW (1u << 4)	  /* that bar is a short one */

struct report_column {
	const char *name;    /* in lower case: the JSON key; tables print it in capitals */
	enum cell_type type; /* of its cells that are not absent */
	unsigned int flags;
};

struct report {
	const char *name; /* JSON key of the whole */
	bool single;	  /* one record, not a list of records */
	bool explained;	  /* records say why cells are absent or incomplete */
	struct report_column *columns;
	size_t n_columns;
	struct cell **rows;
	size_t n_rows;
	size_t capacity;
};

struct report *report_new(const char *name, size_t n_columns);
struct report *report_free(struct report *report);

/* A new row of absent cells. */
struct cell *report_add_row(struct report *report);
void report_clear(struct report *report);

/* Order the rows by one column; absent cells come last either way, equals keep their order. */
void report_sort(struct report *report, size_t column, bool descending);

void cell_set_number(struct cell *cell, enum cell_type type, uint64_t number);
void cell_set_ratio(struct cell *cell, double ratio);
/* NULL makes it absent. */
void cell_set_text(struct cell *cell, const char *text);
void cell_set_words(struct cell *cell, const char *words);
void cell_set_absent(struct cell *cell, const char *why);

struct table_style {
	enum { TABLE_HUMAN, TABLE_RAW, TABLE_PAIRS } kind;
	bool headings;
	bool bytes; /* sizes as plain numbers; always so but for people */
	bool color;
};

/* Print the first @limit rows on stdout. */
void report_print_table(const struct report *report, const struct table_style *style, size_t limit);

/* One JSON object whose members are the reports. */
void report_print_json(const struct report *const *reports, size_t n_reports);

/*
 * The same with a list in it that comes in pieces: @first and the beginning of the list, some of
 * its rows after @n_before others, and after @n_rows of them the end and @last.
 */
void report_json_begin(const struct report *first, const struct report *list);
void report_json_rows(const struct report *list, size_t n_before);
void report_json_end(size_t n_rows, const struct report *last);

/* One JSON object per row and line. */
void report_print_json_lines(const struct report *report);

#endif

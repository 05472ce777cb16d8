/* SPDX-License-Identifier: MIT */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#include <thpstat/thpstat.h>

#include "column.h"
#include "session.h"

/*
 * A list of records on its way out, in whatever format: which columns, in which order, and printed
 * row by row where nothing has to be known of them all.
 */
struct listing {
	const struct session *session;
	struct columns all;
	struct columns columns;
	struct report *report;
	struct table_style style;
	bool is_sorted;
	bool descending;
	size_t sort_column;
	bool streams;	 /* rows are printed as they come */
	size_t n_before; /* rows that were */
};

/*
 * The columns that the options choose among those of a subject, and the order. @usual: see
 * session_columns(); JSON has all. Returns 0, or STATUS_USAGE after a message.
 */
int listing_prepare(struct listing *listing, const struct session *session, unsigned int subject,
		    const char *usual);

/* People look for the large ones: tables for them are sorted by this column when it is shown. */
void listing_show_largest_first(struct listing *listing, const char *name);

/* A column that is there in any case, if need be unseen. Returns its place. */
size_t listing_add_unseen(struct listing *listing, const struct column *column);

/* An empty report of this name. */
void listing_begin(struct listing *listing, const char *name);

/* Print the rows so far, the first @limit of them, and forget them. */
void listing_flush(struct listing *listing, size_t limit);

/* A row is complete: it is printed when rows stream and there are enough of them. */
void listing_row_done(struct listing *listing);

void listing_sort(struct listing *listing);

void listing_free(struct listing *listing);

#endif

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "listing.h"
#include "message.h"
#include "progress.h"

/* Rows that are kept before they are printed, where nothing has to be known of them all. */
#define BATCH 64

static int choose_order(struct listing *listing)
{
	const char *name = listing->session->options->sort;
	const struct column *column;

	if (!name)
		return 0;
	listing->is_sorted = true;
	listing->descending = *name == '-';
	name += listing->descending;
	column = columns_find(&listing->all, name, strlen(name));
	if (!column) {
		message("unknown column '%s' to sort by; --list-columns shows all", name);
		return STATUS_USAGE;
	}
	listing->sort_column = listing_add_unseen(listing, column);
	return 0;
}

int listing_prepare(struct listing *listing, const struct session *session, unsigned int subject,
		    const char *usual)
{
	int status;

	*listing = (struct listing){
		.session = session,
		.all = columns_of(subject),
		.style = options_table_style(session->options),
	};
	status = session_columns(session, &listing->all,
				 options_are_json(session->options) ? NULL : usual,
				 &listing->columns);
	return status ? status : choose_order(listing);
}

void listing_show_largest_first(struct listing *listing, const char *name)
{
	const struct column *column = columns_find(&listing->columns, name, strlen(name));

	if (listing->is_sorted || !column || listing->session->options->format != FORMAT_TABLE)
		return;
	listing->is_sorted = listing->descending = true;
	listing->sort_column = columns_add(&listing->columns, column);
}

size_t listing_add_unseen(struct listing *listing, const struct column *column)
{
	struct column unseen = *column;

	unseen.shape.flags |= REPORT_HIDDEN;
	return columns_add(&listing->columns, &unseen);
}

void listing_begin(struct listing *listing, const char *name)
{
	listing->report = columns_report(&listing->columns, name);
}

void listing_flush(struct listing *listing, size_t limit)
{
	progress_hide();
	if (listing->session->options->format == FORMAT_JSON)
		report_json_rows(listing->report, listing->n_before);
	else if (listing->session->options->format == FORMAT_JSON_LINES)
		report_print_json_lines(listing->report);
	else
		report_print_table(listing->report, &listing->style, limit);
	listing->n_before += listing->report->n_rows;
	report_clear(listing->report);
	listing->style.headings = false;
}

void listing_row_done(struct listing *listing)
{
	if (listing->streams && listing->report->n_rows >= BATCH)
		listing_flush(listing, SIZE_MAX);
}

void listing_sort(struct listing *listing)
{
	if (listing->is_sorted)
		report_sort(listing->report, listing->sort_column, listing->descending);
}

void listing_free(struct listing *listing)
{
	columns_free(&listing->all);
	columns_free(&listing->columns);
	report_free(listing->report);
}

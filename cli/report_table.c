/* SPDX-License-Identifier: MIT */
/* The only file that knows libsmartcols. */
#include <stdlib.h>
#include <string.h>

#include <libsmartcols/libsmartcols.h>

#include "ascii.h"
#include "coverage_bar.h"
#include "human_size.h"
#include "lazy_library.h"
#include "memory.h"
#include "report.h"
#include "safe_text.h"
#include "terminal.h"

#define BAR_CELLS 8
#define NARROW_BAR_CELLS 4

/* clang-format off */
#define SMARTCOLS(each) \
	each(scols_cell_set_color) \
	each(scols_column_get_header) \
	each(scols_column_set_wrapfunc) \
	each(scols_line_get_cell) \
	each(scols_line_refer_data) \
	each(scols_new_table) \
	each(scols_print_table) \
	each(scols_table_enable_colors) \
	each(scols_table_enable_export) \
	each(scols_table_enable_noencoding) \
	each(scols_table_enable_noheadings) \
	each(scols_table_enable_raw) \
	each(scols_table_new_column) \
	each(scols_table_new_line) \
	each(scols_table_set_stream) \
	each(scols_unref_table) \
	each(scols_wrapnl_chunksize) \
	each(scols_wrapnl_nextchunk)
/* clang-format on */

LAZY_LIBRARY(smartcols, SMARTCOLS_SONAME, SMARTCOLS)

static char *ratio_text(double ratio, unsigned int flags, const struct table_style *style)
{
	char percent[8], cells[COVERAGE_BAR_MAX];

	if (style->kind != TABLE_HUMAN)
		return memory_format("%.6f", ratio);
	if (!(flags & REPORT_BAR))
		return memory_copy(human_percent(ratio, percent));
	return memory_format("%4s %s", human_percent(ratio, percent),
			     coverage_bar(ratio,
					  flags & REPORT_NARROW ? NARROW_BAR_CELLS : BAR_CELLS,
					  cells));
}

static char *cell_text(const struct cell *cell, const struct report_column *column,
		       const struct table_style *style)
{
	bool human = style->kind == TABLE_HUMAN;
	char size[HUMAN_SIZE_MAX];

	switch (cell->type) {
	case CELL_RATIO:
		return ratio_text(cell->ratio, column->flags, style);
	case CELL_ADDRESS:
		/* as in maps, where programs get what they can take for a number */
		return memory_format(human ? "%llx" : "0x%llx", (unsigned long long)cell->number);
	case CELL_BYTES:
		if (human && !style->bytes)
			return memory_copy(human_size(cell->number, size));
		return memory_format("%llu", (unsigned long long)cell->number);
	case CELL_COUNT:
	case CELL_FLAG:
		return memory_format("%llu", (unsigned long long)cell->number);
	case CELL_TEXT:
	case CELL_WORDS:
		/* raw and pairs: libsmartcols itself encodes what is not plain, backslashes too */
		if (human)
			return safe_text_for_terminal(cell->text);
		if (*cell->text)
			return memory_copy(cell->text);
		break; /* an empty field would shift those after it */
	case CELL_ABSENT:
		break;
	}
	return memory_copy(human && column->flags & REPORT_BAR ? "   -" : "-");
}

/* Widest of a column and its heading. */
static size_t column_width(const struct report *report, size_t column,
			   const struct table_style *style)
{
	size_t width = strlen(report->columns[column].name);

	for (size_t i = 0; i < report->n_rows; i++) {
		char *text = cell_text(&report->rows[i][column], &report->columns[column], style);
		size_t length = safe_text_width(text);

		width = length > width ? length : width;
		free(text);
	}
	return width;
}

/* What a terminal leaves for the last column, and not too little; 0 for all it wants. */
static size_t room_of_last(const struct report *report, const struct table_style *style)
{
	size_t last = report->n_columns - 1, columns, lines, used = 0;
	bool wraps = report->columns[last].flags & REPORT_WRAP;
	size_t least = wraps ? 20 : 8;

	if (style->kind != TABLE_HUMAN || !terminal_size(&columns, &lines))
		return 0;
	for (size_t i = 0; i < last; i++)
		if (!(report->columns[i].flags & REPORT_HIDDEN))
			used += column_width(report, i, style) + 1;
	if (columns > used + least)
		return columns - used;
	/* too narrow in any case: what is cut is left to libsmartcols */
	return wraps ? least : 0;
}

/* Of a path the end says most, unless it says what all names in memory end with. */
static void keep_end(char *text, size_t room)
{
	static const char dots[] = "...", deleted[] = " (deleted)";
	size_t length = strlen(text);
	char *end = text;

	if (*text != '/' || safe_text_width(text) <= room ||
	    (length > strlen(deleted) && !strcmp(text + length - strlen(deleted), deleted)))
		return;
	/* never within a character */
	while (*end && (safe_text_width(end) > room - strlen(dots) || (*end & 0xc0) == 0x80))
		end++;
	memmove(text + strlen(dots), end, strlen(end) + 1);
	memcpy(text, dots, strlen(dots));
}

/* Break lines of ASCII text at blanks. */
static void wrap_words(char *text, size_t room)
{
	char *start = text, *blank = NULL;

	for (char *c = text; *c; c++) {
		if (*c == ' ')
			blank = c;
		if (blank && (size_t)(c - start) >= room) {
			*blank = '\n';
			start = blank + 1;
			blank = NULL;
		}
	}
}

static struct libscols_column *add_column(struct libscols_table *table,
					  const struct report_column *column,
					  const struct table_style *style)
{
	bool human = style->kind == TABLE_HUMAN;
	char *heading = ascii_capitalize(memory_copy(column->name));
	struct libscols_column *added;
	int flags = 0;

	if (column->type != CELL_TEXT && !(column->flags & REPORT_BAR))
		flags |= SCOLS_FL_RIGHT;
	/* libsmartcols does that on terminals only */
	if (human && column->flags & REPORT_TRUNCATE)
		flags |= SCOLS_FL_TRUNC;
	if (human && column->flags & REPORT_WRAP)
		flags |= SCOLS_FL_WRAP;
	added = smartcols.scols_table_new_column(table, heading, 0, flags);
	if (added && column->flags & REPORT_WRAP)
		smartcols.scols_column_set_wrapfunc(added, smartcols.scols_wrapnl_chunksize,
						    smartcols.scols_wrapnl_nextchunk, NULL);
	if (added && style->color)
		smartcols.scols_cell_set_color(smartcols.scols_column_get_header(added), "bold");
	free(heading);
	return added;
}

static bool add_line(struct libscols_table *table, const struct report *report,
		     const struct cell *row, const struct table_style *style, size_t room)
{
	struct libscols_line *line = smartcols.scols_table_new_line(table, NULL);
	size_t place = 0;

	if (!line)
		return false;
	for (size_t i = 0; i < report->n_columns; i++) {
		const struct report_column *column = &report->columns[i];
		char *text;

		if (column->flags & REPORT_HIDDEN)
			continue;
		text = cell_text(&row[i], column, style);
		if (column->flags & REPORT_WRAP && room)
			wrap_words(text, room);
		if (column->flags & REPORT_PATH && room && i + 1 == report->n_columns)
			keep_end(text, room);
		/* the line takes the text over */
		if (smartcols.scols_line_refer_data(line, place, text))
			return false;
		if (style->color && column->flags & REPORT_BAR)
			smartcols.scols_cell_set_color(smartcols.scols_line_get_cell(line, place),
						       "cyan");
		place++;
	}
	return true;
}

static bool print(struct libscols_table *table, const struct report *report,
		  const struct table_style *style, size_t limit)
{
	const unsigned int fitted = REPORT_WRAP | REPORT_PATH;
	bool fits = report->n_columns && report->columns[report->n_columns - 1].flags & fitted;
	size_t room = fits ? room_of_last(report, style) : 0;

	smartcols.scols_table_set_stream(table, stdout);
	smartcols.scols_table_enable_raw(table, style->kind == TABLE_RAW);
	smartcols.scols_table_enable_export(table, style->kind == TABLE_PAIRS);
	smartcols.scols_table_enable_noheadings(table, !style->headings);
	smartcols.scols_table_enable_colors(table, style->color);
	/* safe_text_for_terminal() has done it, and leaves out less */
	smartcols.scols_table_enable_noencoding(table, style->kind == TABLE_HUMAN);
	for (size_t i = 0; i < report->n_columns; i++)
		if (!(report->columns[i].flags & REPORT_HIDDEN) &&
		    !add_column(table, &report->columns[i], style))
			return false;
	for (size_t i = 0; i < report->n_rows && i < limit; i++)
		if (!add_line(table, report, report->rows[i], style, room))
			return false;
	/* failures to write stay in the stream, where stream_finish() finds them */
	return smartcols.scols_print_table(table) >= 0;
}

void report_print_table(const struct report *report, const struct table_style *style, size_t limit)
{
	struct libscols_table *table;

	smartcols_load();
	table = smartcols.scols_new_table();
	if (!table || !print(table, report, style, limit))
		memory_exhausted();
	smartcols.scols_unref_table(table);
}

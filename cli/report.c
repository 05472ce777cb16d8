/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report.h"

struct report *report_new(const char *name, size_t n_columns)
{
	struct report *report = memory_zeroed(1, sizeof(*report));

	report->name = name;
	report->columns = memory_zeroed(n_columns, sizeof(*report->columns));
	report->n_columns = n_columns;
	return report;
}

static void free_row(struct report *report, struct cell *row)
{
	for (size_t i = 0; i < report->n_columns; i++)
		cell_set_absent(&row[i], NULL);
	free(row);
}

void report_clear(struct report *report)
{
	for (size_t i = 0; i < report->n_rows; i++)
		free_row(report, report->rows[i]);
	report->n_rows = 0;
}

struct report *report_free(struct report *report)
{
	if (!report)
		return NULL;
	report_clear(report);
	free(report->rows);
	free(report->columns);
	free(report);
	return NULL;
}

struct cell *report_add_row(struct report *report)
{
	struct cell *row = memory_zeroed(report->n_columns, sizeof(*row));

	report->rows =
		memory_room(report->rows, report->n_rows, &report->capacity, sizeof(struct cell *));
	report->rows[report->n_rows++] = row;
	return row;
}

void cell_set_absent(struct cell *cell, const char *why)
{
	if (cell->type == CELL_TEXT || cell->type == CELL_WORDS)
		free(cell->text);
	*cell = (struct cell){ .type = CELL_ABSENT, .why = why };
}

void cell_set_number(struct cell *cell, enum cell_type type, uint64_t number)
{
	cell_set_absent(cell, NULL);
	cell->type = type;
	cell->number = number;
}

void cell_set_ratio(struct cell *cell, double ratio)
{
	cell_set_absent(cell, NULL);
	cell->type = CELL_RATIO;
	cell->ratio = ratio;
}

void cell_set_text(struct cell *cell, const char *text)
{
	cell_set_absent(cell, NULL);
	if (!text)
		return;
	cell->type = CELL_TEXT;
	cell->text = memory_copy(text);
}

void cell_set_words(struct cell *cell, const char *words)
{
	cell_set_text(cell, words);
	if (words)
		cell->type = CELL_WORDS;
}

static int compare_cells(const struct cell *a, const struct cell *b)
{
	switch (a->type) {
	case CELL_ABSENT:
		return 0;
	case CELL_RATIO:
		return (a->ratio > b->ratio) - (a->ratio < b->ratio);
	case CELL_TEXT:
	case CELL_WORDS:
		return strcmp(a->text, b->text);
	default:
		return (a->number > b->number) - (a->number < b->number);
	}
}

struct sort_row {
	struct cell *cells;
	size_t position; /* before sorting */
};

struct sort_order {
	size_t column;
	bool descending;
};

static int compare_rows(const void *a, const void *b, void *userdata)
{
	const struct sort_row *x = a, *y = b;
	const struct sort_order *order = userdata;
	const struct cell *left = &x->cells[order->column], *right = &y->cells[order->column];
	int result = (left->type == CELL_ABSENT) - (right->type == CELL_ABSENT);

	if (!result && order->descending)
		result = compare_cells(right, left);
	else if (!result)
		result = compare_cells(left, right);
	return result ? result : (x->position > y->position) - (x->position < y->position);
}

void report_sort(struct report *report, size_t column, bool descending)
{
	struct sort_row *rows = memory_zeroed(report->n_rows, sizeof(*rows));
	struct sort_order order = { column, descending };

	for (size_t i = 0; i < report->n_rows; i++)
		rows[i] = (struct sort_row){ report->rows[i], i };
	qsort_r(rows, report->n_rows, sizeof(*rows), compare_rows, &order);
	for (size_t i = 0; i < report->n_rows; i++)
		report->rows[i] = rows[i].cells;
	free(rows);
}

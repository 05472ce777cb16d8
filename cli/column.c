/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ascii.h"
#include "column.h"
#include "memory.h"
#include "message.h"

static const char *unit_name(enum thpstat_unit unit)
{
	switch (unit) {
	case THPSTAT_BYTES:
		return "bytes";
	case THPSTAT_PAGES:
		return "pages";
	case THPSTAT_EVENTS:
		return "events";
	case THPSTAT_FLAG:
		return "flag";
	case THPSTAT_MILLISECONDS:
		return "milliseconds";
	default:
		return "count";
	}
}

static enum cell_type unit_cell(enum thpstat_unit unit)
{
	switch (unit) {
	case THPSTAT_BYTES:
		return CELL_BYTES;
	case THPSTAT_FLAG:
		return CELL_FLAG;
	default:
		return CELL_COUNT;
	}
}

static struct column metric_column(const struct thpstat_metric_info *info)
{
	return (struct column){
		.shape = { .name = info->name, .type = unit_cell(info->unit) },
		.kind = COLUMN_METRIC,
		.id = (int)info->metric,
		.unit = unit_name(info->unit),
		.kernel_field = info->kernel_field,
		.description = info->description,
	};
}

static struct column ratio_column(const struct thpstat_ratio_info *info, unsigned int flags)
{
	return (struct column){
		.shape = { .name = info->name, .type = CELL_RATIO, .flags = flags },
		.kind = COLUMN_RATIO,
		.id = (int)info->ratio,
		.unit = "ratio",
		.kernel_field = "",
		.description = info->description,
	};
}

static void append(struct columns *columns, struct column column)
{
	columns->items = memory_room(columns->items, columns->n, &columns->capacity,
				     sizeof(*columns->items));
	columns->items[columns->n++] = column;
}

static bool has_metric(unsigned int subject, enum thpstat_metric metric)
{
	const struct thpstat_metric_info *info = thpstat_metric_info(metric);

	if (subject == COLUMNS_OF_KIND)
		return info->subjects & THPSTAT_OF_MAPPING && info->addable;
	return info->subjects & subject;
}

struct columns columns_of(unsigned int subject)
{
	unsigned int bar = subject == THPSTAT_OF_MAPPING ? REPORT_BAR | REPORT_NARROW : REPORT_BAR;
	const struct thpstat_ratio_info *ratio;
	struct columns columns = { 0 };
	const struct column *identity;

	for (size_t i = 0; (identity = identity_column(subject, i)); i++)
		append(&columns, *identity);
	for (enum thpstat_metric metric = thpstat_metric_next((enum thpstat_metric)0); metric;
	     metric = thpstat_metric_next(metric))
		if (has_metric(subject, metric))
			append(&columns, metric_column(thpstat_metric_info(metric)));
	for (int i = 1; (ratio = thpstat_ratio_info((enum thpstat_ratio)i)); i++)
		if (has_metric(subject, ratio->numerator) &&
		    has_metric(subject, ratio->denominator))
			append(&columns, ratio_column(ratio, bar));
	return columns;
}

void columns_free(struct columns *columns)
{
	free(columns->items);
	*columns = (struct columns){ 0 };
}

static bool is_named(const struct column *column, const char *name, size_t length)
{
	const char *own = column->shape.name;

	for (size_t i = 0; i < length; i++)
		if (ascii_capital(own[i]) != ascii_capital(name[i]) || !own[i])
			return false;
	return !own[length];
}

const struct column *columns_find(const struct columns *columns, const char *name, size_t length)
{
	for (size_t i = 0; i < columns->n; i++)
		if (is_named(&columns->items[i], name, length))
			return &columns->items[i];
	return NULL;
}

size_t columns_add(struct columns *columns, const struct column *column)
{
	for (size_t i = 0; i < columns->n; i++)
		if (columns->items[i].kind == column->kind && columns->items[i].id == column->id)
			return i;
	append(columns, *column);
	return columns->n - 1;
}

int columns_apply(struct columns *chosen, const struct columns *all, const char *list)
{
	if (*list == '+')
		list++;
	else
		columns_free(chosen);
	for (;; list++) {
		size_t length = strcspn(list, ",");
		const struct column *column = columns_find(all, list, length);

		if (!column) {
			message("unknown column '%.*s'; --list-columns shows all", (int)length,
				list);
			return STATUS_USAGE;
		}
		columns_add(chosen, column);
		list += length;
		if (!*list)
			return 0;
	}
}

static void append_metric(enum thpstat_metric *metrics, size_t *n, enum thpstat_metric metric)
{
	for (size_t i = 0; i < *n; i++)
		if (metrics[i] == metric)
			return;
	metrics[(*n)++] = metric;
}

size_t columns_metrics(const struct columns *columns, enum thpstat_metric **ret)
{
	enum thpstat_metric *metrics = memory_zeroed(columns->n * 2 + 1, sizeof(*metrics));
	size_t n = 0;

	for (size_t i = 0; i < columns->n; i++) {
		const struct column *column = &columns->items[i];

		if (column->kind == COLUMN_METRIC) {
			append_metric(metrics, &n, (enum thpstat_metric)column->id);
		} else if (column->kind == COLUMN_RATIO) {
			const struct thpstat_ratio_info *ratio =
				thpstat_ratio_info((enum thpstat_ratio)column->id);

			append_metric(metrics, &n, ratio->numerator);
			append_metric(metrics, &n, ratio->denominator);
		} else if (column->id == IDENTITY_ONCE_METHOD ||
			   column->id == IDENTITY_PAGE_SOURCE) {
			append_metric(metrics, &n, THPSTAT_RESIDENT_ONCE);
		} else if (column->id == IDENTITY_FOOTPRINT_METHOD) {
			append_metric(metrics, &n, THPSTAT_FOOTPRINT);
		}
	}
	*ret = metrics;
	return n;
}

bool columns_have(const struct columns *columns, enum identity identity)
{
	for (size_t i = 0; i < columns->n; i++)
		if (columns->items[i].kind == COLUMN_IDENTITY &&
		    columns->items[i].id == (int)identity)
			return true;
	return false;
}

struct report *columns_report(const struct columns *columns, const char *name)
{
	struct report *report = report_new(name, columns->n);

	report->explained = true;
	for (size_t i = 0; i < columns->n; i++)
		report->columns[i] = columns->items[i].shape;
	return report;
}

static const char *why(enum thpstat_reason reason)
{
	return reason == THPSTAT_REASON_NONE ? NULL : thpstat_reason_name(reason);
}

static void fill_metric(const struct column *column, const struct thpstat_usage *usage,
			struct cell *cell)
{
	enum thpstat_metric metric = (enum thpstat_metric)column->id;
	uint64_t value;

	if (thpstat_usage_get(usage, metric, &value))
		cell_set_absent(cell, why(thpstat_usage_reason(usage, metric)));
	else
		cell_set_number(cell, column->shape.type, value);
	cell->missing = thpstat_usage_missing(usage, metric);
}

static void fill_ratio(const struct column *column, const struct thpstat_usage *usage,
		       struct cell *cell)
{
	enum thpstat_ratio ratio = (enum thpstat_ratio)column->id;
	double value;
	int error = thpstat_usage_ratio(usage, ratio, &value);

	if (error == -EDOM)
		cell_set_absent(cell, "nothing to divide by");
	else if (error)
		cell_set_absent(cell, why(thpstat_usage_ratio_reason(usage, ratio)));
	else
		cell_set_ratio(cell, value);
}

void column_fill(const struct column *column, const struct thpstat_usage *usage, struct cell *cell)
{
	if (column->kind == COLUMN_METRIC)
		fill_metric(column, usage, cell);
	else if (column->kind == COLUMN_RATIO)
		fill_ratio(column, usage, cell);
}

void columns_fill(const struct columns *columns, const struct thpstat_usage *usage,
		  struct cell *row)
{
	for (size_t i = 0; i < columns->n; i++)
		column_fill(&columns->items[i], usage, &row[i]);
}

void columns_explain(const struct columns *columns)
{
	for (size_t i = 0; i < columns->n; i++) {
		const struct column *column = &columns->items[i];
		char *name = ascii_capitalize(memory_copy(column->shape.name));

		printf("%s  %s%s%s\n    %s\n", name, column->unit,
		       *column->kernel_field ? ", " : "", column->kernel_field,
		       column->description);
		free(name);
	}
}

struct report *columns_describe(const struct columns *columns)
{
	static const struct report_column shape[] = {
		{ "name", CELL_TEXT, 0 },
		{ "unit", CELL_TEXT, 0 },
		{ "kernel_field", CELL_TEXT, 0 },
		{ "description", CELL_TEXT, 0 },
	};
	struct report *report = report_new("columns", sizeof(shape) / sizeof(shape[0]));

	memcpy(report->columns, shape, sizeof(shape));
	for (size_t i = 0; i < columns->n; i++) {
		const struct column *column = &columns->items[i];
		struct cell *row = report_add_row(report);

		cell_set_text(&row[0], column->shape.name);
		cell_set_text(&row[1], column->unit);
		cell_set_text(&row[2], *column->kernel_field ? column->kernel_field : NULL);
		cell_set_text(&row[3], column->description);
	}
	return report;
}

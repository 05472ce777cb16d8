/* SPDX-License-Identifier: MIT */
/*
 * The only file that knows jansson. Records are built and printed one by one, so that a list of any
 * length needs the memory of one record; the frame around them is plain text.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "lazy_library.h"
#include "memory.h"
#include "report.h"
#include "safe_text.h"

/* Escapes for all that is not ASCII: no terminal shall obey what a process calls itself. */
#define DUMP_FLAGS (JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6))

/* clang-format off */
#define JANSSON(each) \
	each(json_array) \
	each(json_array_append_new) \
	each(json_delete) \
	each(json_dumpf) \
	each(json_integer) \
	each(json_null) \
	each(json_object) \
	each(json_object_get) \
	each(json_object_set_new) \
	each(json_real) \
	each(json_string)
/* clang-format on */

LAZY_LIBRARY(jansson, JANSSON_SONAME, JANSSON)

/* The header's own json_decref() calls it by this name. */
void json_delete(json_t *json)
{
	jansson.json_delete(json);
}

static json_t *checked(json_t *value)
{
	if (!value)
		memory_exhausted();
	return value;
}

static void set(json_t *object, const char *key, json_t *value)
{
	if (jansson.json_object_set_new(object, key, checked(value)) < 0)
		memory_exhausted();
}

/* Numbers above what JSON readers, jansson included, hold as an integer have no JSON form. */
static const char *why_absent(const struct cell *cell)
{
	bool is_number =
		cell->type == CELL_BYTES || cell->type == CELL_COUNT || cell->type == CELL_FLAG;

	if (is_number && cell->number > INT64_MAX)
		return "overflow";
	return cell->type == CELL_ABSENT ? cell->why : NULL;
}

static json_t *text_value(const char *text)
{
	char *safe = safe_text_for_json(text);
	json_t *value = jansson.json_string(safe);

	free(safe);
	return value;
}

static json_t *words_value(const char *words)
{
	json_t *list = checked(jansson.json_array());

	for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
		size_t length = strcspn(words, " ");
		char *word = memory_format("%.*s", (int)length, words);

		if (jansson.json_array_append_new(list, checked(text_value(word))) < 0)
			memory_exhausted();
		free(word);
		words += length;
	}
	return list;
}

static json_t *cell_value(const struct cell *cell)
{
	char address[sizeof("0x") + 16];

	if (why_absent(cell))
		return jansson.json_null();
	switch (cell->type) {
	case CELL_BYTES:
	case CELL_COUNT:
	case CELL_FLAG:
		return jansson.json_integer((json_int_t)cell->number);
	case CELL_RATIO:
		return jansson.json_real((double)(uint64_t)(cell->ratio * 1e6 + 0.5) / 1e6);
	case CELL_TEXT:
		return text_value(cell->text);
	case CELL_WORDS:
		return words_value(cell->text);
	case CELL_ADDRESS:
		snprintf(address, sizeof(address), "0x%llx", (unsigned long long)cell->number);
		return jansson.json_string(address);
	case CELL_ABSENT:
		break;
	}
	return jansson.json_null();
}

/* {"not read": ["resident_once"]}: the absent ones, grouped by reason. */
static json_t *absent_value(const struct report *report, const struct cell *row)
{
	json_t *reasons = checked(jansson.json_object());

	for (size_t i = 0; i < report->n_columns; i++) {
		const char *why = why_absent(&row[i]);
		json_t *names;

		if (!why || report->columns[i].flags & REPORT_HIDDEN)
			continue;
		names = jansson.json_object_get(reasons, why);
		if (!names) {
			names = jansson.json_array();
			set(reasons, why, names);
		}
		if (jansson.json_array_append_new(names, checked(jansson.json_string(
								 report->columns[i].name))) < 0)
			memory_exhausted();
	}
	return reasons;
}

/* {"locked": 3}: the parts that are not in a sum. */
static json_t *missing_value(const struct report *report, const struct cell *row)
{
	json_t *missing = checked(jansson.json_object());

	for (size_t i = 0; i < report->n_columns; i++)
		if (row[i].missing && !(report->columns[i].flags & REPORT_HIDDEN))
			set(missing, report->columns[i].name,
			    jansson.json_integer((json_int_t)row[i].missing));
	return missing;
}

static void print_record(const struct report *report, const struct cell *row)
{
	json_t *record = checked(jansson.json_object());

	for (size_t i = 0; i < report->n_columns; i++)
		if (!(report->columns[i].flags & REPORT_HIDDEN))
			set(record, report->columns[i].name, cell_value(&row[i]));
	if (report->explained) {
		set(record, "absent", absent_value(report, row));
		set(record, "missing", missing_value(report, row));
	}
	/* failures to write stay in the stream, where stream_finish() finds them */
	if (jansson.json_dumpf(record, stdout, DUMP_FLAGS) && !ferror(stdout))
		memory_exhausted();
	json_decref(record);
}

void report_json_rows(const struct report *list, size_t n_before)
{
	for (size_t i = 0; i < list->n_rows; i++) {
		printf(n_before + i ? ",\n    " : "\n    ");
		print_record(list, list->rows[i]);
	}
}

static void print_member(const struct report *report, const char *before)
{
	printf("%s\n  \"%s\": ", before, report->name);
	if (report->single) {
		print_record(report, report->rows[0]);
		return;
	}
	printf("[");
	report_json_rows(report, 0);
	printf(report->n_rows ? "\n  ]" : "]");
}

void report_print_json(const struct report *const *reports, size_t n_reports)
{
	jansson_load();
	for (size_t i = 0; i < n_reports; i++)
		print_member(reports[i], i ? "," : "{");
	printf("\n}\n");
}

void report_json_begin(const struct report *first, const struct report *list)
{
	jansson_load();
	print_member(first, "{");
	printf(",\n  \"%s\": [", list->name);
}

void report_json_end(size_t n_rows, const struct report *last)
{
	printf(n_rows ? "\n  ]" : "]");
	print_member(last, ",");
	printf("\n}\n");
}

void report_print_json_lines(const struct report *report)
{
	jansson_load();
	for (size_t i = 0; i < report->n_rows; i++) {
		print_record(report, report->rows[i]);
		printf("\n");
	}
}

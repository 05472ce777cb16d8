/* SPDX-License-Identifier: MIT */
/*
 * The only file that knows jansson. Records are built and printed one by one, so that a list of any
 * length needs the memory of one record; the frame around them is plain text.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "memory.h"
#include "report.h"
#include "safe_text.h"

/* Escapes for all that is not ASCII: no terminal shall obey what a process calls itself. */
#define DUMP_FLAGS (JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6))

static json_t *checked(json_t *value)
{
	if (!value)
		memory_exhausted();
	return value;
}

static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, checked(value)) < 0)
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
	json_t *value = json_string(safe);

	free(safe);
	return value;
}

static json_t *words_value(const char *words)
{
	json_t *list = checked(json_array());

	for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
		size_t length = strcspn(words, " ");
		char *word = memory_format("%.*s", (int)length, words);

		if (json_array_append_new(list, checked(text_value(word))) < 0)
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
		return json_null();
	switch (cell->type) {
	case CELL_BYTES:
	case CELL_COUNT:
	case CELL_FLAG:
		return json_integer((json_int_t)cell->number);
	case CELL_RATIO:
		return json_real((double)(uint64_t)(cell->ratio * 1e6 + 0.5) / 1e6);
	case CELL_TEXT:
		return text_value(cell->text);
	case CELL_WORDS:
		return words_value(cell->text);
	case CELL_ADDRESS:
		snprintf(address, sizeof(address), "0x%llx", (unsigned long long)cell->number);
		return json_string(address);
	case CELL_ABSENT:
		break;
	}
	return json_null();
}

/* {"not read": ["resident_once"]}: the absent ones, grouped by reason. */
static json_t *absent_value(const struct report *report, const struct cell *row)
{
	json_t *reasons = checked(json_object());

	for (size_t i = 0; i < report->n_columns; i++) {
		const char *why = why_absent(&row[i]);
		json_t *names;

		if (!why || report->columns[i].flags & REPORT_HIDDEN)
			continue;
		names = json_object_get(reasons, why);
		if (!names) {
			names = json_array();
			set(reasons, why, names);
		}
		if (json_array_append_new(names, checked(json_string(report->columns[i].name))) < 0)
			memory_exhausted();
	}
	return reasons;
}

/* {"locked": 3}: the parts that are not in a sum. */
static json_t *missing_value(const struct report *report, const struct cell *row)
{
	json_t *missing = checked(json_object());

	for (size_t i = 0; i < report->n_columns; i++)
		if (row[i].missing && !(report->columns[i].flags & REPORT_HIDDEN))
			set(missing, report->columns[i].name,
			    json_integer((json_int_t)row[i].missing));
	return missing;
}

static void print_record(const struct report *report, const struct cell *row)
{
	json_t *record = checked(json_object());

	for (size_t i = 0; i < report->n_columns; i++)
		if (!(report->columns[i].flags & REPORT_HIDDEN))
			set(record, report->columns[i].name, cell_value(&row[i]));
	if (report->explained) {
		set(record, "absent", absent_value(report, row));
		set(record, "missing", missing_value(report, row));
	}
	/* failures to write stay in the stream, where stream_finish() finds them */
	json_dumpf(record, stdout, DUMP_FLAGS);
	json_decref(record);
}

static void print_list(const struct report *report)
{
	printf("[");
	for (size_t i = 0; i < report->n_rows; i++) {
		printf(i ? ",\n    " : "\n    ");
		print_record(report, report->rows[i]);
	}
	printf(report->n_rows ? "\n  ]" : "]");
}

void report_print_json(const struct report *const *reports, size_t n_reports)
{
	printf("{");
	for (size_t i = 0; i < n_reports; i++) {
		printf("%s\n  \"%s\": ", i ? "," : "", reports[i]->name);
		if (reports[i]->single)
			print_record(reports[i], reports[i]->rows[0]);
		else
			print_list(reports[i]);
	}
	printf("\n}\n");
}

void report_print_json_lines(const struct report *report)
{
	for (size_t i = 0; i < report->n_rows; i++) {
		print_record(report, report->rows[i]);
		printf("\n");
	}
}

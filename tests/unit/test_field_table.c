/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "parse/field_table.h"
#include "unit.h"

static struct field_table table;

static int make_table(void **state)
{
	(void)state;
	field_table_add(&table, "Rss", THPSTAT_RSS, 1);
	field_table_add(&table, "Pss", THPSTAT_PSS, 1);
	field_table_add(&table, "Shared_Clean", THPSTAT_SHARED_CLEAN, 1);
	field_table_add(&table, "Shared_Hugetlb", THPSTAT_SHARED_HUGETLB, 1);
	field_table_add(&table, "THPeligible", THPSTAT_THP_ELIGIBLE, 0);
	field_table_add(&table, "thp_fault_alloc", THPSTAT_THP_FAULT_ALLOC, 0);
	return 0;
}

enum outcome { ABSENT, VALUE, OVERFLOW, MALFORMED };

static enum outcome outcome_of(const struct figures *figures, enum thpstat_metric metric)
{
	if (figures_has(figures, metric))
		return VALUE;
	if (figures_bit(figures->overflow, metric))
		return OVERFLOW;
	return figures_bit(figures->malformed, metric) ? MALFORMED : ABSENT;
}

static const struct line_row {
	const char *line;
	enum field_line kind;
	enum thpstat_metric metric;
	enum outcome outcome;
	uint64_t value;
} lines[] = {
	{ "Rss:                  12 kB", FIELD_LINE_VALUE, THPSTAT_RSS, VALUE, 12 * 1024 },
	{ "Rss: 12 kB", FIELD_LINE_VALUE, THPSTAT_RSS, VALUE, 12 * 1024 },
	{ "Rss:12 kB", FIELD_LINE_VALUE, THPSTAT_RSS, VALUE, 12 * 1024 },
	{ "Rss:\t\t12 kB", FIELD_LINE_VALUE, THPSTAT_RSS, VALUE, 12 * 1024 },
	{ "Rss: \t 12\tkB \t", FIELD_LINE_VALUE, THPSTAT_RSS, VALUE, 12 * 1024 },
	{ "Rss: 0 kB", FIELD_LINE_VALUE, THPSTAT_RSS, VALUE, 0 },
	{ "Rss: 0000000000000000000000012 kB", FIELD_LINE_VALUE, THPSTAT_RSS, VALUE, 12 * 1024 },
	{ "Rss: 15032123396 kB", FIELD_LINE_VALUE, THPSTAT_RSS, VALUE,
	  UINT64_C(15032123396) * 1024 },
	{ "Rss: 18014398509481983 kB", FIELD_LINE_VALUE, THPSTAT_RSS, VALUE,
	  UINT64_C(18014398509481983) * 1024 },
	{ "Rss: 18014398509481984 kB", FIELD_LINE_VALUE, THPSTAT_RSS, OVERFLOW, 0 },
	{ "Rss: 18446744073709551616 kB", FIELD_LINE_VALUE, THPSTAT_RSS, OVERFLOW, 0 },
	{ "Rss: 99999999999999999999999999999999 kB", FIELD_LINE_VALUE, THPSTAT_RSS, OVERFLOW, 0 },
	/* bytes are bytes: what is printed in another unit is not understood */
	{ "Rss: 12", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: 12 MB", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: 12 k", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: 12 kb", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: 12 kBytes", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: 12 kB 5", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: 12 34 kB", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: -12 kB", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: 1.5 kB", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: 0x10 kB", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: kB", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss: 99999999999999999999999999999999", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss:", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	{ "Rss:   ", FIELD_LINE_VALUE, THPSTAT_RSS, MALFORMED, 0 },
	/* no unit */
	{ "THPeligible:           1", FIELD_LINE_VALUE, THPSTAT_THP_ELIGIBLE, VALUE, 1 },
	{ "THPeligible:\t\t0", FIELD_LINE_VALUE, THPSTAT_THP_ELIGIBLE, VALUE, 0 },
	{ "THPeligible:    1", FIELD_LINE_VALUE, THPSTAT_THP_ELIGIBLE, VALUE, 1 },
	{ "THPeligible:1", FIELD_LINE_VALUE, THPSTAT_THP_ELIGIBLE, VALUE, 1 },
	{ "THPeligible: 18446744073709551615", FIELD_LINE_VALUE, THPSTAT_THP_ELIGIBLE, VALUE,
	  UINT64_MAX },
	{ "THPeligible: 1 kB", FIELD_LINE_VALUE, THPSTAT_THP_ELIGIBLE, MALFORMED, 0 },
	{ "THPeligible:", FIELD_LINE_VALUE, THPSTAT_THP_ELIGIBLE, MALFORMED, 0 },
	/* whole keys */
	{ "Shared_Hugetlb:        4 kB", FIELD_LINE_VALUE, THPSTAT_SHARED_HUGETLB, VALUE, 4096 },
	{ "Shared_Hugetlb:        4 kB", FIELD_LINE_VALUE, THPSTAT_SHARED_CLEAN, ABSENT, 0 },
	{ "Shared_Dirty:          4 kB", FIELD_LINE_UNKNOWN, THPSTAT_SHARED_CLEAN, ABSENT, 0 },
	{ "Shared_:               4 kB", FIELD_LINE_UNKNOWN, THPSTAT_SHARED_CLEAN, ABSENT, 0 },
	{ "Rs:                    4 kB", FIELD_LINE_UNKNOWN, THPSTAT_RSS, ABSENT, 0 },
	{ "Rssx:                  4 kB", FIELD_LINE_UNKNOWN, THPSTAT_RSS, ABSENT, 0 },
	{ "rss:                   4 kB", FIELD_LINE_UNKNOWN, THPSTAT_RSS, ABSENT, 0 },
	{ "ksm_state:             4 kB", FIELD_LINE_UNKNOWN, THPSTAT_RSS, ABSENT, 0 },
	{ "Name: [anon:Rss: 4 kB]", FIELD_LINE_UNKNOWN, THPSTAT_RSS, ABSENT, 0 },
	{ "ReliableTaskUsed: 12 kB", FIELD_LINE_UNKNOWN, THPSTAT_RSS, ABSENT, 0 },
	/* no key */
	{ "Rss 12 kB", FIELD_LINE_NONE, THPSTAT_RSS, ABSENT, 0 },
	{ "Rss : 12 kB", FIELD_LINE_NONE, THPSTAT_RSS, ABSENT, 0 },
	{ " Rss: 12 kB", FIELD_LINE_NONE, THPSTAT_RSS, ABSENT, 0 },
	{ "\tRss: 12 kB", FIELD_LINE_NONE, THPSTAT_RSS, ABSENT, 0 },
	{ ": 12 kB", FIELD_LINE_NONE, THPSTAT_RSS, ABSENT, 0 },
	{ "        total:    used:    free:", FIELD_LINE_NONE, THPSTAT_RSS, ABSENT, 0 },
	{ "/dev/zero (deleted)", FIELD_LINE_NONE, THPSTAT_RSS, ABSENT, 0 },
	{ "Rss", FIELD_LINE_NONE, THPSTAT_RSS, ABSENT, 0 },
	{ "", FIELD_LINE_NONE, THPSTAT_RSS, ABSENT, 0 },
};

static void test_lines(void **state)
{
	struct tally tally = { .subject = "lines" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const struct line_row *row = &lines[i];
		size_t length = strlen(row->line), hint = 0;
		char *line = malloc(length + 1); /* nothing readable behind it */
		struct figures figures;

		assert_non_null(line);
		memcpy(line, row->line, length);
		figures_clear(&figures);
		tally_equal(&tally, field_table_line(&table, line, line + length, &hint, &figures),
			    row->kind, "kind of '%s'", row->line);
		tally_equal(&tally, outcome_of(&figures, row->metric), row->outcome,
			    "outcome of '%s'", row->line);
		if (row->outcome == VALUE && figures_has(&figures, row->metric))
			tally_equal(&tally, figures.value[row->metric], row->value, "value of '%s'",
				    row->line);
		free(line);
	}
	tally_finish(&tally, 2 * ARRAY_SIZE(lines) + 15);
}

static size_t index_of(const struct field *field)
{
	return field ? (size_t)(field - table.fields) : SIZE_MAX;
}

/* Wherever the look-up begins, it finds the same, and goes on behind what it found. */
static void test_find(void **state)
{
	static const char *const unknown[] = { "", "R", "Rs", "Rsss", "SharedClean", "Swap" };
	struct tally tally = { .subject = "find" };

	(void)state;
	for (size_t from = 0; from <= FIELD_TABLE_MAX; from++) {
		for (size_t i = 0; i < table.n; i++) {
			const char *key = table.fields[i].key;
			size_t hint = from;

			tally_equal(&tally,
				    index_of(field_table_find(&table, key, strlen(key), &hint)), i,
				    "%s from %zu", key, from);
			tally_equal(&tally, hint, i + 1, "place behind %s from %zu", key, from);
		}
		for (size_t i = 0; i < ARRAY_SIZE(unknown); i++) {
			size_t hint = from;

			tally_equal(&tally,
				    index_of(field_table_find(&table, unknown[i],
							      strlen(unknown[i]), &hint)),
				    SIZE_MAX, "'%s' from %zu", unknown[i], from);
			tally_equal(&tally, hint, from, "place after '%s'", unknown[i]);
		}
	}
	tally_finish(&tally, (FIELD_TABLE_MAX + 1) * 2 * 12);
}

static void test_duplicates(void **state)
{
	static const char text[] = "Rss: 1 kB\nRss: 2 kB\nPss: 3 kB\nPss: x kB\n";
	struct figures figures;

	(void)state;
	figures_clear(&figures);
	field_table_text(&table, BYTES(text), &figures);
	assert_int_equal(figures.value[THPSTAT_RSS], 2048); /* the last one stands */
	assert_false(figures_bit(figures.malformed, THPSTAT_RSS));
	assert_true(figures_bit(figures.malformed, THPSTAT_PSS));
}

static const struct text_row {
	const char *what;
	const char *text;
	size_t length;
	enum outcome rss, pss;
} texts[] = {
	{ "two lines", BYTES("Rss: 5 kB\nPss: 5 kB\n"), VALUE, VALUE },
	{ "no newline at the end", BYTES("Rss: 5 kB\nPss: 5 kB"), VALUE, VALUE },
	{ "blank lines", BYTES("\n\nRss: 5 kB\n\n\nPss: 5 kB\n\n"), VALUE, VALUE },
	{ "a NUL ends it", BYTES("Rss: 5 kB\n\0Pss: 5 kB\n"), VALUE, ABSENT },
	{ "a NUL within a line", BYTES("Rss: 5 kB\nPss: 5\0 kB\n"), VALUE, MALFORMED },
	{ "NULs alone", BYTES("\0\0\0\0"), ABSENT, ABSENT },
	{ "empty", BYTES(""), ABSENT, ABSENT },
	{ "a table first",
	  BYTES("        total:    used:    free:\nMem:  260579328 33079296\nRss: 5 kB\nPss: 5 "
		"kB\n"),
	  VALUE, VALUE },
	{ "carriage returns", BYTES("Rss: 5 kB\r\nPss: 5 kB\r\n"), MALFORMED, MALFORMED },
};

static void test_texts(void **state)
{
	struct tally tally = { .subject = "texts" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct text_row *row = &texts[i];
		char *text = malloc(row->length + 1); /* nothing readable behind it */
		struct figures figures;

		assert_non_null(text);
		memcpy(text, row->text, row->length);
		figures_clear(&figures);
		field_table_text(&table, text, row->length, &figures);
		tally_equal(&tally, outcome_of(&figures, THPSTAT_RSS), row->rss, "Rss of %s",
			    row->what);
		tally_equal(&tally, outcome_of(&figures, THPSTAT_PSS), row->pss, "Pss of %s",
			    row->what);
		free(text);
	}
	tally_finish(&tally, 2 * ARRAY_SIZE(texts));
}

static void test_flat(void **state)
{
	static const struct {
		const char *text;
		size_t length;
		enum outcome outcome;
		uint64_t value;
	} rows[] = {
		{ BYTES("nr_free 5\nthp_fault_alloc 7\n"), VALUE, 7 },
		{ BYTES("thp_fault_alloc 7"), VALUE, 7 },
		{ BYTES("thp_fault_alloc 18446744073709551615\n"), VALUE, UINT64_MAX },
		{ BYTES("thp_fault_alloc 18446744073709551616\n"), OVERFLOW, 0 },
		{ BYTES("thp_fault_alloc x\n"), MALFORMED, 0 },
		{ BYTES("thp_fault_alloc \n"), MALFORMED, 0 },
		{ BYTES("thp_fault_alloc 7 8\n"), MALFORMED, 0 },
		{ BYTES("thp_fault_alloc\n"), ABSENT, 0 },
		{ BYTES("thp_fault_alloc_x 7\n"), ABSENT, 0 },
		{ BYTES("xthp_fault_alloc 7\n"), ABSENT, 0 },
		{ BYTES("\nnonsense\n 7\nthp_fault_alloc 7\n"), VALUE, 7 },
		{ BYTES("x 1\n\0thp_fault_alloc 7\n"), ABSENT, 0 },
		{ BYTES(""), ABSENT, 0 },
	};
	struct tally tally = { .subject = "flat" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct figures figures;

		figures_clear(&figures);
		field_table_flat(&table, rows[i].text, rows[i].length, &figures);
		tally_equal(&tally, outcome_of(&figures, THPSTAT_THP_FAULT_ALLOC), rows[i].outcome,
			    "outcome of '%s'", rows[i].text);
		if (rows[i].outcome == VALUE)
			tally_equal(&tally, figures.value[THPSTAT_THP_FAULT_ALLOC], rows[i].value,
				    "value of '%s'", rows[i].text);
	}
	tally_finish(&tally, ARRAY_SIZE(rows) + 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	   cmocka_unit_test(test_find),
		cmocka_unit_test(test_duplicates), cmocka_unit_test(test_texts),
		cmocka_unit_test(test_flat),
	};

	return cmocka_run_group_tests(tests, make_table, NULL);
}

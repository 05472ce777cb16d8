/* SPDX-License-Identifier: MIT */
/* Trees that are cut, too large or malformed on purpose: no crash, and nothing wrong called whole.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "account/metric.h"
#include "figure_list.h"
#include "made_tree.h"
#include "process_files.h"
#include "support/files.h"
#include "support/process_figures.h"
#include "unit.h"

#define KB(n) ((uint64_t)(n)*1024)
#define PID 10
#define MEGABYTE (1u << 20)

static char *root;
static struct thpstat *source;

static int open_tree(void **state)
{
	(void)state;
	root = scratch_make();
	made_tree_text(root, "proc/self/mountinfo", APP_MOUNTINFO);
	made_tree_text(root, "proc/10/status", APP_STATUS);
	source = made_tree_open(root);
	return 0;
}

static int close_tree(void **state)
{
	(void)state;
	thpstat_close(source);
	scratch_remove(root);
	return 0;
}

static void remove_file(const char *name)
{
	char *path = format_text("%s/%s", root, name);

	remove(path);
	free(path);
}

/* The one process of the tree, with all its figures. */
static void read_app(struct one_process *one)
{
	static const enum thpstat_metric metrics[] = { THPSTAT_RESIDENT_ONCE, THPSTAT_PSS };

	one_process_open(source, PID, metrics, ARRAY_SIZE(metrics), 0, one);
}

/* The records of an smaps as one looks at them: each begins with a line of an address. */
struct records {
	char *texts[8];
	size_t n;
};

static void split_records(const char *text, size_t length, struct records *ret)
{
	const char *start = NULL, *end = text + length;

	ret->n = 0;
	for (const char *line = text; line <= end;) {
		const char *newline = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;

		if (line == end || strchr("0123456789abcdef", *line)) {
			if (start) {
				assert_true(ret->n < ARRAY_SIZE(ret->texts));
				ret->texts[ret->n++] = strndup(start, (size_t)(line - start));
			}
			start = line;
		}
		line = newline ? newline + 1 : end + 1;
	}
}

static void free_records(struct records *records)
{
	for (size_t i = 0; i < records->n; i++)
		free(records->texts[i]);
}

/* What may be said of a process whose smaps is this text, which ends behind a newline. */
static void tally_whole_lines(struct tally *tally, const struct thpstat_process *process,
			      const char *text, size_t length)
{
	int called_whole = !process->error && !(process->flags & THPSTAT_PROCESS_CUT);
	struct records records;

	split_records(text, length, &records);
	for (enum thpstat_metric m = 0; (m = thpstat_metric_next(m));) {
		const struct metric_row *row = metric_row(m);
		uint64_t sum = 0, value = 0, number;
		size_t with = 0;

		if (!(row->files & FILE_SMAPS) || !row->info.addable)
			continue;
		for (size_t i = 0; i < records.n; i++)
			if (key_number(records.texts[i], row->info.kernel_field, &number)) {
				sum += number;
				with++;
			}
		if (thpstat_usage_get(process->usage, m, &value)) {
			tally_equal(tally, with, 0, "%s is absent at %zu bytes", row->info.name,
				    length);
			continue;
		}
		tally_equal(tally, value, sum, "%s at %zu bytes", row->info.name, length);
		tally_equal(tally, thpstat_usage_missing(process->usage, m), records.n - with,
			    "mappings without %s at %zu bytes", row->info.name, length);
		tally_holds(tally, !called_whole || with == records.n,
			    "%s is called whole at %zu bytes", row->info.name, length);
	}
	free_records(&records);
}

/* An smaps that ends at any byte. */
static void test_smaps_prefixes(void **state)
{
	static const char text[] = APP_SMAPS;
	struct tally tally = { .subject = "prefixes of smaps" };

	(void)state;
	for (size_t length = 0; length < sizeof(text); length++) {
		const struct thpstat_completeness *completeness;
		struct one_process one;
		uint64_t value;

		made_tree_add(root, "proc/10/smaps", text, length);
		read_app(&one);
		completeness = thpstat_processes_completeness(one.walk);
		tally_equal(&tally, completeness->read + completeness->cut, 1,
			    "counted at %zu bytes", length);
		if (length && text[length - 1] != '\n') {
			tally_equal(&tally, (uint64_t)-one.process->error, EBADMSG,
				    "error at %zu bytes", length);
			tally_equal(&tally,
				    (uint64_t)-thpstat_usage_get(one.process->usage, THPSTAT_RSS,
								 &value),
				    EBADMSG, "rss at %zu bytes", length);
			tally_equal(&tally,
				    (uint64_t)-thpstat_usage_get(one.process->usage,
								 THPSTAT_RESIDENT_ONCE, &value),
				    EBADMSG, "resident_once at %zu bytes", length);
		} else {
			tally_whole_lines(&tally, one.process, text, length);
		}
		one_process_close(&one);
	}
	remove_file("proc/10/smaps");
	tally_finish(&tally, 4 * sizeof(text));
}

/* A rollup, and a status: what is there is right, and nothing else is. */
static void test_other_prefixes(void **state)
{
	static const struct {
		const char *name;
		const char *text;
		unsigned int file;
		int ends_with_newline; /* a cut line is noticed by its missing end */
	} rows[] = {
		{ "proc/10/smaps_rollup", APP_ROLLUP, FILE_ROLLUP, 1 },
		{ "proc/10/status", APP_STATUS, FILE_STATUS, 0 },
	};
	struct tally tally = { .subject = "other prefixes" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (size_t length = 0; length <= strlen(rows[i].text); length++) {
			char *prefix = strndup(rows[i].text, length);
			struct one_process one;

			made_tree_add(root, rows[i].name, prefix, length);
			one_process_open(source, PID, NULL, 0, 0, &one);
			for (enum thpstat_metric m = 0; (m = thpstat_metric_next(m));) {
				const struct metric_row *row = metric_row(m);
				uint64_t value = 0, number = 0;

				if (!(row->files & rows[i].file) ||
				    thpstat_usage_get(one.process->usage, m, &value))
					continue;
				tally_holds(&tally,
					    key_number(prefix, row->info.kernel_field, &number) &&
						    value == number,
					    "%s at %zu bytes of %s", row->info.name, length,
					    rows[i].name);
			}
			if (rows[i].ends_with_newline && (!length || prefix[length - 1] != '\n'))
				tally_equal(&tally, (uint64_t)-one.process->error, EBADMSG,
					    "error at %zu bytes of %s", length, rows[i].name);
			one_process_close(&one);
			free(prefix);
		}
		remove_file(rows[i].name);
		made_tree_text(root, "proc/10/status", APP_STATUS);
	}
	tally_finish(&tally, 1500);
}

/* A line of a megabyte: at each place of an smaps that a line can have. */
static void test_long_lines(void **state)
{
	static const struct {
		const char *what;
		const char *before, *line, *behind;
		size_t first, last; /* mappings of test_mappings that must be there, if any is */
	} rows[] = {
		{ "before everything", "", "", APP_SMAPS, 0, 0 },
		{ "an unknown key", APP_TEXT "NewKey: ", "", APP_HEAP APP_SHARED, 0, 0 },
		{ "flags", APP_TEXT "VmFlags: ", "", APP_HEAP APP_SHARED, 0, 0 },
		{ "a name", APP_TEXT "00700000-00701000 ---p 00000000 00:01 5 /", "",
		  APP_HEAP APP_SHARED, 0, 0 },
		/* the figures behind it belong to nobody that can be seen */
		{ "the name of a record", APP_TEXT "00700000-00701000 ---p 00000000 00:01 5 /",
		  "\n",
		  "Rss:                9999 kB\nPss:                9999 kB\n" APP_HEAP APP_SHARED,
		  0, 0 },
		{ "at the end", APP_SMAPS, "", "", 0, 0 },
		{ "at the end, without a newline", APP_SMAPS, NULL, "", 0, 0 },
	};
	static const struct {
		uint64_t start, rss;
	} mappings[] = {
		{ 0x400000, KB(600) },
		{ 0x800000, KB(1000) },
		{ 0x7f0000000000, KB(1500) },
	};
	struct tally tally = { .subject = "long lines" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t before = strlen(rows[i].before), behind = strlen(rows[i].behind);
		char *text = malloc(before + MEGABYTE + behind + 1);
		struct mapping_list list;
		struct one_process one;
		uint64_t value;
		size_t length;

		assert_non_null(text);
		memcpy(text, rows[i].before, before);
		memset(text + before, 'x', MEGABYTE);
		length = before + MEGABYTE;
		if (rows[i].line)
			text[length++] = '\n';
		memcpy(text + length, rows[i].behind, behind);
		length += behind;
		made_tree_add(root, "proc/10/smaps", text, length);

		/* the list never ends as if it were complete */
		tally_equal(&tally, (uint64_t)-mapping_list_read(source, PID, &list), EBADMSG,
			    "end of the list: %s", rows[i].what);
		for (size_t j = 0; j < list.n; j++) {
			const struct mapping_record *record = &list.records[j];
			size_t k = 0;

			while (k < ARRAY_SIZE(mappings) && mappings[k].start != record->start)
				k++;
			tally_holds(&tally, k < ARRAY_SIZE(mappings), "mapping at %llx: %s",
				    (unsigned long long)record->start, rows[i].what);
			if (k < ARRAY_SIZE(mappings) && !record->error)
				tally_equal(&tally, record_value(record, THPSTAT_RSS),
					    mappings[k].rss, "rss of mapping %zu: %s", k,
					    rows[i].what);
		}
		mapping_list_free(&list);
		read_app(&one);
		tally_equal(&tally, (uint64_t)-one.process->error, EBADMSG, "error: %s",
			    rows[i].what);
		tally_equal(&tally,
			    (uint64_t)-thpstat_usage_get(one.process->usage, THPSTAT_RSS, &value),
			    EBADMSG, "rss: %s", rows[i].what);
		one_process_close(&one);
		free(text);
	}
	remove_file("proc/10/smaps");
	tally_finish(&tally, 4 * ARRAY_SIZE(rows));
}

/* Files larger than the kernel makes them: refused, and not read for ever. */
static void test_large_files(void **state)
{
	static const struct {
		const char *name;
		const char *begin;
	} rows[] = {
		{ "proc/10/smaps_rollup", "1000-2000 ---p 00000000 00:00 0 [rollup]\nX: " },
		{ "proc/10/status", "Name:\tapp\nX: " },
	};
	struct tally tally = { .subject = "large files" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = malloc(MEGABYTE);
		struct one_process one;

		assert_non_null(text);
		memset(text, 'x', MEGABYTE);
		memcpy(text, rows[i].begin, strlen(rows[i].begin));
		text[MEGABYTE - 1] = '\n';
		made_tree_add(root, rows[i].name, text, MEGABYTE);
		one_process_open(source, PID, NULL, 0, 0, &one);
		tally_equal(&tally, (uint64_t)-one.process->error, EBADMSG, "error of %s",
			    rows[i].name);
		tally_equal(&tally, thpstat_processes_completeness(one.walk)->cut, 1, "counted: %s",
			    rows[i].name);
		one_process_close(&one);
		free(text);
		remove_file(rows[i].name);
		made_tree_text(root, "proc/10/status", APP_STATUS);
	}
	tally_finish(&tally, 2 * ARRAY_SIZE(rows));
}

/* NULs in names, in values, between records, at the end. */
static void test_nuls(void **state)
{
	static const char text[] =
		"1000-2000 r--p 00000000 00:00 0 a\0b\n"
		"Rss:                   4 kB\nPss:                 \0 4 kB\n\0\0\0\n"
		"\0Size:                 4 kB\n"
		"2000-3000 r--p 00000000 00:00 0 \0\n"
		"Rss:                   8 kB\nPss:                   8 kB\n";
	struct tally tally = { .subject = "NULs" };
	struct mapping_list list;
	struct one_process one;
	uint64_t value = 0;

	(void)state;
	made_tree_add(root, "proc/10/smaps", BYTES(text));
	assert_int_equal(mapping_list_read(source, PID, &list), 0);
	assert_int_equal(list.n, 2);
	tally_text(&tally, list.records[0].name, "a", "the name ends at its NUL");
	tally_equal(&tally, (uint64_t)-list.records[0].error, EBADMSG, "a malformed value");
	tally_equal(&tally, record_value(&list.records[0], THPSTAT_RSS), KB(4), "the first");
	tally_text(&tally, list.records[1].name, "", "an empty name");
	tally_equal(&tally, record_value(&list.records[1], THPSTAT_RSS), KB(8), "the second");
	mapping_list_free(&list);
	read_app(&one);
	tally_equal(&tally, (uint64_t)thpstat_usage_get(one.process->usage, THPSTAT_RSS, &value), 0,
		    "rss is there");
	tally_equal(&tally, value, KB(12), "rss");
	tally_equal(&tally, thpstat_usage_missing(one.process->usage, THPSTAT_PSS), 1,
		    "mappings without pss");
	tally_equal(&tally, one.process->flags, THPSTAT_PROCESS_CUT, "flags");
	one_process_close(&one);

	/* tar pads saved files of sysfs with NULs, and some do it with all of them */
	made_tree_add(root, "proc/10/smaps", BYTES(APP_SMAPS "\0\0\0\0"));
	tally_equal(&tally, (uint64_t)-mapping_list_read(source, PID, &list), EBADMSG, "padded");
	tally_equal(&tally, list.n, 3, "mappings");
	mapping_list_free(&list);
	remove_file("proc/10/smaps");
	tally_finish(&tally, 11);
}

/* Random bytes, and records with random bytes changed: the walk ends, and its figures add up. */
static void test_noise(void **state)
{
	static const char original[] = APP_SMAPS;
	char text[sizeof(original)];
	struct tally tally = { .subject = "noise" };
	uint64_t seed = 77;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct mapping_list list;
		struct one_process one;
		unsigned int changes = 1 + random_below(&seed, round % 3 ? 6 : 500);
		uint64_t value = 0, sum;

		memcpy(text, original, sizeof(text));
		while (changes--) {
			char *at = text + random_below(&seed, sizeof(text) - 1);
			unsigned int kind = random_below(&seed, 4);

			*at = kind == 0	  ? (char)random_below(&seed, 256)
			      : kind == 1 ? '\n'
			      : kind == 2 ? text[random_below(&seed, sizeof(text) - 1)]
					  : (char)('0' + random_below(&seed, 10));
		}
		made_tree_add(root, "proc/10/smaps", text, sizeof(text) - 1);

		int result = mapping_list_read(source, PID, &list);

		read_app(&one);
		sum = mapping_list_total(&list, THPSTAT_RSS);
		tally_holds(&tally, result == 0 || result == -EBADMSG, "round %d: end %d", round,
			    result);
		if (!thpstat_usage_get(one.process->usage, THPSTAT_RSS, &value))
			tally_equal(&tally, value, sum, "round %d: rss", round);
		one_process_close(&one);
		mapping_list_free(&list);
	}
	remove_file("proc/10/smaps");
	tally_finish(&tally, 3000 + 1000);
}

/* A hundred thousand mappings, of which most show one object. */
static void test_many_mappings(void **state)
{
	enum { MAPPINGS = 100000 };
	struct tally tally = { .subject = "many mappings" };
	size_t room = (size_t)MAPPINGS * 400, length = 0;
	char *text = malloc(room);
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk;
	struct one_process one;
	uint64_t value = 0, n = 0;
	int more;

	(void)state;
	assert_non_null(text);
	for (uint64_t i = 0; i < MAPPINGS; i++) {
		/* each view half a page further than the one before: all overlap */
		length += (size_t)
			snprintf(text + length, room - length,
				 "%llx-%llx rw-s %08llx 00:01 42 /memfd:x (deleted)\n"
				 "Size:                  8 kB\nRss:                   4 kB\n"
				 "Pss:                   0 kB\nAnonymous:             0 kB\n"
				 "AnonHugePages:         0 kB\nShmemPmdMapped:        0 kB\n"
				 "FilePmdMapped:         0 kB\nShared_Hugetlb:        0 kB\n"
				 "Private_Hugetlb:       0 kB\n",
				 (unsigned long long)(0x10000000 + i * 0x2000),
				 (unsigned long long)(0x10000000 + (i + 1) * 0x2000),
				 (unsigned long long)(i * 0x1000));
		assert_true(length < room - 400);
	}
	made_tree_add(root, "proc/10/smaps", text, length);
	free(text);
	read_app(&one);
	const struct figure_row figures[] = {
		{ THPSTAT_MAPPINGS, MAPPINGS, 0, 0 },
		{ THPSTAT_RSS, KB(4) * MAPPINGS, 0, 0 },
		{ THPSTAT_SIZE, KB(8) * MAPPINGS, 0, 0 },
		{ THPSTAT_RESIDENT_ONCE_MIN, KB(4), 0, THPSTAT_METHOD_BOUND },
		{ THPSTAT_RESIDENT_ONCE_MAX, KB(4) * MAPPINGS, 0, THPSTAT_METHOD_BOUND },
		{ 0, 0, 0, 0 },
	};

	tally_record(&tally, one.process->usage, figures, "100000 views");
	one_process_close(&one);
	assert_int_equal(thpstat_mappings_open(source, PID, &walk), 0);
	while ((more = thpstat_mappings_next(walk, &mapping)) == 1) {
		n++;
		(void)!thpstat_usage_get(mapping->usage, THPSTAT_SIZE, &value);
		tally_equal(&tally, value, KB(8), "size of mapping %llu", (unsigned long long)n);
	}
	tally_equal(&tally, (uint64_t)more, 0, "end of the list");
	tally_equal(&tally, n, MAPPINGS, "mappings");
	thpstat_mappings_close(walk);
	remove_file("proc/10/smaps");
	tally_finish(&tally, MAPPINGS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smaps_prefixes), cmocka_unit_test(test_other_prefixes),
		cmocka_unit_test(test_long_lines),     cmocka_unit_test(test_large_files),
		cmocka_unit_test(test_nuls),	       cmocka_unit_test(test_noise),
		cmocka_unit_test(test_many_mappings),
	};

	return cmocka_run_group_tests(tests, open_tree, close_tree);
}

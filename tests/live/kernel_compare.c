/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel_compare.h"
#include "kernel_text.h"
#include "tap.h"

#define METRICS_MAX 320
#define TRIES 100

/* The kernel's text about one process. */
struct texts {
	char *smaps;
	struct kernel_records records; /* of smaps */
	char *rollup;
	char *status;
	size_t smaps_length;
	size_t rollup_length;
	size_t status_length;
};

#define DEFERRED_MAX 256
#define OF_PROCESS SIZE_MAX

/* A figure that other processes change by mapping the same pages, as the library gave it. */
struct deferred {
	size_t record; /* of smaps, or OF_PROCESS */
	enum thpstat_metric metric;
	uint64_t value;
};

/* What was found to differ; what others may have changed is set aside until the second reading. */
struct findings {
	/* the first difference; "" for none */
	char text[512];
	struct deferred deferred[DEFERRED_MAX];
	size_t n_deferred;
};

__attribute__((format(printf, 2, 3))) static void differs(struct findings *findings,
							  const char *format, ...)
{
	va_list arguments;

	if (findings->text[0] != '\0')
		return;
	va_start(arguments, format);
	vsnprintf(findings->text, sizeof(findings->text), format, arguments);
	va_end(arguments);
}

size_t metrics_of(unsigned int subjects, enum thpstat_metric *list, size_t size)
{
	size_t n = 0;

	for (enum thpstat_metric metric = thpstat_metric_next(0); metric != 0;
	     metric = thpstat_metric_next(metric)) {
		if (!(thpstat_metric_info(metric)->subjects & subjects))
			continue;
		assert_true(n < size);
		list[n++] = metric;
	}
	return n;
}

struct process_view process_view_open_as(struct thpstat *source, int pid, unsigned int want)
{
	enum thpstat_metric metrics[METRICS_MAX];
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = &pid,
		.n_pids = 1,
		.metrics = metrics,
		.n_metrics = metrics_of(THPSTAT_OF_PROCESS, metrics, METRICS_MAX),
		.want = want,
	};
	struct process_view view = { 0 };

	assert_int_equal(thpstat_processes_open(source, &options, &view.walk), 0);
	assert_int_equal(thpstat_processes_next(view.walk, &view.process), 1);
	assert_int_equal(view.process->pid, pid);
	return view;
}

struct process_view process_view_open(struct thpstat *source, int pid)
{
	return process_view_open_as(source, pid, 0);
}

void process_view_close(struct process_view *view)
{
	view->walk = thpstat_processes_close(view->walk);
	view->process = NULL;
}

uint64_t figure(const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	uint64_t value = 0;
	int error = thpstat_usage_get(usage, metric, &value);

	if (error < 0)
		fail_msg("%s is absent: %s, %s", thpstat_metric_info(metric)->name,
			 strerror(-error),
			 thpstat_reason_name(thpstat_usage_reason(usage, metric)));
	return value;
}

double ratio_of(const struct thpstat_usage *usage, enum thpstat_ratio ratio)
{
	double value = -1;
	int error = thpstat_usage_ratio(usage, ratio, &value);

	if (error < 0)
		fail_msg("%s is absent: %s, %s", thpstat_ratio_info(ratio)->name, strerror(-error),
			 thpstat_reason_name(thpstat_usage_ratio_reason(usage, ratio)));
	return value;
}

/* One of the words in a text of words. */
static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)) != NULL; at += length) {
		if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	}
	return false;
}

static bool is_of_others(enum thpstat_metric metric)
{
	const char *key = thpstat_metric_info(metric)->kernel_field;

	return kernel_field_is_of_others(key, strlen(key));
}

static void defer(struct findings *findings, size_t record, enum thpstat_metric metric,
		  uint64_t value)
{
	if (findings->n_deferred == DEFERRED_MAX) {
		differs(findings, "too many figures changed meanwhile");
		return;
	}
	findings->deferred[findings->n_deferred++] =
		(struct deferred){ .record = record, .metric = metric, .value = value };
}

/* @found lines of the kernel sum up to @expected. */
static void compare_figure(const struct thpstat_usage *usage, enum thpstat_metric metric,
			   size_t found, uint64_t expected, size_t record,
			   struct findings *findings)
{
	const char *name = thpstat_metric_info(metric)->name;
	char where[32] = "process";
	uint64_t value = 0;
	int error = thpstat_usage_get(usage, metric, &value);

	if (record != OF_PROCESS)
		snprintf(where, sizeof(where), "mapping %zu", record);
	if (found == 0 && error == 0)
		differs(findings, "%s: %s is %" PRIu64 ", the kernel has no such line", where, name,
			value);
	if (found == 0)
		return;
	if (error < 0)
		differs(findings, "%s: %s is absent (%s), the kernel says %" PRIu64, where, name,
			thpstat_reason_name(thpstat_usage_reason(usage, metric)), expected);
	else if (thpstat_usage_method(usage, metric) != THPSTAT_METHOD_EXACT)
		differs(findings, "%s: %s is not called exact", where, name);
	else if (value != expected && is_of_others(metric))
		defer(findings, record, metric, value);
	else if (value != expected)
		differs(findings, "%s: %s is %" PRIu64 ", the kernel says %" PRIu64, where, name,
			value, expected);
}

static unsigned int permission_flags(const struct kernel_record *record)
{
	return (record->permissions[0] == 'r' ? THPSTAT_MAPPING_READ : 0) |
	       (record->permissions[1] == 'w' ? THPSTAT_MAPPING_WRITE : 0) |
	       (record->permissions[2] == 'x' ? THPSTAT_MAPPING_EXEC : 0) |
	       (record->permissions[3] == 's' ? THPSTAT_MAPPING_SHARED : 0);
}

static unsigned int expected_flags(const struct kernel_record *record)
{
	static const struct {
		const char *letters;
		unsigned int flag;
	} letters[] = {
		{ "hg", THPSTAT_MAPPING_HUGEPAGE_ADVISED }, { "nh", THPSTAT_MAPPING_NO_HUGEPAGE },
		{ "ht", THPSTAT_MAPPING_HUGETLB },	    { "lo", THPSTAT_MAPPING_LOCKED },
		{ "gd", THPSTAT_MAPPING_GROWS_DOWN },	    { "pf", THPSTAT_MAPPING_PFNMAP },
		{ "mm", THPSTAT_MAPPING_MIXEDMAP },	    { "io", THPSTAT_MAPPING_IO },
		{ "mg", THPSTAT_MAPPING_MERGEABLE },	    { "nr", THPSTAT_MAPPING_NORESERVE },
	};
	unsigned int flags = permission_flags(record) | THPSTAT_MAPPING_HAS_VMFLAGS;

	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		if (kernel_record_has_flag(record, letters[i].letters))
			flags |= letters[i].flag;
	}
	return flags;
}

static void compare_mapping(const struct thpstat_mapping *mapping,
			    const struct kernel_record *record, size_t number,
			    struct findings *findings)
{
	enum thpstat_metric metrics[METRICS_MAX];
	size_t n = metrics_of(THPSTAT_OF_MAPPING, metrics, METRICS_MAX);

	if (mapping->start != record->start || mapping->end != record->end ||
	    mapping->offset != record->offset || mapping->inode != record->inode ||
	    mapping->device_major != record->major || mapping->device_minor != record->minor)
		differs(findings, "mapping %zu: another range or file", number);
	if (strcmp(mapping->name, record->name) != 0)
		differs(findings, "mapping %zu: named '%s', the kernel says '%s'", number,
			mapping->name, record->name);
	if (mapping->flags != expected_flags(record))
		differs(findings, "mapping %zu: flags %#x, the kernel's are %#x", number,
			mapping->flags, expected_flags(record));
	if (mapping->error != 0)
		differs(findings, "mapping %zu: %s", number, strerror(-mapping->error));
	for (size_t i = 0; i < n; i++) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metrics[i]);
		uint64_t value;
		size_t found;

		if (!has_word(info->kernel_files, "smaps"))
			continue;
		found = kernel_field(record->fields, record->fields_length, info->kernel_field,
				     &value);
		compare_figure(mapping->usage, metrics[i], found, value, number, findings);
	}
}

static void compare_mappings(struct thpstat *source, int pid, const struct kernel_records *records,
			     struct findings *findings)
{
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk = NULL;
	size_t n = 0;
	int result = thpstat_mappings_open(source, pid, &walk);

	if (result < 0) {
		differs(findings, "mappings: %s", strerror(-result));
		return;
	}
	while ((result = thpstat_mappings_next(walk, &mapping)) == 1) {
		if (n < records->n)
			compare_mapping(mapping, &records->list[n], n, findings);
		n++;
	}
	if (result < 0)
		differs(findings, "after %zu mappings: %s", n, strerror(-result));
	if (n != records->n)
		differs(findings, "%zu mappings, the kernel has %zu", n, records->n);
	thpstat_mappings_close(walk);
}

/* Where a metric of a process comes from: totals from rollup when it is there. */
static size_t process_field(const struct thpstat_metric_info *info, const struct texts *texts,
			    uint64_t *ret)
{
	if (has_word(info->kernel_files, "status"))
		return kernel_field(texts->status, texts->status_length, info->kernel_field, ret);
	if (has_word(info->kernel_files, "smaps_rollup"))
		return kernel_field(texts->rollup, texts->rollup_length, info->kernel_field, ret);
	if (has_word(info->kernel_files, "smaps"))
		return kernel_field(texts->smaps, texts->smaps_length, info->kernel_field, ret);
	return 0;
}

static uint64_t rollup_field(const struct texts *texts, const char *key)
{
	uint64_t value;

	kernel_field(texts->rollup, texts->rollup_length, key, &value);
	return value;
}

static uint64_t status_field(const struct texts *texts, const char *key)
{
	uint64_t value;

	kernel_field(texts->status, texts->status_length, key, &value);
	return value;
}

static void compare_derived(const struct thpstat_usage *usage, const struct texts *texts,
			    struct findings *findings)
{
	uint64_t hugetlb =
		rollup_field(texts, "Shared_Hugetlb") + rollup_field(texts, "Private_Hugetlb");
	uint64_t huge = rollup_field(texts, "AnonHugePages") +
			rollup_field(texts, "ShmemPmdMapped") +
			rollup_field(texts, "FilePmdMapped") + hugetlb;

	compare_figure(usage, THPSTAT_HUGETLB, 1, hugetlb, OF_PROCESS, findings);
	compare_figure(usage, THPSTAT_HUGE, 1, huge, OF_PROCESS, findings);
	compare_figure(usage, THPSTAT_RESIDENT, 1, rollup_field(texts, "Rss") + hugetlb, OF_PROCESS,
		       findings);
	/* which mappings are shared memory: the kernel counts their pages apart, before Linux 6.16
	 * not always up to date */
	if (status_field(texts, "VmRSS") == rollup_field(texts, "Rss"))
		compare_figure(usage, THPSTAT_RESIDENT_SHMEM, 1, status_field(texts, "RssShmem"),
			       OF_PROCESS, findings);
}

static void compare_process(struct thpstat *source, int pid, const struct texts *texts,
			    struct findings *findings)
{
	struct process_view view = process_view_open(source, pid);
	enum thpstat_metric metrics[METRICS_MAX];
	size_t n = metrics_of(THPSTAT_OF_PROCESS, metrics, METRICS_MAX);

	if (view.process->error != 0)
		differs(findings, "process: %s", strerror(-view.process->error));
	if (view.process->flags != 0)
		differs(findings, "process: flags %#x", view.process->flags);
	for (size_t i = 0; i < n; i++) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metrics[i]);
		uint64_t value;
		size_t found;

		if (info->kernel_files[0] == '\0')
			continue;
		found = process_field(info, texts, &value);
		compare_figure(view.process->usage, metrics[i], found, value, OF_PROCESS, findings);
	}
	compare_derived(view.process->usage, texts, findings);
	process_view_close(&view);
}

static char *read_text(const char *directory, const char *name, size_t *ret)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "/proc/%s/%s", directory, name);
	return kernel_text_read(path, ret);
}

static struct texts texts_read(const char *directory)
{
	struct texts texts = { 0 };
	char *volatile_part;

	texts.smaps = read_text(directory, "smaps", &texts.smaps_length);
	texts.rollup = read_text(directory, "smaps_rollup", &texts.rollup_length);
	texts.status = read_text(directory, "status", &texts.status_length);
	assert_non_null(texts.smaps);
	assert_non_null(texts.rollup);
	assert_non_null(texts.status);
	assert_true(kernel_records_split(texts.smaps, &texts.records));
	/* counts of context switches change all the time and belong to nothing here */
	volatile_part = strstr(texts.status, "voluntary_ctxt_switches");
	if (volatile_part != NULL) {
		*volatile_part = '\0';
		texts.status_length = strlen(texts.status);
	}
	return texts;
}

static void texts_free(struct texts *texts)
{
	kernel_records_free(&texts->records);
	free(texts->smaps);
	free(texts->rollup);
	free(texts->status);
}

static bool stand_still(const struct texts *before, const struct texts *after)
{
	return kernel_text_stands_still(before->smaps, after->smaps) &&
	       kernel_text_stands_still(before->rollup, after->rollup) &&
	       kernel_text_stands_still(before->status, after->status);
}

static uint64_t value_in(const struct texts *texts, const struct deferred *deferred)
{
	const struct thpstat_metric_info *info = thpstat_metric_info(deferred->metric);
	uint64_t value;

	if (deferred->record == OF_PROCESS) {
		process_field(info, texts, &value);
	} else {
		const struct kernel_record *record = &texts->records.list[deferred->record];

		kernel_field(record->fields, record->fields_length, info->kernel_field, &value);
	}
	return value;
}

/* Does what was set aside lie between what the kernel said before and what it said afterwards? */
static bool is_explained(const struct findings *findings, const struct texts *before,
			 const struct texts *after, char *text, size_t size)
{
	for (size_t i = 0; i < findings->n_deferred; i++) {
		const struct deferred *deferred = &findings->deferred[i];
		uint64_t a = value_in(before, deferred), b = value_in(after, deferred);

		if (deferred->value >= (a < b ? a : b) && deferred->value <= (a < b ? b : a))
			continue;
		snprintf(text, size,
			 "%s is %" PRIu64 ", the kernel says %" PRIu64 " and then %" PRIu64,
			 thpstat_metric_info(deferred->metric)->name, deferred->value, a, b);
		return false;
	}
	return true;
}

void assert_equals_kernel(struct thpstat *source, int pid, const char *directory)
{
	char last[128] = "it changes all the time";

	for (int i = 0; i < TRIES; i++) {
		struct texts before = texts_read(directory), after;
		struct findings findings = { .n_deferred = 0 };
		bool still, explained;

		compare_mappings(source, pid, &before.records, &findings);
		compare_process(source, pid, &before, &findings);
		after = texts_read(directory);
		still = stand_still(&before, &after);
		explained = still && is_explained(&findings, &before, &after, last, sizeof(last));
		texts_free(&before);
		texts_free(&after);
		if (still && findings.text[0] != '\0')
			fail_msg("%s", findings.text);
		if (explained)
			return;
		usleep(10000);
	}
	fail_msg("process %d, read %d times: %s", pid, TRIES, last);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel_compare.h"
#include "kernel_text.h"
#include "once_compare.h"
#include "once_rule.h"
#include "page_scan.h"
#include "page_truth.h"
#include "tap.h"

#define TRIES 100

/* A number for the object of a record that its other records have as well; 0 for none. */
static uint64_t object_number(const struct kernel_records *records, size_t number)
{
	for (size_t i = 0; i <= number; i++) {
		if (once_same_object(&records->list[i], &records->list[number]))
			return i + 1;
	}
	return 0;
}

/* Return: 0; -EAGAIN when the process moved meanwhile. */
static int read_pages(const char *directory, const struct kernel_records *records,
		      struct page_set *set)
{
	int pagemap = page_truth_open(directory);
	int error = pagemap < 0 ? pagemap : 0;

	for (size_t i = 0; error == 0 && i < records->n; i++) {
		const struct kernel_record *record = &records->list[i];
		struct page_set_mapping mapping = {
			.start = record->start,
			.end = record->end,
			.offset = record->offset,
			.object = object_number(records, i),
		};

		/* the gate page lies outside of the address space */
		if (strcmp(record->name, "[vsyscall]") != 0)
			error = page_set_add(set, pagemap, &mapping);
	}
	if (pagemap >= 0)
		close(pagemap);
	if (error == -ENOTTY)
		tap_skip("this kernel has no PAGEMAP_SCAN");
	return error;
}

/* The truth about a process, in both ways where both are to be had. */
static int measure(const char *directory, const struct kernel_records *records,
		   struct page_set_bytes *ret)
{
	struct page_set *set = page_set_new();
	struct page_set_bytes by_frame;
	int error;

	assert_non_null(set);
	error = read_pages(directory, records, set);
	*ret = page_set_by_place(set);
	if (error == 0 && page_set_has_frames(set)) {
		by_frame = page_set_by_frame(set);
		assert_int_equal(by_frame.resident, ret->resident);
		assert_int_equal(by_frame.huge, ret->huge);
	}
	page_set_free(set);
	return error;
}

static void check_figure(const struct thpstat_usage *usage, enum thpstat_metric metric,
			 const struct once_interval *interval, uint64_t truth)
{
	const char *name = thpstat_metric_info(metric)->name;
	enum thpstat_method method = thpstat_usage_method(usage, metric);
	uint64_t value = 0;
	int error = thpstat_usage_get(usage, metric, &value);

	if (interval->min > truth || truth > interval->max)
		fail_msg("%s: the truth %" PRIu64 " is not in %" PRIu64 " to %" PRIu64, name, truth,
			 interval->min, interval->max);
	if (method == THPSTAT_METHOD_EXACT && value != truth)
		fail_msg("%s: exactly %" PRIu64 ", but the truth is %" PRIu64, name, value, truth);
	if (method == THPSTAT_METHOD_EXACT && interval->min != interval->max)
		fail_msg("%s: called exact between %" PRIu64 " and %" PRIu64, name, interval->min,
			 interval->max);
	if (method != THPSTAT_METHOD_EXACT && interval->min == interval->max)
		fail_msg("%s: %" PRIu64 " is proved and not called exact", name, interval->min);
	if (error != 0 && thpstat_usage_reason(usage, metric) != THPSTAT_REASON_NOT_PROVED)
		fail_msg("%s is absent: %s", name,
			 thpstat_reason_name(thpstat_usage_reason(usage, metric)));
}

/* The plain interval of two readings: Pss may have changed with other processes. */
static struct once_interval plain_of(const struct kernel_records *before,
				     const struct kernel_records *after)
{
	struct once_interval a = once_rule(before), b = once_rule(after);

	return (struct once_interval){
		.min = a.min < b.min ? a.min : b.min,
		.max = a.max > b.max ? a.max : b.max,
	};
}

static void check_view(const struct thpstat_usage *usage, const struct once_interval *plain,
		       const struct page_set_bytes *truth)
{
	struct once_interval resident = {
		.min = figure(usage, THPSTAT_RESIDENT_ONCE_MIN),
		.max = figure(usage, THPSTAT_RESIDENT_ONCE_MAX),
	};
	struct once_interval huge = {
		.min = figure(usage, THPSTAT_HUGE_ONCE_MIN),
		.max = figure(usage, THPSTAT_HUGE_ONCE_MAX),
	};

	/* the test's own rule has to hold as well */
	assert_true(plain->min <= truth->resident && truth->resident <= plain->max);
	check_figure(usage, THPSTAT_RESIDENT_ONCE, &resident, truth->resident);
	check_figure(usage, THPSTAT_HUGE_ONCE, &huge, truth->huge);
	if (resident.min < plain->min || resident.max > plain->max)
		fail_msg("resident_once is in %" PRIu64 " to %" PRIu64 ", looser than %" PRIu64
			 " to %" PRIu64,
			 resident.min, resident.max, plain->min, plain->max);
}

/* Nothing may be left open but what only PAGEMAP_SCAN tells. */
static void check_exact(const struct thpstat_process *process, enum thpstat_page_source source,
			bool was_open, const struct page_set_bytes *truth)
{
	const struct thpstat_usage *usage = process->usage;
	enum thpstat_page_source found = thpstat_process_page_source(process);
	bool knows_huge = source == THPSTAT_PAGE_SOURCE_PAGEMAP_SCAN;
	struct once_interval huge = {
		.min = figure(usage, THPSTAT_HUGE_ONCE_MIN),
		.max = figure(usage, THPSTAT_HUGE_ONCE_MAX),
	};

	assert_int_equal(process->flags, 0);
	assert_int_equal(found, was_open ? source : THPSTAT_PAGE_SOURCE_NONE);
	assert_int_equal(figure(usage, THPSTAT_RESIDENT_ONCE), truth->resident);
	assert_int_equal(thpstat_usage_method(usage, THPSTAT_RESIDENT_ONCE), THPSTAT_METHOD_EXACT);
	check_figure(usage, THPSTAT_HUGE_ONCE, &huge, truth->huge);
	if (knows_huge)
		assert_int_equal(figure(usage, THPSTAT_HUGE_ONCE), truth->huge);
}

/* Do smaps leave anything open that a look at the pages settles? */
static bool is_open(const struct thpstat_usage *usage)
{
	return figure(usage, THPSTAT_RESIDENT_ONCE_MIN) !=
		       figure(usage, THPSTAT_RESIDENT_ONCE_MAX) ||
	       figure(usage, THPSTAT_HUGE_ONCE_MIN) != figure(usage, THPSTAT_HUGE_ONCE_MAX);
}

static char *read_smaps(const char *directory, struct kernel_records *records)
{
	char path[PATH_MAX];
	size_t length;
	char *text;

	snprintf(path, sizeof(path), "/proc/%s/smaps", directory);
	text = kernel_text_read(path, &length);
	assert_non_null(text);
	assert_true(kernel_records_split(text, records));
	return text;
}

/* Return: false when the process did not stand still, so that nothing was compared. */
static bool compare_once(struct thpstat *source, int pid, const char *directory)
{
	struct kernel_records records_before, records_after;
	struct process_view view, by_scan, by_entries;
	char *before, *after;
	struct page_set_bytes truth;
	bool still;

	before = read_smaps(directory, &records_before);
	view = process_view_open(source, pid);
	by_scan = process_view_open_as(source, pid, THPSTAT_PROCESS_WANT_PAGES);
	page_scan_allow(false);
	by_entries = process_view_open_as(source, pid, THPSTAT_PROCESS_WANT_PAGES);
	page_scan_allow(true);
	still = measure(directory, &records_before, &truth) == 0;
	after = read_smaps(directory, &records_after);
	still = still && kernel_text_stands_still(before, after);
	if (still) {
		struct once_interval plain = plain_of(&records_before, &records_after);

		assert_int_equal(figure(view.process->usage, THPSTAT_MAPPINGS), records_before.n);
		check_view(view.process->usage, &plain, &truth);
		check_exact(by_scan.process, THPSTAT_PAGE_SOURCE_PAGEMAP_SCAN,
			    is_open(view.process->usage), &truth);
		check_exact(by_entries.process, THPSTAT_PAGE_SOURCE_PAGEMAP,
			    is_open(view.process->usage), &truth);
	}
	process_view_close(&view);
	process_view_close(&by_scan);
	process_view_close(&by_entries);
	kernel_records_free(&records_before);
	kernel_records_free(&records_after);
	free(before);
	free(after);
	return still;
}

void assert_once_is_true(struct thpstat *source, int pid, const char *directory)
{
	char own[16];

	snprintf(own, sizeof(own), "%d", pid);
	for (int i = 0; i < TRIES; i++) {
		if (compare_once(source, pid, directory != NULL ? directory : own))
			return;
		usleep(10000);
	}
	fail_msg("process %d did not stand still in %d readings", pid, TRIES);
}

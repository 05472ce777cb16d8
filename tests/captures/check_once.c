/* SPDX-License-Identifier: MIT */
/* Resident and huge memory with each page once, against the truth of the workload. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "captures/capture.h"
#include "support/files.h"

/* The regions of one case that show the same pages; the first one shows all of them. */
static const struct view_group {
	const char *case_;
	const char *regions[3];
} view_groups[] = {
	{ "memfd3", { "A", "B", "C" } },	   { "memfd3", { "pA", "pB", "pC" } },
	{ "tmpfsexec", { "exec", "rw", "cow" } },  { "xfsexec", { "exec", "exec2", NULL } },
	{ "ext4exec", { "exec", "exec2", NULL } },
};

struct interval {
	uint64_t min;
	uint64_t max;
};

/* The truth of one process, each page once. */
struct once_truth {
	uint64_t anonymous;
	uint64_t hugetlb;
	struct interval object; /* shmem and files */
	uint64_t region_shmem;	/* the part of it in regions, each page once */
	uint64_t mapped_shmem;	/* the same, each mapping counted */
	uint64_t anonymous_huge;
	uint64_t shmem_huge;
	uint64_t file_huge;
};

static const struct view_group *group_of(const struct region *region, size_t *ret_place)
{
	for (size_t i = 0; i < ARRAY_SIZE(view_groups); i++)
		for (size_t j = 0; j < ARRAY_SIZE(view_groups[i].regions); j++)
			if (view_groups[i].regions[j] &&
			    !strcmp(view_groups[i].case_, region->case_) &&
			    !strcmp(view_groups[i].regions[j], region->name)) {
				*ret_place = j;
				return &view_groups[i];
			}
	*ret_place = 0;
	return NULL;
}

static bool same_file(const struct mapping_record *a, const struct mapping_record *b)
{
	return a->device_major == b->device_major && a->device_minor == b->device_minor &&
	       a->inode == b->inode && *a->name == '/' && !strcmp(a->name, b->name);
}

/* Bytes of the file that two mappings both show. */
static uint64_t common_range(const struct mapping_record *a, const struct mapping_record *b)
{
	uint64_t a_end = a->offset + (a->end - a->start), b_end = b->offset + (b->end - b->start);
	uint64_t start = a->offset > b->offset ? a->offset : b->offset;
	uint64_t end = a_end < b_end ? a_end : b_end;

	return same_file(a, b) && start < end ? end - start : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void add_regions(const struct capture *capture, int pid, struct once_truth *truth)
{
	for (size_t i = 0; i < capture->n_regions; i++) {
		const struct region *region = &capture->regions[i];
		uint64_t object = region->resident - region->anonymous;
		size_t place;

		if (region->pid != pid)
			continue;
		if (region->kind == KIND_HUGETLB) {
			truth->hugetlb += region->resident;
			continue;
		}
		truth->anonymous += region->anonymous;
		if (region->kind == KIND_STACK)
			truth->anonymous_huge += region->thp_pages;
		else if (region->kind == KIND_ANON)
			truth->anonymous_huge += region_huge(region);
		if (region->kind == KIND_SHMEM)
			truth->mapped_shmem += object;
		if (group_of(region, &place) && place == 0) {
			/* or the others might show pages that this one does not */
			assert_int_equal(object, region->end - region->start);
			assert_true(region_huge(region) == object || region_huge(region) == 0);
		}
		if (place > 0)
			continue;
		truth->object.min += object;
		truth->object.max += object;
		if (region->kind == KIND_SHMEM) {
			truth->region_shmem += object;
			truth->shmem_huge += region_huge(region);
		} else if (region->kind == KIND_FILE) {
			truth->file_huge += region_huge(region);
		}
	}
}

/* What the workload did not map itself: its program, heap, stack. */
static void add_rest(const struct capture *capture, const struct process_truth *process,
		     struct once_truth *truth)
{
	const struct mapping_record *records = process->mappings.records;
	uint64_t twice = 0;
	bool *rest = calloc(process->mappings.n + 1, sizeof(*rest));

	assert_non_null(rest);
	for (size_t i = 0; i < process->mappings.n; i++) {
		rest[i] = true;
		for (size_t j = 0; j < capture->n_regions && rest[i]; j++)
			rest[i] = capture->regions[j].pid != process->pid ||
				  !overlaps(&records[i], &capture->regions[j]);
		if (!rest[i])
			continue;
		truth->anonymous += record_value(&records[i], THPSTAT_ANONYMOUS);
		truth->anonymous_huge += record_value(&records[i], THPSTAT_ANON_HUGE_PAGES);
		truth->object.max += record_object_bytes(&records[i]);
		truth->object.min += record_object_bytes(&records[i]);
		for (size_t j = 0; j < i; j++)
			if (rest[j])
				twice += least(common_range(&records[i], &records[j]),
					       least(record_object_bytes(&records[i]),
						     record_object_bytes(&records[j])));
	}
	truth->object.min -= twice;
	free(rest);
}

/*
 * What smaps alone proves, in the simplest form: where two mappings that are not empty show a
 * common part of a file, a mapping that is wholly resident shows all that either of them shows.
 */
static bool smaps_proves(const struct mapping_list *list)
{
	const struct mapping_record *records = list->records;

	for (size_t i = 0; i < list->n; i++)
		for (size_t j = 0; j < i; j++) {
			uint64_t i_size = records[i].end - records[i].start;
			uint64_t j_size = records[j].end - records[j].start;
			bool covered = false;

			if (!common_range(&records[i], &records[j]) ||
			    !record_object_bytes(&records[i]) || !record_object_bytes(&records[j]))
				continue;
			for (size_t k = 0; k < list->n && !covered; k++)
				covered = record_object_bytes(&records[k]) ==
						  records[k].end - records[k].start &&
					  common_range(&records[k], &records[i]) == i_size &&
					  common_range(&records[k], &records[j]) == j_size;
			if (!covered)
				return false;
		}
	return true;
}

const enum thpstat_metric once_metrics[] = {
	THPSTAT_RESIDENT_ONCE,	THPSTAT_RESIDENT_ONCE_MIN, THPSTAT_RESIDENT_ONCE_MAX,
	THPSTAT_HUGE_ONCE,	THPSTAT_HUGE_ONCE_MIN,	   THPSTAT_HUGE_ONCE_MAX,
	THPSTAT_COUNTED_AGAIN,	THPSTAT_ANON_ONCE,	   THPSTAT_SHMEM_ONCE,
	THPSTAT_FILE_ONCE,	THPSTAT_HUGETLB_ONCE,	   THPSTAT_HUGETLB_ONCE_MAX,
	THPSTAT_ANON_HUGE_ONCE, THPSTAT_SHMEM_HUGE_ONCE,   THPSTAT_FILE_HUGE_ONCE,
	THPSTAT_RESIDENT_SHMEM, THPSTAT_RESIDENT_FILE,	   THPSTAT_MAPPINGS,
	THPSTAT_SIZE,
};
const size_t n_once_metrics = ARRAY_SIZE(once_metrics);

void check_ratios(struct tally *tally, const struct thpstat_usage *usage, const char *what, int pid)
{
	const struct thpstat_ratio_info *info;

	for (unsigned int i = 1; (info = thpstat_ratio_info((enum thpstat_ratio)i)); i++) {
		struct figure above = figure_of(usage, info->numerator);
		struct figure below = figure_of(usage, info->denominator);
		bool known = !above.error && !below.error;
		double ratio = -1, wanted;
		int error = thpstat_usage_ratio(usage, info->ratio, &ratio);

		if (known && !below.value) {
			tally_equal(tally, (uint64_t)-error, EDOM, "%s %s of %d", what, info->name,
				    pid);
		} else if (error) {
			tally_holds(tally,
				    thpstat_usage_ratio_reason(usage, info->ratio) !=
					    THPSTAT_REASON_NONE,
				    "%s: no %s of %d has a reason", what, info->name, pid);
			tally_holds(tally, !known || above.value > below.value,
				    "%s: no %s of %d is for a contradiction", what, info->name,
				    pid);
		} else {
			wanted = (double)above.value / (double)below.value;
			tally_holds(tally,
				    known && ratio >= 0 && ratio <= 1 && ratio > wanted - 1e-9 &&
					    ratio < wanted + 1e-9,
				    "%s %s of %d is %f (found %f)", what, info->name, pid, wanted,
				    ratio);
		}
	}
}

void check_once(struct capture *capture, const struct process_truth *process)
{
	struct once_truth truth = { 0 };
	struct tally *tally = &capture->tally;
	const struct thpstat_usage *usage;
	struct figure min, max, once;
	struct one_process one;
	struct interval resident;
	uint64_t huge;
	bool proved;
	int pid = process->pid;

	add_regions(capture, pid, &truth);
	add_rest(capture, process, &truth);
	proved = smaps_proves(&process->mappings);
	resident.min = truth.anonymous + truth.hugetlb + truth.object.min;
	resident.max = truth.anonymous + truth.hugetlb + truth.object.max;
	huge = truth.anonymous_huge + truth.shmem_huge + truth.file_huge + truth.hugetlb;

	one_process_open(capture->source, pid, once_metrics, ARRAY_SIZE(once_metrics), 0, &one);
	usage = one.process->usage;
	min = figure_of(usage, THPSTAT_RESIDENT_ONCE_MIN);
	max = figure_of(usage, THPSTAT_RESIDENT_ONCE_MAX);
	once = figure_of(usage, THPSTAT_RESIDENT_ONCE);
	tally_holds(tally, !min.error && min.value <= resident.max,
		    "%d: resident_once_min %" PRIu64 " is not above the truth %" PRIu64, pid,
		    min.value, resident.max);
	tally_holds(tally, !max.error && max.value >= resident.min,
		    "%d: resident_once_max %" PRIu64 " is not below the truth %" PRIu64, pid,
		    max.value, resident.min);
	if (proved)
		tally_equal(tally, thpstat_usage_method(usage, THPSTAT_RESIDENT_ONCE),
			    THPSTAT_METHOD_EXACT, "%d: method of resident_once", pid);
	if (thpstat_usage_method(usage, THPSTAT_RESIDENT_ONCE) == THPSTAT_METHOD_EXACT) {
		tally_holds(tally, once.value >= resident.min && once.value <= resident.max,
			    "%d: resident_once %" PRIu64 " is the truth %" PRIu64 " to %" PRIu64,
			    pid, once.value, resident.min, resident.max);
		tally_holds(tally, min.value == max.value && min.value == once.value,
			    "%d: the bounds of resident_once meet", pid);
		tally_figure(tally, figure_of(usage, THPSTAT_ANON_ONCE), true, truth.anonymous,
			     "smaps", pid, "anon_once");
		tally_figure(tally, figure_of(usage, THPSTAT_HUGETLB_ONCE), true, truth.hugetlb,
			     "smaps", pid, "hugetlb_once");
		tally_figure(tally, figure_of(usage, THPSTAT_HUGETLB_ONCE_MAX), true, truth.hugetlb,
			     "smaps", pid, "hugetlb_once_max");
		tally_equal(tally,
			    figure_of(usage, THPSTAT_SHMEM_ONCE).value +
				    figure_of(usage, THPSTAT_FILE_ONCE).value,
			    once.value - truth.anonymous - truth.hugetlb,
			    "%d: shmem_once + file_once", pid);
		tally_figure(tally, figure_of(usage, THPSTAT_COUNTED_AGAIN), true,
			     mapping_list_total(&process->mappings, THPSTAT_RSS) +
				     mapping_list_total(&process->mappings, THPSTAT_HUGETLB) -
				     once.value,
			     "smaps", pid, "counted_again");
	} else {
		tally_skip(tally, "%d: resident_once is not proved by smaps", pid);
	}
	/* nothing but regions is huge, and of each group of them one shows all */
	tally_equal(tally, thpstat_usage_method(usage, THPSTAT_HUGE_ONCE), THPSTAT_METHOD_EXACT,
		    "%d: method of huge_once", pid);
	tally_figure(tally, figure_of(usage, THPSTAT_HUGE_ONCE), true, huge, "smaps", pid,
		     "huge_once");
	tally_figure(tally, figure_of(usage, THPSTAT_HUGE_ONCE_MIN), true, huge, "smaps", pid,
		     "huge_once_min");
	tally_figure(tally, figure_of(usage, THPSTAT_HUGE_ONCE_MAX), true, huge, "smaps", pid,
		     "huge_once_max");
	tally_figure(tally, figure_of(usage, THPSTAT_ANON_HUGE_ONCE), true, truth.anonymous_huge,
		     "smaps", pid, "anon_huge_once");
	tally_figure(tally, figure_of(usage, THPSTAT_SHMEM_HUGE_ONCE), true, truth.shmem_huge,
		     "smaps", pid, "shmem_huge_once");
	tally_figure(tally, figure_of(usage, THPSTAT_FILE_HUGE_ONCE), true, truth.file_huge,
		     "smaps", pid, "file_huge_once");
	check_ratios(tally, usage, "smaps", pid);
	tally_figure(tally, figure_of(usage, THPSTAT_MAPPINGS), true, process->mappings.n, "smaps",
		     pid, "mappings");
	tally_figure(tally, figure_of(usage, THPSTAT_SIZE), true,
		     mapping_list_total(&process->mappings, THPSTAT_SIZE), "smaps", pid, "size");
	one_process_close(&one);
}

/* On kernels with exact counters, resident shared memory of smaps is that of status. */
void check_shmem(struct capture *capture, const struct process_truth *process)
{
	char *status = process_file(capture, process->pid, "status");
	struct once_truth truth = { 0 };
	struct one_process one;
	uint64_t rss_shmem, rss;

	if (!capture->exact_counters || !status || !key_number(status, "RssShmem", &rss_shmem) ||
	    !key_number(status, "VmRSS", &rss)) {
		free(status);
		return;
	}
	add_regions(capture, process->pid, &truth);
	one_process_open(capture->source, process->pid, once_metrics, ARRAY_SIZE(once_metrics), 0,
			 &one);
	tally_figure(&capture->tally, figure_of(one.process->usage, THPSTAT_RESIDENT_SHMEM), true,
		     rss_shmem, "smaps", process->pid, "resident_shmem");
	tally_figure(&capture->tally, figure_of(one.process->usage, THPSTAT_RESIDENT_FILE), true,
		     rss - rss_shmem - mapping_list_total(&process->mappings, THPSTAT_ANONYMOUS),
		     "smaps", process->pid, "resident_file");
	/* outside of the regions no page of shared memory is mapped twice */
	if (thpstat_usage_method(one.process->usage, THPSTAT_RESIDENT_ONCE) == THPSTAT_METHOD_EXACT)
		tally_figure(&capture->tally, figure_of(one.process->usage, THPSTAT_SHMEM_ONCE),
			     true, rss_shmem - truth.mapped_shmem + truth.region_shmem, "smaps",
			     process->pid, "shmem_once");
	tally_equal(&capture->tally, mapping_list_total(&process->mappings, THPSTAT_RSS), rss,
		    "%d: sum of rss, status VmRSS", process->pid);
	one_process_close(&one);
	free(status);
}

/*
 * What the process costs: pss, hugetlb and page tables. This walk reads smaps too, and takes the
 * figures that the kernel divides from rollup all the same.
 */
void check_footprint(struct capture *capture, const struct process_truth *process)
{
	static const enum thpstat_metric metrics[] = { THPSTAT_FOOTPRINT, THPSTAT_RESIDENT_ONCE,
						       THPSTAT_PSS, THPSTAT_PSS_DIRTY,
						       THPSTAT_SWAP_PSS };
	char *rollup = process_file(capture, process->pid, "smaps_rollup");
	char *status = process_file(capture, process->pid, "status");
	struct tally *tally = &capture->tally;
	struct once_truth truth = { 0 };
	const struct thpstat_usage *usage;
	struct one_process one;
	uint64_t pss, vm_pte, wanted;
	bool known;

	if (rollup && key_number(rollup, "Pss", &pss) && key_number(status, "VmPTE", &vm_pte)) {
		add_regions(capture, process->pid, &truth);
		one_process_open(capture->source, process->pid, metrics, ARRAY_SIZE(metrics), 0,
				 &one);
		usage = one.process->usage;
		tally_figure(tally, figure_of(usage, THPSTAT_FOOTPRINT), true,
			     pss + truth.hugetlb + vm_pte, "derived", process->pid, "footprint");
		tally_figure(tally, figure_of(usage, THPSTAT_PSS), true, pss, "smaps and rollup",
			     process->pid, "pss");
		wanted = 0;
		known = key_number(rollup, "Pss_Dirty", &wanted);
		tally_figure(tally, figure_of(usage, THPSTAT_PSS_DIRTY), known, wanted,
			     "smaps and rollup", process->pid, "pss_dirty");
		wanted = 0;
		known = key_number(rollup, "SwapPss", &wanted);
		tally_figure(tally, figure_of(usage, THPSTAT_SWAP_PSS), known, wanted,
			     "smaps and rollup", process->pid, "swap_pss");
		one_process_close(&one);
	}
	free(rollup);
	free(status);
}

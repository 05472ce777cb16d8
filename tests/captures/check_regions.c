/* SPDX-License-Identifier: MIT */
/* What the workload mapped, region by region, against the mappings of smaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "captures/capture.h"
#include "support/files.h"

/* What a region of the case "names" is called in smaps. */
static const struct region_name {
	const char *region;
	const char *name;
} region_names[] = {
	{ "space", "/mnt/small/with  two spaces" },
	{ "newline", "/mnt/small/new\\012line" },
	{ "deleted", "/mnt/small/gone (deleted)" },
	{ "notdeleted", "/mnt/small/really (deleted)" },
	{ "colon", "/mnt/small/Rss: 12 kB" },
	{ "range", "/mnt/small/7f0000000000-7f0000001000 rw-p 00000000 00:00 0" },
	{ "bracket", "/mnt/small/[heap]" },
	{ "utf8", "/mnt/small/\xc3\xa9\xff\x01" },
	{ "devzero", "/dev/zero (deleted)" },
	{ "sysv", "/SYSV00000000 (deleted)" },
	{ "sysvhuge", "/SYSV00000000 (deleted)" },
	{ "hugetlbfs", "/mnt/huge/hfile" },
};

/* The mappings that make up a region exactly; false when it is part of a larger mapping. */
static bool find_mappings(const struct mapping_list *list, const struct region *region,
			  size_t *from, size_t *to)
{
	size_t i = 0;

	while (i < list->n && !overlaps(&list->records[i], region))
		i++;
	*from = i;
	while (i < list->n && overlaps(&list->records[i], region))
		i++;
	*to = i;
	return *from < *to && list->records[*from].start == region->start &&
	       list->records[*to - 1].end == region->end;
}

static enum thpstat_class region_class(const struct region *region)
{
	switch (region->kind) {
	case KIND_SHMEM:
		return THPSTAT_CLASS_SHMEM;
	case KIND_FILE:
		return THPSTAT_CLASS_FILE;
	case KIND_HUGETLB:
		return THPSTAT_CLASS_HUGETLB;
	case KIND_ANON:
	case KIND_STACK:
		break;
	}
	return THPSTAT_CLASS_ANON;
}

static void check_region(struct capture *capture, const struct region *region,
			 const struct mapping_list *list, size_t from, size_t to)
{
	struct tally *tally = &capture->tally;
	bool hugetlb = region->kind == KIND_HUGETLB;
	uint64_t resident, huge, size, pss, slack;
	char *what = format_text("%s/%s of %d", region->case_, region->name, region->pid);

#define SUM(metric) (mapping_list_sum(list, from, to, (metric), NULL).value)
	size = SUM(THPSTAT_SIZE);
	resident = SUM(THPSTAT_RSS) + SUM(THPSTAT_SHARED_HUGETLB) + SUM(THPSTAT_PRIVATE_HUGETLB);
	huge = SUM(THPSTAT_ANON_HUGE_PAGES) + SUM(THPSTAT_SHMEM_PMD_MAPPED) +
	       SUM(THPSTAT_FILE_PMD_MAPPED);
	pss = SUM(THPSTAT_PSS);
	/* the kernel cuts each mapping to kB, and each share of a page to 1/4096 byte */
	slack = (to - from) * 1024;

	tally_equal(tally, size, region->end - region->start, "%s: size", what);
	tally_equal(tally, resident, region->resident, "%s: rss + hugetlb", what);
	tally_equal(tally, huge, region_huge(region), "%s: mapped by PMD", what);
	if (region->expect_known)
		tally_equal(tally, huge, region->expect, "%s: mapped by PMD, as meant", what);
	tally_near(tally, pss, hugetlb ? 0 : region->pss, hugetlb ? 0 : slack, "%s: pss", what);
	tally_equal(tally, SUM(THPSTAT_ANONYMOUS), hugetlb ? 0 : region->anonymous, "%s: anonymous",
		    what);
	tally_equal(tally, SUM(THPSTAT_SWAP), region->swapped, "%s: swap", what);
#undef SUM
	for (size_t i = from; i < to; i++) {
		tally_equal(tally, list->records[i].class_, region_class(region), "%s: class",
			    what);
		tally_holds(tally, !list->records[i].error, "%s: no error", what);
	}
	if (!strcmp(region->case_, "names"))
		for (size_t i = 0; i < ARRAY_SIZE(region_names); i++)
			if (!strcmp(region_names[i].region, region->name))
				tally_text(tally, list->records[from].name, region_names[i].name,
					   "%s: name", what);
	free(what);
}

void check_regions(struct capture *capture)
{
	size_t from, to, compared = 0, merged = 0;

	for (size_t i = 0; i < capture->n_regions; i++) {
		const struct region *region = &capture->regions[i];
		const struct process_truth *process = process_of(capture, region->pid);

		if (!find_mappings(&process->mappings, region, &from, &to)) {
			/* only stacks grow together; check_stacks() has them by process */
			tally_holds(&capture->tally, region->kind == KIND_STACK,
				    "%s/%s of %d covers whole mappings", region->case_,
				    region->name, region->pid);
			merged++;
			continue;
		}
		check_region(capture, region, &process->mappings, from, to);
		compared++;
	}
	print_message("# %s: %zu regions compared one by one, %zu stacks that grew together by "
		      "process\n",
		      capture->tally.subject, compared, merged);
}

/* All stacks of a process against all mappings that hold them. */
void check_stacks(struct capture *capture, const struct process_truth *process)
{
	uint64_t resident = 0, anonymous = 0, swapped = 0, pss = 0, thp = 0, contiguous = 0;
	struct {
		uint64_t rss, anonymous, swap, pss, huge;
	} found = { 0, 0, 0, 0, 0 };
	size_t stacks = 0, mappings = 0;
	struct tally *tally = &capture->tally;

	for (size_t i = 0; i < capture->n_regions; i++) {
		const struct region *region = &capture->regions[i];

		if (region->pid != process->pid || region->kind != KIND_STACK)
			continue;
		stacks++;
		resident += region->resident;
		anonymous += region->anonymous;
		swapped += region->swapped;
		pss += region->pss;
		thp += region->thp_pages;
		contiguous += region->contiguous;
	}
	if (!stacks)
		return;
	for (size_t i = 0; i < process->mappings.n; i++) {
		const struct mapping_record *record = &process->mappings.records[i];
		bool holds_stack = false;

		for (size_t j = 0; j < capture->n_regions && !holds_stack; j++)
			holds_stack = capture->regions[j].pid == process->pid &&
				      overlaps(record, &capture->regions[j]);
		if (!holds_stack)
			continue;
		mappings++;
		found.rss += record_value(record, THPSTAT_RSS);
		found.anonymous += record_value(record, THPSTAT_ANONYMOUS);
		found.swap += record_value(record, THPSTAT_SWAP);
		found.pss += record_value(record, THPSTAT_PSS);
		found.huge += record_value(record, THPSTAT_ANON_HUGE_PAGES);
	}
	tally_equal(tally, found.rss, resident, "%zu stacks of %d: rss", stacks, process->pid);
	tally_equal(tally, found.anonymous, anonymous, "%zu stacks of %d: anonymous", stacks,
		    process->pid);
	tally_equal(tally, found.swap, swapped, "%zu stacks of %d: swap", stacks, process->pid);
	tally_near(tally, found.pss, pss, mappings * 1024, "%zu stacks of %d: pss", stacks,
		   process->pid);
	/* a huge page may lie across two stacks, so pages of large folios tell, not units */
	tally_equal(tally, found.huge, thp, "%zu stacks of %d: mapped by PMD", stacks,
		    process->pid);
	tally_holds(tally, found.huge >= contiguous, "%zu stacks of %d: mapped by PMD", stacks,
		    process->pid);
}

/* SPDX-License-Identifier: MIT */
/* What the walk over mappings yields: their number, names, flags, classes and figures. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cases/case.h"
#include "support/json_file.h"

/* Mappings that begin below the end of one before them. */
static uint64_t count_overlaps(const struct mapping_list *list)
{
	uint64_t overlaps = 0, end = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->records[i].start < end)
			overlaps++;
		if (list->records[i].end > end)
			end = list->records[i].end;
	}
	return overlaps;
}

static void check_mappings(struct case_run *run, struct process_run *process, const json_t *value)
{
	uint64_t wanted = (uint64_t)json_integer_value(value);

	tally_equal(&run->tally, process->mappings.n, wanted, "mappings walked in %d",
		    process->pid);
	tally_equal(&run->tally, (uint64_t)-process->mappings_error, wanted ? 0 : ENODATA,
		    "error of that walk in %d", process->pid);
	tally_figure(&run->tally, figure_of(process->with_smaps.process->usage, THPSTAT_MAPPINGS),
		     wanted, wanted, "smaps", process->pid, "mappings");
	tally_equal(&run->tally,
		    !!(process->with_smaps.process->flags & THPSTAT_PROCESS_INCONSISTENT),
		    count_overlaps(&process->mappings) > 0, "%d is marked inconsistent",
		    process->pid);
}

static void check_overlaps(struct case_run *run, struct process_run *process, const json_t *value)
{
	tally_equal(&run->tally, count_overlaps(&process->mappings),
		    (uint64_t)json_integer_value(value), "overlaps in %d", process->pid);
}

static void check_names(struct case_run *run, struct process_run *process, const json_t *value)
{
	const json_t *item;
	size_t i;

	tally_equal(&run->tally, process->mappings.n, json_array_size(value), "names in %d",
		    process->pid);
	json_array_foreach(value, i, item) if (i < process->mappings.n)
		tally_text(&run->tally, process->mappings.records[i].name, json_string_value(item),
			   "name %zu in %d", i, process->pid);
}

static void check_one_mapping_named(struct case_run *run, const struct process_run *process,
				    const char *name)
{
	unsigned int found = 0;

	for (size_t i = 0; i < process->mappings.n; i++)
		found += !strcmp(process->mappings.records[i].name, name);
	tally_equal(&run->tally, found, 1, "mappings of %d named '%s'", process->pid, name);
}

static void check_ambiguous(struct case_run *run, struct process_run *process, const json_t *value)
{
	const json_t *pair;
	size_t i;

	json_array_foreach(value, i, pair)
		check_one_mapping_named(run, process, json_string_value(json_array_get(pair, 0)));
}

static void check_trailing_blank(struct case_run *run, struct process_run *process,
				 const json_t *value)
{
	const json_t *name;
	size_t i;

	json_array_foreach(value, i, name)
		check_one_mapping_named(run, process, json_string_value(name));
}

static void check_vmflags(struct case_run *run, struct process_run *process, const json_t *value)
{
	static const struct {
		const char *word;
		unsigned int bit;
	} words[] = {
		{ "hg", THPSTAT_MAPPING_HUGEPAGE_ADVISED }, { "nh", THPSTAT_MAPPING_NO_HUGEPAGE },
		{ "ht", THPSTAT_MAPPING_HUGETLB },	    { "lo", THPSTAT_MAPPING_LOCKED },
		{ "gd", THPSTAT_MAPPING_GROWS_DOWN },	    { "pf", THPSTAT_MAPPING_PFNMAP },
		{ "mm", THPSTAT_MAPPING_MIXEDMAP },	    { "io", THPSTAT_MAPPING_IO },
		{ "mg", THPSTAT_MAPPING_MERGEABLE },	    { "nr", THPSTAT_MAPPING_NORESERVE },
	};
	const json_t *list, *item;
	size_t i, j;

	tally_equal(&run->tally, process->mappings.n, json_array_size(value), "flags in %d",
		    process->pid);
	json_array_foreach(value, i, list)
	{
		unsigned int wanted = THPSTAT_MAPPING_HAS_VMFLAGS, mask = wanted;

		if (i >= process->mappings.n)
			break;
		for (size_t k = 0; k < ARRAY_SIZE(words); k++) {
			mask |= words[k].bit;
			json_array_foreach(list, j, item) if (!strcmp(json_string_value(item),
								      words[k].word)) wanted |=
				words[k].bit;
		}
		tally_equal(&run->tally, process->mappings.records[i].flags & mask, wanted,
			    "flags of mapping %zu in %d", i, process->pid);
	}
}

static void check_text_rss(struct case_run *run, struct process_run *process, const json_t *value)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < process->mappings.n; i++)
		if (process->mappings.records[i].flags & THPSTAT_MAPPING_EXEC)
			sum += record_value(&process->mappings.records[i], THPSTAT_RSS);
	tally_equal(&run->tally, sum, (uint64_t)json_integer_value(value) * 1024,
		    "rss of executable mappings of %d", process->pid);
}

static void check_text_huge(struct case_run *run, struct process_run *process, const json_t *value)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < process->mappings.n; i++)
		if (process->mappings.records[i].flags & THPSTAT_MAPPING_EXEC)
			sum += record_value(&process->mappings.records[i],
					    THPSTAT_ANON_HUGE_PAGES) +
			       record_value(&process->mappings.records[i],
					    THPSTAT_SHMEM_PMD_MAPPED) +
			       record_value(&process->mappings.records[i], THPSTAT_FILE_PMD_MAPPED);
	tally_equal(&run->tally, sum, (uint64_t)json_integer_value(value) * 1024,
		    "huge part of executable mappings of %d", process->pid);
}

static void check_hugetlb_pages(struct case_run *run, struct process_run *process,
				const json_t *value)
{
	const json_t *item;
	const char *key;

	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	{
		uint64_t size = strtoull(key, NULL, 10) * 1024, sum = 0;

		for (size_t i = 0; i < process->mappings.n; i++) {
			const struct mapping_record *record = &process->mappings.records[i];

			if (record_value(record, THPSTAT_KERNEL_PAGE_SIZE) != size)
				continue;
			tally_equal(&run->tally, record->class_, THPSTAT_CLASS_HUGETLB,
				    "class of mapping %zu in %d", i, process->pid);
			sum += record_value(record, THPSTAT_HUGETLB);
		}
		tally_equal(&run->tally, sum, (uint64_t)json_integer_value(item) * size,
			    "hugetlb of %s kB pages in %d", key, process->pid);
	}
}

/* One object shown several times. */
static void check_java_heap(struct case_run *run, struct process_run *process, const json_t *value)
{
	const struct thpstat_usage *usage = process->with_smaps.process->usage;
	const struct mapping_record *first = NULL;
	struct figure once;
	uint64_t views = 0, rss = 0, pss = 0, size = json_number(value, "file_size_kb") * 1024;

	assert_int_equal(json_object_size(value), 4);
	for (size_t i = 0; i < process->mappings.n; i++) {
		const struct mapping_record *record = &process->mappings.records[i];

		if (strcmp(record->name, "/memfd:java_heap (deleted)"))
			continue;
		if (!first)
			first = record;
		tally_equal(&run->tally, record->class_, THPSTAT_CLASS_SHMEM, "class of the heap");
		tally_equal(&run->tally, record_value(record, THPSTAT_SIZE), size,
			    "size of a view of the heap");
		views += !thpstat_object_compare(&record->object, &first->object);
		rss += record_value(record, THPSTAT_RSS);
		pss += record_value(record, THPSTAT_PSS);
	}
	tally_equal(&run->tally, views, json_number(value, "views"), "views of the heap");
	tally_equal(&run->tally, rss, json_number(value, "rss_kb") * 1024, "rss of the heap");
	tally_equal(&run->tally, pss, json_number(value, "pss_kb") * 1024, "pss of the heap");
	once = figure_of(usage, THPSTAT_SHMEM_ONCE);
	tally_figure(&run->tally, figure_of(usage, THPSTAT_COUNTED_AGAIN), true, (views - 1) * size,
		     "smaps", process->pid, "counted_again");
	/* it is all the shared memory there is; without mountinfo that need not be proved */
	tally_holds(&run->tally,
		    once.error ? thpstat_usage_reason(usage, THPSTAT_SHMEM_ONCE) ==
					 THPSTAT_REASON_NOT_PROVED
			       : once.value == size,
		    "shmem_once of %d is the heap, or not proved", process->pid);
}

static void check_eligible(struct case_run *run, struct process_run *process, const json_t *value)
{
	for (size_t i = 0; i < process->mappings.n; i++)
		tally_figure(&run->tally,
			     process->mappings.records[i].figures[THPSTAT_THP_ELIGIBLE], true,
			     (uint64_t)json_integer_value(value), "mapping", process->pid,
			     "THPeligible");
}

/* The only mapping of hugetlb pages, found by its page size. */
static const struct mapping_record *hugetlb_mapping(struct case_run *run,
						    const struct process_run *process)
{
	const struct mapping_record *found = NULL;

	for (size_t i = 0; i < process->mappings.n; i++)
		if (process->mappings.records[i].class_ == THPSTAT_CLASS_HUGETLB) {
			tally_holds(&run->tally, !found, "%d has one hugetlb mapping",
				    process->pid);
			found = &process->mappings.records[i];
		}
	if (!found)
		tally_holds(&run->tally, false, "%d has a hugetlb mapping", process->pid);
	return found;
}

static void check_hugetlb_size(struct case_run *run, struct process_run *process,
			       const json_t *value)
{
	const struct mapping_record *record = hugetlb_mapping(run, process);

	if (record)
		tally_equal(&run->tally, record_value(record, THPSTAT_SIZE),
			    (uint64_t)json_integer_value(value) * 1024,
			    "size of the hugetlb mapping of %d", process->pid);
}

static void check_thp_region(struct case_run *run, struct process_run *process, const json_t *value)
{
	const struct mapping_record *huge = NULL;
	const struct figure_key *row;
	const json_t *item;
	const char *key;

	for (size_t i = 0; i < process->mappings.n; i++)
		if (record_value(&process->mappings.records[i], THPSTAT_ANON_HUGE_PAGES)) {
			tally_holds(&run->tally, !huge, "one mapping of %d is huge", process->pid);
			huge = &process->mappings.records[i];
		}
	assert_non_null(huge);
	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	{
		row = find_figure(memory_keys, n_memory_keys, key);
		assert_non_null(row);
		tally_equal(&run->tally, record_value(huge, row->metric),
			    (uint64_t)json_integer_value(item) * 1024,
			    "%s of the huge mapping of %d", key, process->pid);
	}
}

/* One page size for the hugetlb mappings of all processes. */
static void check_hugetlb_page_size(struct case_run *run, const json_t *value)
{
	for (size_t i = 0; i < run->n_processes; i++) {
		const struct mapping_record *record = hugetlb_mapping(run, &run->processes[i]);

		if (record)
			tally_equal(&run->tally, record_value(record, THPSTAT_KERNEL_PAGE_SIZE),
				    (uint64_t)json_integer_value(value) * 1024,
				    "page size of the hugetlb mapping of %d",
				    run->processes[i].pid);
	}
}

bool check_mapping_key(struct case_run *run, struct process_run *process, const char *key,
		       const json_t *value)
{
	static const struct key_check keys[] = {
		{ "mappings", check_mappings, false },
		{ "overlaps", check_overlaps, false },
		{ "names", check_names, false },
		{ "ambiguous_pairs", check_ambiguous, false },
		{ "names_with_trailing_blank", check_trailing_blank, false },
		{ "vmflags", check_vmflags, false },
		{ "text_rss_kb", check_text_rss, false },
		{ "text_huge_kb", check_text_huge, false },
		{ "hugetlb_pages_by_size_kb", check_hugetlb_pages, false },
		{ "java_heap", check_java_heap, false },
		{ "thp_eligible", check_eligible, true },
		{ "hugetlb_mapping_size_kb", check_hugetlb_size, true },
		{ "thp_region", check_thp_region, true },
	};

	if (!strcmp(key, "kernel_page_size_kb_of_that_mapping")) {
		check_hugetlb_page_size(run, value);
		return true;
	}
	return check_by_table(run, process, key, value, keys, ARRAY_SIZE(keys));
}

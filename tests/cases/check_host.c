/* SPDX-License-Identifier: MIT */
/* The snapshot of the host: meminfo, nodes, pools, settings. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cases/case.h"
#include "support/files.h"

static const struct figure_key meminfo_keys[] = {
	{ "MemTotal", THPSTAT_MEM_TOTAL },
	{ "AnonPages", THPSTAT_ANON_PAGES },
	{ "AnonHugePages", THPSTAT_ANON_HUGE_PAGES },
	{ "ShmemHugePages", THPSTAT_SHMEM_HUGE_PAGES },
	{ "ShmemPmdMapped", THPSTAT_SHMEM_PMD_MAPPED },
	{ "FileHugePages", THPSTAT_FILE_HUGE_PAGES },
	{ "FilePmdMapped", THPSTAT_FILE_PMD_MAPPED },
	{ "HugePages_Total", THPSTAT_HUGE_PAGES_TOTAL },
	{ "HugePages_Free", THPSTAT_HUGE_PAGES_FREE },
	{ "HugePages_Rsvd", THPSTAT_HUGE_PAGES_RSVD },
	{ "HugePages_Surp", THPSTAT_HUGE_PAGES_SURP },
	{ "Hugepagesize", THPSTAT_HUGEPAGESIZE },
	{ "Hugetlb", THPSTAT_HUGETLB_TOTAL },
	{ "DirectMap1G", THPSTAT_DIRECT_MAP_1G },
};

static const struct figure_key pool_keys[] = {
	{ "total_kb", THPSTAT_POOL_TOTAL },	    { "free_kb", THPSTAT_POOL_FREE },
	{ "in_use_kb", THPSTAT_POOL_IN_USE },	    { "reserved_kb", THPSTAT_POOL_RESERVED },
	{ "available_kb", THPSTAT_POOL_AVAILABLE },
};

static const struct thpstat_usage *pool_of(struct case_run *run, uint64_t bytes)
{
	if (!bytes)
		bytes = figure_of(run->host->usage, THPSTAT_HUGEPAGESIZE).value;
	for (size_t i = 0; i < run->host->n_page_sizes; i++)
		if (run->host->page_sizes[i].bytes == bytes)
			return run->host->page_sizes[i].usage;
	tally_holds(&run->tally, false, "there is a page size of %" PRIu64, bytes);
	return NULL;
}

static void check_pool_figure(struct case_run *run, const struct thpstat_usage *usage,
			      enum thpstat_metric metric, const json_t *value)
{
	const char *name = thpstat_metric_info(metric)->name;
	struct figure found = figure_of(usage, metric);
	uint64_t wanted;

	if (wanted_value(value, metric, &wanted)) {
		tally_figure(&run->tally, found, true, wanted, "pool", 0, name);
		return;
	}
	/* null here: the counters contradict each other */
	tally_equal(&run->tally, (uint64_t)-found.error, EBADMSG, "error of %s", name);
	tally_equal(&run->tally, thpstat_usage_reason(usage, metric), THPSTAT_REASON_BROKEN,
		    "reason of no %s", name);
}

static void check_pool(struct case_run *run, const char *size, const json_t *value)
{
	const struct thpstat_usage *usage;
	const struct figure_key *row;
	uint64_t bytes = size ? strtoull(size, NULL, 10) * 1024 : 0;
	const json_t *item;
	const char *key;

	usage = pool_of(run, bytes);
	if (!usage)
		return;
	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	{
		row = find_figure(pool_keys, ARRAY_SIZE(pool_keys), key);
		if (row)
			check_pool_figure(run, usage, row->metric, item);
		else if (!strcmp(key, "page_kb"))
			tally_figure(&run->tally, figure_of(run->host->usage, THPSTAT_HUGEPAGESIZE),
				     true, (uint64_t)json_integer_value(item) * 1024, "meminfo", 0,
				     key);
		else if (!strcmp(key, "available_at_most_kb"))
			check_pool_figure(run, usage, THPSTAT_POOL_FREE, item);
		else
			tally_holds(&run->tally, false, "key pool.%s is known", key);
	}
}

static void check_default_pool(struct case_run *run, enum thpstat_metric metric,
			       const json_t *value)
{
	const struct thpstat_usage *usage = pool_of(run, 0);

	if (usage)
		check_pool_figure(run, usage, metric, value);
}

static void check_pools(struct case_run *run, const json_t *value)
{
	const json_t *item;
	const char *key;

	json_object_foreach((json_t *)(uintptr_t)value, key, item) check_pool(run, key, item);
}

static void check_meminfo(struct case_run *run, const struct thpstat_usage *usage,
			  const char *prefix, const json_t *value)
{
	const struct figure_key *row;
	const json_t *item;
	const char *key;
	uint64_t wanted;
	bool known;

	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	{
		row = find_figure(meminfo_keys, ARRAY_SIZE(meminfo_keys), key);
		if (!row) {
			char *path = format_text("%s.%s", prefix, key);

			leave_out(run, path);
			free(path);
			continue;
		}
		known = wanted_value(item, row->metric, &wanted);
		tally_figure(&run->tally, figure_of(usage, row->metric), known, wanted, prefix, 0,
			     key);
	}
}

static void check_nodes(struct case_run *run, const json_t *value)
{
	const json_t *item;
	const char *key;
	size_t place = 0;

	tally_equal(&run->tally, run->host->n_nodes, json_object_size(value), "number of nodes");
	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	{
		if (place >= run->host->n_nodes)
			break;
		tally_equal(&run->tally, run->host->nodes[place].number, strtoull(key, NULL, 10),
			    "number of a node");
		check_meminfo(run, run->host->nodes[place].usage, "node", item);
		place++;
	}
}

/* The chosen word of a setting of the host; null when there is no such file. */
static void check_policy(struct case_run *run, const struct thpstat_host *host, const char *knob,
			 const json_t *value)
{
	const char *found = NULL;

	for (size_t i = 0; i < host->n_policies; i++)
		if (!host->policies[i].page_size && !strcmp(host->policies[i].knob, knob))
			found = host->policies[i].value;
	tally_text(&run->tally, found, json_string_value(value), "setting %s", knob);
}

/* A tree inside the tree, with an expectation of its own. */
static void check_subtree(struct case_run *run, const char *name, const json_t *value)
{
	static const char *const knobs[] = { "enabled", "defrag", "shmem_enabled" };
	char *root = format_text("%s/%s", run->directory, name);
	struct thpstat_open_options options = { .size = sizeof(options), .root = root };
	const struct thpstat_host *host;
	struct thpstat *source;
	const json_t *item;
	const char *key;
	uint64_t wanted;
	bool known, done;

	assert_int_equal(thpstat_open(&options, &source), 0);
	assert_int_equal(thpstat_host_read(source, &host), 0);
	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	{
		done = false;
		for (size_t i = 0; i < ARRAY_SIZE(knobs) && !done; i++)
			if (!strcmp(knobs[i], key)) {
				check_policy(run, host, key, item);
				done = true;
			}
		if (done)
			continue;
		if (!strcmp(key, "AnonHugePages")) {
			known = wanted_value(item, THPSTAT_ANON_HUGE_PAGES, &wanted);
			tally_figure(&run->tally, figure_of(host->usage, THPSTAT_ANON_HUGE_PAGES),
				     known, wanted, name, 0, key);
		} else if (!strcmp(key, "thp_supported")) {
			tally_equal(&run->tally, host->thp_directory != NULL, json_is_true(item),
				    "%s: there is a directory of THP", name);
		} else if (!strcmp(key, "thp_mode")) {
			check_policy(run, host, "enabled", item);
			tally_text(&run->tally, host->thp_directory, "redhat_transparent_hugepage",
				   "%s: directory of THP", name);
		} else {
			tally_holds(&run->tally, false, "key %s.%s is known", name, key);
		}
	}
	thpstat_host_free(host);
	thpstat_close(source);
	free(root);
}

static void check_mthp(struct case_run *run, const json_t *value)
{
	const struct thpstat_usage *usage;
	const json_t *item;
	const char *key;

	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	{
		uint64_t size = strtoull(key, NULL, 10) * 1024;

		usage = pool_of(run, size);
		if (usage)
			tally_equal(&run->tally, figure_or_zero(usage, THPSTAT_NR_ANON) * size,
				    (uint64_t)json_integer_value(item) * 1024,
				    "anonymous pages of %s kB", key);
	}
}

/* How many pages of PMD size the anonymous huge memory of the host or of a process is. */
static void check_thp_pages(struct case_run *run, const struct process_run *process,
			    const json_t *value)
{
	const struct thpstat_usage *usage =
		process ? process->with_smaps.process->usage : run->host->usage;
	struct figure size = figure_of(run->host->usage, THPSTAT_HPAGE_PMD_SIZE);
	struct figure huge = figure_of(usage, THPSTAT_ANON_HUGE_PAGES);

	tally_holds(&run->tally, !size.error && !huge.error, "the size of a THP is known");
	if (size.value)
		tally_equal(&run->tally, huge.value,
			    (uint64_t)json_integer_value(value) * size.value, "pages of THP");
}

static void check_collapsed(struct case_run *run, const json_t *value)
{
	const struct thpstat_usage *usage = run->host->usage;

	tally_equal(&run->tally,
		    figure_or_zero(usage, THPSTAT_KHUGEPAGED_PAGES_COLLAPSED) *
			    figure_or_zero(usage, THPSTAT_HPAGE_PMD_SIZE),
		    (uint64_t)json_integer_value(value) * 1024, "collapsed");
}

static void check_pool_exceeds_memory(struct case_run *run, const json_t *value)
{
	const struct thpstat_usage *usage = run->host->usage;

	tally_equal(&run->tally,
		    figure_or_zero(usage, THPSTAT_HUGE_PAGES_TOTAL) *
				    figure_or_zero(usage, THPSTAT_HUGEPAGESIZE) >
			    figure_or_zero(usage, THPSTAT_MEM_TOTAL),
		    json_is_true(value), "the pool is larger than the memory");
}

static void check_rsvd_broken(struct case_run *run, const json_t *value)
{
	const struct thpstat_usage *usage = pool_of(run, 0);

	if (usage)
		tally_equal(&run->tally,
			    thpstat_usage_reason(usage, THPSTAT_POOL_RESERVED) ==
				    THPSTAT_REASON_BROKEN,
			    json_is_true(value), "the counter of reserved pages is broken");
}

bool check_host_key(struct case_run *run, struct process_run *process, const char *key,
		    const json_t *value)
{
	static const struct {
		const char *key;
		enum thpstat_metric metric;
	} pool_figures[] = {
		{ "pool_in_use_kb", THPSTAT_POOL_IN_USE },
		{ "pool_reserved_kb", THPSTAT_POOL_RESERVED },
		{ "pool_available_kb", THPSTAT_POOL_AVAILABLE },
		{ "committed_kb", THPSTAT_POOL_PROMISED },
		{ "default_pool_kb", THPSTAT_POOL_TOTAL },
	}, host_figures[] = {
		{ "hugetlb_total_kb", THPSTAT_HUGETLB_TOTAL },
		{ "other_sizes_kb", THPSTAT_HUGETLB_OTHER_SIZES },
		{ "max_ptes_none", THPSTAT_KHUGEPAGED_MAX_PTES_NONE },
	};
	static const struct {
		const char *key;
		void (*check)(struct case_run *, const json_t *);
	} keys[] = {
		{ "pools", check_pools },
		{ "nodes", check_nodes },
		{ "system_mthp_kb", check_mthp },
		{ "collapsed_kb_at_most", check_collapsed },
		{ "pool_exceeds_memtotal", check_pool_exceeds_memory },
		{ "rsvd_is_broken", check_rsvd_broken },
	};
	static const char *const subtrees[] = { "a", "b", "c", "nothp", "rhel6" };

	for (size_t i = 0; i < ARRAY_SIZE(pool_figures); i++)
		if (!strcmp(pool_figures[i].key, key)) {
			check_default_pool(run, pool_figures[i].metric, value);
			return true;
		}
	for (size_t i = 0; i < ARRAY_SIZE(host_figures); i++)
		if (!strcmp(host_figures[i].key, key)) {
			check_pool_figure(run, run->host->usage, host_figures[i].metric, value);
			return true;
		}
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].key, key)) {
			keys[i].check(run, value);
			return true;
		}
	for (size_t i = 0; i < ARRAY_SIZE(subtrees); i++)
		if (!strcmp(subtrees[i], key)) {
			check_subtree(run, key, value);
			return true;
		}
	if (!strcmp(key, "pool"))
		check_pool(run, NULL, value);
	else if (!strcmp(key, "meminfo"))
		check_meminfo(run, run->host->usage, key, value);
	else if (!strcmp(key, "thp_enabled_mode"))
		check_policy(run, run->host, "enabled", value);
	else if (!strcmp(key, "thp_pages"))
		check_thp_pages(run, process, value);
	else
		return false;
	return true;
}

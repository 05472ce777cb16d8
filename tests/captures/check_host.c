/* SPDX-License-Identifier: MIT */
/* The snapshot of the host, against its files read by hand. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "captures/capture.h"
#include "support/files.h"
#include "support/json_file.h"

static const struct keyed_metric meminfo_keys[] = {
	{ THPSTAT_MEM_TOTAL, "MemTotal" },
	{ THPSTAT_MEM_FREE, "MemFree" },
	{ THPSTAT_MEM_AVAILABLE, "MemAvailable" },
	{ THPSTAT_BUFFERS, "Buffers" },
	{ THPSTAT_CACHED, "Cached" },
	{ THPSTAT_ANON_PAGES, "AnonPages" },
	{ THPSTAT_MAPPED, "Mapped" },
	{ THPSTAT_SHMEM, "Shmem" },
	{ THPSTAT_PAGE_TABLES, "PageTables" },
	{ THPSTAT_SEC_PAGE_TABLES, "SecPageTables" },
	{ THPSTAT_SWAP_TOTAL, "SwapTotal" },
	{ THPSTAT_SWAP_FREE, "SwapFree" },
	{ THPSTAT_COMMIT_LIMIT, "CommitLimit" },
	{ THPSTAT_COMMITTED_AS, "Committed_AS" },
	{ THPSTAT_ANON_HUGE_PAGES, "AnonHugePages" },
	{ THPSTAT_SHMEM_HUGE_PAGES, "ShmemHugePages" },
	{ THPSTAT_SHMEM_PMD_MAPPED, "ShmemPmdMapped" },
	{ THPSTAT_FILE_HUGE_PAGES, "FileHugePages" },
	{ THPSTAT_FILE_PMD_MAPPED, "FilePmdMapped" },
	{ THPSTAT_HUGE_PAGES_TOTAL, "HugePages_Total" },
	{ THPSTAT_HUGE_PAGES_FREE, "HugePages_Free" },
	{ THPSTAT_HUGE_PAGES_RSVD, "HugePages_Rsvd" },
	{ THPSTAT_HUGE_PAGES_SURP, "HugePages_Surp" },
	{ THPSTAT_HUGEPAGESIZE, "Hugepagesize" },
	{ THPSTAT_HUGETLB_TOTAL, "Hugetlb" },
	{ THPSTAT_DIRECT_MAP_4K, "DirectMap4k" },
	{ THPSTAT_DIRECT_MAP_2M, "DirectMap2M" },
	{ THPSTAT_DIRECT_MAP_1G, "DirectMap1G" },
};

static const struct keyed_metric node_keys[] = {
	{ THPSTAT_MEM_TOTAL, "MemTotal" },
	{ THPSTAT_MEM_FREE, "MemFree" },
	{ THPSTAT_ANON_PAGES, "AnonPages" },
	{ THPSTAT_MAPPED, "Mapped" },
	{ THPSTAT_SHMEM, "Shmem" },
	{ THPSTAT_PAGE_TABLES, "PageTables" },
	{ THPSTAT_ANON_HUGE_PAGES, "AnonHugePages" },
	{ THPSTAT_SHMEM_HUGE_PAGES, "ShmemHugePages" },
	{ THPSTAT_SHMEM_PMD_MAPPED, "ShmemPmdMapped" },
	{ THPSTAT_FILE_HUGE_PAGES, "FileHugePages" },
	{ THPSTAT_FILE_PMD_MAPPED, "FilePmdMapped" },
	{ THPSTAT_HUGE_PAGES_TOTAL, "HugePages_Total" },
	{ THPSTAT_HUGE_PAGES_FREE, "HugePages_Free" },
	{ THPSTAT_HUGE_PAGES_SURP, "HugePages_Surp" },
	{ THPSTAT_HUGE_PAGES_RSVD, "HugePages_Rsvd" },
};

static const struct keyed_metric vmstat_keys[] = {
	{ THPSTAT_THP_FAULT_ALLOC, "thp_fault_alloc" },
	{ THPSTAT_THP_FAULT_FALLBACK, "thp_fault_fallback" },
	{ THPSTAT_THP_FAULT_FALLBACK_CHARGE, "thp_fault_fallback_charge" },
	{ THPSTAT_THP_COLLAPSE_ALLOC, "thp_collapse_alloc" },
	{ THPSTAT_THP_COLLAPSE_ALLOC_FAILED, "thp_collapse_alloc_failed" },
	{ THPSTAT_THP_FILE_ALLOC, "thp_file_alloc" },
	{ THPSTAT_THP_FILE_FALLBACK, "thp_file_fallback" },
	{ THPSTAT_THP_FILE_FALLBACK_CHARGE, "thp_file_fallback_charge" },
	{ THPSTAT_THP_FILE_MAPPED, "thp_file_mapped" },
	{ THPSTAT_THP_SPLIT_PAGE, "thp_split_page" },
	{ THPSTAT_THP_SPLIT_PAGE_FAILED, "thp_split_page_failed" },
	{ THPSTAT_THP_DEFERRED_SPLIT_PAGE, "thp_deferred_split_page" },
	{ THPSTAT_THP_UNDERUSED_SPLIT_PAGE, "thp_underused_split_page" },
	{ THPSTAT_THP_SPLIT_PMD, "thp_split_pmd" },
	{ THPSTAT_THP_SCAN_EXCEED_NONE_PTE, "thp_scan_exceed_none_pte" },
	{ THPSTAT_THP_SCAN_EXCEED_SWAP_PTE, "thp_scan_exceed_swap_pte" },
	{ THPSTAT_THP_SCAN_EXCEED_SHARE_PTE, "thp_scan_exceed_share_pte" },
	{ THPSTAT_THP_ZERO_PAGE_ALLOC, "thp_zero_page_alloc" },
	{ THPSTAT_THP_ZERO_PAGE_ALLOC_FAILED, "thp_zero_page_alloc_failed" },
	{ THPSTAT_THP_SWPOUT, "thp_swpout" },
	{ THPSTAT_THP_SWPOUT_FALLBACK, "thp_swpout_fallback" },
	{ THPSTAT_THP_MIGRATION_SUCCESS, "thp_migration_success" },
	{ THPSTAT_THP_MIGRATION_FAIL, "thp_migration_fail" },
	{ THPSTAT_THP_MIGRATION_SPLIT, "thp_migration_split" },
	{ THPSTAT_COMPACT_STALL, "compact_stall" },
	{ THPSTAT_COMPACT_FAIL, "compact_fail" },
	{ THPSTAT_COMPACT_SUCCESS, "compact_success" },
	{ THPSTAT_HTLB_BUDDY_ALLOC_SUCCESS, "htlb_buddy_alloc_success" },
	{ THPSTAT_HTLB_BUDDY_ALLOC_FAIL, "htlb_buddy_alloc_fail" },
};

/* The number in "hugepages-<number>kB", in bytes; 0 for another name. */
static uint64_t size_of_name(const char *name)
{
	unsigned long long kilobytes;
	char rest[4];

	if (sscanf(name, "hugepages-%llu%3s", &kilobytes, rest) != 2 || strcmp(rest, "kB"))
		return 0;
	return kilobytes * 1024;
}

static const struct thpstat_page_size *find_page_size(const struct thpstat_page_size *sizes,
						      size_t n, uint64_t bytes)
{
	for (size_t i = 0; i < n; i++)
		if (sizes[i].bytes == bytes)
			return &sizes[i];
	return NULL;
}

static const struct pool_file {
	enum thpstat_metric metric;
	const char *file;
} pool_files[] = {
	{ THPSTAT_NR_HUGEPAGES, "nr_hugepages" },
	{ THPSTAT_NR_HUGEPAGES_MEMPOLICY, "nr_hugepages_mempolicy" },
	{ THPSTAT_FREE_HUGEPAGES, "free_hugepages" },
	{ THPSTAT_RESV_HUGEPAGES, "resv_hugepages" },
	{ THPSTAT_SURPLUS_HUGEPAGES, "surplus_hugepages" },
	{ THPSTAT_NR_OVERCOMMIT_HUGEPAGES, "nr_overcommit_hugepages" },
}, host_files[] = {
	{ THPSTAT_HPAGE_PMD_SIZE, "hpage_pmd_size" },
	{ THPSTAT_USE_ZERO_PAGE, "use_zero_page" },
	{ THPSTAT_SHRINK_UNDERUSED, "shrink_underused" },
	{ THPSTAT_HUGETEXT_ENABLED, "hugetext_enabled" },
	{ THPSTAT_HUGETEXT_PAD_THRESHOLD, "hugetext_pad_threshold" },
	{ THPSTAT_KHUGEPAGED_PAGES_TO_SCAN, "khugepaged/pages_to_scan" },
	{ THPSTAT_KHUGEPAGED_SCAN_SLEEP_MILLISECS, "khugepaged/scan_sleep_millisecs" },
	{ THPSTAT_KHUGEPAGED_ALLOC_SLEEP_MILLISECS, "khugepaged/alloc_sleep_millisecs" },
	{ THPSTAT_KHUGEPAGED_MAX_PTES_NONE, "khugepaged/max_ptes_none" },
	{ THPSTAT_KHUGEPAGED_MAX_PTES_SWAP, "khugepaged/max_ptes_swap" },
	{ THPSTAT_KHUGEPAGED_MAX_PTES_SHARED, "khugepaged/max_ptes_shared" },
	{ THPSTAT_KHUGEPAGED_DEFRAG, "khugepaged/defrag" },
	{ THPSTAT_KHUGEPAGED_PAGES_COLLAPSED, "khugepaged/pages_collapsed" },
	{ THPSTAT_KHUGEPAGED_FULL_SCANS, "khugepaged/full_scans" },
};

/* One file per value below a directory, against its metrics. */
static void check_files(struct tally *tally, const struct thpstat_usage *usage,
			const char *directory, const struct pool_file *files, size_t n_files)
{
	const char *shown = strstr(directory, "sys/");

	for (size_t i = 0; i < n_files; i++) {
		char *path = format_text("%s/%s", directory, files[i].file);
		uint64_t wanted = 0;
		bool known = file_number(path, &wanted);
		struct figure found = figure_of(usage, files[i].metric);

		if (known)
			tally_holds(tally, !found.error && found.value == wanted,
				    "%s/%s is %" PRIu64 " (found %" PRIu64 ", error %d)", shown,
				    files[i].file, wanted, found.value, found.error);
		else
			tally_equal(tally, (uint64_t)-found.error, ENODATA, "no file %s/%s", shown,
				    files[i].file);
		free(path);
	}
}

/* Pool figures in bytes, from the page counts of the files. */
static void check_pool(struct tally *tally, const struct thpstat_page_size *size,
		       const char *directory)
{
	uint64_t total, free_pages, reserved;
	char *path;

	check_files(tally, size->usage, directory, pool_files, ARRAY_SIZE(pool_files));
	path = format_text("%s/nr_hugepages", directory);
	assert_true(file_number(path, &total));
	free(path);
	path = format_text("%s/free_hugepages", directory);
	assert_true(file_number(path, &free_pages));
	free(path);
	tally_figure(tally, figure_of(size->usage, THPSTAT_POOL_TOTAL), true, total * size->bytes,
		     "pool", 0, "total");
	tally_figure(tally, figure_of(size->usage, THPSTAT_POOL_FREE), true,
		     free_pages * size->bytes, "pool", 0, "free");
	tally_figure(tally, figure_of(size->usage, THPSTAT_POOL_IN_USE), true,
		     (total - free_pages) * size->bytes, "pool", 0, "in use");
	path = format_text("%s/resv_hugepages", directory);
	if (file_number(path, &reserved)) {
		tally_figure(tally, figure_of(size->usage, THPSTAT_POOL_RESERVED), true,
			     reserved * size->bytes, "pool", 0, "reserved");
		tally_figure(tally, figure_of(size->usage, THPSTAT_POOL_PROMISED), true,
			     (total - free_pages + reserved) * size->bytes, "pool", 0, "promised");
		tally_figure(tally, figure_of(size->usage, THPSTAT_POOL_AVAILABLE), true,
			     (free_pages - reserved) * size->bytes, "pool", 0, "available");
	}
	free(path);
}

static void check_pools(struct tally *tally, const struct thpstat_page_size *sizes, size_t n_sizes,
			const char *directory)
{
	char **names;
	size_t n;

	names = directory_names(directory, "hugepages-", &n);
	for (size_t i = 0; i < n; i++) {
		const struct thpstat_page_size *size =
			find_page_size(sizes, n_sizes, size_of_name(names[i]));
		char *path = format_text("%s/%s", directory, names[i]);

		tally_holds(tally, size, "%s is a page size", names[i]);
		if (size)
			check_pool(tally, size, path);
		free(path);
	}
	names_free(names, n);
}

/* One counter per file in hugepages-*kB/stats; its name is the name of the metric. */
static void check_counters(struct capture *capture, const struct thpstat_page_size *size,
			   const char *directory)
{
	char *stats = format_text("%s/stats", directory), **names;
	struct pool_file file;
	size_t n;

	names = directory_names(stats, "", &n);
	for (size_t i = 0; i < n; i++) {
		if (thpstat_metric_from_name(names[i], &file.metric)) {
			tally_skip(&capture->tally, "hugepages-*/stats/%s: no metric", names[i]);
			continue;
		}
		file.file = names[i];
		check_files(&capture->tally, size->usage, stats, &file, 1);
	}
	names_free(names, n);
	free(stats);
}

static size_t check_policy(struct capture *capture, const struct thpstat_host *host,
			   const char *directory, const char *knob, uint64_t page_size)
{
	char *path = format_text("%s/%s", directory, knob), *text = file_text(path, NULL);
	const struct thpstat_policy *policy = NULL;
	char *word = text ? bracketed_word(text) : NULL;
	char *choices;
	size_t found = 0, length = 0;

	free(path);
	if (!word) {
		free(text);
		return 0;
	}
	for (size_t i = 0; i < host->n_policies; i++)
		if (host->policies[i].page_size == page_size &&
		    !strcmp(host->policies[i].knob, knob)) {
			policy = &host->policies[i];
			found++;
		}
	tally_equal(&capture->tally, found, 1, "policies %s of %" PRIu64, knob, page_size);
	if (policy) {
		tally_text(&capture->tally, policy->value, word, "%s of %" PRIu64, knob, page_size);
		tally_equal(&capture->tally, (uint64_t)-policy->error, 0, "%s of %" PRIu64, knob,
			    page_size);
		/* the line without its brackets and newline */
		choices = strdup(text);
		assert_non_null(choices);
		for (const char *p = text; *p && *p != '\n'; p++)
			if (*p != '[' && *p != ']')
				choices[length++] = *p;
		choices[length] = '\0';
		tally_text(&capture->tally, policy->choices, choices, "choices of %s of %" PRIu64,
			   knob, page_size);
		free(choices);
	}
	free(word);
	free(text);
	return 1;
}

static void check_thp(struct capture *capture, const struct thpstat_host *host)
{
	char *directory = tree_path(capture, "sys/kernel/mm/transparent_hugepage");
	static const char *const knobs[] = { "enabled", "defrag", "shmem_enabled" };
	size_t chosen = 0, with_choices = 0, n;
	struct tally *tally = &capture->tally;
	char **names;

	tally_text(tally, host->thp_directory,
		   capture->thp_supported ? "transparent_hugepage" : NULL, "directory of THP");
	tally_holds(tally, capture->thp_supported == directory_exists(directory),
		    "the tree has THP or not");
	check_files(tally, host->usage, directory, host_files, ARRAY_SIZE(host_files));
	if (capture->thp_supported)
		tally_figure(tally, figure_of(host->usage, THPSTAT_HPAGE_PMD_SIZE), true,
			     capture->pmd_size, "truth", 0, "hpage_pmd_size");
	for (size_t i = 0; i < ARRAY_SIZE(knobs); i++)
		chosen += check_policy(capture, host, directory, knobs[i], 0);
	names = directory_names(directory, "hugepages-", &n);
	for (size_t i = 0; i < n; i++) {
		char *path = format_text("%s/%s", directory, names[i]);
		const struct thpstat_page_size *size =
			find_page_size(host->page_sizes, host->n_page_sizes,
				       size_of_name(names[i]));

		tally_holds(tally, size, "%s is a page size", names[i]);
		if (size) {
			check_counters(capture, size, path);
			for (size_t j = 0; j < ARRAY_SIZE(knobs); j++)
				chosen += check_policy(capture, host, path, knobs[j], size->bytes);
		}
		free(path);
	}
	names_free(names, n);
	for (size_t i = 0; i < host->n_policies; i++)
		with_choices += host->policies[i].choices ? 1 : 0;
	tally_equal(tally, with_choices, chosen, "policies with a choice");
	free(directory);
}

static int compare_sizes(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

/* All sizes that a directory or hpage_pmd_size names, ascending, each once. */
static void check_page_sizes(struct capture *capture, const struct thpstat_host *host)
{
	static const char *const directories[] = { "sys/kernel/mm/hugepages",
						   "sys/kernel/mm/transparent_hugepage" };
	uint64_t wanted[64];
	size_t n_wanted = 0, n_distinct = 0, n;

	if (capture->thp_supported)
		wanted[n_wanted++] = capture->pmd_size;
	for (size_t i = 0; i < ARRAY_SIZE(directories); i++) {
		char *path = tree_path(capture, "%s", directories[i]);
		char **names = directory_names(path, "hugepages-", &n);

		for (size_t j = 0; j < n; j++) {
			assert_true(n_wanted < ARRAY_SIZE(wanted));
			wanted[n_wanted++] = size_of_name(names[j]);
		}
		names_free(names, n);
		free(path);
	}
	qsort(wanted, n_wanted, sizeof(*wanted), compare_sizes);
	for (size_t i = 0; i < n_wanted; i++)
		if (!n_distinct || wanted[n_distinct - 1] != wanted[i])
			wanted[n_distinct++] = wanted[i];
	tally_equal(&capture->tally, host->n_page_sizes, n_distinct, "number of page sizes");
	for (size_t i = 0; i < n_distinct && i < host->n_page_sizes; i++)
		tally_equal(&capture->tally, host->page_sizes[i].bytes, wanted[i],
			    "page size number %zu", i);
}

/* Node meminfo has "Node 0 " before each key. */
static void check_nodes(struct capture *capture, const struct thpstat_host *host)
{
	char *directory = tree_path(capture, "sys/devices/system/node"), **names;
	struct tally *tally = &capture->tally;
	size_t n;

	names = directory_names(directory, "node", &n);
	tally_equal(tally, host->n_nodes, n, "number of nodes");
	for (size_t i = 0; i < n && i < host->n_nodes; i++) {
		const struct thpstat_node *node = &host->nodes[i];
		char *path = format_text("%s/%s/meminfo", directory, names[i]);
		char *text = file_text(path, NULL), *prefix, *line;
		size_t length;

		assert_non_null(text);
		tally_equal(tally, node->number, (uint64_t)atoi(names[i] + 4), "number of a node");
		prefix = format_text("Node %u ", node->number);
		length = strlen(prefix);
		while ((line = strstr(text, prefix)))
			memmove(line, line + length, strlen(line + length) + 1);
		check_keys(tally, node->usage, text, node_keys, ARRAY_SIZE(node_keys),
			   "meminfo of node", (int)node->number);
		free(path);
		path = format_text("%s/%s/hugepages", directory, names[i]);
		check_pools(tally, node->page_sizes, node->n_page_sizes, path);
		free(path);
		free(prefix);
		free(text);
	}
	names_free(names, n);
	free(directory);
}

/* Free blocks of PMD order or above, in PMD pages. */
static void check_free_blocks(struct capture *capture, const struct thpstat_host *host)
{
	char *path = tree_path(capture, "proc/buddyinfo"), *text = file_text(path, NULL);
	unsigned int pmd_order = 0, order;
	uint64_t wanted = 0;
	char *line, *word, *lines = text, *words;

	assert_non_null(text);
	while (capture->base_page << pmd_order < capture->pmd_size)
		pmd_order++;
	while ((line = strsep(&lines, "\n"))) {
		words = strstr(line, "zone ");
		if (!words)
			continue;
		words += strlen("zone ");
		words += strspn(words, " ");
		words += strcspn(words, " ");
		order = 0;
		while ((word = strsep(&words, " "))) {
			if (!*word)
				continue;
			if (order >= pmd_order)
				wanted += strtoull(word, NULL, 10) << (order - pmd_order);
			order++;
		}
	}
	tally_figure(&capture->tally, figure_of(host->usage, THPSTAT_FREE_PMD_BLOCKS),
		     capture->thp_supported, wanted, "buddyinfo", 0, "free_pmd_blocks");
	free(text);
	free(path);
}

void check_host(struct capture *capture)
{
	struct tally *tally = &capture->tally;
	const struct thpstat_host *host;
	char *path, *text;
	uint64_t total, page, pool;

	assert_int_equal(thpstat_host_read(capture->source, &host), 0);
	path = tree_path(capture, "proc/meminfo");
	text = file_text(path, NULL);
	assert_non_null(text);
	check_keys(tally, host->usage, text, meminfo_keys, ARRAY_SIZE(meminfo_keys), "meminfo", 0);
	if (key_number(text, "Hugetlb", &total) && key_number(text, "Hugepagesize", &page) &&
	    key_number(text, "HugePages_Total", &pool)) {
		tally_figure(tally, figure_of(host->usage, THPSTAT_HUGETLB_OTHER_SIZES), true,
			     total - pool * page, "meminfo", 0, "hugetlb_other_sizes");
		tally_equal(tally, page, json_number(capture->truth, "hugetlb_default"),
			    "default hugetlb size");
	}
	free(text);
	free(path);
	path = tree_path(capture, "proc/vmstat");
	text = file_text(path, NULL);
	assert_non_null(text);
	check_keys(tally, host->usage, text, vmstat_keys, ARRAY_SIZE(vmstat_keys), "vmstat", 0);
	free(text);
	free(path);
	tally_figure(tally, figure_of(host->usage, THPSTAT_PAGE_SIZE), true, capture->base_page,
		     "truth", 0, "page_size");
	path = tree_path(capture, "sys/kernel/mm/hugepages");
	check_pools(tally, host->page_sizes, host->n_page_sizes, path);
	free(path);
	check_page_sizes(capture, host);
	check_thp(capture, host);
	check_nodes(capture, host);
	check_free_blocks(capture, host);
	assert_null(thpstat_host_free(host));
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "figure_list.h"
#include "made_tree.h"
#include "support/files.h"
#include "unit.h"

#define KB(n) ((uint64_t)(n)*1024)
#define NOT_OFFERED THPSTAT_REASON_NOT_OFFERED
#define THP "sys/kernel/mm/transparent_hugepage/"
#define POOLS "sys/kernel/mm/hugepages/"

static const struct host_row {
	const char *what;
	struct made_file files[10];
	struct figure_row figures[10];
	size_t n_page_sizes, n_policies, n_nodes;
	const char *thp_directory;
} rows[] = {
	{ "nothing",
	  { { "proc/", "", 0 } },
	  { { THPSTAT_MEM_TOTAL, 0, NOT_OFFERED, 0 },
	    { THPSTAT_THP_FAULT_ALLOC, 0, NOT_OFFERED, 0 },
	    { THPSTAT_PAGE_SIZE, 0, NOT_OFFERED, 0 } },
	  0,
	  0,
	  0,
	  NULL },
	{ "sys alone",
	  { { THP "enabled", "[always] madvise never\n", 0 } },
	  { { THPSTAT_MEM_TOTAL, 0, NOT_OFFERED, 0 } },
	  0,
	  1,
	  0,
	  "transparent_hugepage" },
	{ "meminfo forbidden",
	  { { "proc/", "", 0 }, { "errors.tsv", "proc/meminfo\tEACCES\n", 0 } },
	  { { THPSTAT_MEM_TOTAL, 0, THPSTAT_REASON_FORBIDDEN, 0 },
	    { THPSTAT_THP_FAULT_ALLOC, 0, NOT_OFFERED, 0 } },
	  0,
	  0,
	  0,
	  NULL },
	{ "meminfo that cannot be read",
	  { { "proc/meminfo/", "", 0 } },
	  { { THPSTAT_MEM_TOTAL, 0, THPSTAT_REASON_CUT, 0 } },
	  0,
	  0,
	  0,
	  NULL },
	{ "meminfo with odd lines",
	  { { "proc/meminfo",
	      "        total:    used:\nMem:  1 2 3\n\nMemTotal:      254472 kB\n"
	      "MemFree: x kB\nAnonHugePages:   2048 kB\nHugePages_Total:     4\n"
	      "ReliableTaskUsed: 5 kB\nHugepagesize:       2048 kB\nSwapTotal: 1 MB\n"
	      "Hugetlb:           10240 kB\n",
	      0 } },
	  { { THPSTAT_MEM_TOTAL, KB(254472), 0, 0 },
	    { THPSTAT_MEM_FREE, 0, THPSTAT_REASON_CUT, 0 },
	    { THPSTAT_SWAP_TOTAL, 0, THPSTAT_REASON_CUT, 0 },
	    { THPSTAT_ANON_HUGE_PAGES, KB(2048), 0, 0 },
	    { THPSTAT_HUGE_PAGES_TOTAL, 4, 0, 0 },
	    { THPSTAT_HUGETLB_OTHER_SIZES, KB(2048), 0, 0 },
	    { THPSTAT_SHMEM_HUGE_PAGES, 0, NOT_OFFERED, 0 } },
	  1,
	  0,
	  0,
	  NULL },
	{ "pools that are larger than all of hugetlb",
	  { { "proc/meminfo", "HugePages_Total: 4\nHugepagesize: 2048 kB\nHugetlb: 8191 kB\n",
	      0 } },
	  { { THPSTAT_HUGETLB_OTHER_SIZES, 0, THPSTAT_REASON_BROKEN, 0 } },
	  1,
	  0,
	  0,
	  NULL },
	{ "pools that do not fit",
	  { { "proc/meminfo",
	      "HugePages_Total: 18446744073709551615\nHugepagesize: 2048 kB\n"
	      "Hugetlb: 8192 kB\n",
	      0 } },
	  { { THPSTAT_HUGETLB_OTHER_SIZES, 0, THPSTAT_REASON_BROKEN, 0 } },
	  1,
	  0,
	  0,
	  NULL },
	{ "vmstat",
	  { { "proc/vmstat", "nr_free 5\nthp_fault_alloc 7\nthp_split_page x\n", 0 } },
	  { { THPSTAT_THP_FAULT_ALLOC, 7, 0, 0 },
	    { THPSTAT_THP_SPLIT_PAGE, 0, THPSTAT_REASON_CUT, 0 },
	    { THPSTAT_THP_SPLIT_PMD, 0, NOT_OFFERED, 0 } },
	  0,
	  0,
	  0,
	  NULL },
	{ "a vendor's directory",
	  { { "sys/kernel/mm/redhat_transparent_hugepage/enabled", "[always] never\n", 0 },
	    { "sys/kernel/mm/redhat_transparent_hugepage/khugepaged/defrag", "[yes] no\n", 0 } },
	  { { THPSTAT_HPAGE_PMD_SIZE, 0, NOT_OFFERED, 0 } },
	  0,
	  2,
	  0,
	  "redhat_transparent_hugepage" },
	{ "settings of all kinds",
	  { { THP "enabled", "always [madvise] never\n", 0 },
	    { THP "defrag", "[a] [b]\n", 0 },
	    { THP "shmem_enabled/", "", 0 },
	    { THP "use_zero_page", "1\n", 0 },
	    { THP "hpage_pmd_size", "2097152\n", 0 },
	    { THP "khugepaged/max_ptes_none", "511\n", 0 },
	    { THP "khugepaged/full_scans", "12 \n", 0 },
	    { THP "khugepaged/pages_collapsed", "99999999999999999999\n", 0 },
	    { THP "hugepages-64kB/enabled", "always inherit madvise [never]\n", 0 },
	    { THP "hugepages-64kB/stats/nr_anon", "66\n", 0 } },
	  { { THPSTAT_HPAGE_PMD_SIZE, 2097152, 0, 0 },
	    { THPSTAT_USE_ZERO_PAGE, 1, 0, 0 },
	    { THPSTAT_KHUGEPAGED_MAX_PTES_NONE, 511, 0, 0 },
	    { THPSTAT_KHUGEPAGED_FULL_SCANS, 12, 0, 0 },
	    { THPSTAT_KHUGEPAGED_PAGES_COLLAPSED, 0, THPSTAT_REASON_OVERFLOW, 0 } },
	  1,
	  6,
	  0,
	  "transparent_hugepage" },
	{ "base page and free blocks",
	  { { "proc/7/smaps",
	      "1000-2000 r--p 00000000 00:00 0\nSize: 2048 kB\nKernelPageSize: 2048 kB\n"
	      "2000-3000 r--p 00000000 00:00 0\nSize: 4 kB\nKernelPageSize: 4 kB\n"
	      "3000-4000 r--p 00000000 00:00 0\nKernelPageSize: 2048 kB\n",
	      0 },
	    { "proc/buddyinfo", "Node 0, zone Normal 1 1 1 1 1 1 1 1 1 5 6\n", 0 },
	    { THP "hpage_pmd_size", "2097152\n", 0 } },
	  { { THPSTAT_PAGE_SIZE, 4096, 0, 0 }, { THPSTAT_FREE_PMD_BLOCKS, 17, 0, 0 } },
	  0,
	  0,
	  0,
	  "transparent_hugepage" },
	{ "64 kB pages",
	  { { "proc/self/smaps", "1000-2000 r--p 00000000 00:00 0\nKernelPageSize: 64 kB\n", 0 },
	    { "proc/buddyinfo", "Node 0, zone Normal 1 1 1 1 1 1 1 1 1 1 1 1 1 9\n", 0 },
	    { THP "hpage_pmd_size", "536870912\n", 0 } },
	  { { THPSTAT_PAGE_SIZE, 65536, 0, 0 }, { THPSTAT_FREE_PMD_BLOCKS, 9, 0, 0 } },
	  0,
	  0,
	  0,
	  "transparent_hugepage" },
	{ "no free blocks to be told of",
	  { { "proc/self/smaps", "1000-2000 r--p 00000000 00:00 0\nKernelPageSize: 4 kB\n", 0 },
	    { "proc/buddyinfo", "nonsense\n", 0 },
	    { THP "hpage_pmd_size", "2097152\n", 0 } },
	  { { THPSTAT_FREE_PMD_BLOCKS, 0, NOT_OFFERED, 0 } },
	  0,
	  0,
	  0,
	  "transparent_hugepage" },
};

static void test_hosts(void **state)
{
	struct tally tally = { .subject = "hosts" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct thpstat_host *host;
		struct thpstat *source;
		size_t n = 0;
		char *root;

		while (n < ARRAY_SIZE(rows[i].files) && rows[i].files[n].path)
			n++;
		root = made_tree(rows[i].files, n);
		source = made_tree_open(root);
		assert_int_equal(thpstat_host_read(source, &host), 0);
		/* a snapshot lives on its own */
		thpstat_close(source);
		tally_record(&tally, host->usage, rows[i].figures, rows[i].what);
		tally_equal(&tally, host->n_page_sizes, rows[i].n_page_sizes, "%s: page sizes",
			    rows[i].what);
		tally_equal(&tally, host->n_policies, rows[i].n_policies, "%s: policies",
			    rows[i].what);
		tally_equal(&tally, host->n_nodes, rows[i].n_nodes, "%s: nodes", rows[i].what);
		tally_text(&tally, host->thp_directory, rows[i].thp_directory, "%s: directory",
			   rows[i].what);
		assert_null(thpstat_host_free(host));
		scratch_remove(root);
	}
	assert_int_equal(thpstat_host_read(NULL, NULL), -EINVAL);
	assert_null(thpstat_host_free(NULL));
	tally_finish(&tally, 6 * ARRAY_SIZE(rows));
}

static void test_policies(void **state)
{
	static const struct {
		const char *knob, *value, *choices;
		uint64_t page_size;
		int error;
	} wanted[] = {
		{ "enabled", "madvise", "always madvise never", 0, 0 },
		{ "defrag", NULL, NULL, 0, -EBADMSG },
		{ "shmem_enabled", NULL, NULL, 0, -EBADMSG },
		{ "use_zero_page", "1", NULL, 0, 0 },
		{ "khugepaged/max_ptes_none", "511", NULL, 0, 0 },
		{ "enabled", "never", "always inherit madvise never", 65536, 0 },
	};
	const struct host_row *row = &rows[9];
	struct tally tally = { .subject = "policies" };
	char *root = made_tree(row->files, ARRAY_SIZE(row->files));
	struct thpstat *source = made_tree_open(root);
	const struct thpstat_host *host;
	uint64_t value = 0;

	(void)state;
	assert_int_equal(thpstat_host_read(source, &host), 0);
	assert_int_equal(host->n_policies, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < host->n_policies; i++) {
		const struct thpstat_policy *policy = &host->policies[i];

		tally_text(&tally, policy->knob, wanted[i].knob, "knob %zu", i);
		tally_text(&tally, policy->value, wanted[i].value, "value of %s", wanted[i].knob);
		tally_text(&tally, policy->choices, wanted[i].choices, "choices of %s",
			   wanted[i].knob);
		tally_equal(&tally, policy->page_size, wanted[i].page_size, "page size of %s",
			    wanted[i].knob);
		tally_equal(&tally, (uint64_t)-policy->error, (uint64_t)-wanted[i].error,
			    "error of %s", wanted[i].knob);
	}
	tally_equal(&tally, host->page_sizes[0].bytes, 65536, "page size");
	tally_equal(&tally,
		    (uint64_t)thpstat_usage_get(host->page_sizes[0].usage, THPSTAT_NR_ANON, &value),
		    0, "nr_anon");
	tally_equal(&tally, value, 66, "nr_anon");
	thpstat_host_free(host);
	thpstat_close(source);
	scratch_remove(root);
	tally_finish(&tally, 5 * ARRAY_SIZE(wanted) + 3);
}

/* Pools by size and by node, in ascending order, whatever the order of the directory. */
static void test_pools(void **state)
{
	static const struct made_file files[] = {
		{ POOLS "hugepages-1048576kB/nr_hugepages", "8\n", 0 },
		{ POOLS "hugepages-1048576kB/free_hugepages", "0\n", 0 },
		{ POOLS "hugepages-1048576kB/resv_hugepages", "0\n", 0 },
		{ POOLS "hugepages-64kB/nr_hugepages", "x\n", 0 },
		{ POOLS "hugepages-2048kB/nr_hugepages", "16\n", 0 },
		{ POOLS "hugepages-2048kB/free_hugepages", "12\n", 0 },
		{ POOLS "hugepages-2048kB/resv_hugepages", "2\n", 0 },
		{ POOLS "hugepages-0kB/nr_hugepages", "2\n", 0 },
		{ POOLS "hugepages-4096kB", "a file\n", 0 },
		{ "sys/devices/system/node/node10/meminfo", "Node 10 MemTotal: 7 kB\n", 0 },
		{ "sys/devices/system/node/node2/hugepages/hugepages-2048kB/nr_hugepages", "5\n",
		  0 },
		{ "sys/devices/system/node/node2/hugepages/hugepages-2048kB/free_hugepages", "1\n",
		  0 },
		{ "sys/devices/system/node/node0/meminfo",
		  BYTES("Node 0 MemTotal:       9 kB\nNode 0 AnonHugePages:  2048 kB\n\n"
			"Node 0 New: 1 kB\nNode 0 HugePages_Free:   101\n\0\0\0\0") },
		{ "sys/devices/system/node/nodex/meminfo", "Node 0 MemTotal: 9 kB\n", 0 },
		{ "sys/devices/system/node/node/meminfo", "Node 0 MemTotal: 9 kB\n", 0 },
		{ "sys/devices/system/node/has_cpu", "0\n", 0 },
		{ "sys/devices/system/node/node99999999999/meminfo", "Node 0 MemTotal: 9 kB\n", 0 },
	};
	static const struct figure_row of_2m[] = { { THPSTAT_POOL_TOTAL, KB(32768), 0, 0 },
						   { THPSTAT_POOL_IN_USE, KB(8192), 0, 0 },
						   { THPSTAT_POOL_AVAILABLE, KB(20480), 0, 0 },
						   { 0, 0, 0, 0 } };
	static const struct figure_row of_64k[] = { { THPSTAT_POOL_TOTAL, 0, THPSTAT_REASON_CUT,
						      0 },
						    { THPSTAT_POOL_FREE, 0, NOT_OFFERED, 0 },
						    { 0, 0, 0, 0 } };
	static const struct figure_row of_1g[] = { { THPSTAT_POOL_IN_USE, KB(8388608), 0, 0 },
						   { 0, 0, 0, 0 } };
	static const struct figure_row of_node[] = { { THPSTAT_MEM_TOTAL, KB(9), 0, 0 },
						     { THPSTAT_ANON_HUGE_PAGES, KB(2048), 0, 0 },
						     { THPSTAT_HUGE_PAGES_FREE, 101, 0, 0 },
						     { 0, 0, 0, 0 } };
	static const struct figure_row of_node_pool[] = { { THPSTAT_POOL_IN_USE, KB(8192), 0, 0 },
							  { THPSTAT_POOL_RESERVED, 0, NOT_OFFERED,
							    0 },
							  { 0, 0, 0, 0 } };
	struct tally tally = { .subject = "pools" };
	char *root = made_tree(files, ARRAY_SIZE(files));
	struct thpstat *source = made_tree_open(root);
	const struct thpstat_host *host;

	(void)state;
	assert_int_equal(thpstat_host_read(source, &host), 0);
	assert_int_equal(host->n_page_sizes, 3);
	tally_equal(&tally, host->page_sizes[0].bytes, KB(64), "first size");
	tally_equal(&tally, host->page_sizes[1].bytes, KB(2048), "second size");
	tally_equal(&tally, host->page_sizes[2].bytes, KB(1048576), "third size");
	tally_record(&tally, host->page_sizes[0].usage, of_64k, "64 kB");
	tally_record(&tally, host->page_sizes[1].usage, of_2m, "2 MB");
	tally_record(&tally, host->page_sizes[2].usage, of_1g, "1 GB");
	assert_int_equal(host->n_nodes, 3);
	tally_equal(&tally, host->nodes[0].number, 0, "first node");
	tally_equal(&tally, host->nodes[1].number, 2, "second node");
	tally_equal(&tally, host->nodes[2].number, 10, "third node");
	tally_record(&tally, host->nodes[0].usage, of_node, "node 0");
	assert_int_equal(host->nodes[1].n_page_sizes, 1);
	tally_record(&tally, host->nodes[1].page_sizes[0].usage, of_node_pool, "node 2");
	thpstat_host_free(host);
	thpstat_close(source);
	scratch_remove(root);
	tally_finish(&tally, 25);
}

/* More of everything than a machine has: bounded, and not a crash. */
static void test_many(void **state)
{
	char *root = scratch_make();
	const struct thpstat_host *host;
	struct thpstat *source;

	(void)state;
	for (int i = 1; i <= 200; i++) {
		char *pool = format_text(POOLS "hugepages-%dkB/nr_hugepages", i);
		char *size = format_text(THP "hugepages-%dkB/enabled", 1000 + i);
		char *node = format_text("sys/devices/system/node/node%d/meminfo", i);

		made_tree_text(root, pool, "1\n");
		made_tree_text(root, size, "[always] never\n");
		made_tree_text(root, node, "Node 0 MemTotal: 1 kB\n");
		free(pool);
		free(size);
		free(node);
	}
	source = made_tree_open(root);
	assert_int_equal(thpstat_host_read(source, &host), 0);
	assert_true(host->n_page_sizes > 1 && host->n_page_sizes <= 200);
	assert_int_equal(host->n_nodes, 200);
	for (size_t i = 1; i < host->n_page_sizes; i++)
		assert_true(host->page_sizes[i - 1].bytes < host->page_sizes[i].bytes);
	thpstat_host_free(host);
	thpstat_close(source);
	scratch_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_policies),
		cmocka_unit_test(test_pools),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

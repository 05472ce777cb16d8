/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "host_policy.h"
#include "host_view.h"
#include "human_size.h"
#include "memory.h"
#include "safe_text.h"

static void print_heading(const struct session *session, const char *heading)
{
	bool bold = session->options->color;

	printf("%s%s%s\n", bold ? "\033[1m" : "", heading, bold ? "\033[0m" : "");
}

static void print_size(const struct session *session, const struct thpstat_usage *usage,
		       const char *before, enum thpstat_metric metric)
{
	figure_print(before, usage, metric, session->options->bytes);
}

/* The pools that have pages, each "hugetlb 2 MiB: 1.00 GiB, 512.0 MiB in use, 0 B available". */
static size_t print_pool_lines(const struct session *session, const struct thpstat_host *host)
{
	size_t lines = 0;

	for (size_t i = 0; i < host->n_page_sizes; i++) {
		const struct thpstat_page_size *size = &host->page_sizes[i];
		char name[HUMAN_SIZE_MAX];
		uint64_t total;

		if (!figure_get(size->usage, THPSTAT_POOL_TOTAL, &total) || !total)
			continue;
		printf("hugetlb %s pages:", human_page_size(size->bytes, name));
		print_size(session, size->usage, " pool", THPSTAT_POOL_TOTAL);
		print_size(session, size->usage, ", in use", THPSTAT_POOL_IN_USE);
		print_size(session, size->usage, ", available", THPSTAT_POOL_AVAILABLE);
		printf("\n");
		lines++;
	}
	return lines;
}

static void print_policy_line(const struct session *session, const struct thpstat_host *host)
{
	char *words = host_policy_words(session, host);
	char *safe = safe_text_for_terminal(words);
	char name[HUMAN_SIZE_MAX];
	uint64_t pmd_size;

	printf("%s", safe);
	if (figure_get(host->usage, THPSTAT_HPAGE_PMD_SIZE, &pmd_size))
		printf("%shuge page %s", *safe ? "; " : "", human_page_size(pmd_size, name));
	printf("\n");
	free(safe);
	free(words);
}

size_t host_view_print_lines(const struct session *session, const struct thpstat_host *host)
{
	uint64_t total;

	print_policy_line(session, host);
	if (!figure_get(host->usage, THPSTAT_MEM_TOTAL, &total))
		return 1 + print_pool_lines(session, host);
	print_size(session, host->usage, "memory", THPSTAT_MEM_TOTAL);
	print_size(session, host->usage, "; huge: anonymous", THPSTAT_ANON_HUGE_PAGES);
	print_size(session, host->usage, ", shared", THPSTAT_SHMEM_HUGE_PAGES);
	print_size(session, host->usage, ", files", THPSTAT_FILE_HUGE_PAGES);
	printf("\n");
	return 2 + print_pool_lines(session, host);
}

/* An empty table; its columns are not those of records, they are made for this view. */
static struct report *table_new(const struct report_column *columns, size_t n_columns)
{
	struct report *report = report_new("", n_columns);

	memcpy(report->columns, columns, n_columns * sizeof(*columns));
	return report;
}

/* Print it under a heading, unless it is empty, and free it. */
static void table_print(const struct session *session, const char *heading, struct report *report)
{
	const struct table_style style = options_table_style(session->options);

	if (report->n_rows) {
		printf("\n");
		print_heading(session, heading);
		report_print_table(report, &style, SIZE_MAX);
	}
	report_free(report);
}

#define TABLE_NEW(columns) table_new(columns, sizeof(columns) / sizeof((columns)[0]))

static void fill(struct cell *cell, enum cell_type type, const struct thpstat_usage *usage,
		 enum thpstat_metric metric)
{
	uint64_t value;

	if (figure_get(usage, metric, &value))
		cell_set_number(cell, type, value);
}

static void fill_page_size(struct cell *cell, uint64_t bytes)
{
	char text[HUMAN_SIZE_MAX];

	cell_set_text(cell, human_page_size(bytes, text));
}

static void fill_choices(struct cell *cell, const struct thpstat_policy *policy)
{
	char *text;

	if (!policy)
		return;
	text = host_policy_choices(policy);
	cell_set_text(cell, text);
	free(text);
}

/* Settings */

static void print_policies(const struct session *session, const struct thpstat_host *host)
{
	static const struct report_column columns[] = {
		{ "setting", CELL_TEXT, 0 },
		{ "value", CELL_TEXT, 0 },
	};
	struct report *table = TABLE_NEW(columns);

	print_policy_line(session, host);
	for (size_t i = 0; i < host->n_policies; i++) {
		const struct thpstat_policy *policy = &host->policies[i];
		struct cell *row;

		if (policy->page_size)
			continue;
		row = report_add_row(table);
		cell_set_text(&row[0], policy->knob);
		fill_choices(&row[1], policy);
	}
	table_print(session, "Settings of transparent huge pages", table);
}

/* Memory */

static void print_memory(const struct session *session, const struct thpstat_host *host)
{
	const struct thpstat_usage *usage = host->usage;
	enum thpstat_reason reason = thpstat_usage_reason(usage, THPSTAT_MEM_TOTAL);
	char name[HUMAN_SIZE_MAX], size[HUMAN_SIZE_MAX];
	uint64_t other, blocks, pmd_size, bytes;

	printf("\n");
	print_heading(session, "Memory");
	if (reason != THPSTAT_REASON_NONE) {
		printf("  meminfo: %s\n", thpstat_reason_name(reason));
		return;
	}
	print_size(session, usage, "  total", THPSTAT_MEM_TOTAL);
	print_size(session, usage, ", free", THPSTAT_MEM_FREE);
	print_size(session, usage, ", available", THPSTAT_MEM_AVAILABLE);
	print_size(session, usage, ", page tables", THPSTAT_PAGE_TABLES);
	print_size(session, usage, "\n  anonymous", THPSTAT_ANON_PAGES);
	print_size(session, usage, ", huge", THPSTAT_ANON_HUGE_PAGES);
	print_size(session, usage, "\n  shared memory", THPSTAT_SHMEM);
	print_size(session, usage, ", huge", THPSTAT_SHMEM_HUGE_PAGES);
	print_size(session, usage, ", of it mapped as huge", THPSTAT_SHMEM_PMD_MAPPED);
	print_size(session, usage, "\n  page cache, shared memory included", THPSTAT_CACHED);
	print_size(session, usage, "\n  files, huge", THPSTAT_FILE_HUGE_PAGES);
	print_size(session, usage, ", of it mapped as huge", THPSTAT_FILE_PMD_MAPPED);
	print_size(session, usage, "\n  committed", THPSTAT_COMMITTED_AS);
	print_size(session, usage, " of", THPSTAT_COMMIT_LIMIT);
	printf(" (hugetlb is in neither)\n");
	if (figure_get(usage, THPSTAT_HUGETLB_OTHER_SIZES, &other) && other) {
		print_size(session, usage, "  hugetlb of other sizes than the default",
			   THPSTAT_HUGETLB_OTHER_SIZES);
		printf("\n");
	}
	if (figure_get(usage, THPSTAT_FREE_PMD_BLOCKS, &blocks) &&
	    figure_get(usage, THPSTAT_HPAGE_PMD_SIZE, &pmd_size) &&
	    !__builtin_mul_overflow(blocks, pmd_size, &bytes))
		printf("  free without compaction, in pages of %s: %" PRIu64 " (%s)\n",
		       human_page_size(pmd_size, name), blocks, human_size(bytes, size));
}

/* Pools of hugetlb pages */

static void add_pools(struct report *table, const char *where,
		      const struct thpstat_page_size *sizes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct thpstat_usage *usage = sizes[i].usage;
		struct cell *row;
		uint64_t total;

		if (!figure_get(usage, THPSTAT_POOL_TOTAL, &total))
			continue;
		row = report_add_row(table);
		cell_set_text(&row[0], where);
		fill_page_size(&row[1], sizes[i].bytes);
		fill(&row[2], CELL_BYTES, usage, THPSTAT_POOL_TOTAL);
		fill(&row[3], CELL_BYTES, usage, THPSTAT_POOL_IN_USE);
		fill(&row[4], CELL_BYTES, usage, THPSTAT_POOL_RESERVED);
		fill(&row[5], CELL_BYTES, usage, THPSTAT_POOL_AVAILABLE);
		fill(&row[6], CELL_COUNT, usage, THPSTAT_SURPLUS_HUGEPAGES);
		fill(&row[7], CELL_COUNT, usage, THPSTAT_NR_OVERCOMMIT_HUGEPAGES);
	}
}

static void print_pools(const struct session *session, const struct thpstat_host *host)
{
	static const struct report_column columns[] = {
		{ "where", CELL_TEXT, 0 },     { "size", CELL_TEXT, 0 },
		{ "total", CELL_BYTES, 0 },    { "in use", CELL_BYTES, 0 },
		{ "reserved", CELL_BYTES, 0 }, { "available", CELL_BYTES, 0 },
		{ "surplus", CELL_COUNT, 0 },  { "overcommit", CELL_COUNT, 0 },
	};
	struct report *table = TABLE_NEW(columns);

	add_pools(table, "host", host->page_sizes, host->n_page_sizes);
	for (size_t i = 0; host->n_nodes > 1 && i < host->n_nodes; i++) {
		char *where = memory_format("node %u", host->nodes[i].number);

		add_pools(table, where, host->nodes[i].page_sizes, host->nodes[i].n_page_sizes);
		free(where);
	}
	table_print(session, "Pools of hugetlb pages", table);
}

/* Nodes */

static void print_nodes(const struct session *session, const struct thpstat_host *host)
{
	static const struct report_column columns[] = {
		{ "node", CELL_COUNT, 0 },	 { "total", CELL_BYTES, 0 },
		{ "free", CELL_BYTES, 0 },	 { "anon huge", CELL_BYTES, 0 },
		{ "shmem huge", CELL_BYTES, 0 }, { "file huge", CELL_BYTES, 0 },
	};
	struct report *table = TABLE_NEW(columns);

	for (size_t i = 0; host->n_nodes > 1 && i < host->n_nodes; i++) {
		const struct thpstat_usage *usage = host->nodes[i].usage;
		struct cell *row = report_add_row(table);

		cell_set_number(&row[0], CELL_COUNT, host->nodes[i].number);
		fill(&row[1], CELL_BYTES, usage, THPSTAT_MEM_TOTAL);
		fill(&row[2], CELL_BYTES, usage, THPSTAT_MEM_FREE);
		fill(&row[3], CELL_BYTES, usage, THPSTAT_ANON_HUGE_PAGES);
		fill(&row[4], CELL_BYTES, usage, THPSTAT_SHMEM_HUGE_PAGES);
		fill(&row[5], CELL_BYTES, usage, THPSTAT_FILE_HUGE_PAGES);
	}
	table_print(session, "Nodes", table);
}

/* Sizes of transparent huge pages */

static void print_sizes(const struct session *session, const struct thpstat_host *host)
{
	static const struct report_column columns[] = {
		{ "size", CELL_TEXT, 0 },
		{ "enabled", CELL_TEXT, 0 },
		{ "shmem_enabled", CELL_TEXT, 0 },
	};
	struct report *table = TABLE_NEW(columns);

	for (size_t i = 0; i < host->n_page_sizes; i++) {
		uint64_t bytes = host->page_sizes[i].bytes;
		const struct thpstat_policy *anon = host_policy_find(host, "enabled", bytes);
		const struct thpstat_policy *shmem = host_policy_find(host, "shmem_enabled", bytes);
		struct cell *row;

		if (!anon && !shmem)
			continue;
		row = report_add_row(table);
		fill_page_size(&row[0], bytes);
		fill_choices(&row[1], anon);
		fill_choices(&row[2], shmem);
	}
	table_print(session, "Sizes of transparent huge pages", table);
}

/* Counters */

static bool is_khugepaged(enum thpstat_metric metric)
{
	return metric == THPSTAT_KHUGEPAGED_PAGES_COLLAPSED ||
	       metric == THPSTAT_KHUGEPAGED_FULL_SCANS;
}

/* Those above zero; what khugepaged did is told also when it did nothing. */
static void add_counters(struct report *table, const char *where, const struct thpstat_usage *usage)
{
	for (enum thpstat_metric metric = thpstat_metric_next((enum thpstat_metric)0); metric;
	     metric = thpstat_metric_next(metric)) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metric);
		bool counts = info->kind == THPSTAT_COUNTER || metric == THPSTAT_NR_ANON ||
			      metric == THPSTAT_NR_ANON_PARTIALLY_MAPPED;
		struct cell *row;
		uint64_t value;

		if (!counts || !figure_get(usage, metric, &value) ||
		    (!value && !is_khugepaged(metric)))
			continue;
		row = report_add_row(table);
		cell_set_text(&row[0], where);
		cell_set_text(&row[1], info->name);
		cell_set_number(&row[2], CELL_COUNT, value);
		cell_set_text(&row[3], info->description);
	}
}

static void print_counters(const struct session *session, const struct thpstat_host *host)
{
	static const struct report_column columns[] = {
		{ "size", CELL_TEXT, 0 },
		{ "counter", CELL_TEXT, 0 },
		{ "count", CELL_COUNT, 0 },
		{ "meaning", CELL_TEXT, REPORT_WRAP },
	};
	struct report *table = TABLE_NEW(columns);

	add_counters(table, "all", host->usage);
	for (size_t i = 0; i < host->n_page_sizes; i++) {
		char name[HUMAN_SIZE_MAX];

		add_counters(table, human_page_size(host->page_sizes[i].bytes, name),
			     host->page_sizes[i].usage);
	}
	table_print(session, "Counters since boot (those at 0 are left out)", table);
}

void host_view_print(const struct session *session, const struct thpstat_host *host)
{
	print_policies(session, host);
	print_sizes(session, host);
	print_memory(session, host);
	print_nodes(session, host);
	print_pools(session, host);
	print_counters(session, host);
}

/* SPDX-License-Identifier: MIT */
/* Figures and states of processes, and sums over them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cases/case.h"

static const struct figure_key status_keys[] = {
	{ "vm_rss_kb", THPSTAT_VM_RSS },	{ "rss_anon_kb", THPSTAT_RSS_ANON },
	{ "rss_file_kb", THPSTAT_RSS_FILE },	{ "rss_shmem_kb", THPSTAT_RSS_SHMEM },
	{ "vm_swap_kb", THPSTAT_VM_SWAP },	{ "hugetlb_pages_kb", THPSTAT_HUGETLB_PAGES },
	{ "thp_enabled", THPSTAT_THP_ENABLED },
};

static void check_pid(struct case_run *run, struct process_run *process, const json_t *value)
{
	const struct thpstat_process *item;
	struct thpstat_processes *walk;
	unsigned int seen = 0;

	assert_int_equal(json_integer_value(value), process->pid);
	assert_int_equal(thpstat_processes_open(run->source, NULL, &walk), 0);
	while (thpstat_processes_next(walk, &item) > 0)
		if (item->pid == process->pid)
			seen++;
	thpstat_processes_close(walk);
	tally_equal(&run->tally, seen, 1, "items for %d in a walk over all", process->pid);
	check_cgroup(run, process);
}

/* A figure that is absent in something without memory says so. */
static void check_reason(struct case_run *run, const struct process_run *process,
			 enum thpstat_metric metric)
{
	if (has_no_memory(process))
		tally_equal(&run->tally,
			    thpstat_usage_reason(process->plain.process->usage, metric),
			    THPSTAT_REASON_NO_MEMORY, "reason of no %s in %d",
			    thpstat_metric_info(metric)->name, process->pid);
}

/* A sum over smaps: added up by hand, and by the two walks over processes that read smaps. */
static void check_memory(struct case_run *run, struct process_run *process, const char *key,
			 const json_t *value)
{
	const struct figure_key *row = find_figure(memory_keys, n_memory_keys, key);
	const struct thpstat_usage *usage = process->with_smaps.process->usage;
	struct figure sum;
	size_t missing;
	uint64_t wanted;
	bool known = wanted_value(value, row->metric, &wanted);

	sum = mapping_list_sum(&process->mappings, 0, process->mappings.n, row->metric, &missing);
	tally_figure(&run->tally, sum, known, wanted, "sum of mappings", process->pid, key);
	tally_figure(&run->tally, figure_of(usage, row->metric), known, wanted, "smaps",
		     process->pid, key);
	if (known)
		tally_equal(&run->tally, thpstat_usage_missing(usage, row->metric), missing,
			    "mappings of %d that lack %s", process->pid, key);
	else
		check_reason(run, process, row->metric);
	if (missing && missing < process->mappings.n)
		tally_holds(&run->tally, process->with_smaps.process->flags & THPSTAT_PROCESS_CUT,
			    "%d is marked cut", process->pid);
	/* where there is no rollup, the default walk has to read smaps */
	if (!process->has_rollup && row->metric != THPSTAT_SIZE)
		tally_figure(&run->tally, figure_of(process->plain.process->usage, row->metric),
			     known, wanted, "default", process->pid, key);
}

/* The three figures of THP; what is missing of them is left out of the sum. */
static struct figure thp_of(const struct thpstat_usage *usage)
{
	static const enum thpstat_metric parts[] = { THPSTAT_ANON_HUGE_PAGES,
						     THPSTAT_SHMEM_PMD_MAPPED,
						     THPSTAT_FILE_PMD_MAPPED };
	struct figure sum = { -ENODATA, 0 }, part;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		part = figure_of(usage, parts[i]);
		if (part.error)
			continue;
		sum.error = 0;
		sum.value += part.value;
	}
	return sum;
}

static void check_thp(struct case_run *run, struct process_run *process, const json_t *value)
{
	uint64_t wanted;
	bool known = wanted_value(value, THPSTAT_ANON_HUGE_PAGES, &wanted);

	tally_figure(&run->tally, thp_of(process->with_smaps.process->usage), known, wanted,
		     "smaps", process->pid, "thp");
}

static void check_rollup(struct case_run *run, struct process_run *process, const json_t *value)
{
	const struct thpstat_usage *usage = process->plain.process->usage;
	const struct figure_key *row;
	const json_t *item;
	const char *key;
	uint64_t wanted;
	bool known;

	/* jansson's loop takes no const */
	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	{
		row = find_figure(memory_keys, n_memory_keys, key);
		known = wanted_value(item, row ? row->metric : THPSTAT_RSS, &wanted);
		if (row)
			tally_figure(&run->tally, figure_of(usage, row->metric), known, wanted,
				     "rollup", process->pid, key);
		else if (!strcmp(key, "thp_kb"))
			tally_figure(&run->tally, thp_of(usage), known, wanted, "rollup",
				     process->pid, key);
		else
			tally_holds(&run->tally, false, "key rollup.%s is known", key);
	}
}

static void check_status(struct case_run *run, struct process_run *process, const json_t *value)
{
	const struct figure_key *row;
	const json_t *item;
	const char *key;
	uint64_t wanted;
	bool known;

	json_object_foreach((json_t *)(uintptr_t)value, key, item)
	{
		row = find_figure(status_keys, ARRAY_SIZE(status_keys), key);
		if (!row) {
			tally_holds(&run->tally, false, "key status.%s is known", key);
			continue;
		}
		known = wanted_value(item, row->metric, &wanted);
		tally_figure(&run->tally, figure_of(process->plain.process->usage, row->metric),
			     known, wanted, "status", process->pid, key);
		if (!known)
			check_reason(run, process, row->metric);
	}
}

/* The name as status prints it: newline and backslash escaped. */
static void check_name(struct case_run *run, struct process_run *process, const json_t *value)
{
	const char *comm = process->plain.process->comm;
	char escaped[64];
	size_t length = 0;

	for (const char *p = comm ? comm : ""; *p && length + 3 < sizeof(escaped); p++) {
		if (*p == '\n' || *p == '\\')
			escaped[length++] = '\\';
		escaped[length++] = *p == '\n' ? 'n' : *p;
	}
	escaped[length] = '\0';
	tally_text(&run->tally, comm ? escaped : NULL, json_string_value(value), "name of %d",
		   process->pid);
}

static void check_state(struct case_run *run, struct process_run *process, const json_t *value)
{
	if (strcmp(json_string_value(value), "Z")) {
		leave_out(run, "state");
		return;
	}
	tally_equal(&run->tally, process->plain.process->state, THPSTAT_PROCESS_ZOMBIE,
		    "state of %d", process->pid);
}

static void check_kernel_thread(struct case_run *run, struct process_run *process,
				const json_t *value)
{
	tally_equal(&run->tally, process->plain.process->state == THPSTAT_PROCESS_KERNEL_THREAD,
		    json_is_true(value), "%d is a kernel thread", process->pid);
}

static void check_zombie(struct case_run *run, struct process_run *process, const json_t *value)
{
	tally_equal(&run->tally, process->plain.process->state == THPSTAT_PROCESS_ZOMBIE,
		    json_is_true(value), "%d is a zombie", process->pid);
}

static void check_inconsistent(struct case_run *run, struct process_run *process,
			       const json_t *value)
{
	tally_equal(&run->tally,
		    !!(process->with_smaps.process->flags & THPSTAT_PROCESS_INCONSISTENT),
		    json_is_true(value), "%d is marked inconsistent", process->pid);
}

static void check_private(struct case_run *run, struct process_run *process, const json_t *value)
{
	const struct thpstat_usage *usage = process->plain.process->usage;

	tally_equal(&run->tally,
		    figure_or_zero(usage, THPSTAT_PRIVATE_CLEAN) +
			    figure_or_zero(usage, THPSTAT_PRIVATE_DIRTY),
		    (uint64_t)json_integer_value(value) * 1024, "private of %d", process->pid);
}

static void check_shared(struct case_run *run, struct process_run *process, const json_t *value)
{
	const struct thpstat_usage *usage = process->plain.process->usage;

	tally_equal(&run->tally,
		    figure_or_zero(usage, THPSTAT_SHARED_CLEAN) +
			    figure_or_zero(usage, THPSTAT_SHARED_DIRTY),
		    (uint64_t)json_integer_value(value) * 1024, "shared of %d", process->pid);
}

static void check_sum_matches(struct case_run *run, struct process_run *process,
			      const json_t *value)
{
	const struct thpstat_usage *usage = process->plain.process->usage;
	uint64_t sum = figure_or_zero(usage, THPSTAT_RSS_ANON) +
		       figure_or_zero(usage, THPSTAT_RSS_FILE) +
		       figure_or_zero(usage, THPSTAT_RSS_SHMEM);

	tally_equal(&run->tally, sum == figure_or_zero(usage, THPSTAT_VM_RSS), json_is_true(value),
		    "parts of VmRSS of %d add up", process->pid);
}

static void check_rss_minus_pss(struct case_run *run, struct process_run *process,
				const json_t *value)
{
	const struct thpstat_usage *usage = process->plain.process->usage;

	tally_equal(&run->tally,
		    figure_or_zero(usage, THPSTAT_RSS) - figure_or_zero(usage, THPSTAT_PSS),
		    (uint64_t)json_integer_value(value) * 1024, "rss - pss of %d", process->pid);
}

/* All of it is anonymous, and the kernel of the case has no FilePmdMapped for the whole. */
static void check_coverage_of_rss(struct case_run *run, struct process_run *process,
				  const json_t *value)
{
	double ratio = -1;
	int error = thpstat_usage_ratio(process->with_smaps.process->usage, THPSTAT_COVERAGE_ANON,
					&ratio);

	tally_holds(&run->tally,
		    !error && ratio * 1000 > (double)json_integer_value(value) - 0.5 &&
			    ratio * 1000 < (double)json_integer_value(value) + 0.5,
		    "coverage of %d is %" JSON_INTEGER_FORMAT " permille (found %f, error %d)",
		    process->pid, json_integer_value(value), ratio, error);
}

static void check_coverage_of_size(struct case_run *run, struct process_run *process,
				   const json_t *value)
{
	const struct thpstat_usage *usage = process->with_smaps.process->usage;
	struct figure size = figure_of(usage, THPSTAT_SIZE);

	assert_int_equal(size.error, 0);
	tally_equal(&run->tally, figure_or_zero(usage, THPSTAT_ANON_HUGE_PAGES) * 1000 / size.value,
		    (uint64_t)json_integer_value(value), "huge part of the size of %d",
		    process->pid);
}

static void check_comm(struct case_run *run, struct process_run *process, const json_t *value)
{
	tally_text(&run->tally, process->plain.process->comm, json_string_value(value),
		   "comm of %d", process->pid);
}

static void check_ppid(struct case_run *run, struct process_run *process, const json_t *value)
{
	tally_holds(&run->tally, process->plain.process->known & THPSTAT_PROCESS_KNOWS_PPID,
		    "the parent of %d is known", process->pid);
	tally_equal(&run->tally, (uint64_t)process->plain.process->ppid,
		    (uint64_t)json_integer_value(value), "parent of %d", process->pid);
}

static void check_pss(struct case_run *run, struct process_run *process, const json_t *value)
{
	struct figure pss = figure_of(process->plain.process->usage, THPSTAT_PSS);

	if (json_is_null(value)) /* why is compared with the key unreadable */
		tally_holds(&run->tally, pss.error, "pss of %d is absent", process->pid);
	else
		tally_figure(&run->tally, pss, true, (uint64_t)json_integer_value(value) * 1024,
			     "rollup", process->pid, "pss");
}

static void check_unreadable(struct case_run *run, struct process_run *process, const json_t *value)
{
	const struct thpstat_process *item = process->plain.process;

	assert_memory_equal(json_string_value(value), "EACCES", 6);
	tally_equal(&run->tally, item->state, THPSTAT_PROCESS_FORBIDDEN, "state of %d",
		    process->pid);
	tally_equal(&run->tally, (uint64_t)-item->error, EACCES, "error of %d", process->pid);
	tally_equal(&run->tally, (uint64_t)-figure_of(item->usage, THPSTAT_PSS).error, EACCES,
		    "error of pss of %d", process->pid);
	tally_equal(&run->tally, thpstat_usage_reason(item->usage, THPSTAT_PSS),
		    THPSTAT_REASON_FORBIDDEN, "reason of no pss of %d", process->pid);
}

static void check_pss_difference(struct case_run *run, struct process_run *process,
				 const json_t *value)
{
	struct figure pss = figure_of(process->plain.process->usage, THPSTAT_PSS);

	tally_equal(&run->tally, pss.value - mapping_list_total(&process->mappings, THPSTAT_PSS),
		    (uint64_t)json_integer_value(value) * 1024, "pss of rollup - smaps of %d",
		    process->pid);
}

static void check_rss_difference(struct case_run *run, struct process_run *process,
				 const json_t *value)
{
	struct figure rss = figure_of(process->plain.process->usage, THPSTAT_RSS);

	tally_equal(&run->tally, rss.value - mapping_list_total(&process->mappings, THPSTAT_RSS),
		    (uint64_t)json_integer_value(value) * 1024, "rss of rollup - smaps of %d",
		    process->pid);
}

static struct thpstat_usage *sum_of_processes(const struct case_run *run)
{
	struct thpstat_usage *sum;

	assert_int_equal(thpstat_usage_new(&sum), 0);
	for (size_t i = 0; i < run->n_processes; i++)
		assert_int_equal(thpstat_usage_add(sum, run->processes[i].plain.process->usage), 0);
	return sum;
}

static void check_sum(struct case_run *run, enum thpstat_metric metric, const json_t *value)
{
	struct thpstat_usage *sum = sum_of_processes(run);

	tally_figure(&run->tally, figure_of(sum, metric), true,
		     (uint64_t)json_integer_value(value) * 1024, "sum over processes", 0,
		     thpstat_metric_info(metric)->name);
	tally_equal(&run->tally, thpstat_usage_missing(sum, metric), 0, "processes without %s",
		    thpstat_metric_info(metric)->name);
	thpstat_usage_free(sum);
}

static void check_partial(struct case_run *run, const json_t *value)
{
	struct thpstat_usage *sum = sum_of_processes(run);

	tally_equal(&run->tally, thpstat_usage_missing(sum, THPSTAT_PSS) > 0, json_is_true(value),
		    "the sum of pss lacks a process");
	thpstat_usage_free(sum);
}

bool check_process_key(struct case_run *run, struct process_run *process, const char *key,
		       const json_t *value)
{
	static const struct key_check keys[] = {
		{ "pid", check_pid, false },
		{ "thp_kb", check_thp, false },
		{ "rollup", check_rollup, false },
		{ "status", check_status, false },
		{ "name", check_name, false },
		{ "state", check_state, false },
		{ "kernel_thread", check_kernel_thread, false },
		{ "zombie", check_zombie, false },
		{ "inconsistent", check_inconsistent, false },
		{ "private_kb", check_private, false },
		{ "shared_kb", check_shared, false },
		{ "sum_matches", check_sum_matches, false },
		{ "rss_minus_pss_kb_rollup", check_rss_minus_pss, false },
		{ "coverage_of_rss_permille", check_coverage_of_rss, false },
		{ "coverage_of_size_permille", check_coverage_of_size, false },
		{ "comm_unescaped", check_comm, true },
		{ "stat_ppid", check_ppid, true },
		{ "pss_kb_by_pid", check_pss, true },
		{ "unreadable", check_unreadable, true },
		{ "pss_rollup_minus_sum_kb", check_pss_difference, true },
		{ "rss_rollup_minus_sum_kb", check_rss_difference, true },
	};

	if (check_by_table(run, process, key, value, keys, ARRAY_SIZE(keys)))
		return true;
	if (process && find_figure(memory_keys, n_memory_keys, key)) {
		check_memory(run, process, key, value);
		return true;
	}
	if (!strcmp(key, "group_rss_kb")) {
		check_sum(run, THPSTAT_RSS, value);
	} else if (!strcmp(key, "group_pss_kb")) {
		check_sum(run, THPSTAT_PSS, value);
	} else if (!strcmp(key, "hugetlb_sum_over_processes_kb")) {
		check_sum(run, THPSTAT_HUGETLB_PAGES, value);
		check_sum(run, THPSTAT_HUGETLB, value);
	} else if (!strcmp(key, "group_pss_is_partial")) {
		check_partial(run, value);
	} else {
		return false;
	}
	return true;
}

/* SPDX-License-Identifier: MIT */
/* What all keys of expected.json have in common, and setup and teardown of a case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cases/case.h"
#include "support/files.h"
#include "support/json_file.h"

/* Keys of expected.json that are not compared here. */
struct left_out left_out[] = {
	{ "case", "the name of the case", 0 },
	{ "note", "text for people", 0 },
	{ "errors", "what a running kernel answers; the tree shows it by a missing file", 0 },
	{ "stat_state", "the library tells states of memory apart, not R from S", 0 },
	{ "state", "likewise; Z is compared", 0 },
	{ "container_id", "belongs to containers", 0 },
	{ "kind", "belongs to containers", 0 },
	{ "pod_uid", "belongs to containers", 0 },
	{ "cgroup", "belongs to cgroup figures", 0 },
	{ "cgroup_of_71", "belongs to cgroup figures", 0 },
	{ "groups", "belongs to cgroup figures", 0 },
	{ "usage_bytes", "belongs to cgroup figures", 0 },
	{ "anon_bytes", "belongs to cgroup figures", 0 },
	{ "anon_thp_bytes", "belongs to cgroup figures", 0 },
	{ "charged_not_mapped_anon_bytes", "belongs to cgroup figures", 0 },
	{ "hugetlb_bytes", "belongs to cgroup figures", 0 },
	{ "hugetlb_total_bytes", "belongs to cgroup figures", 0 },
	{ "memory_current_bytes", "belongs to cgroup figures", 0 },
	{ "total_with_hugetlb_bytes", "belongs to cgroup figures", 0 },
	{ "limit_bytes", "belongs to cgroup limits", 0 },
	{ "effective_limit_bytes", "belongs to cgroup limits", 0 },
	{ "group_hugetlb_limit_bytes", "belongs to cgroup limits", 0 },
	{ "usable_by_group_kb", "belongs to cgroup limits", 0 },
	{ "failed_allocations", "belongs to cgroup limits", 0 },
	{ "memory_hierarchy", "belongs to containers; memory_path is compared", 0 },
	{ "hugetlb_path", "belongs to containers; memory_path is compared", 0 },
	{ "unified_path", "belongs to containers; memory_path is compared", 0 },
	{ "fully_resident_stack_mappings", "belongs to stacks", 0 },
	{ "looks_virtualised", "belongs to verdicts on the host", 0 },
	{ "worst_growth_per_collapse_kb", "belongs to verdicts on the host", 0 },
	{ "rss_kb_without_exact_duplicates", "the library sums what the file says", 0 },
	{ "anon_huge_kb_without_exact_duplicates", "the library sums what the file says", 0 },
	{ "smaps_hugetlbpages_kb", "no metric: a key that never reached mainline", 0 },
	{ "meminfo.VmallocTotal", "no metric: nothing to do with huge pages", 0 },
	{ "meminfo.ReliableTaskUsed", "no metric: a key of one vendor", 0 },
};
const size_t n_left_out = ARRAY_SIZE(left_out);

const struct figure_key memory_keys[] = {
	{ "size_kb", THPSTAT_SIZE },
	{ "rss_kb", THPSTAT_RSS },
	{ "pss_kb", THPSTAT_PSS },
	{ "anonymous_kb", THPSTAT_ANONYMOUS },
	{ "swap_kb", THPSTAT_SWAP },
	{ "swap_pss_kb", THPSTAT_SWAP_PSS },
	{ "anon_huge_kb", THPSTAT_ANON_HUGE_PAGES },
	{ "shmem_pmd_kb", THPSTAT_SHMEM_PMD_MAPPED },
	{ "file_pmd_kb", THPSTAT_FILE_PMD_MAPPED },
	{ "shared_hugetlb_kb", THPSTAT_SHARED_HUGETLB },
	{ "private_hugetlb_kb", THPSTAT_PRIVATE_HUGETLB },
	{ "hugetlb_kb", THPSTAT_HUGETLB },
};
const size_t n_memory_keys = ARRAY_SIZE(memory_keys);

static const enum thpstat_metric once_metrics[] = {
	THPSTAT_RESIDENT_ONCE,	   THPSTAT_RESIDENT_ONCE_MIN,
	THPSTAT_RESIDENT_ONCE_MAX, THPSTAT_HUGE_ONCE,
	THPSTAT_SHMEM_ONCE,	   THPSTAT_COUNTED_AGAIN,
	THPSTAT_MAPPINGS,	   THPSTAT_SIZE,
};

const struct figure_key *find_figure(const struct figure_key *keys, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(keys[i].key, key))
			return &keys[i];
	return NULL;
}

bool wanted_value(const json_t *value, enum thpstat_metric metric, uint64_t *ret)
{
	uint64_t scale = thpstat_metric_info(metric)->unit == THPSTAT_BYTES ? 1024 : 1;

	*ret = 0;
	if (json_is_null(value))
		return false;
	if (json_is_string(value)) /* more than a JSON integer holds */
		*ret = strtoull(json_string_value(value), NULL, 10) * scale;
	else if (json_is_integer(value))
		*ret = (uint64_t)json_integer_value(value) * scale;
	else
		fail_msg("neither a number nor null");
	return true;
}

void leave_out(struct case_run *run, const char *key)
{
	for (size_t i = 0; i < n_left_out; i++)
		if (!strcmp(left_out[i].key, key)) {
			left_out[i].met++;
			run->tally.skipped++;
			return;
		}
	tally_holds(&run->tally, false, "key %s of expected.json is known to this test", key);
}

bool has_no_memory(const struct process_run *process)
{
	return process->plain.process->state == THPSTAT_PROCESS_KERNEL_THREAD ||
	       process->plain.process->state == THPSTAT_PROCESS_ZOMBIE;
}

static struct process_run *process_by_pid(struct case_run *run, int pid)
{
	for (size_t i = 0; i < run->n_processes; i++)
		if (run->processes[i].pid == pid)
			return &run->processes[i];
	fail_msg("no process %d in expected.json", pid);
	return NULL;
}

bool check_by_table(struct case_run *run, struct process_run *process, const char *key,
		    const json_t *value, const struct key_check *table, size_t n)
{
	const json_t *item;
	const char *pid;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(table[i].key, key))
			continue;
		if (table[i].by_pid) {
			/* jansson's loop takes no const */
			json_object_foreach((json_t *)(uintptr_t)value, pid, item) table[i].check(
				run, process_by_pid(run, atoi(pid)), item);
			return true;
		}
		if (process)
			table[i].check(run, process, value);
		return process != NULL;
	}
	return false;
}

static void open_process(struct case_run *run, struct process_run *process, int pid)
{
	char *path = format_text("%s/proc/%d/smaps_rollup", run->directory, pid);

	process->pid = pid;
	process->has_rollup = file_exists(path);
	free(path);
	process->mappings_error = mapping_list_read(run->source, pid, &process->mappings);
	one_process_open(run->source, pid, NULL, 0, THPSTAT_PROCESS_WANT_CGROUP, &process->plain);
	one_process_open(run->source, pid, once_metrics, ARRAY_SIZE(once_metrics), 0,
			 &process->with_smaps);
}

int open_case(void **state)
{
	const struct case_row *row = *state;
	struct case_run *run = calloc(1, sizeof(*run));
	const char *data = getenv("THPSTAT_CASES");
	struct thpstat_open_options options = { .size = sizeof(options) };
	const json_t *list;
	char *path;

	if (!data)
		fail_msg("THPSTAT_CASES is not set");
	assert_non_null(run);
	*state = run;
	run->row = row;
	run->tally.subject = row->name;
	run->directory = format_text("%s/%s", data, row->name);
	path = format_text("%s/expected.json", run->directory);
	run->expected = json_file_read(path);
	free(path);
	list = json_object_get(run->expected, "processes");
	run->n_processes = list					   ? json_array_size(list)
			   : json_object_get(run->expected, "pid") ? 1
								   : 0;
	run->processes = calloc(run->n_processes + 1, sizeof(*run->processes));
	assert_non_null(run->processes);
	options.root = run->directory;
	/* a tree that only holds other trees is no tree */
	path = format_text("%s/proc", run->directory);
	if (!directory_exists(path)) {
		free(path);
		path = format_text("%s/sys", run->directory);
	}
	if (directory_exists(path)) {
		assert_int_equal(thpstat_open(&options, &run->source), 0);
		assert_int_equal(thpstat_host_read(run->source, &run->host), 0);
	}
	free(path);
	for (size_t i = 0; i < run->n_processes; i++)
		open_process(run, &run->processes[i],
			     (int)json_number(list ? json_array_get(list, i) : run->expected,
					      "pid"));
	return 0;
}

int close_case(void **state)
{
	struct case_run *run = *state;

	for (size_t i = 0; i < run->n_processes; i++) {
		one_process_close(&run->processes[i].plain);
		one_process_close(&run->processes[i].with_smaps);
		mapping_list_free(&run->processes[i].mappings);
	}
	free(run->processes);
	assert_null(thpstat_host_free(run->host));
	assert_null(thpstat_close(run->source));
	json_decref(run->expected);
	free(run->directory);
	free(run);
	return 0;
}

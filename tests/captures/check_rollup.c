/* SPDX-License-Identifier: MIT */
/* smaps_rollup, status and comm, against the files read by hand and the sums over smaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "captures/capture.h"
#include "support/files.h"

static const struct keyed_metric rollup_keys[] = {
	{ THPSTAT_RSS, "Rss" },
	{ THPSTAT_PSS, "Pss" },
	{ THPSTAT_PSS_DIRTY, "Pss_Dirty" },
	{ THPSTAT_PSS_ANON, "Pss_Anon" },
	{ THPSTAT_PSS_FILE, "Pss_File" },
	{ THPSTAT_PSS_SHMEM, "Pss_Shmem" },
	{ THPSTAT_SHARED_CLEAN, "Shared_Clean" },
	{ THPSTAT_SHARED_DIRTY, "Shared_Dirty" },
	{ THPSTAT_PRIVATE_CLEAN, "Private_Clean" },
	{ THPSTAT_PRIVATE_DIRTY, "Private_Dirty" },
	{ THPSTAT_REFERENCED, "Referenced" },
	{ THPSTAT_ANONYMOUS, "Anonymous" },
	{ THPSTAT_KSM, "KSM" },
	{ THPSTAT_LAZY_FREE, "LazyFree" },
	{ THPSTAT_ANON_HUGE_PAGES, "AnonHugePages" },
	{ THPSTAT_SHMEM_PMD_MAPPED, "ShmemPmdMapped" },
	{ THPSTAT_FILE_PMD_MAPPED, "FilePmdMapped" },
	{ THPSTAT_SHARED_HUGETLB, "Shared_Hugetlb" },
	{ THPSTAT_PRIVATE_HUGETLB, "Private_Hugetlb" },
	{ THPSTAT_SWAP, "Swap" },
	{ THPSTAT_SWAP_PSS, "SwapPss" },
	{ THPSTAT_LOCKED, "Locked" },
};

static const struct keyed_metric status_keys[] = {
	{ THPSTAT_VM_SIZE, "VmSize" },
	{ THPSTAT_VM_HWM, "VmHWM" },
	{ THPSTAT_VM_RSS, "VmRSS" },
	{ THPSTAT_RSS_ANON, "RssAnon" },
	{ THPSTAT_RSS_FILE, "RssFile" },
	{ THPSTAT_RSS_SHMEM, "RssShmem" },
	{ THPSTAT_VM_PTE, "VmPTE" },
	{ THPSTAT_VM_PMD, "VmPMD" },
	{ THPSTAT_VM_SWAP, "VmSwap" },
	{ THPSTAT_HUGETLB_PAGES, "HugetlbPages" },
	{ THPSTAT_THP_ENABLED, "THP_enabled" },
	{ THPSTAT_THREADS, "Threads" },
};

/* The name in status is escaped; that in comm is not. */
static void check_identity(struct capture *capture, const struct thpstat_process *process,
			   const char *status)
{
	struct tally *tally = &capture->tally;
	char *path = tree_path(capture, "proc/%d/comm", process->pid), *comm = file_line(path);
	unsigned int uid, effective;
	uint64_t number;
	char *text;

	tally_text(tally, process->comm, comm, "%d: comm", process->pid);
	assert_true(key_number(status, "PPid", &number));
	tally_holds(tally, process->known & THPSTAT_PROCESS_KNOWS_PPID, "%d: ppid is known",
		    process->pid);
	tally_equal(tally, (uint64_t)process->ppid, number, "%d: ppid", process->pid);
	text = key_text(status, "Uid");
	assert_int_equal(sscanf(text, "%u %u", &uid, &effective), 2);
	tally_holds(tally, process->known & THPSTAT_PROCESS_KNOWS_UID, "%d: uid is known",
		    process->pid);
	tally_equal(tally, process->uid, effective, "%d: uid", process->pid);
	free(text);
	free(comm);
	free(path);
}

/* rollup is cut to kB once, smaps once per mapping: it may be below by less than 1 kB each. */
static void check_rounding(struct capture *capture, const struct process_truth *process,
			   const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	size_t missing;
	struct figure sum =
		mapping_list_sum(&process->mappings, 0, process->mappings.n, metric, &missing);
	struct figure total = figure_of(usage, metric);
	const char *name = thpstat_metric_info(metric)->name;

	if (sum.error && total.error)
		return;
	tally_holds(&capture->tally, !sum.error && !missing && sum.value <= total.value,
		    "%d: sum of %s is not above rollup", process->pid, name);
	tally_holds(&capture->tally, total.value - sum.value < 1024 * process->mappings.n,
		    "%d: sum of %s is below rollup by less than 1 kB for each mapping",
		    process->pid, name);
}

/* The figures that are made of several keys. */
static void check_derived(struct tally *tally, const struct thpstat_usage *usage,
			  const char *rollup, int pid)
{
	static const char *const keys[] = { "AnonHugePages",  "ShmemPmdMapped",	 "FilePmdMapped",
					    "Shared_Hugetlb", "Private_Hugetlb", "Rss" };
	uint64_t values[ARRAY_SIZE(keys)] = { 0 }, hugetlb;
	bool known = true;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		known = key_number(rollup, keys[i], &values[i]) && known;
	hugetlb = values[3] + values[4];
	tally_holds(tally, known, "rollup of %d has all keys", pid);
	tally_figure(tally, figure_of(usage, THPSTAT_HUGETLB), true, hugetlb, "rollup", pid,
		     "hugetlb");
	tally_figure(tally, figure_of(usage, THPSTAT_HUGE), true,
		     values[0] + values[1] + values[2] + hugetlb, "rollup", pid, "huge");
	tally_figure(tally, figure_of(usage, THPSTAT_RESIDENT), true, values[5] + hugetlb, "rollup",
		     pid, "resident");
	check_ratios(tally, usage, "rollup", pid);
}

void check_rollup(struct capture *capture, const struct process_truth *process)
{
	char *rollup = process_file(capture, process->pid, "smaps_rollup");
	char *status = process_file(capture, process->pid, "status");
	struct tally *tally = &capture->tally;
	struct one_process one;

	assert_non_null(status);
	one_process_open(capture->source, process->pid, NULL, 0, 0, &one);
	check_identity(capture, one.process, status);
	if (!rollup) {
		one_process_close(&one);
		free(status);
		return;
	}
	check_keys(tally, one.process->usage, status, status_keys, ARRAY_SIZE(status_keys),
		   "status", process->pid);
	check_keys(tally, one.process->usage, rollup, rollup_keys, ARRAY_SIZE(rollup_keys),
		   "rollup", process->pid);
	check_derived(tally, one.process->usage, rollup, process->pid);
	for (size_t i = 0; i < ARRAY_SIZE(rollup_keys); i++) {
		enum thpstat_metric metric = rollup_keys[i].metric;
		struct figure sum;

		switch (metric) {
		case THPSTAT_PSS_ANON:
		case THPSTAT_PSS_FILE:
		case THPSTAT_PSS_SHMEM:
			break; /* smaps has none */
		case THPSTAT_PSS:
		case THPSTAT_PSS_DIRTY:
		case THPSTAT_SWAP_PSS:
		case THPSTAT_LOCKED:
			check_rounding(capture, process, one.process->usage, metric);
			break;
		default:
			sum = mapping_list_sum(&process->mappings, 0, process->mappings.n, metric,
					       NULL);
			tally_figure(tally, figure_of(one.process->usage, metric), !sum.error,
				     sum.value, "sum of smaps", process->pid, rollup_keys[i].key);
			break;
		}
	}
	one_process_close(&one);
	free(rollup);
	free(status);
}

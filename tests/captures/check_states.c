/* SPDX-License-Identifier: MIT */
/* What was found behind each pid, and that every pid was found. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "captures/capture.h"

static enum thpstat_process_state wanted_state(const struct capture *capture, int pid)
{
	if (pid == 2)
		return THPSTAT_PROCESS_KERNEL_THREAD;
	if (pid == capture->zombie)
		return THPSTAT_PROCESS_ZOMBIE;
	if (pid == capture->leader_gone)
		return THPSTAT_PROCESS_LEADER_GONE;
	return THPSTAT_PROCESS_RUNNING;
}

/* Nothing is known of the memory of something that has none, and it is said why. */
static void check_no_memory(struct capture *capture, const struct thpstat_process *process)
{
	const struct thpstat_usage *usage = process->usage;

	for (enum thpstat_metric metric = thpstat_metric_next(0); metric;
	     metric = thpstat_metric_next(metric)) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metric);

		if (!(info->subjects & THPSTAT_OF_PROCESS) || metric == THPSTAT_THREADS)
			continue;
		tally_figure(&capture->tally, figure_of(usage, metric), false, 0, "no memory",
			     process->pid, info->name);
		tally_equal(&capture->tally, thpstat_usage_reason(usage, metric),
			    THPSTAT_REASON_NO_MEMORY, "%d: reason of no %s", process->pid,
			    info->name);
	}
}

/* One walk over everything: each directory once, and the sums of what became of them. */
static void check_walk(struct capture *capture, const struct thpstat_process_options *options)
{
	const struct thpstat_completeness *completeness;
	const struct thpstat_process *process;
	struct tally *tally = &capture->tally;
	unsigned int *seen = calloc(capture->n_processes, sizeof(*seen));
	struct thpstat_processes *walk;
	size_t yielded = 0;
	int result;

	assert_non_null(seen);
	result = thpstat_processes_open(capture->source, options, &walk);
	assert_int_equal(result, 0);
	while ((result = thpstat_processes_next(walk, &process)) > 0) {
		yielded++;
		seen[process_of(capture, process->pid) - capture->processes]++;
		tally_equal(tally, process->state, wanted_state(capture, process->pid), "%d: state",
			    process->pid);
		tally_equal(tally, (uint64_t)-process->error, 0, "%d: error", process->pid);
		tally_equal(tally, process->flags, 0, "%d: flags", process->pid);
		if (process->state == THPSTAT_PROCESS_ZOMBIE ||
		    process->state == THPSTAT_PROCESS_KERNEL_THREAD)
			check_no_memory(capture, process);
		if (process->state == THPSTAT_PROCESS_LEADER_GONE)
			for (size_t i = 0; i < capture->n_regions; i++)
				if (capture->regions[i].pid == process->pid)
					tally_figure(tally,
						     figure_of(process->usage,
							       THPSTAT_ANON_HUGE_PAGES),
						     true, region_huge(&capture->regions[i]),
						     "thread", process->pid, "AnonHugePages");
	}
	assert_int_equal(result, 0);
	for (size_t i = 0; i < capture->n_processes; i++)
		tally_equal(tally, seen[i], 1, "items for %d", capture->processes[i].pid);
	completeness = thpstat_processes_completeness(walk);
	tally_equal(tally, completeness->kernel_threads, 1, "kernel threads");
	tally_equal(tally, completeness->zombies, 1, "zombies");
	tally_equal(tally, completeness->forbidden, 0, "forbidden");
	tally_equal(tally, completeness->vanished, 0, "vanished");
	tally_equal(tally, completeness->cut, 0, "cut");
	tally_equal(tally, completeness->read, capture->n_processes - 2, "read");
	tally_equal(tally, yielded, capture->n_processes, "items");
	assert_null(thpstat_processes_close(walk));
	free(seen);
}

void check_states(struct capture *capture)
{
	const struct thpstat_process_options with_smaps = {
		.size = sizeof(with_smaps),
		.metrics = once_metrics,
		.n_metrics = n_once_metrics,
	};

	check_walk(capture, NULL);
	check_walk(capture, &with_smaps);
	for (size_t i = 0; i < capture->n_processes; i++) {
		const struct process_truth *process = &capture->processes[i];
		enum thpstat_process_state state = wanted_state(capture, process->pid);
		bool empty =
			state == THPSTAT_PROCESS_ZOMBIE || state == THPSTAT_PROCESS_KERNEL_THREAD;

		tally_equal(&capture->tally, (uint64_t)-process->mappings_error,
			    empty ? ENODATA : 0, "%d: error of the walk over mappings",
			    process->pid);
		tally_holds(&capture->tally, empty == !process->mappings.n, "%d: has mappings",
			    process->pid);
	}
}

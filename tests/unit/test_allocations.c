/* SPDX-License-Identifier: MIT */
/* A step of a walk allocates nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <thpstat/thpstat.h>

#include "counted_malloc.h"
#include "made_tree.h"
#include "process_files.h"
#include "support/files.h"
#include "unit.h"

#define STEPS 1000

static char *root;

static int make_processes(void **state)
{
	(void)state;
	root = scratch_make();
	made_tree_text(root, "proc/self/mountinfo", APP_MOUNTINFO);
	for (int pid = 1; pid <= STEPS; pid++) {
		char *status = format_text("proc/%d/status", pid);
		char *rollup = format_text("proc/%d/smaps_rollup", pid);
		char *stat = format_text("proc/%d/stat", pid);
		char *cgroup = format_text("proc/%d/cgroup", pid);

		made_tree_text(root, status, APP_STATUS);
		/* some of them fail, which is no reason to allocate either */
		if (pid % 10)
			made_tree_text(root, rollup, APP_ROLLUP);
		else
			made_tree_text(root, rollup, "cut");
		made_tree_text(root, stat, "5 (x) S 7 0 0 0 -1 5 0 0 0 0 0 0 0 0 20 0 1 0 7 0\n");
		made_tree_text(root, cgroup, "0::/app.slice\n");
		free(status);
		free(rollup);
		free(stat);
		free(cgroup);
	}
	return 0;
}

static int remove_processes(void **state)
{
	(void)state;
	scratch_remove(root);
	return 0;
}

/* Steps of a walk; the allocations between the first one and the last. */
static unsigned long allocations_of_walk(struct thpstat *source,
					 const struct thpstat_process_options *options,
					 unsigned int *ret_steps)
{
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	unsigned long before, behind;
	unsigned int n = 1;

	assert_int_equal(thpstat_processes_open(source, options, &walk), 0);
	before = counted_malloc();
	assert_int_equal(thpstat_processes_next(walk, &process), 1);
	while (thpstat_processes_next(walk, &process) == 1)
		n++;
	behind = counted_malloc();
	thpstat_processes_close(walk);
	*ret_steps = n;
	return behind - before;
}

static void test_rollup(void **state)
{
	static const unsigned int wants[] = {
		0,
		THPSTAT_PROCESS_WANT_IDENTITY_ONLY,
		THPSTAT_PROCESS_WANT_CGROUP | THPSTAT_PROCESS_WANT_START_TIME,
	};
	struct thpstat *source = made_tree_open(root);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wants); i++) {
		struct thpstat_process_options options = {
			.size = sizeof(options),
			.want = wants[i],
		};
		unsigned int steps;

		assert_int_equal(allocations_of_walk(source, &options, &steps), 0);
		assert_int_equal(steps, STEPS);
	}
	thpstat_close(source);
}

static void test_live(void **state)
{
	static int pids[STEPS];
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = pids,
		.n_pids = STEPS,
	};
	struct thpstat *source;
	unsigned int steps;

	(void)state;
	/* the same processes over and over: they are there, and of all kinds */
	for (int i = 0; i < STEPS; i++)
		pids[i] = i % 50 + 1;
	assert_int_equal(thpstat_open(NULL, &source), 0);
	assert_int_equal(allocations_of_walk(source, &options, &steps), 0);
	assert_int_equal(steps, STEPS);
	thpstat_close(source);
}

/* Buffers of once figures grow, and then are as large as they need to be. */
static void test_once(void **state)
{
	static const enum thpstat_metric metrics[] = { THPSTAT_RESIDENT_ONCE };
	static int pids[STEPS];
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = pids,
		.n_pids = STEPS,
		.metrics = metrics,
		.n_metrics = 1,
	};
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	struct thpstat *source;
	unsigned long before;

	(void)state;
	made_tree_text(root, "proc/5000/status", APP_STATUS);
	made_tree_text(root, "proc/5000/smaps", APP_SMAPS);
	for (int i = 0; i < STEPS; i++)
		pids[i] = 5000;
	source = made_tree_open(root);
	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	assert_int_equal(thpstat_processes_next(walk, &process), 1);
	assert_int_equal(process->error, 0);
	before = counted_malloc();
	for (int i = 1; i < STEPS; i++)
		assert_int_equal(thpstat_processes_next(walk, &process), 1);
	assert_int_equal(counted_malloc() - before, 0);
	thpstat_processes_close(walk);
	thpstat_close(source);
}

static void test_mappings(void **state)
{
	size_t room = STEPS * 3000, length = 0;
	char *text = malloc(room);
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk;
	struct thpstat *source;
	unsigned long before;
	int n = 1;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < STEPS; i++)
		length += (size_t)snprintf(text + length, room - length, "%s",
					   i % 3 ? APP_HEAP : APP_SHARED);
	made_tree_text(root, "proc/5001/status", APP_STATUS);
	made_tree_add(root, "proc/5001/smaps", text, length);
	free(text);
	source = made_tree_open(root);
	assert_int_equal(thpstat_mappings_open(source, 5001, &walk), 0);
	before = counted_malloc();
	assert_int_equal(thpstat_mappings_next(walk, &mapping), 1);
	while (thpstat_mappings_next(walk, &mapping) == 1)
		n++;
	assert_int_equal(counted_malloc() - before, 0);
	assert_int_equal(n, STEPS);
	thpstat_mappings_close(walk);
	thpstat_close(source);
}

/* The kernel's own files: the mounts are looked at, and that is all. */
static void test_live_mappings(void **state)
{
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk;
	struct thpstat *source;
	int more, n = 0, allocating_steps = 0;
	unsigned long before;

	(void)state;
	assert_int_equal(thpstat_open(NULL, &source), 0);
	assert_int_equal(thpstat_mappings_open(source, (int)getpid(), &walk), 0);
	for (;;) {
		before = counted_malloc();
		more = thpstat_mappings_next(walk, &mapping);
		if (more != 1)
			break;
		allocating_steps += counted_malloc() != before;
		n++;
	}
	assert_int_equal(more, 0);
	assert_true(n > 5);
	/* the mounts of the reader, then those of the process */
	assert_true(allocating_steps <= 2);
	thpstat_mappings_close(walk);
	thpstat_close(source);
}

/* A tool that puts its own allocator in place of ours leaves nothing to count. */
static int is_counting(void)
{
	unsigned long before = counted_malloc();
	void *volatile memory = malloc(1);

	free(memory);
	return counted_malloc() > before;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rollup),	      cmocka_unit_test(test_live),
		cmocka_unit_test(test_once),	      cmocka_unit_test(test_mappings),
		cmocka_unit_test(test_live_mappings),
	};

	if (!is_counting()) {
		puts("1..0 # SKIP allocations cannot be counted under this tool");
		return 0;
	}
	return cmocka_run_group_tests(tests, make_processes, remove_processes);
}

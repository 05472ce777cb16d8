/* SPDX-License-Identifier: MIT */
/*
 * Every allocation, every read and every open of the library fails once, in every operation that
 * the commands are made of.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <thpstat/thpstat.h>

#include "answer.h"
#include "inject.h"
#include "small_tree.h"
#include "support/files.h"
#include "support/tally.h"

/* A process of the tree */
#define FORBIDDEN 466

/* Nothing here takes longer; what does, hangs. */
#define SECONDS 120

static char *scratch, *scratch_mthp;
static char *root, *root_mthp;

/* What the operation that runs reads from, and where its answer goes. */
static struct thpstat *source;
static struct answer *answer;

static void count_problem(void *userdata, const struct thpstat_problem *problem)
{
	(void)userdata;
	(void)problem;
	if (answer)
		answer->problems++;
}

static int open_tree(const char *tree, struct thpstat **ret)
{
	const struct thpstat_open_options options = {
		.size = sizeof(options),
		.root = tree,
		.on_problem = count_problem,
	};

	return thpstat_open(&options, ret);
}

/* The operations */

static void run_open(void)
{
	struct thpstat_mappings *mappings;
	struct thpstat *opened;
	int error;

	answer->error = open_tree(root, &opened);
	if (answer->error)
		return;
	/* what errors.tsv says is forbidden stays so */
	error = thpstat_mappings_open(opened, FORBIDDEN, &mappings);
	if (!error)
		thpstat_mappings_close(mappings);
	answer_item(answer, 0, 0, false);
	answer_text(answer, ANSWER_KERNEL, thpstat_kernel(opened));
	answer_number(answer, ANSWER_COUNT, (uint64_t)(error == -ENODATA || !error));
	thpstat_close(opened);
}

static void take_mappings(struct thpstat_mappings *walk, uint64_t pid)
{
	const struct thpstat_mapping *mapping;

	while ((answer->error = thpstat_mappings_next(walk, &mapping)) == 1) {
		answer_item(answer, pid << 48 | mapping->start, mapping->error, false);
		answer_number(answer, ANSWER_ADDRESS, mapping->end);
		answer_number(answer, ANSWER_ADDRESS, mapping->offset);
		answer_number(answer, ANSWER_OBJECT, mapping->object.opaque[1]);
		answer_number(answer, ANSWER_OBJECT, mapping->object.opaque[2]);
		answer_number(answer, ANSWER_FLAGS, mapping->flags);
		answer_number(answer, ANSWER_CLASS, mapping->class_);
		answer_text(answer, ANSWER_NAME, mapping->name);
		answer_usage(answer, mapping->usage);
	}
	thpstat_mappings_close(walk);
}

static void take_process(const struct thpstat_process *process)
{
	answer_item(answer, (uint64_t)process->pid, process->error,
		    process->flags & THPSTAT_PROCESS_CUT);
	answer_number(answer, ANSWER_STATE, process->state);
	answer_number(answer, ANSWER_FLAGS, process->flags);
	answer_text(answer, ANSWER_COMM, process->comm);
	answer_text(answer, ANSWER_CGROUP, process->cgroup);
	answer_text(answer, ANSWER_CGROUP_DIRECTORY, thpstat_process_cgroup_directory(process));
	if (process->known & THPSTAT_PROCESS_KNOWS_START_TIME)
		answer_number(answer, ANSWER_START_TIME, process->start_time);
	else
		answer_absent(answer, ANSWER_START_TIME);
	answer_usage(answer, process->usage);
}

static void take_command_line(const struct thpstat_process *process)
{
	const char *line;
	size_t size;
	int error = thpstat_process_command_line(process, &line, &size);

	answer_item(answer, (uint64_t)process->pid << 48, error == -ENODATA ? 0 : error, false);
	answer_text(answer, ANSWER_COMMAND_LINE, error ? NULL : line);
}

static void take_objects(const struct thpstat_process *process)
{
	const uint64_t pid = (uint64_t)process->pid << 48;
	const struct thpstat_object *object;
	struct thpstat_objects *list;
	uint64_t n = 2;

	answer->error = thpstat_objects_open_process(process, 0, &list);
	if (!answer->error) {
		while ((answer->error = thpstat_objects_next(list, &object)) == 1) {
			bool unsure = object->flags & THPSTAT_OBJECT_CLASS_UNSURE;

			answer_item(answer, pid | n++, 0, unsure);
			answer_number(answer, ANSWER_FLAGS,
				      object->flags & ~THPSTAT_OBJECT_CLASS_UNSURE);
			if (unsure)
				answer_absent(answer, ANSWER_CLASS);
			else
				answer_number(answer, ANSWER_CLASS, object->class_);
			answer_text(answer, ANSWER_NAME, object->name);
			answer_usage(answer, object->usage);
		}
		thpstat_objects_close(list);
	}
	/* no memory, or forbidden: an answer too */
	answer_item(answer, pid | 1, answer->error, false);
	answer->error = 0;
}

static void take_completeness(const struct thpstat_completeness *seen, uint64_t n)
{
	uint64_t sum = seen->read + seen->forbidden + seen->vanished + seen->cut +
		       seen->kernel_threads + seen->zombies;

	if (sum != n) {
		fprintf(stderr, "completeness counts %llu of %llu\n", (unsigned long long)sum,
			(unsigned long long)n);
		abort();
	}
}

static void walk_objects(const struct thpstat_process_options *options)
{
	const struct thpstat_process *process;
	struct thpstat_processes *processes;
	int more = thpstat_processes_open(source, options, &processes);

	if (more) {
		answer->error = more;
		return;
	}
	while ((more = thpstat_processes_next(processes, &process)) == 1) {
		take_process(process);
		take_objects(process);
	}
	answer->error = more;
	thpstat_processes_close(processes);
}

static void walk(const struct thpstat_process_options *options, bool with_lines, bool with_mappings)
{
	const struct thpstat_process *process;
	struct thpstat_processes *processes;
	uint64_t n = 0;
	int more = thpstat_processes_open(source, options, &processes);

	if (more) {
		answer->error = more;
		return;
	}
	while ((more = thpstat_processes_next(processes, &process)) == 1) {
		struct thpstat_mappings *mappings;

		n++;
		take_process(process);
		if (with_lines)
			take_command_line(process);
		if (!with_mappings)
			continue;
		answer->error = thpstat_mappings_open_process(process, &mappings);
		if (!answer->error)
			take_mappings(mappings, (uint64_t)process->pid);
		/* no memory, or forbidden: an answer too */
		answer_item(answer, (uint64_t)process->pid << 48 | 1, answer->error, false);
		answer->error = 0;
	}
	take_completeness(thpstat_processes_completeness(processes), n);
	answer->error = more;
	thpstat_processes_close(processes);
}

/* As thpstat ps */
static void run_rollup(void)
{
	const struct thpstat_process_options options = {
		.size = sizeof(options),
		.want = THPSTAT_PROCESS_WANT_CGROUP | THPSTAT_PROCESS_WANT_START_TIME,
	};

	walk(&options, true, false);
}

/* As thpstat pid */
static void run_once(void)
{
	static const enum thpstat_metric metrics[] = { THPSTAT_RESIDENT_ONCE, THPSTAT_FOOTPRINT };
	const struct thpstat_process_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.n_metrics = sizeof(metrics) / sizeof(metrics[0]),
		.want = THPSTAT_PROCESS_WANT_CGROUP,
	};

	walk(&options, false, false);
}

/* As its search for objects that are mapped several times */
static void run_mappings(void)
{
	const struct thpstat_process_options options = {
		.size = sizeof(options),
		.want = THPSTAT_PROCESS_WANT_IDENTITY_ONLY,
	};

	walk(&options, false, true);
}

static void run_objects(void)
{
	const struct thpstat_process_options options = {
		.size = sizeof(options),
		.want = THPSTAT_PROCESS_WANT_IDENTITY_ONLY,
	};

	walk_objects(&options);
}

static void run_mappings_by_pid(void)
{
	static const int pids[] = { 1, 2, 453, 461, 462, FORBIDDEN, 999 };

	for (size_t i = 0; i < sizeof(pids) / sizeof(pids[0]); i++) {
		struct thpstat_mappings *mappings;

		answer->error = thpstat_mappings_open(source, pids[i], &mappings);
		if (!answer->error)
			take_mappings(mappings, (uint64_t)pids[i]);
		answer_item(answer, (uint64_t)pids[i] << 48 | 1, answer->error, false);
		answer->error = 0;
	}
}

static void take_page_sizes(const struct thpstat_page_size *sizes, size_t n, uint64_t id)
{
	for (size_t i = 0; i < n; i++) {
		answer_item(answer, id | sizes[i].bytes, 0, false);
		answer_usage(answer, sizes[i].usage);
	}
}

static void run_host(void)
{
	const struct thpstat_host *host;

	answer->has_lists = true;
	answer->error = thpstat_host_read(source, &host);
	if (answer->error)
		return;
	answer_item(answer, 0, 0, false);
	answer_usage(answer, host->usage);
	answer_text(answer, ANSWER_NAME, host->thp_directory);
	take_page_sizes(host->page_sizes, host->n_page_sizes, UINT64_C(1) << 60);
	for (size_t i = 0; i < host->n_policies; i++) {
		const struct thpstat_policy *policy = &host->policies[i];
		uint64_t id = UINT64_C(2) << 60 | policy->page_size;

		for (const char *p = policy->knob; *p; p++)
			id = id * 31 + (unsigned char)*p;
		answer_item(answer, id, policy->error, false);
		answer_text(answer, ANSWER_VALUE, policy->value);
		answer_text(answer, ANSWER_CHOICES, policy->choices);
	}
	for (size_t i = 0; i < host->n_nodes; i++) {
		uint64_t id = UINT64_C(3) << 60 | (uint64_t)host->nodes[i].number << 48;

		answer_item(answer, id, 0, false);
		answer_usage(answer, host->nodes[i].usage);
		take_page_sizes(host->nodes[i].page_sizes, host->nodes[i].n_page_sizes, id);
	}
	thpstat_host_free(host);
}

/* The sweeps */

struct operation {
	const char *name;
	void (*run)(void);
	bool mthp; /* on the tree of a newer kernel, which has more of a host */
	bool live; /* as if the tree were a real procfs */
};

struct fault {
	enum inject_kind kind;
	int error;
	bool harmless; /* the answer must be the same */
	const char *name;
};

static const struct fault faults[] = {
	{ INJECT_ALLOCATION, ENOMEM, false, "allocation fails" },
	{ INJECT_READ, INJECT_SHORT, true, "read gives one byte" },
	{ INJECT_READ, EINTR, true, "read is interrupted" },
	{ INJECT_READ, EIO, false, "read gives EIO" },
	{ INJECT_READ, ESRCH, false, "read gives ESRCH" },
	{ INJECT_OPEN, EINTR, true, "open is interrupted" },
	{ INJECT_OPEN, EMFILE, false, "open gives EMFILE" },
	{ INJECT_OPEN, EACCES, false, "open gives EACCES" },
	{ INJECT_LIST, ENOMEM, false, "listing gives ENOMEM" },
	{ INJECT_LIST, EIO, false, "listing gives EIO" },
};

#define N_FAULTS (sizeof(faults) / sizeof(faults[0]))

static unsigned int open_files(void)
{
	unsigned int n = 0;

	for (int fd = 0; fd < 64; fd++)
		n += fcntl(fd, F_GETFD, 0) >= 0;
	return n;
}

/* Runs the operation with one fault. Returns how many calls there were. */
static unsigned long run_with(const struct operation *operation, struct inject inject,
			      struct answer *into)
{
	unsigned long calls;

	answer_clear(into);
	answer = into;
	inject_outstanding();
	inject_arm(inject);
	operation->run();
	calls = inject_disarm();
	answer = NULL;
	return calls;
}

/* What may come out of an operation as a whole. */
static bool may_fail_with(const struct fault *fault, int error)
{
	return !error || error == -fault->error ||
	       /* a file that cannot be read is a file that is cut; a process without one is gone */
	       (fault->kind != INJECT_ALLOCATION && (error == -ESRCH || error == -EBADMSG));
}

static void sweep(struct tally *tally, const struct operation *operation, const struct fault *fault,
		  const struct answer *wanted)
{
	static struct answer found;
	unsigned int files = open_files();
	unsigned long at = 0;

	for (;;) {
		char what[160];
		long left;

		at++;
		run_with(operation, (struct inject){ fault->kind, at, fault->error }, &found);
		left = inject_outstanding();
		snprintf(what, sizeof(what), "%s, %s, number %lu", operation->name, fault->name,
			 at);
		tally_equal(tally, (uint64_t)left, 0, "%s: allocations left", what);
		tally_equal(tally, open_files(), files, "%s: open files", what);
		if (!inject_fired()) {
			answer_hold_equal(tally, wanted, &found, what);
			break;
		}
		if (fault->harmless) {
			answer_hold_equal(tally, wanted, &found, what);
			continue;
		}
		tally_holds(tally, may_fail_with(fault, found.error), "%s: error %d", what,
			    found.error);
		answer_hold_partly(tally, wanted, &found, fault->error == ESRCH, what);
	}
	print_message("# %s: %s: %lu points\n", operation->name, fault->name, at - 1);
}

static void test_operation(void **state)
{
	static struct answer wanted;
	const struct operation *operation = *state;
	struct tally tally = { .subject = operation->name };

	alarm(SECONDS);
	inject_live(operation->live);
	assert_int_equal(open_tree(operation->mthp ? root_mthp : root, &source), 0);
	assert_int_equal(thpstat_is_live(source), operation->live);
	run_with(operation, (struct inject){ .at = 0 }, &wanted);
	assert_int_equal(wanted.error, 0);
	assert_true(wanted.n_items > 0);
	for (size_t i = 0; i < N_FAULTS; i++)
		sweep(&tally, operation, &faults[i], &wanted);
	source = thpstat_close(source);
	tally_finish(&tally, 500);
}

static int make_trees(void **state)
{
	const char *captures = getenv("THPSTAT_CAPTURES");

	(void)state;
	if (!captures)
		return -1;
	root = small_tree_make(captures, SMALL_TREE, &scratch);
	root_mthp = small_tree_make(captures, SMALL_TREE_MTHP, &scratch_mthp);
	return 0;
}

static int remove_trees(void **state)
{
	(void)state;
	if (scratch)
		scratch_remove(scratch);
	if (scratch_mthp)
		scratch_remove(scratch_mthp);
	free(root);
	free(root_mthp);
	return 0;
}

int main(void)
{
	static struct operation operations[] = {
		{ "open", run_open, false, false },
		{ "ps of a tree", run_rollup, false, false },
		{ "ps as if live", run_rollup, false, true },
		{ "pid of a tree", run_once, false, false },
		{ "pid as if live", run_once, false, true },
		{ "mappings of a tree", run_mappings, false, false },
		{ "mappings as if live", run_mappings, false, true },
		{ "mappings by pid", run_mappings_by_pid, false, false },
		{ "objects of a tree", run_objects, false, false },
		{ "host of a tree", run_host, true, false },
		{ "host as if live", run_host, false, true },
	};
	struct CMUnitTest tests[sizeof(operations) / sizeof(operations[0])];

	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		tests[i] = (struct CMUnitTest){
			.name = operations[i].name,
			.test_func = test_operation,
			.initial_state = &operations[i],
		};
	return cmocka_run_group_tests(tests, make_trees, remove_trees);
}

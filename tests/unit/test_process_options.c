/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <thpstat/thpstat.h>

#include "made_tree.h"
#include "process_files.h"
#include "support/files.h"
#include "unit.h"

#define PIDS 40

/* Processes 3, 6, 9 ... 120. */
static char *root;
static struct thpstat *source;

static int open_tree(void **state)
{
	(void)state;
	root = scratch_make();
	for (int i = 1; i <= PIDS; i++) {
		char *path = format_text("proc/%d/status", 3 * i);

		made_tree_text(root, path, APP_STATUS);
		free(path);
	}
	made_tree_text(root, "proc/meminfo", "");
	made_tree_text(root, "proc/self/status", APP_STATUS);
	source = made_tree_open(root);
	return 0;
}

static int close_tree(void **state)
{
	(void)state;
	thpstat_close(source);
	scratch_remove(root);
	return 0;
}

/* A newer program's options: two more words at the end. */
struct newer_options {
	struct thpstat_process_options known;
	uint64_t more[2];
};

static int open_result(const void *options)
{
	struct thpstat_processes *walk = NULL;
	int error = thpstat_processes_open(source, options, &walk);

	/* nothing is written on failure */
	assert_true(!error == !!walk);
	thpstat_processes_close(walk);
	return error;
}

static void test_sizes(void **state)
{
	struct newer_options newer = { .known = { .size = sizeof(newer) } };
	struct thpstat_process_options options = { .size = sizeof(options) };

	(void)state;
	assert_int_equal(open_result(NULL), 0);
	assert_int_equal(open_result(&options), 0);
	assert_int_equal(open_result(&newer), 0); /* zeros mean nothing */
	for (size_t i = 0; i < sizeof(newer.more); i++) {
		((char *)newer.more)[i] = 1;
		assert_int_equal(open_result(&newer), -E2BIG);
		((char *)newer.more)[i] = 0;
	}
	newer.more[1] = 1;
	newer.known.size = sizeof(newer) - 8;
	assert_int_equal(open_result(&newer), 0); /* beyond what the caller says there is */

	/* an older program: what it does not know is 0, whatever lies behind its options */
	options.want = 0xffffffff;
	options.shard = 7;
	options.n_shards = 3;
	options.size = offsetof(struct thpstat_process_options, want);
	assert_int_equal(open_result(&options), 0);
	options.size = sizeof(size_t);
	assert_int_equal(open_result(&options), 0);
	for (options.size = 0; options.size < sizeof(size_t); options.size++)
		assert_int_equal(open_result(&options), -EINVAL);
}

static void test_values(void **state)
{
	static const enum thpstat_metric unknown[] = { THPSTAT_RSS, (enum thpstat_metric)27 };
	static const enum thpstat_metric zero[] = { (enum thpstat_metric)0 };
	static const int pids[] = { 3, 0 }, negative[] = { -3 }, good[] = { 3 };
	const struct {
		const char *what;
		struct thpstat_process_options options;
		int error;
	} rows[] = {
		{ "a pid 0", { .pids = pids, .n_pids = 2 }, -EINVAL },
		{ "a negative pid", { .pids = negative, .n_pids = 1 }, -EINVAL },
		{ "an empty list", { .pids = good, .n_pids = 0 }, 0 },
		{ "a length without a list", { .n_pids = 1 }, -EINVAL },
		{ "an unknown metric", { .metrics = unknown, .n_metrics = 2 }, -EINVAL },
		{ "metric 0", { .metrics = zero, .n_metrics = 1 }, -EINVAL },
		{ "no metrics", { .metrics = unknown, .n_metrics = 0 }, 0 },
		{ "a length without metrics", { .n_metrics = 1 }, -EINVAL },
		{ "an unknown want bit", { .want = 1u << 4 }, -EINVAL },
		{ "another one", { .want = 1u << 31 | THPSTAT_PROCESS_WANT_CGROUP }, -EINVAL },
		{ "all known want bits",
		  { .want = THPSTAT_PROCESS_WANT_CGROUP | THPSTAT_PROCESS_WANT_PAGES |
			    THPSTAT_PROCESS_WANT_START_TIME | THPSTAT_PROCESS_WANT_IDENTITY_ONLY },
		  0 },
		{ "the last shard", { .shard = 3, .n_shards = 4 }, 0 },
		{ "a shard too many", { .shard = 4, .n_shards = 4 }, -EINVAL },
		{ "one shard", { .shard = 0, .n_shards = 1 }, 0 },
	};
	struct tally tally = { .subject = "options" };
	struct thpstat_processes *walk = NULL;
	const struct thpstat_process *process;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct thpstat_process_options options = rows[i].options;

		options.size = sizeof(options);
		tally_equal(&tally, (uint64_t)-open_result(&options), (uint64_t)-rows[i].error,
			    "%s", rows[i].what);
	}
	assert_int_equal(thpstat_processes_open(NULL, NULL, &walk), -EINVAL);
	assert_int_equal(thpstat_processes_open(source, NULL, NULL), -EINVAL);
	assert_int_equal(thpstat_processes_next(NULL, &process), -EINVAL);
	assert_null(thpstat_processes_completeness(NULL));
	assert_null(thpstat_processes_close(NULL));
	assert_null(thpstat_process_cgroup_directory(NULL));
	assert_int_equal(thpstat_processes_open(source, NULL, &walk), 0);
	assert_int_equal(thpstat_processes_next(walk, NULL), -EINVAL);
	assert_null(thpstat_processes_close(walk));
	tally_finish(&tally, ARRAY_SIZE(rows));
}

static void test_misuse_of_mappings(void **state)
{
	struct thpstat_mappings *walk = NULL;
	const struct thpstat_mapping *mapping;

	(void)state;
	assert_int_equal(thpstat_mappings_open(NULL, 3, &walk), -EINVAL);
	assert_int_equal(thpstat_mappings_open(source, 3, NULL), -EINVAL);
	assert_int_equal(thpstat_mappings_open(source, 0, &walk), -EINVAL);
	assert_int_equal(thpstat_mappings_open(source, -1, &walk), -EINVAL);
	assert_int_equal(thpstat_mappings_open(source, 4, &walk), -ESRCH);
	assert_int_equal(thpstat_mappings_open(source, 3, &walk), -ENODATA);
	assert_int_equal(thpstat_mappings_open_process(NULL, &walk), -EINVAL);
	assert_int_equal(thpstat_mappings_next(NULL, &mapping), -EINVAL);
	assert_null(thpstat_mappings_close(NULL));
	assert_null(walk);
}

/* How often each pid is yielded; the result of the last next. */
static int count_pids(const struct thpstat_process_options *options, unsigned int *counts, size_t n)
{
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	int more;

	assert_int_equal(thpstat_processes_open(source, options, &walk), 0);
	while ((more = thpstat_processes_next(walk, &process)) == 1) {
		assert_true(process->pid > 0 && (size_t)process->pid < n);
		counts[process->pid]++;
	}
	/* the end stays the end */
	assert_int_equal(thpstat_processes_next(walk, &process), more);
	thpstat_processes_close(walk);
	return more;
}

static void test_whole_directory(void **state)
{
	unsigned int counts[200] = { 0 };

	(void)state;
	assert_int_equal(count_pids(NULL, counts, ARRAY_SIZE(counts)), 0);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		assert_int_equal(counts[i], i && i % 3 == 0 && i <= 3 * PIDS);
}

/* Each process belongs to one shard, whatever their number. */
static void test_shards(void **state)
{
	struct tally tally = { .subject = "shards" };
	int pids[3 * PIDS];

	(void)state;
	for (int i = 0; i < 3 * PIDS; i++)
		pids[i] = i + 1;
	for (unsigned int n_shards = 0; n_shards <= 17; n_shards++)
		for (int with_list = 0; with_list < 2; with_list++) {
			unsigned int counts[200] = { 0 };

			for (unsigned int shard = 0; shard < (n_shards ? n_shards : 1); shard++) {
				unsigned int own[200] = { 0 };
				struct thpstat_process_options options = {
					.size = sizeof(options),
					.pids = with_list ? pids : NULL,
					.n_pids = with_list ? ARRAY_SIZE(pids) : 0,
					.want = THPSTAT_PROCESS_WANT_IDENTITY_ONLY,
					.shard = shard,
					.n_shards = n_shards,
				};

				count_pids(&options, own, ARRAY_SIZE(own));
				for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
					counts[i] += own[i];
					tally_holds(&tally,
						    !own[i] || !n_shards || i % n_shards == shard,
						    "%zu in shard %u of %u", i, shard, n_shards);
				}
			}
			for (size_t i = 1; i <= 3 * PIDS; i++)
				tally_equal(&tally, counts[i], with_list || i % 3 == 0,
					    "%zu in all %u shards", i, n_shards);
		}
	tally_finish(&tally, 18 * 2 * 3 * PIDS);
}

/* In this order, each of them, also twice; what is gone is said to be. */
static void test_list(void **state)
{
	static const int pids[] = { 9, 3, 9, 4, 9, 120, 121, 2147483647, 3, 3 };
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = pids,
		.n_pids = ARRAY_SIZE(pids),
	};
	struct tally tally = { .subject = "list" };
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	int copy[ARRAY_SIZE(pids)];

	(void)state;
	/* the list is the caller's, who may do with it what he likes once the walk is open */
	memcpy(copy, pids, sizeof(pids));
	options.pids = copy;
	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	memset(copy, 0, sizeof(copy));
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		int is_there = pids[i] % 3 == 0 && pids[i] <= 3 * PIDS;

		assert_int_equal(thpstat_processes_next(walk, &process), 1);
		tally_equal(&tally, (uint64_t)process->pid, (uint64_t)pids[i], "place %zu", i);
		tally_equal(&tally, (uint64_t)-process->error, is_there ? 0 : ESRCH, "error %zu",
			    i);
		tally_equal(&tally, process->state,
			    is_there ? THPSTAT_PROCESS_RUNNING : THPSTAT_PROCESS_GONE, "state %zu",
			    i);
	}
	assert_int_equal(thpstat_processes_next(walk, &process), 0);

	const struct thpstat_completeness *completeness = thpstat_processes_completeness(walk);

	tally_equal(&tally, completeness->read, 7, "read");
	tally_equal(&tally, completeness->vanished, 3, "vanished");
	thpstat_processes_close(walk);
	tally_finish(&tally, 3 * ARRAY_SIZE(pids) + 2);
}

/* Writes down the name of each file that is opened for reading. */
static void note_file(void *userdata, const struct thpstat_file_piece *piece)
{
	const char *name = strrchr(piece->path, '/');
	char *text = userdata;

	/* a directory ends in a slash */
	if (piece->offset || !name || !name[1] || !strncmp(piece->path, "proc/self/", 10))
		return;
	strcat(strcat(text, name + 1), " ");
}

/* The figures wanted decide which files are opened. */
static void test_files_read(void **state)
{
	static const enum thpstat_metric status[] = { THPSTAT_VM_RSS, THPSTAT_VM_PTE };
	static const enum thpstat_metric rollup[] = { THPSTAT_RSS };
	static const enum thpstat_metric once[] = { THPSTAT_RESIDENT_ONCE };
	static const enum thpstat_metric once_and_pss[] = { THPSTAT_RESIDENT_ONCE, THPSTAT_PSS };
	static const enum thpstat_metric rss_and_mappings[] = { THPSTAT_RSS, THPSTAT_MAPPINGS };
	static const enum thpstat_metric footprint[] = { THPSTAT_FOOTPRINT };
	static const struct {
		const char *what;
		const enum thpstat_metric *metrics;
		size_t n;
		unsigned int want;
		const char *files;
	} rows[] = {
		{ "default", NULL, 0, 0, "status smaps_rollup " },
		{ "figures of status", status, 2, 0, "status " },
		{ "figures of the rollup", rollup, 1, 0, "status smaps_rollup " },
		{ "once figures", once, 1, 0, "status smaps " },
		{ "once figures and Pss", once_and_pss, 2, 0, "status smaps_rollup smaps " },
		{ "Rss and mappings", rss_and_mappings, 2, 0, "status smaps " },
		{ "footprint", footprint, 1, 0, "status smaps_rollup " },
		{ "identity only", once_and_pss, 2, THPSTAT_PROCESS_WANT_IDENTITY_ONLY, "status " },
		{ "no figures", status, 0, 0, "status " },
		{ "cgroup and start time", status, 1,
		  THPSTAT_PROCESS_WANT_CGROUP | THPSTAT_PROCESS_WANT_START_TIME,
		  "status stat cgroup " },
	};
	static const struct made_file files[] = {
		{ "proc/self/mountinfo", APP_MOUNTINFO, 0 },
		{ "proc/5/status", APP_STATUS, 0 },
		{ "proc/5/smaps_rollup", APP_ROLLUP, 0 },
		{ "proc/5/smaps", APP_SMAPS, 0 },
		{ "proc/5/stat", "5 (app) S 7 0 0 0 -1 5 0 0 0 0 0 0 0 0 20 0 1 0 1 0\n", 0 },
		{ "proc/5/cgroup", "0::/x\n", 0 },
	};
	struct tally tally = { .subject = "files read" };
	char *made = made_tree(files, ARRAY_SIZE(files));

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[256];
		struct thpstat_open_options open_options = {
			.size = sizeof(open_options),
			.root = made,
			.on_file = note_file,
			.userdata = text,
		};
		struct thpstat_process_options options = {
			.size = sizeof(options),
			.metrics = rows[i].metrics,
			.n_metrics = rows[i].n,
			.want = rows[i].want,
		};
		const struct thpstat_process *process;
		struct thpstat_processes *walk;
		struct thpstat *opened;

		text[0] = '\0';
		assert_int_equal(thpstat_open(&open_options, &opened), 0);
		assert_int_equal(thpstat_processes_open(opened, &options, &walk), 0);
		text[0] = '\0';
		assert_int_equal(thpstat_processes_next(walk, &process), 1);
		assert_int_equal(process->error, 0);
		tally_text(&tally, text, rows[i].files, "%s", rows[i].what);
		thpstat_processes_close(walk);
		thpstat_close(opened);
	}
	scratch_remove(made);
	tally_finish(&tally, ARRAY_SIZE(rows));
}

/* A tree without a proc directory has no processes. */
static void test_no_proc(void **state)
{
	char *made = scratch_make();
	struct thpstat_processes *walk = NULL;
	struct thpstat_mappings *mappings = NULL;
	struct thpstat *opened;

	(void)state;
	made_tree_text(made, "sys/", "");
	opened = made_tree_open(made);
	assert_int_equal(thpstat_processes_open(opened, NULL, &walk), -ENOENT);
	assert_int_equal(thpstat_mappings_open(opened, 1, &mappings), -ENOENT);
	assert_null(walk);
	assert_null(mappings);
	thpstat_close(opened);
	scratch_remove(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_misuse_of_mappings),
		cmocka_unit_test(test_whole_directory),
		cmocka_unit_test(test_shards),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_files_read),
		cmocka_unit_test(test_no_proc),
	};

	return cmocka_run_group_tests(tests, open_tree, close_tree);
}

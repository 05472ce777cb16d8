/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "made_tree.h"
#include "process_files.h"
#include "support/files.h"
#include "unit.h"

struct newer_options {
	struct thpstat_open_options known;
	uint64_t more[2];
};

static void test_options(void **state)
{
	static const struct made_file files[] = { { "proc/", "", 0 } };
	char *root = made_tree(files, 1);
	struct newer_options newer = { .known = { .size = sizeof(newer), .root = root } };
	struct thpstat_open_options options = { .size = sizeof(options), .root = root };
	struct thpstat *source = NULL;

	(void)state;
	assert_int_equal(thpstat_open(&newer.known, &source), 0);
	source = thpstat_close(source);
	for (size_t i = 0; i < sizeof(newer.more); i++) {
		((char *)newer.more)[i] = 1;
		assert_int_equal(thpstat_open(&newer.known, &source), -E2BIG);
		((char *)newer.more)[i] = 0;
	}
	assert_null(source);
	assert_int_equal(thpstat_open(&options, NULL), -EINVAL);
	/* an older program, whose options end behind root: what lies behind is not looked at */
	options.proc = options.sys = options.cgroup = "/nonexistent";
	options.size = offsetof(struct thpstat_open_options, proc);
	assert_int_equal(thpstat_open(&options, &source), 0);
	source = thpstat_close(source);
	options.size = sizeof(options);
	assert_int_equal(thpstat_open(&options, &source), -ENOENT);
	for (options.size = 0; options.size < sizeof(size_t); options.size++)
		assert_int_equal(thpstat_open(&options, &source), -EINVAL);
	assert_null(source);
	scratch_remove(root);
}

static void test_kernel(void **state)
{
	static const struct {
		const char *what;
		struct made_file files[2];
		const char *kernel;
	} rows[] = {
		{ "osrelease",
		  { { "proc/sys/kernel/osrelease", "6.1.0-57-amd64\n", 0 } },
		  "6.1.0-57-amd64" },
		{ "osrelease without a newline",
		  { { "proc/sys/kernel/osrelease", "6.1.0", 0 } },
		  "6.1.0" },
		{ "version",
		  { { "proc/version", "Linux version 6.1.0-57 (x@y) (gcc) #1 SMP\n", 0 } },
		  "6.1.0-57" },
		{ "version that ends behind it",
		  { { "proc/version", "Linux version 6.1.0\n", 0 } },
		  "6.1.0" },
		{ "osrelease before version",
		  { { "proc/sys/kernel/osrelease", "a\n", 0 },
		    { "proc/version", "Linux version b x\n", 0 } },
		  "a" },
		{ "two words of version", { { "proc/version", "Linux version", 0 } }, NULL },
		{ "one word of version", { { "proc/version", "Linux", 0 } }, NULL },
		{ "an empty version", { { "proc/version", "", 0 } }, NULL },
		{ "an empty osrelease", { { "proc/sys/kernel/osrelease", "\n", 0 } }, NULL },
		{ "neither", { { "proc/", "", 0 } }, NULL },
		{ "no proc", { { "sys/", "", 0 } }, NULL },
	};
	struct tally tally = { .subject = "kernel" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *root = made_tree(rows[i].files, rows[i].files[1].path ? 2 : 1);
		struct thpstat *source = made_tree_open(root);

		tally_text(&tally, thpstat_kernel(source), rows[i].kernel, "%s", rows[i].what);
		tally_holds(&tally, !thpstat_is_live(source), "%s: not live", rows[i].what);
		thpstat_close(source);
		scratch_remove(root);
	}
	assert_null(thpstat_kernel(NULL));
	assert_int_equal(thpstat_is_live(NULL), 0);
	assert_null(thpstat_close(NULL));
	assert_true(strlen(thpstat_version()) >= 5);
	tally_finish(&tally, 2 * ARRAY_SIZE(rows));
}

static void test_long_kernel(void **state)
{
	char *root = scratch_make();
	char text[5000];
	struct thpstat *source;

	(void)state;
	memset(text, 'x', sizeof(text));
	made_tree_add(root, "proc/sys/kernel/osrelease", text, 200);
	source = made_tree_open(root);
	assert_null(thpstat_kernel(source)); /* not a part of it */
	thpstat_close(source);
	made_tree_add(root, "proc/sys/kernel/osrelease", text, sizeof(text));
	source = made_tree_open(root);
	assert_null(thpstat_kernel(source));
	thpstat_close(source);
	scratch_remove(root);
}

/* What is told of while a tree is read makes another tree, which gives the same answers. */
struct copy {
	char *root;
	unsigned int pieces;
	unsigned int errors;
	unsigned int holes;
	char last[256];
	uint64_t end;
	char *text;
};

static void copy_piece(void *userdata, const struct thpstat_file_piece *piece)
{
	struct copy *copy = userdata;

	copy->pieces++;
	if (piece->error) {
		copy->errors++;
		return;
	}
	if (!piece->offset) {
		snprintf(copy->last, sizeof(copy->last), "%s", piece->path);
		copy->end = 0;
	}
	copy->holes += strcmp(copy->last, piece->path) || piece->offset != copy->end;
	copy->text = realloc(copy->text, (size_t)piece->offset + piece->size + 1);
	assert_non_null(copy->text);
	if (piece->size)
		memcpy(copy->text + piece->offset, piece->data, piece->size);
	copy->end = piece->offset + piece->size;
	made_tree_add(copy->root, piece->path, copy->text, (size_t)copy->end);
}

static void read_everything(struct thpstat *source, uint64_t *ret, size_t n)
{
	static const enum thpstat_metric metrics[] = { THPSTAT_RESIDENT_ONCE, THPSTAT_PSS };
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.n_metrics = ARRAY_SIZE(metrics),
		.want = THPSTAT_PROCESS_WANT_CGROUP,
	};
	const struct thpstat_process *process;
	const struct thpstat_host *host;
	struct thpstat_processes *walk;
	size_t i = 0;

	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	while (thpstat_processes_next(walk, &process) == 1)
		for (enum thpstat_metric m = 0; (m = thpstat_metric_next(m)) && i < n; i++)
			ret[i] = thpstat_usage_get(process->usage, m, &ret[i])
					 ? (uint64_t)-thpstat_usage_reason(process->usage, m)
					 : ret[i];
	thpstat_processes_close(walk);
	assert_int_equal(thpstat_host_read(source, &host), 0);
	for (enum thpstat_metric m = 0; (m = thpstat_metric_next(m)) && i < n; i++)
		ret[i] = thpstat_usage_get(host->usage, m, &ret[i])
				 ? (uint64_t)-thpstat_usage_reason(host->usage, m)
				 : ret[i];
	thpstat_host_free(host);
}

static void test_copy(void **state)
{
	static const struct made_file files[] = {
		{ "proc/self/mountinfo", APP_MOUNTINFO, 0 },
		{ "proc/5/status", APP_STATUS, 0 },
		{ "proc/5/smaps_rollup", APP_ROLLUP, 0 },
		{ "proc/5/smaps", APP_SMAPS, 0 },
		{ "proc/5/cgroup", "0::/x\n", 0 },
		{ "proc/6/status", APP_STATUS, 0 },
		{ "proc/6/smaps", APP_TEXT, 0 },
		{ "proc/meminfo", "MemTotal: 5 kB\nHugepagesize: 2048 kB\n", 0 },
		{ "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n", 0 },
		{ "sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n", 0 },
	};
	struct copy copy = { .root = scratch_make() };
	uint64_t original[600] = { 0 }, again[600] = { 0 };
	char *root = made_tree(files, ARRAY_SIZE(files));
	struct thpstat_open_options options = {
		.size = sizeof(options),
		.root = root,
		.on_file = copy_piece,
		.userdata = &copy,
	};
	struct tally tally = { .subject = "copy" };
	struct thpstat *source;

	(void)state;
	assert_int_equal(thpstat_open(&options, &source), 0);
	read_everything(source, original, ARRAY_SIZE(original));
	thpstat_close(source);
	tally_equal(&tally, copy.holes, 0, "pieces that do not follow each other");
	tally_holds(&tally, copy.pieces > 20, "pieces");
	tally_holds(&tally, copy.errors > 0, "files that are not there are told of");

	source = made_tree_open(copy.root);
	read_everything(source, again, ARRAY_SIZE(again));
	thpstat_close(source);
	for (size_t i = 0; i < ARRAY_SIZE(original); i++)
		tally_equal(&tally, again[i], original[i], "figure %zu", i);
	free(copy.text);
	scratch_remove(copy.root);
	scratch_remove(root);
	tally_finish(&tally, 400);
}

/* Threads share a source, each with its own walk. */
struct job {
	struct thpstat *source;
	unsigned int shard;
	uint64_t rss;
	unsigned int n;
};

static void *walk_shard(void *argument)
{
	struct job *job = argument;
	static const enum thpstat_metric metrics[] = { THPSTAT_RESIDENT_ONCE, THPSTAT_PSS };
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.n_metrics = ARRAY_SIZE(metrics),
		.shard = job->shard,
		.n_shards = 4,
		.want = THPSTAT_PROCESS_WANT_CGROUP,
	};
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	uint64_t rss;

	if (thpstat_processes_open(job->source, &options, &walk))
		return NULL;
	while (thpstat_processes_next(walk, &process) == 1) {
		if (!thpstat_usage_get(process->usage, THPSTAT_RSS, &rss))
			job->rss += rss;
		job->n++;
	}
	thpstat_processes_close(walk);
	return NULL;
}

static void test_threads(void **state)
{
	char *root = scratch_make();
	pthread_t threads[4];
	struct job jobs[4];
	struct thpstat *source;
	uint64_t rss = 0;
	unsigned int n = 0;

	(void)state;
	made_tree_text(root, "proc/self/mountinfo", APP_MOUNTINFO);
	for (int pid = 1; pid <= 100; pid++) {
		char *status = format_text("proc/%d/status", pid);
		char *smaps = format_text("proc/%d/smaps", pid);

		made_tree_text(root, status, APP_STATUS);
		made_tree_text(root, smaps, APP_SMAPS);
		free(status);
		free(smaps);
	}
	source = made_tree_open(root);
	for (unsigned int i = 0; i < 4; i++) {
		jobs[i] = (struct job){ .source = source, .shard = i };
		assert_int_equal(pthread_create(&threads[i], NULL, walk_shard, &jobs[i]), 0);
	}
	/* the walks keep what they need */
	for (unsigned int i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		rss += jobs[i].rss;
		n += jobs[i].n;
	}
	thpstat_close(source);
	assert_int_equal(n, 100);
	assert_true(rss == UINT64_C(100) * APP_RSS * 1024);
	scratch_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options),	    cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_long_kernel), cmocka_unit_test(test_copy),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

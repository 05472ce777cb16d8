/* SPDX-License-Identifier: MIT */
/*
 * The library against others that read the same: awk over the same bytes, libproc2 on the same
 * idle processes, and the kernel's own total (smaps_rollup) against the sum of its parts (smaps).
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_LIBPROC2
#include <libproc2/pids.h>
#endif

#include <thpstat/thpstat.h>

#include "host_settings.h"
#include "kernel_compare.h"
#include "kernel_text.h"
#include "tap.h"
#include "workload_process.h"

#define JOBS 5
#define METRICS_MAX 320
#define TRIES 100

static struct workload jobs[JOBS];
static size_t n_jobs;

static int set_up(void **state)
{
	(void)state;
	host_settings_hold();
	host_compact_memory();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_jobs; i++)
		workload_end(&jobs[i]);
	n_jobs = 0;
	host_settings_restore();
	return 0;
}

static void start_job(const char *scenario, const char *argument)
{
	assert_true(n_jobs < JOBS);
	workload_start(&jobs[n_jobs++], scenario, argument);
}

/* Memory of every kind, in processes that sleep from here on, and one that is stopped. */
static void start_jobs(void)
{
	if (geteuid() == 0) {
		host_setting_require(HOST_THP_ENABLED, "madvise");
		host_setting_require(HOST_SHMEM_ENABLED, "advise");
		host_hugetlb_require(UINT64_C(32) << 20);
		start_job("hugetlb", NULL);
		start_job("shmem_three_times", NULL);
		start_job("anon_thp", NULL);
	}
	start_job("two_halves", "same");
	start_job("many_mappings", "500");
	kill(jobs[n_jobs - 1].pid, SIGSTOP);
}

static char *read_file(int pid, const char *name, size_t *ret)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return kernel_text_read(path, ret);
}

static void write_file(const char *path, const char *text, size_t length)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

/* A directory of a tree; that it is there already is fine. */
static void make_directory(const char *path)
{
	if (mkdir(path, 0700) < 0)
		assert_int_equal(errno, EEXIST);
}

/* Files of a process, in a tree of their own: @names ends with NULL. */
static void copy_process(const char *root, int pid, const char *const *names)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc", root);
	make_directory(path);
	snprintf(path, sizeof(path), "%s/proc/%d", root, pid);
	make_directory(path);
	for (; *names != NULL; names++) {
		size_t length;
		char *text = read_file(pid, *names, &length);

		assert_non_null(text);
		snprintf(path, sizeof(path), "%s/proc/%d/%s", root, pid, *names);
		write_file(path, text, length);
		free(text);
	}
}

static bool is_readable(int pid)
{
	size_t length = 0;
	char *text = read_file(pid, "smaps_rollup", &length);

	free(text);
	return text != NULL && length > 0;
}

static struct thpstat *open_tree(const char *root)
{
	struct thpstat_open_options options = { .size = sizeof(options), .root = root };
	struct thpstat *source;

	assert_int_equal(thpstat_open(&options, &source), 0);
	assert_int_equal(thpstat_is_live(source), 0);
	return source;
}

/* The metric of a process that is read from @file under @key; 0 for none. */
static enum thpstat_metric metric_of(const char *file, const char *key)
{
	enum thpstat_metric metrics[METRICS_MAX];
	size_t n = metrics_of(THPSTAT_OF_PROCESS, metrics, METRICS_MAX);

	for (size_t i = 0; i < n; i++) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metrics[i]);
		const char *files = info->kernel_files;
		size_t length = strlen(file);

		if (strcmp(info->kernel_field, key) != 0)
			continue;
		while (*files != '\0') {
			size_t word = strcspn(files, " ");

			if (word == length && strncmp(files, file, length) == 0)
				return metrics[i];
			files += word + strspn(files + word, " ");
		}
	}
	return 0;
}

/* Every sum of awk that the library has a metric for. Return: how many. */
static size_t compare_with_awk(const char *root, int pid, const struct thpstat_usage *usage)
{
	char command[2 * PATH_MAX], line[256];
	size_t compared = 0;
	FILE *output;

	snprintf(command, sizeof(command), "awk -f '%s' '%s/proc/%d/'*", SUM_FIELDS, root, pid);
	fflush(NULL);
	output = popen(command, "r");
	assert_non_null(output);
	while (fgets(line, sizeof(line), output) != NULL) {
		char file[32], key[64], unit[8];
		enum thpstat_metric metric;
		uint64_t sum, value = 0;
		size_t lines;
		int error;

		assert_int_equal(sscanf(line, "%31s %63s %zu %" SCNu64 " %7s", file, key, &lines,
					&sum, unit),
				 5);
		metric = metric_of(file, key);
		if (metric == 0)
			continue;
		if (strcmp(unit, "kB") == 0)
			sum *= 1024;
		error = thpstat_usage_get(usage, metric, &value);
		if (error < 0)
			fail_msg("%d: %s of %s: awk says %" PRIu64 ", the library has none (%s)",
				 pid, key, file, sum, strerror(-error));
		if (value != sum)
			fail_msg("%d: %s of %s: awk says %" PRIu64 ", the library %" PRIu64, pid,
				 key, file, sum, value);
		compared++;
	}
	assert_int_equal(pclose(output), 0);
	return compared;
}

/* All processes of a tree: both read the same bytes, so nobody has to stand still. */
static void compare_tree(const char *root, size_t n_pids, size_t least_fields)
{
	enum thpstat_metric metrics[METRICS_MAX];
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.n_metrics = metrics_of(THPSTAT_OF_PROCESS, metrics, METRICS_MAX),
	};
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	struct thpstat *source = open_tree(root);
	size_t n = 0, compared = 0;
	int result;

	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	while ((result = thpstat_processes_next(walk, &process)) == 1) {
		size_t fields = compare_with_awk(root, process->pid, process->usage);

		assert_int_equal(process->state, THPSTAT_PROCESS_RUNNING);
		assert_true(fields >= least_fields);
		compared += fields;
		n++;
	}
	assert_int_equal(result, 0);
	assert_int_equal(n, n_pids);
	print_message("# %zu processes, %zu fields equal\n", n, compared);
	thpstat_processes_close(walk);
	thpstat_close(source);
}

/* Ours, and some processes that do what they like. */
static void awk_over_copies(const char *const *names)
{
	const int others[] = { 1, getppid(), getpid() };
	const char *root;
	size_t n = 0;

	start_jobs();
	root = host_directory_make();
	for (; n < n_jobs; n++)
		copy_process(root, jobs[n].pid, names);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if ((i > 0 && others[i] == others[0]) || !is_readable(others[i]))
			continue;
		copy_process(root, others[i], names);
		n++;
	}
	compare_tree(root, n, 15);
}

/* The library has to add up itself. */
static void awk_over_smaps(void **state)
{
	static const char *const names[] = { "status", "smaps", NULL };

	(void)state;
	awk_over_copies(names);
}

/* The kernel's totals, and nothing about single mappings. */
static void awk_over_rollup(void **state)
{
	static const char *const names[] = { "status", "smaps_rollup", NULL };

	(void)state;
	awk_over_copies(names);
}

/* The texts of a process at one moment: read twice the same. */
static void copy_at_one_moment(const char *root, int pid)
{
	static const char *const names[] = { "status", "smaps", "smaps_rollup", NULL };

	for (int i = 0; i < TRIES; i++) {
		size_t length;
		char *smaps = read_file(pid, "smaps", &length);
		char *rollup = read_file(pid, "smaps_rollup", &length);
		char *smaps_after, *rollup_after;
		bool still;

		copy_process(root, pid, names);
		smaps_after = read_file(pid, "smaps", &length);
		rollup_after = read_file(pid, "smaps_rollup", &length);
		assert_true(smaps != NULL && rollup != NULL && smaps_after != NULL &&
			    rollup_after != NULL);
		still = strcmp(smaps, smaps_after) == 0 && strcmp(rollup, rollup_after) == 0;
		free(smaps);
		free(rollup);
		free(smaps_after);
		free(rollup_after);
		if (still)
			return;
		usleep(10000);
	}
	fail_msg("process %d did not stand still in %d readings", pid, TRIES);
}

struct sums {
	uint64_t mappings;
	uint64_t values[METRICS_MAX];
};

static void sum_mappings(struct thpstat *source, int pid, const enum thpstat_metric *metrics,
			 size_t n, struct sums *sums)
{
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk;
	int result;

	*sums = (struct sums){ 0 };
	assert_int_equal(thpstat_mappings_open(source, pid, &walk), 0);
	while ((result = thpstat_mappings_next(walk, &mapping)) == 1) {
		sums->mappings++;
		for (size_t i = 0; i < n; i++) {
			uint64_t value;

			if (thpstat_usage_get(mapping->usage, metrics[i], &value) == 0)
				sums->values[i] += value;
		}
	}
	assert_int_equal(result, 0);
	thpstat_mappings_close(walk);
}

/* Figures that both files have. */
static size_t metrics_of_both(enum thpstat_metric *metrics)
{
	size_t n = metrics_of(THPSTAT_OF_MAPPING, metrics, METRICS_MAX), kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metrics[i]);

		if (strstr(info->kernel_files, "smaps_rollup") != NULL)
			metrics[kept++] = metrics[i];
	}
	return kept;
}

/* The kernel truncates what it divides once per mapping, and in rollup once. */
static bool is_divided(enum thpstat_metric metric)
{
	return metric == THPSTAT_PSS || metric == THPSTAT_PSS_DIRTY || metric == THPSTAT_SWAP_PSS ||
	       metric == THPSTAT_LOCKED;
}

static void compare_rollup(struct thpstat *source, int pid)
{
	enum thpstat_metric metrics[METRICS_MAX];
	size_t n = metrics_of_both(metrics), compared = 0;
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = &pid,
		.n_pids = 1,
	};
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	struct sums sums;

	sum_mappings(source, pid, metrics, n, &sums);
	/* default figures: those of smaps_rollup */
	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	assert_int_equal(thpstat_processes_next(walk, &process), 1);
	for (size_t i = 0; i < n; i++) {
		const char *name = thpstat_metric_info(metrics[i])->name;
		uint64_t rollup;

		if (thpstat_usage_get(process->usage, metrics[i], &rollup) != 0)
			continue;
		if (is_divided(metrics[i]) ? sums.values[i] > rollup ||
						     (rollup != 0 && rollup - sums.values[i] >=
									     sums.mappings * 1024)
					   : sums.values[i] != rollup)
			fail_msg("%d: %s: %" PRIu64 " over %" PRIu64
				 " mappings, rollup says %" PRIu64,
				 pid, name, sums.values[i], sums.mappings, rollup);
		compared++;
	}
	assert_true(compared >= 15);
	thpstat_processes_close(walk);
}

static void rollup_against_smaps(void **state)
{
	const char *directory;
	struct thpstat *source;

	(void)state;
	start_jobs();
	directory = host_directory_make();
	for (size_t i = 0; i < n_jobs; i++)
		copy_at_one_moment(directory, jobs[i].pid);
	source = open_tree(directory);
	for (size_t i = 0; i < n_jobs; i++)
		compare_rollup(source, jobs[i].pid);
	thpstat_close(source);
}

#ifdef HAVE_LIBPROC2
static const struct {
	enum pids_item item;
	enum thpstat_metric metric;
} twins[] = {
	{ PIDS_SMAP_ANONYMOUS, THPSTAT_ANONYMOUS },
	{ PIDS_SMAP_HUGE_ANON, THPSTAT_ANON_HUGE_PAGES },
	{ PIDS_SMAP_HUGE_FILE, THPSTAT_FILE_PMD_MAPPED },
	{ PIDS_SMAP_HUGE_SHMEM, THPSTAT_SHMEM_PMD_MAPPED },
	{ PIDS_SMAP_HUGE_TLBPRV, THPSTAT_PRIVATE_HUGETLB },
	{ PIDS_SMAP_HUGE_TLBSHR, THPSTAT_SHARED_HUGETLB },
	{ PIDS_SMAP_LAZY_FREE, THPSTAT_LAZY_FREE },
	{ PIDS_SMAP_LOCKED, THPSTAT_LOCKED },
	{ PIDS_SMAP_PRV_CLEAN, THPSTAT_PRIVATE_CLEAN },
	{ PIDS_SMAP_PRV_DIRTY, THPSTAT_PRIVATE_DIRTY },
	{ PIDS_SMAP_PSS, THPSTAT_PSS },
	{ PIDS_SMAP_PSS_ANON, THPSTAT_PSS_ANON },
	{ PIDS_SMAP_PSS_FILE, THPSTAT_PSS_FILE },
	{ PIDS_SMAP_PSS_SHMEM, THPSTAT_PSS_SHMEM },
	{ PIDS_SMAP_REFERENCED, THPSTAT_REFERENCED },
	{ PIDS_SMAP_RSS, THPSTAT_RSS },
	{ PIDS_SMAP_SHR_CLEAN, THPSTAT_SHARED_CLEAN },
	{ PIDS_SMAP_SHR_DIRTY, THPSTAT_SHARED_DIRTY },
	{ PIDS_SMAP_SWAP, THPSTAT_SWAP },
	{ PIDS_SMAP_SWAP_PSS, THPSTAT_SWAP_PSS },
};

#define TWINS (sizeof(twins) / sizeof(twins[0]))

/* libproc2's figures of one process, in bytes. */
static void ask_libproc2(int pid, uint64_t *ret)
{
	unsigned int asked = (unsigned int)pid;
	enum pids_item items[TWINS];
	struct pids_info *info = NULL;
	struct pids_fetch *fetch;

	for (size_t i = 0; i < TWINS; i++)
		items[i] = twins[i].item;
	assert_int_equal(procps_pids_new(&info, items, TWINS), 0);
	fetch = procps_pids_select(info, &asked, 1, PIDS_SELECT_PID);
	assert_non_null(fetch);
	assert_int_equal(fetch->counts->total, 1);
	for (size_t i = 0; i < TWINS; i++)
		ret[i] = (uint64_t)fetch->stacks[0]->head[i].result.ul_int * 1024;
	procps_pids_unref(&info);
}

static void compare_with_libproc2(struct thpstat *source, int pid)
{
	uint64_t before[TWINS], after[TWINS], ours[TWINS];

	for (int i = 0; i < TRIES; i++) {
		struct thpstat_process_options options = {
			.size = sizeof(options),
			.pids = &pid,
			.n_pids = 1,
		};
		const struct thpstat_process *process;
		struct thpstat_processes *walk;

		ask_libproc2(pid, before);
		assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
		assert_int_equal(thpstat_processes_next(walk, &process), 1);
		for (size_t j = 0; j < TWINS; j++)
			ours[j] = figure(process->usage, twins[j].metric);
		thpstat_processes_close(walk);
		ask_libproc2(pid, after);
		if (memcmp(before, after, sizeof(before)) == 0)
			break;
	}
	for (size_t j = 0; j < TWINS; j++) {
		if (ours[j] != before[j])
			fail_msg("%d: %s is %" PRIu64 ", libproc2 says %" PRIu64, pid,
				 thpstat_metric_info(twins[j].metric)->name, ours[j], before[j]);
	}
}

static void libproc2_on_idle_processes(void **state)
{
	struct thpstat *source;

	(void)state;
	start_jobs();
	assert_int_equal(thpstat_open(NULL, &source), 0);
	for (size_t i = 0; i < n_jobs; i++)
		compare_with_libproc2(source, jobs[i].pid);
	thpstat_close(source);
}
#else
static void libproc2_on_idle_processes(void **state)
{
	(void)state;
	tap_skip("built without libproc2");
}
#endif

#define differential_test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		differential_test(awk_over_smaps),
		differential_test(awk_over_rollup),
		differential_test(rollup_against_smaps),
		differential_test(libproc2_on_idle_processes),
	};

	return tap_run(tests);
}

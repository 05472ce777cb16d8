/* SPDX-License-Identifier: MIT */
/*
 * A real OpenJDK whose collector maps the heap three times in shared memory: RSS says three heaps,
 * the truth is one, all of it on huge pages.
 */
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thpstat/thpstat.h>

#include "host_settings.h"
#include "kernel_compare.h"
#include "once_compare.h"
#include "tap.h"

#define HEAP (UINT64_C(512) << 20)
/* code, metaspace, stacks, the collector's own tables */
#define JVM_ITSELF (UINT64_C(300) << 20)

static struct thpstat *source;

static struct jvm {
	pid_t pid;
	FILE *output;
	int input;
} jvm;

static int set_up(void **state)
{
	(void)state;
	host_settings_hold();
	host_compact_memory();
	return thpstat_open(NULL, &source);
}

/* Ends with its input; by force when it does not. */
static void end_jvm(void)
{
	if (jvm.pid <= 0)
		return;
	close(jvm.input);
	for (int i = 0; i < 200 && waitpid(jvm.pid, NULL, WNOHANG) == 0; i++) {
		usleep(50000);
		if (i == 100)
			kill(jvm.pid, SIGKILL);
	}
	fclose(jvm.output);
	jvm = (struct jvm){ 0 };
}

static int tear_down(void **state)
{
	(void)state;
	end_jvm();
	source = thpstat_close(source);
	host_settings_restore();
	return 0;
}

/* The first of the places that has a Java; "java" is looked for in PATH. */
static void find_java(char *path, size_t size)
{
	glob_t found;

	snprintf(path, size, "java");
	if (glob("/usr/lib/jvm/java-17-openjdk*/bin/java", 0, NULL, &found) == 0)
		snprintf(path, size, "%s", found.gl_pathv[0]);
	globfree(&found);
}

/* ZGC came with 15 for good; since 23 its default maps the heap once. */
static void require_java(char *path, size_t size)
{
	char command[512], line[256] = "";
	unsigned int version = 0;
	FILE *output;

	find_java(path, size);
	snprintf(command, sizeof(command), "'%s' -version 2>&1", path);
	output = popen(command, "r");
	assert_non_null(output);
	while (version == 0 && fgets(line, sizeof(line), output) != NULL) {
		const char *at = strstr(line, "version \"");

		if (at != NULL)
			version = (unsigned int)strtoul(at + strlen("version \""), NULL, 10);
	}
	pclose(output);
	if (version == 0)
		tap_skip("no java here");
	if (version < 15 || version > 22)
		tap_skip("java %u has no collector that maps the heap three times", version);
}

static _Noreturn void run_java(pid_t parent, int input, int output, const char *java)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	dup2(input, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	execlp(java, "java", "-XX:+UseZGC", "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch",
	       "-XX:+UseTransparentHugePages", "-XX:-UsePerfData", JAVA_SOURCE, (char *)NULL);
	perror(java);
	_exit(EXIT_FAILURE);
}

static void start_jvm(const char *java)
{
	pid_t parent = getpid();
	int input[2], output[2];
	char line[256];

	assert_int_equal(pipe2(input, O_CLOEXEC), 0);
	assert_int_equal(pipe2(output, O_CLOEXEC), 0);
	fflush(NULL);
	jvm.pid = fork();
	if (jvm.pid == 0)
		run_java(parent, input[0], output[1], java);
	close(input[0]);
	close(output[1]);
	assert_true(jvm.pid > 0);
	jvm.input = input[1];
	jvm.output = fdopen(output[0], "r");
	assert_non_null(jvm.output);
	while (fgets(line, sizeof(line), jvm.output) != NULL) {
		if (strcmp(line, "ready\n") == 0)
			return;
		print_message("# java: %s", line);
	}
	fail_msg("java ended before it was ready");
}

static uint64_t shmem_huge_pages(void)
{
	const struct thpstat_host *host;
	uint64_t value;

	assert_int_equal(thpstat_host_read(source, &host), 0);
	value = figure(host->usage, THPSTAT_SHMEM_HUGE_PAGES);
	thpstat_host_free(host);
	return value;
}

struct range {
	uint64_t start;
	uint64_t end;
};

#define RANGES_MAX 4096

static int compare_ranges(const void *a, const void *b)
{
	const struct range *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

static uint64_t union_of(struct range *ranges, size_t n)
{
	uint64_t sum = 0, end = 0;

	qsort(ranges, n, sizeof(*ranges), compare_ranges);
	for (size_t i = 0; i < n; i++) {
		if (ranges[i].start > end)
			end = ranges[i].start;
		if (ranges[i].end <= end)
			continue;
		sum += ranges[i].end - end;
		end = ranges[i].end;
	}
	return sum;
}

/* The heap's object: its mappings are wholly resident and huge, their file ranges one heap. */
static void check_heap_object(void)
{
	static struct range ranges[RANGES_MAX];
	const struct thpstat_mapping *mapping;
	struct thpstat_object_key heap;
	struct thpstat_mappings *walk;
	uint64_t mapped = 0;
	size_t n = 0;
	int result;

	assert_int_equal(thpstat_mappings_open(source, jvm.pid, &walk), 0);
	while ((result = thpstat_mappings_next(walk, &mapping)) == 1) {
		uint64_t size = mapping->end - mapping->start;

		if (strncmp(mapping->name, "/memfd:java_heap", 16) != 0)
			continue;
		if (n == 0)
			heap = mapping->object;
		assert_int_equal(thpstat_object_compare(&mapping->object, &heap), 0);
		assert_int_equal(mapping->class_, THPSTAT_CLASS_SHMEM);
		assert_int_equal(figure(mapping->usage, THPSTAT_RSS), size);
		assert_int_equal(figure(mapping->usage, THPSTAT_SHMEM_PMD_MAPPED), size);
		assert_true(n < RANGES_MAX);
		ranges[n++] = (struct range){ mapping->offset, mapping->offset + size };
		mapped += size;
	}
	assert_int_equal(result, 0);
	thpstat_mappings_close(walk);
	print_message("# heap: %zu mappings, %" PRIu64 " bytes\n", n, mapped);
	assert_int_equal(union_of(ranges, n), HEAP);
	assert_int_equal(mapped, 3 * HEAP);
}

static void check_process(void)
{
	struct process_view view = process_view_open(source, jvm.pid);
	const struct thpstat_usage *usage = view.process->usage;
	uint64_t rss = figure(usage, THPSTAT_RSS);
	uint64_t once = figure(usage, THPSTAT_SHMEM_ONCE);

	print_message("# rss %" PRIu64 ", shmem_once %" PRIu64 ", resident_once %" PRIu64
		      " to %" PRIu64 "\n",
		      rss, once, figure(usage, THPSTAT_RESIDENT_ONCE_MIN),
		      figure(usage, THPSTAT_RESIDENT_ONCE_MAX));
	assert_string_equal(view.process->comm, "java");
	assert_true(rss >= 3 * HEAP && rss < 3 * HEAP + JVM_ITSELF);
	assert_true(once >= HEAP && once < HEAP + JVM_ITSELF);
	assert_true(figure(usage, THPSTAT_RESIDENT_ONCE_MAX) < HEAP + JVM_ITSELF);
	assert_true(figure(usage, THPSTAT_SHMEM_HUGE_ONCE) >= HEAP);
	assert_true(ratio_of(usage, THPSTAT_COVERAGE_SHMEM) == 1.0);
	process_view_close(&view);
}

static void heap_on_huge_pages(void **state)
{
	uint64_t before;
	char java[256], process[16];

	(void)state;
	require_java(java, sizeof(java));
	host_setting_require(HOST_THP_ENABLED, "madvise");
	host_setting_require(HOST_SHMEM_ENABLED, "advise");
	before = shmem_huge_pages();
	start_jvm(java);
	assert_int_equal(shmem_huge_pages() - before, HEAP);
	check_heap_object();
	check_process();
	snprintf(process, sizeof(process), "%d", jvm.pid);
	assert_equals_kernel(source, jvm.pid, process);
	assert_once_is_true(source, jvm.pid, process);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(heap_on_huge_pages, set_up, tear_down),
	};

	return tap_run(tests);
}

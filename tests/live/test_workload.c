/* SPDX-License-Identifier: MIT */
/*
 * Processes that know what they mapped. The library's figures equal the kernel's text to the byte,
 * what the process measured of itself, and, each page once, its page tables seen from outside.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host_settings.h"
#include "kernel_compare.h"
#include "once_compare.h"
#include "page_scan.h"
#include "tap.h"
#include "workload_process.h"

#define MIB (UINT64_C(1) << 20)
#define RANDOM_RUNS 200

static struct thpstat *source;
static struct workload job;

static int set_up(void **state)
{
	(void)state;
	host_settings_hold();
	host_compact_memory();
	return thpstat_open(NULL, &source);
}

static int tear_down(void **state)
{
	(void)state;
	workload_end(&job);
	source = thpstat_close(source);
	host_settings_restore();
	return 0;
}

static void start_with_thp(const char *scenario)
{
	host_setting_require(HOST_THP_ENABLED, "madvise");
	host_setting_require(HOST_THP_DEFRAG, "madvise");
	workload_start(&job, scenario, NULL);
}

/* The directory of the memory: the process, or the thread that outlived its leader. */
static void job_directory(char *path, size_t size)
{
	snprintf(path, size, "%d", job.pid);
	for (size_t i = 0; i < job.n_values; i++) {
		if (strcmp(job.values[i].name, "thread") == 0)
			snprintf(path, size, "%d/task/%" PRIu64, job.pid, job.values[i].number);
	}
}

/* Every region that the workload reported: as one mapping, equal to what it measured inside. */
static void check_regions(struct thpstat_mappings *walk)
{
	const struct thpstat_mapping *mapping;
	size_t found = 0;
	int result;

	while ((result = thpstat_mappings_next(walk, &mapping)) == 1) {
		for (size_t i = 0; i < job.n_regions; i++) {
			const struct workload_region *region = &job.regions[i];

			if (region->start != mapping->start || region->end != mapping->end)
				continue;
			assert_int_equal(figure(mapping->usage, THPSTAT_RESIDENT),
					 region->truth.present);
			if (region->truth.knows_huge)
				assert_int_equal(figure(mapping->usage, THPSTAT_HUGE),
						 region->truth.huge);
			if (mapping->class_ != THPSTAT_CLASS_HUGETLB)
				assert_int_equal(figure(mapping->usage, THPSTAT_RSS) -
							 figure(mapping->usage, THPSTAT_ANONYMOUS),
						 region->truth.file);
			found++;
		}
	}
	assert_int_equal(result, 0);
	thpstat_mappings_close(walk);
	assert_int_equal(found, job.n_regions);
}

static void check_views(void)
{
	struct process_view view = process_view_open(source, job.pid);
	const struct thpstat_usage *usage = view.process->usage;
	struct thpstat_mappings *by_pid, *by_process;

	assert_int_equal(figure(usage, THPSTAT_FOOTPRINT),
			 figure(usage, THPSTAT_PSS) + figure(usage, THPSTAT_HUGETLB_ONCE_MAX) +
				 figure(usage, THPSTAT_VM_PTE));
	assert_int_equal(thpstat_mappings_open(source, job.pid, &by_pid), 0);
	assert_int_equal(thpstat_mappings_open_process(view.process, &by_process), 0);
	/* both go on without the walk over processes */
	process_view_close(&view);
	check_regions(by_pid);
	check_regions(by_process);
}

static void check_everything(void)
{
	char directory[64];

	job_directory(directory, sizeof(directory));
	assert_equals_kernel(source, job.pid, directory);
	check_views();
	assert_once_is_true(source, job.pid, directory);
}

/* The truth that a scenario must have; a host without free blocks fails here, with its figures. */
static void expect_region(const char *name, uint64_t present, uint64_t huge)
{
	const struct workload_region *region = workload_region(&job, name);

	if (region->truth.present != present ||
	    (region->truth.knows_huge && region->truth.huge != huge))
		fail_msg("%s: %" PRIu64 " present, %" PRIu64 " huge instead of %" PRIu64
			 " and %" PRIu64 "; MemFree %" PRIu64 " kB, MemAvailable %" PRIu64
			 " kB (is memory too fragmented?)",
			 name, region->truth.present, region->truth.huge, present, huge,
			 host_meminfo("MemFree"), host_meminfo("MemAvailable"));
}

/* A figure that is proved, and its value. */
static void expect_exact(const struct thpstat_usage *usage, enum thpstat_metric metric,
			 uint64_t value)
{
	assert_int_equal(figure(usage, metric), value);
	assert_int_equal(thpstat_usage_method(usage, metric), THPSTAT_METHOD_EXACT);
}

/* The object of this name: its mappings, resident bytes as mapped and once, huge ones once. */
static void expect_object(const char *name, uint64_t n_mappings, uint64_t resident, uint64_t once,
			  uint64_t huge_once, enum thpstat_page_source source_of_pages)
{
	struct process_view view = process_view_open(source, job.pid);
	const struct thpstat_object *object;
	struct thpstat_objects *list;
	bool found = false;

	assert_int_equal(thpstat_objects_open_process(view.process, THPSTAT_PROCESS_WANT_PAGES,
						      &list),
			 0);
	process_view_close(&view);
	while (thpstat_objects_next(list, &object) == 1) {
		if (strcmp(object->name, name) != 0)
			continue;
		assert_false(found);
		found = true;
		assert_int_equal(object->page_source, source_of_pages);
		assert_int_equal(figure(object->usage, THPSTAT_MAPPINGS), n_mappings);
		expect_exact(object->usage, THPSTAT_RESIDENT, resident);
		expect_exact(object->usage, THPSTAT_RESIDENT_ONCE, once);
		expect_exact(object->usage, THPSTAT_HUGE_ONCE, huge_once);
		expect_exact(object->usage, THPSTAT_COUNTED_AGAIN, resident - once);
	}
	thpstat_objects_close(list);
	assert_true(found);
}

static void anonymous_thp(void **state)
{
	struct process_view view;

	(void)state;
	start_with_thp("anon_thp");
	expect_region("anon", 64 * MIB, 64 * MIB);
	check_everything();
	view = process_view_open(source, job.pid);
	expect_exact(view.process->usage, THPSTAT_ANON_HUGE_PAGES, 64 * MIB);
	expect_exact(view.process->usage, THPSTAT_ANON_HUGE_ONCE, 64 * MIB);
	expect_exact(view.process->usage, THPSTAT_ANON_ONCE,
		     figure(view.process->usage, THPSTAT_ANONYMOUS));
	process_view_close(&view);
}

/* RSS counts the object three times; the process has it once. */
static void shmem_mapped_three_times(void **state)
{
	struct process_view view;
	const struct thpstat_usage *usage;
	uint64_t huge_before;

	(void)state;
	host_setting_require(HOST_SHMEM_ENABLED, "advise");
	huge_before = host_meminfo("ShmemHugePages");
	start_with_thp("shmem_three_times");
	expect_region("first", 64 * MIB, 64 * MIB);
	expect_region("second", 64 * MIB, 64 * MIB);
	expect_region("third", 64 * MIB, 64 * MIB);
	check_everything();
	assert_int_equal(host_meminfo("ShmemHugePages") - huge_before, 64 * 1024);
	view = process_view_open(source, job.pid);
	usage = view.process->usage;
	expect_exact(usage, THPSTAT_SHMEM_PMD_MAPPED, 3 * 64 * MIB);
	expect_exact(usage, THPSTAT_RESIDENT_SHMEM, 3 * 64 * MIB);
	expect_exact(usage, THPSTAT_SHMEM_ONCE, 64 * MIB);
	expect_exact(usage, THPSTAT_SHMEM_HUGE_ONCE, 64 * MIB);
	expect_object("/memfd:heap (deleted)", 3, 3 * 64 * MIB, 64 * MIB, 64 * MIB,
		      THPSTAT_PAGE_SOURCE_NONE);
	assert_true(ratio_of(usage, THPSTAT_COVERAGE_SHMEM) == 1.0);
	assert_true(ratio_of(usage, THPSTAT_COVERAGE_SHMEM_ONCE) == 1.0);
	process_view_close(&view);
}

/* A segment and a memfd with one device and one inode number are two objects. */
static void segment_meets_memfd(void **state)
{
	struct thpstat_object_key keys[2];
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk;
	struct process_view view;
	size_t n = 0;

	(void)state;
	workload_start(&job, "segment_meets_memfd", NULL);
	expect_region("segment", 4 * MIB, 0);
	expect_region("memfd", 4 * MIB, 0);
	check_everything();
	assert_int_equal(thpstat_mappings_open(source, job.pid, &walk), 0);
	while (thpstat_mappings_next(walk, &mapping) == 1) {
		if (mapping->inode != workload_value(&job, "inode") || mapping->device_major != 0)
			continue;
		assert_true(n < 2);
		assert_int_equal(mapping->class_, THPSTAT_CLASS_SHMEM);
		keys[n++] = mapping->object;
	}
	thpstat_mappings_close(walk);
	assert_int_equal(n, 2);
	assert_int_not_equal(thpstat_object_compare(&keys[0], &keys[1]), 0);
	view = process_view_open(source, job.pid);
	expect_exact(view.process->usage, THPSTAT_SHMEM_ONCE, 8 * MIB);
	process_view_close(&view);
}

/* Inode number 0 does not mean that there is no file: it is shared memory, mapped twice. */
static void first_segment_of_namespace(void **state)
{
	struct process_view view;

	(void)state;
	workload_start(&job, "first_segment", NULL);
	assert_int_equal(workload_value(&job, "inode"), 0);
	expect_region("first", 4 * MIB, 0);
	expect_region("second", 4 * MIB, 0);
	check_everything();
	view = process_view_open(source, job.pid);
	expect_exact(view.process->usage, THPSTAT_RESIDENT_SHMEM, 8 * MIB);
	expect_exact(view.process->usage, THPSTAT_SHMEM_ONCE, 4 * MIB);
	process_view_close(&view);
}

/* Copies that a process wrote are its own, whatever they are copies of. */
static void copy_beside_shared(void **state)
{
	struct process_view view;

	(void)state;
	workload_start(&job, "copy_beside_shared", NULL);
	expect_region("shared", 16 * MIB, 0);
	expect_region("private", 16 * MIB, 0);
	check_everything();
	view = process_view_open(source, job.pid);
	expect_exact(view.process->usage, THPSTAT_SHMEM_ONCE, 16 * MIB);
	assert_true(figure(view.process->usage, THPSTAT_ANON_ONCE) >= 16 * MIB);
	assert_true(figure(view.process->usage, THPSTAT_RESIDENT_ONCE_MIN) >= 32 * MIB);
	process_view_close(&view);
}

/* Equal sizes prove nothing: two views of half an object each are 8 MiB, or 4. */
static void two_different_halves(void **state)
{
	struct process_view view;

	(void)state;
	workload_start(&job, "two_halves", "different");
	expect_region("first", 4 * MIB, 0);
	expect_region("second", 4 * MIB, 0);
	check_everything();
	view = process_view_open(source, job.pid);
	assert_int_equal(figure(view.process->usage, THPSTAT_RESIDENT_SHMEM), 8 * MIB);
	expect_exact(view.process->usage, THPSTAT_SHMEM_ONCE, 8 * MIB);
	process_view_close(&view);
}

static void two_equal_halves(void **state)
{
	struct process_view view;
	uint64_t value;

	(void)state;
	workload_start(&job, "two_halves", "same");
	expect_region("first", 4 * MIB, 0);
	expect_region("second", 4 * MIB, 0);
	check_everything();
	view = process_view_open(source, job.pid);
	assert_int_equal(figure(view.process->usage, THPSTAT_RESIDENT_SHMEM), 8 * MIB);
	expect_object("/memfd:heap (deleted)", 2, 8 * MIB, 4 * MIB, 0,
		      THPSTAT_PAGE_SOURCE_PAGEMAP_SCAN);
	assert_true(figure(view.process->usage, THPSTAT_RESIDENT_ONCE_MAX) -
			    figure(view.process->usage, THPSTAT_RESIDENT_ONCE_MIN) >=
		    4 * MIB);
	if (thpstat_usage_get(view.process->usage, THPSTAT_SHMEM_ONCE, &value) == 0)
		assert_int_not_equal(thpstat_usage_method(view.process->usage, THPSTAT_SHMEM_ONCE),
				     THPSTAT_METHOD_EXACT);
	process_view_close(&view);
}

/* Two views of 4 and 5 MiB with small and huge pages: 6 MiB, 4 of them huge. */
static void partly_huge(void **state)
{
	struct process_view view;

	(void)state;
	host_setting_require(HOST_SHMEM_ENABLED, "advise");
	start_with_thp("partly_huge");
	check_everything();
	expect_object("/memfd:heap (deleted)", 2, 9 * MIB, 6 * MIB, 4 * MIB,
		      THPSTAT_PAGE_SOURCE_PAGEMAP_SCAN);
	view = process_view_open_as(source, job.pid, THPSTAT_PROCESS_WANT_PAGES);
	assert_true(ratio_of(view.process->usage, THPSTAT_COVERAGE_SHMEM_ONCE) == 4.0 / 6);
	process_view_close(&view);
}

static void touch_more(void)
{
	workload_command(&job, "more");
}

/* Pages that came after smaps was read: its limits stay, and it is said. */
static void change_between_files(void **state)
{
	struct process_view view;
	uint64_t value;

	(void)state;
	workload_start(&job, "two_halves", "same");
	page_scan_before(touch_more);
	view = process_view_open_as(source, job.pid, THPSTAT_PROCESS_WANT_PAGES);
	assert_int_equal(view.process->flags, THPSTAT_PROCESS_INCONSISTENT);
	assert_int_equal(thpstat_process_page_source(view.process), THPSTAT_PAGE_SOURCE_NONE);
	assert_int_equal(thpstat_usage_get(view.process->usage, THPSTAT_SHMEM_ONCE, &value),
			 -ENODATA);
	assert_int_equal(figure(view.process->usage, THPSTAT_RESIDENT_SHMEM), 8 * MIB);
	process_view_close(&view);
	/* and the next look finds it as it is */
	view = process_view_open_as(source, job.pid, THPSTAT_PROCESS_WANT_PAGES);
	assert_int_equal(view.process->flags, 0);
	expect_exact(view.process->usage, THPSTAT_SHMEM_ONCE, 8 * MIB);
	process_view_close(&view);
}

/* Every sum over mappings says 64 MiB, the pool gave 32. */
static void hugetlb_mapped_three_times(void **state)
{
	struct process_view view;
	const struct thpstat_usage *usage;

	(void)state;
	host_hugetlb_require(32 * MIB);
	workload_start(&job, "hugetlb", NULL);
	expect_region("private", 16 * MIB, 16 * MIB);
	expect_region("first", 16 * MIB, 16 * MIB);
	expect_region("second", 16 * MIB, 16 * MIB);
	expect_region("third", 16 * MIB, 16 * MIB);
	check_everything();
	view = process_view_open(source, job.pid);
	usage = view.process->usage;
	expect_exact(usage, THPSTAT_HUGETLB, 64 * MIB);
	expect_exact(usage, THPSTAT_HUGETLB_PAGES, 64 * MIB);
	expect_exact(usage, THPSTAT_HUGETLB_ONCE, 32 * MIB);
	assert_int_equal(figure(usage, THPSTAT_HUGETLB_ONCE_MAX), 32 * MIB);
	assert_int_equal(figure(usage, THPSTAT_HUGE_ONCE_MIN), 32 * MIB);
	process_view_close(&view);
}

static void file_mapped_by_pmd(void **state)
{
	struct process_view view;
	uint64_t huge;

	(void)state;
	start_with_thp("file_pmd");
	huge = workload_region(&job, "file")->truth.huge;
	expect_region("file", 16 * MIB, 16 * MIB);
	check_everything();
	view = process_view_open(source, job.pid);
	expect_exact(view.process->usage, THPSTAT_FILE_PMD_MAPPED, huge);
	expect_exact(view.process->usage, THPSTAT_FILE_HUGE_ONCE, huge);
	process_view_close(&view);
}

/* The files of the process itself are empty; its memory is read through the thread. */
static void thread_outlives_leader(void **state)
{
	struct process_view view;

	(void)state;
	start_with_thp("leader_gone");
	expect_region("anon", 16 * MIB, 16 * MIB);
	check_everything();
	view = process_view_open(source, job.pid);
	assert_int_equal(view.process->state, THPSTAT_PROCESS_LEADER_GONE);
	assert_int_equal(view.process->error, 0);
	assert_int_equal(figure(view.process->usage, THPSTAT_ANON_HUGE_PAGES), 16 * MIB);
	assert_int_equal(thpstat_processes_completeness(view.walk)->read, 1);
	process_view_close(&view);
}

static void zombie_has_no_memory(void **state)
{
	struct thpstat_mappings *walk;
	struct process_view view;
	uint64_t value;
	int child;

	(void)state;
	workload_start(&job, "zombie_child", NULL);
	child = (int)workload_value(&job, "child");
	view = process_view_open(source, child);
	assert_int_equal(view.process->state, THPSTAT_PROCESS_ZOMBIE);
	assert_int_equal(thpstat_usage_get(view.process->usage, THPSTAT_RSS, &value), -ENODATA);
	assert_int_equal(thpstat_usage_reason(view.process->usage, THPSTAT_RSS),
			 THPSTAT_REASON_NO_MEMORY);
	assert_int_equal(thpstat_usage_reason(view.process->usage, THPSTAT_RESIDENT_ONCE),
			 THPSTAT_REASON_NO_MEMORY);
	assert_int_equal(thpstat_processes_completeness(view.walk)->zombies, 1);
	assert_int_equal(thpstat_processes_completeness(view.walk)->read, 0);
	process_view_close(&view);
	assert_int_equal(thpstat_mappings_open(source, child, &walk), -ENODATA);
}

static int read_some_mappings(struct thpstat_mappings *walk, size_t n)
{
	const struct thpstat_mapping *mapping;
	int result = 1;

	for (size_t i = 0; result == 1 && i < n; i++)
		result = thpstat_mappings_next(walk, &mapping);
	return result;
}

/* A list that the death of its process cut short is never taken for a whole one. */
static void death_between_mappings(void **state)
{
	struct thpstat_mappings *walk;

	(void)state;
	workload_start(&job, "many_mappings", NULL);
	check_everything();
	assert_int_equal(thpstat_mappings_open(source, job.pid, &walk), 0);
	assert_int_equal(read_some_mappings(walk, 10), 1);
	workload_end(&job);
	assert_int_equal(read_some_mappings(walk, 100000), -ESRCH);
	thpstat_mappings_close(walk);
}

/* Killed but not yet reaped: its smaps then ends without an error. */
static void death_as_zombie_between_mappings(void **state)
{
	struct thpstat_mappings *walk;
	siginfo_t information;

	(void)state;
	workload_start(&job, "many_mappings", NULL);
	assert_int_equal(thpstat_mappings_open(source, job.pid, &walk), 0);
	assert_int_equal(read_some_mappings(walk, 10), 1);
	kill(job.pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)job.pid, &information, WEXITED | WNOWAIT), 0);
	assert_int_equal(read_some_mappings(walk, 100000), -ESRCH);
	thpstat_mappings_close(walk);
}

/* Kills @pid after a while, from a process of its own. */
static pid_t kill_later(pid_t pid, unsigned int microseconds)
{
	pid_t killer;

	fflush(NULL);
	killer = fork();
	if (killer == 0) {
		usleep(microseconds);
		kill(pid, SIGKILL);
		_exit(EXIT_SUCCESS);
	}
	assert_true(killer > 0);
	return killer;
}

/* Killed at some moment of a reading: either all of it was read, or it is gone. */
static void death_while_read(void **state)
{
	unsigned int whole = 0, gone = 0;

	(void)state;
	for (unsigned int i = 0; i < 60; i++) {
		struct process_view view;
		uint64_t pages;
		pid_t killer;

		workload_start(&job, "many_mappings", "2000");
		pages = workload_value(&job, "present");
		killer = kill_later(job.pid, i * 300);
		view = process_view_open(source, job.pid);
		if (view.process->state == THPSTAT_PROCESS_RUNNING) {
			assert_int_equal(view.process->error, 0);
			assert_int_equal(view.process->flags, 0);
			assert_true(figure(view.process->usage, THPSTAT_RSS) >= pages);
			assert_true(figure(view.process->usage, THPSTAT_MAPPINGS) >= 4000);
			assert_int_equal(thpstat_processes_completeness(view.walk)->read, 1);
			whole++;
		} else {
			uint64_t value;

			/* dying, it may be seen as a zombie before this test has reaped it */
			if (view.process->state != THPSTAT_PROCESS_ZOMBIE) {
				assert_int_equal(view.process->state, THPSTAT_PROCESS_GONE);
				assert_int_equal(view.process->error, -ESRCH);
				assert_int_equal(
					thpstat_processes_completeness(view.walk)->vanished, 1);
			}
			assert_int_not_equal(thpstat_usage_get(view.process->usage,
							       THPSTAT_RESIDENT_ONCE, &value),
					     0);
			gone++;
		}
		process_view_close(&view);
		waitpid(killer, NULL, 0);
		workload_end(&job);
	}
	print_message("# killed while read: %u read whole, %u gone\n", whole, gone);
	assert_true(gone > 0);
}

static void exec_between_mappings(void **state)
{
	struct thpstat_mappings *walk;

	(void)state;
	workload_start(&job, "many_mappings", NULL);
	assert_int_equal(thpstat_mappings_open(source, job.pid, &walk), 0);
	assert_int_equal(read_some_mappings(walk, 10), 1);
	workload_command(&job, "exec");
	assert_int_equal(read_some_mappings(walk, 100000), -ESRCH);
	thpstat_mappings_close(walk);
	check_everything();
}

/* It never ends, it only becomes another program: alive in every reading, and whole or cut. */
static void exec_while_read(void **state)
{
	unsigned int whole = 0, cut = 0;

	(void)state;
	workload_start(&job, "endless_exec", NULL);
	for (unsigned int i = 0; i < 300; i++) {
		struct process_view view = process_view_open(source, job.pid);

		assert_int_equal(view.process->state, THPSTAT_PROCESS_RUNNING);
		if (view.process->error == 0 && view.process->flags == 0)
			whole++;
		else
			cut++;
		process_view_close(&view);
	}
	print_message("# executing while read: %u whole, %u cut\n", whole, cut);
	assert_true(whole > 0);
}

/* Views chosen by chance: whatever they are, the interval holds and what is exact is true. */
static void random_views(void **state)
{
	unsigned int exact = 0;

	(void)state;
	for (unsigned int i = 1; i <= RANDOM_RUNS; i++) {
		struct process_view view;
		char seed[16];

		snprintf(seed, sizeof(seed), "%u", i);
		workload_start(&job, "random_views", seed);
		assert_once_is_true(source, job.pid, NULL);
		view = process_view_open(source, job.pid);
		if (thpstat_usage_method(view.process->usage, THPSTAT_RESIDENT_ONCE) ==
		    THPSTAT_METHOD_EXACT)
			exact++;
		process_view_close(&view);
		workload_end(&job);
	}
	print_message("# %u of %u random processes are known exactly\n", exact, RANDOM_RUNS);
}

#define live_test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		live_test(anonymous_thp),
		live_test(shmem_mapped_three_times),
		live_test(segment_meets_memfd),
		live_test(first_segment_of_namespace),
		live_test(copy_beside_shared),
		live_test(two_different_halves),
		live_test(two_equal_halves),
		live_test(partly_huge),
		live_test(change_between_files),
		live_test(hugetlb_mapped_three_times),
		live_test(file_mapped_by_pmd),
		live_test(thread_outlives_leader),
		live_test(zombie_has_no_memory),
		live_test(death_between_mappings),
		live_test(death_as_zombie_between_mappings),
		live_test(death_while_read),
		live_test(exec_between_mappings),
		live_test(exec_while_read),
		live_test(random_views),
	};

	return tap_run(tests);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "figure_list.h"
#include "made_tree.h"
#include "process_files.h"
#include "support/files.h"
#include "support/process_figures.h"
#include "unit.h"

#define KB(n) ((uint64_t)(n)*1024)
#define MAPPED(header, rss, anonymous, huge)                                                       \
	header "\nSize:               4096 kB\nKernelPageSize:        4 kB\n"                      \
	       "Rss:            " rss " kB\nPss:                   0 kB\n"                         \
	       "Anonymous:      " anonymous " kB\nAnonHugePages:         0 kB\n"                   \
	       "ShmemPmdMapped: " huge " kB\nFilePmdMapped:         0 kB\n"                        \
	       "Shared_Hugetlb:        0 kB\nPrivate_Hugetlb:       0 kB\n"

static const struct made_file files[] = {
	{ "proc/5/status", APP_STATUS, 0 },
	{ "proc/self/mountinfo", "31 30 0:20 / /dev/shm rw - tmpfs tmpfs rw\n", 0 },
	{ "proc/5/smaps",
	  MAPPED("10000000-10400000 rw-s 00000000 00:01 7 /memfd:heap (deleted)", "   4096",
		 "      0",
		 "   4096") MAPPED("20000000-20400000 rw-p 00000000 00:00 0 ", "   4096", "   4096",
				   "      0") MAPPED("30000000-30400000 rw-s 00000000 00:01 7 "
						     "/memfd:heap (deleted)",
						     "   4096", "      0", "   4096")
		  MAPPED("40000000-40400000 rw-s 00000000 00:01 7 /SYSV00000000 (deleted)",
			 "   2048", "      0",
			 "      0") MAPPED("50000000-50400000 rw-s 00000000 00:14 9 /dev/shm/a",
					   "   1024", "      0", "      0")
			  MAPPED("60000000-60400000 rw-p 00200000 00:14 9 /dev/shm/a", "   3072",
				 "   1024", "      0") MAPPED("70000000-70400000 r--p 00000000 "
							      "fd:00 3 /lib/untouched",
							      "      0", "      0", "      0")
				  MAPPED("80000000-80400000 r--s 00000000 00:14 9 /dev/shm/b",
					 "   4096", "      0", "      0"),
	  0 },
	{ "proc/6/status", APP_STATUS, 0 },
	{ "proc/6/smaps",
	  MAPPED("20000000-20400000 rw-p 00000000 00:00 0 ", "   4096", "   4096", "      0"), 0 },
	{ "proc/7/status", APP_STATUS, 0 },
	{ "proc/7/smaps",
	  MAPPED("20000000-20400000 rw-s 00000000 00:14 9 /dev/shm/a", "   4096", "      0",
		 "      0") MAPPED("20200000-20600000 rw-s 00000000 00:14 9 /dev/shm/a", "   4096",
				   "      0", "      0"),
	  0 },
};

static struct thpstat *source;

static void open_process(int pid, struct one_process *ret)
{
	static const enum thpstat_metric metrics[] = { THPSTAT_RSS };

	one_process_open(source, pid, metrics, ARRAY_SIZE(metrics), 0, ret);
}

static void test_list(void **state)
{
	static const struct {
		const char *name;
		enum thpstat_class class_;
		unsigned int flags;
		struct figure_row figures[8];
	} rows[] = {
		{ "/memfd:heap (deleted)",
		  THPSTAT_CLASS_SHMEM,
		  0,
		  { { THPSTAT_MAPPINGS, 2, 0, 0 },
		    { THPSTAT_SIZE, KB(8192), 0, 0 },
		    { THPSTAT_RESIDENT, KB(8192), 0, 0 },
		    { THPSTAT_HUGE, KB(8192), 0, 0 },
		    { THPSTAT_RESIDENT_ONCE, KB(4096), 0, 0 },
		    { THPSTAT_HUGE_ONCE, KB(4096), 0, 0 },
		    { THPSTAT_COUNTED_AGAIN, KB(4096), 0, 0 } } },
		{ "/SYSV00000000 (deleted)",
		  THPSTAT_CLASS_SHMEM,
		  0,
		  { { THPSTAT_MAPPINGS, 1, 0, 0 },
		    { THPSTAT_SIZE, KB(4096), 0, 0 },
		    { THPSTAT_RESIDENT_ONCE, KB(2048), 0, 0 },
		    { THPSTAT_HUGE_ONCE, 0, 0, 0 } } },
		{ "/dev/shm/a",
		  THPSTAT_CLASS_SHMEM,
		  THPSTAT_OBJECT_NAMES_DIFFER,
		  { { THPSTAT_MAPPINGS, 3, 0, 0 },
		    /* the copies are the process' own */
		    { THPSTAT_RESIDENT, KB(1024 + 2048 + 4096), 0, 0 },
		    { THPSTAT_RESIDENT_ONCE, 0, THPSTAT_REASON_NOT_PROVED, 0 },
		    { THPSTAT_RESIDENT_ONCE_MIN, KB(4096), 0, THPSTAT_METHOD_BOUND },
		    { THPSTAT_RESIDENT_ONCE_MAX, KB(1024 + 2048 + 4096), 0, THPSTAT_METHOD_BOUND },
		    { THPSTAT_COUNTED_AGAIN, 0, THPSTAT_REASON_NOT_PROVED, 0 } } },
		{ "/lib/untouched",
		  THPSTAT_CLASS_FILE,
		  0,
		  { { THPSTAT_MAPPINGS, 1, 0, 0 },
		    { THPSTAT_SIZE, KB(4096), 0, 0 },
		    { THPSTAT_RESIDENT, 0, 0, 0 },
		    { THPSTAT_RESIDENT_ONCE, 0, 0, 0 } } },
	};
	struct tally tally = { .subject = "objects" };
	const struct thpstat_object *object;
	struct thpstat_objects *list;
	struct one_process one;
	unsigned int found = 0;

	(void)state;
	open_process(5, &one);
	/* a tree has no pages to look at, so that wanting it changes nothing */
	assert_int_equal(thpstat_objects_open_process(one.process, THPSTAT_PROCESS_WANT_PAGES,
						      &list),
			 0);
	one_process_close(&one);
	while (thpstat_objects_next(list, &object) == 1) {
		size_t i = 0;

		while (i < ARRAY_SIZE(rows) && strcmp(rows[i].name, object->name))
			i++;
		assert_true(i < ARRAY_SIZE(rows));
		found |= 1u << i;
		tally_equal(&tally, object->class_, rows[i].class_, "class of %s", object->name);
		tally_equal(&tally, object->flags, rows[i].flags, "flags of %s", object->name);
		tally_equal(&tally, object->page_source, THPSTAT_PAGE_SOURCE_NONE,
			    "page source of %s", object->name);
		tally_record(&tally, object->usage, rows[i].figures, object->name);
	}
	assert_int_equal(found, (1u << ARRAY_SIZE(rows)) - 1);
	assert_int_equal(thpstat_objects_next(list, &object), 0);
	thpstat_objects_close(list);
	tally_finish(&tally, 45);
}

static void test_none(void **state)
{
	const struct thpstat_object *object;
	struct thpstat_objects *list;
	struct one_process one;

	(void)state;
	open_process(6, &one);
	assert_int_equal(thpstat_objects_open_process(one.process, 0, &list), 0);
	assert_int_equal(thpstat_objects_next(list, &object), 0);
	thpstat_objects_close(list);
	one_process_close(&one);
}

static void test_errors(void **state)
{
	struct thpstat_objects *list;
	struct one_process one;

	(void)state;
	open_process(7, &one);
	assert_int_equal(thpstat_objects_open_process(one.process, 0, &list), -EAGAIN);
	assert_int_equal(thpstat_objects_open_process(one.process, 1, &list), -EINVAL);
	assert_int_equal(thpstat_objects_open_process(one.process, 0, NULL), -EINVAL);
	assert_int_equal(thpstat_objects_open_process(NULL, 0, &list), -EINVAL);
	assert_int_equal(thpstat_objects_next(NULL, NULL), -EINVAL);
	assert_null(thpstat_objects_close(NULL));
	one_process_close(&one);
}

static char *root;

static int set_up(void **state)
{
	(void)state;
	root = made_tree(files, ARRAY_SIZE(files));
	source = made_tree_open(root);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	source = thpstat_close(source);
	scratch_remove(root);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

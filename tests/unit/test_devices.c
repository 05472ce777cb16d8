/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "devices.h"
#include "figure_list.h"
#include "made_tree.h"
#include "process_files.h"
#include "support/files.h"
#include "support/process_figures.h"
#include "unit.h"

#define KB(n) ((uint64_t)(n)*1024)

/* Mounts of the reader, and of two processes in namespaces of their own. */
static const struct made_file files[] = {
	{ "proc/self/mountinfo",
	  "30 1 253:3 / / rw - ext4 /dev/x rw\n"
	  "no mount\n"
	  "31 30 0:20 / /dev/shm rw - tmpfs tmpfs rw\n"
	  "32 30 0:5 / /dev rw - devtmpfs udev rw\n",
	  0 },
	{ "proc/5/mountinfo", "9 1 0:40 / /run rw - tmpfs t rw\n10 1 0:41 / /x rw - overlay o rw",
	  0 },
	{ "proc/6/mountinfo", "9 1 0:50 / /run rw - tmpfs t rw\n10 1 0:20 / /x rw - ext4 o rw\n",
	  0 },
	{ "proc/7/", "", 0 },
};

static void test_find(void **state)
{
	static const struct {
		int pid;
		uint32_t major, minor;
		enum object_device kind;
	} rows[] = {
		{ 5, 253, 3, OBJECT_DEVICE_OTHER },
		{ 5, 0, 20, OBJECT_DEVICE_SHMEM },
		{ 5, 0, 5, OBJECT_DEVICE_SHMEM },
		{ 5, 0, 40, OBJECT_DEVICE_SHMEM },
		{ 5, 0, 41, OBJECT_DEVICE_OTHER },
		{ 5, 0, 50, OBJECT_DEVICE_UNKNOWN },
		{ 5, 20, 0, OBJECT_DEVICE_UNKNOWN },
		{ 5, 0, 0, OBJECT_DEVICE_UNKNOWN },
		{ 6, 0, 50, OBJECT_DEVICE_SHMEM },
		{ 7, 0, 50, OBJECT_DEVICE_SHMEM },
		/* a device is what it was seen to be first */
		{ 6, 0, 20, OBJECT_DEVICE_SHMEM },
		{ 7, 0, 60, OBJECT_DEVICE_UNKNOWN },
		{ 7, UINT32_MAX, UINT32_MAX, OBJECT_DEVICE_UNKNOWN },
	};
	struct devices devices = { .n = 0 };
	struct tally tally = { .subject = "devices" };
	char *root = made_tree(files, ARRAY_SIZE(files));
	struct thpstat *source = made_tree_open(root);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct directory process;
		char *name = format_text("%d", rows[i].pid);

		assert_int_equal(tree_open_directory(&source->tree, &source->tree.proc, name, 0,
						     &process),
				 0);
		devices_next_process(&devices);
		tally_equal(&tally,
			    devices_find(&devices, source, &process, rows[i].major, rows[i].minor),
			    rows[i].kind, "%u:%u seen from %d", rows[i].major, rows[i].minor,
			    rows[i].pid);
		directory_close(&process);
		free(name);
	}
	devices_free(&devices);
	thpstat_close(source);
	scratch_remove(root);
	tally_finish(&tally, ARRAY_SIZE(rows));
}

/* More mounts than a list begins with, in no order. */
static void test_many(void **state)
{
	char *root = scratch_make(), *text = malloc(1000 * 64);
	struct devices devices = { .n = 0 };
	struct directory process;
	struct thpstat *source;
	size_t length = 0;

	(void)state;
	assert_non_null(text);
	for (unsigned int i = 0; i < 1000; i++)
		length += (size_t)snprintf(text + length, 1000 * 64 - length,
					   "%u 1 0:%u / /m%u rw - %s x rw\n", i, i * 7919 % 1000, i,
					   i * 7919 % 1000 % 3 ? "ext4" : "tmpfs");
	made_tree_text(root, "proc/self/mountinfo", text);
	made_tree_text(root, "proc/5/", "");
	source = made_tree_open(root);
	assert_int_equal(tree_open_directory(&source->tree, &source->tree.proc, "5", 0, &process),
			 0);
	for (unsigned int i = 0; i < 1000; i++)
		assert_int_equal(devices_find(&devices, source, &process, 0, i),
				 i % 3 ? OBJECT_DEVICE_OTHER : OBJECT_DEVICE_SHMEM);
	assert_int_equal(devices_find(&devices, source, &process, 0, 1000), OBJECT_DEVICE_UNKNOWN);
	directory_close(&process);
	devices_free(&devices);
	thpstat_close(source);
	free(text);
	scratch_remove(root);
}

#define FILE_RECORD(device)                                                                        \
	"00400000-00600000 r--s 00000000 " device " 99 /mnt/data\n"                                \
	"Size:               2048 kB\nRss:                 600 kB\nPss:                 600 kB\n"  \
	"Shared_Clean:          0 kB\nShared_Dirty:          0 kB\nAnonymous:             0 kB\n"  \
	"AnonHugePages:         0 kB\nShmemPmdMapped:        0 kB\nFilePmdMapped:         0 kB\n"  \
	"Shared_Hugetlb:        0 kB\nPrivate_Hugetlb:       0 kB\n"

/* What follows for a process: shared memory by its device, or by status, or not at all. */
static void test_classes(void **state)
{
	static const struct {
		const char *what;
		const char *smaps, *status;
		enum thpstat_class class_;
		struct figure_row figures[5];
	} rows[] = {
		{ "a file",
		  FILE_RECORD("fd:03"),
		  APP_STATUS,
		  THPSTAT_CLASS_FILE,
		  { { THPSTAT_RESIDENT_FILE, KB(600), 0, 0 },
		    { THPSTAT_RESIDENT_SHMEM, 0, 0, 0 },
		    { THPSTAT_FILE_ONCE, KB(600), 0, 0 } } },
		{ "a tmpfs of the reader",
		  FILE_RECORD("00:14"),
		  APP_STATUS,
		  THPSTAT_CLASS_SHMEM,
		  { { THPSTAT_RESIDENT_FILE, 0, 0, 0 },
		    { THPSTAT_RESIDENT_SHMEM, KB(600), 0, 0 },
		    { THPSTAT_SHMEM_ONCE, KB(600), 0, 0 } } },
		{ "a tmpfs of the process",
		  FILE_RECORD("00:28"),
		  APP_STATUS,
		  THPSTAT_CLASS_SHMEM,
		  { { THPSTAT_RESIDENT_SHMEM, KB(600), 0, 0 } } },
		{ "an unknown device, and what status says",
		  FILE_RECORD("00:63"),
		  "Name:\tx\nVmSize:\t1 kB\nRssShmem:\t400 kB\n",
		  THPSTAT_CLASS_FILE,
		  { { THPSTAT_RESIDENT_FILE, KB(200), 0, 0 },
		    { THPSTAT_RESIDENT_SHMEM, KB(400), 0, 0 },
		    { THPSTAT_RESIDENT_ONCE, KB(600), 0, 0 },
		    { THPSTAT_SHMEM_ONCE, 0, THPSTAT_REASON_NOT_PROVED, 0 } } },
		{ "an unknown device, and status of another moment",
		  FILE_RECORD("00:63"),
		  "Name:\tx\nVmSize:\t1 kB\nRssShmem:\t700 kB\n",
		  THPSTAT_CLASS_FILE,
		  { { THPSTAT_RESIDENT_FILE, 0, THPSTAT_REASON_DIFFERENT_MOMENTS, 0 },
		    { THPSTAT_RESIDENT_ONCE, KB(600), 0, 0 } } },
		{ "an unknown device, and an old status",
		  FILE_RECORD("00:63"),
		  "Name:\tx\nVmSize:\t1 kB\n",
		  THPSTAT_CLASS_FILE,
		  { { THPSTAT_RESIDENT_FILE, 0, THPSTAT_REASON_NOT_PROVED, 0 },
		    { THPSTAT_RESIDENT_SHMEM, 0, THPSTAT_REASON_NOT_PROVED, 0 },
		    { THPSTAT_FILE_ONCE, 0, THPSTAT_REASON_NOT_PROVED, 0 },
		    { THPSTAT_RESIDENT_ONCE, KB(600), 0, 0 } } },
	};
	static const enum thpstat_metric metrics[] = { THPSTAT_RESIDENT_ONCE };
	struct tally tally = { .subject = "classes" };
	char *root = made_tree(files, ARRAY_SIZE(files));
	struct thpstat *source = made_tree_open(root);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct mapping_list list;
		struct one_process one;

		made_tree_text(root, "proc/5/status", rows[i].status);
		made_tree_text(root, "proc/5/smaps", rows[i].smaps);
		assert_int_equal(mapping_list_read(source, 5, &list), 0);
		assert_int_equal(list.n, 1);
		tally_equal(&tally, list.records[0].class_, rows[i].class_, "class of %s",
			    rows[i].what);
		mapping_list_free(&list);
		one_process_open(source, 5, metrics, ARRAY_SIZE(metrics), 0, &one);
		tally_record(&tally, one.process->usage, rows[i].figures, rows[i].what);
		one_process_close(&one);
	}
	thpstat_close(source);
	scratch_remove(root);
	tally_finish(&tally, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

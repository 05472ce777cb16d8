/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "made_tree.h"
#include "scripted_read.h"
#include "support/files.h"
#include "support/process_figures.h"
#include "unit.h"

#define PID 5

static const char three_mappings[] =
	"00400000-00600000 r-xp 00001000 fd:03 960637                             /bin/a b\n"
	"Size:               2048 kB\nKernelPageSize:        4 kB\nRss:                 100 kB\n"
	"Pss:                  50 kB\nAnonymous:             0 kB\nAnonHugePages:         0 kB\n"
	"ShmemPmdMapped:        0 kB\nFilePmdMapped:         0 kB\nShared_Hugetlb:        0 kB\n"
	"Private_Hugetlb:       0 kB\nTHPeligible:           0\nVmFlags: rd ex mr mw me sd \n"
	"7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \n"
	"Size:               4096 kB\nKernelPageSize:        4 kB\nRss:                4096 kB\n"
	"Pss:                4096 kB\nAnonymous:          4096 kB\nAnonHugePages:      2048 kB\n"
	"ShmemPmdMapped:        0 kB\nFilePmdMapped:         0 kB\nShared_Hugetlb:        0 kB\n"
	"Private_Hugetlb:       0 kB\nTHPeligible:    1\nVmFlags: rd wr hg \n"
	"a00000000000-c00000000000 rw-s 00000000 00:01 42                   /memfd:x: y (deleted)\n"
	"Size:           34359738368 kB\nNewKey:                9 kB\nRss:                2048 kB\n"
	"Name:           [anon:x]\nPss:                1024 kB\nAnonymous:             0 kB\n"
	"AnonHugePages:         0 kB\nShmemPmdMapped:     2048 kB\nFilePmdMapped:         0 kB\n"
	"Shared_Hugetlb:        0 kB\nPrivate_Hugetlb:       0 kB\nKernelPageSize:       64 kB\n"
	"THPeligible:\t\t1\nVmFlags:\n";

static const struct made_file tree[] = {
	{ "proc/5/status", "Name:\tx\nVmSize:\t 1 kB\nVmRSS:\t 1 kB\nThreads:\t1\n", 0 },
	{ "proc/self/mountinfo", "30 1 253:3 / / rw - ext4 /dev/x rw\n", 0 },
	{ "proc/5/smaps", three_mappings, 0 },
};

static char *root;
static struct thpstat *source;

static int open_tree(void **state)
{
	(void)state;
	root = made_tree(tree, ARRAY_SIZE(tree));
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

static void tally_lists(struct tally *tally, const struct mapping_list *found,
			const struct mapping_list *wanted, size_t pieces)
{
	tally_equal(tally, found->n, wanted->n, "mappings, pieces of %zu", pieces);
	for (size_t i = 0; i < found->n && i < wanted->n; i++) {
		const struct mapping_record *a = &found->records[i], *b = &wanted->records[i];

		tally_holds(tally,
			    a->start == b->start && a->end == b->end && a->offset == b->offset &&
				    a->device_major == b->device_major &&
				    a->device_minor == b->device_minor && a->inode == b->inode &&
				    !thpstat_object_compare(&a->object, &b->object) &&
				    a->class_ == b->class_ && a->flags == b->flags &&
				    a->error == b->error,
			    "header and flags of mapping %zu, pieces of %zu", i, pieces);
		tally_text(tally, a->name, b->name, "name of mapping %zu, pieces of %zu", i,
			   pieces);
		for (unsigned int m = 0; m < MAPPING_METRIC_LIMIT; m++)
			tally_holds(tally,
				    a->figures[m].error == b->figures[m].error &&
					    a->figures[m].value == b->figures[m].value,
				    "metric %u of mapping %zu, pieces of %zu", m, i, pieces);
	}
}

/* What is behind all comparisons of this file: the values, by hand. */
static void test_values(void **state)
{
	static const struct {
		uint64_t start, end, offset, inode;
		uint32_t major, minor;
		enum thpstat_class class_;
		unsigned int flags;
		const char *name;
		uint64_t size, rss, pss, anonymous, huge, kernel_page, eligible;
	} rows[] = {
		{ 0x400000, 0x600000, 0x1000, 960637, 0xfd, 3, THPSTAT_CLASS_FILE,
		  THPSTAT_MAPPING_READ | THPSTAT_MAPPING_EXEC | THPSTAT_MAPPING_HAS_VMFLAGS,
		  "/bin/a b", 2048, 100, 50, 0, 0, 4, 0 },
		{ 0x7f0000000000, 0x7f0000400000, 0, 0, 0, 0, THPSTAT_CLASS_ANON,
		  THPSTAT_MAPPING_READ | THPSTAT_MAPPING_WRITE | THPSTAT_MAPPING_HAS_VMFLAGS |
			  THPSTAT_MAPPING_HUGEPAGE_ADVISED,
		  "", 4096, 4096, 4096, 4096, 2048, 4, 1 },
		{ 0xa00000000000, 0xc00000000000, 0, 42, 0, 1, THPSTAT_CLASS_SHMEM,
		  THPSTAT_MAPPING_READ | THPSTAT_MAPPING_WRITE | THPSTAT_MAPPING_SHARED |
			  THPSTAT_MAPPING_HAS_VMFLAGS,
		  "/memfd:x: y (deleted)", 34359738368, 2048, 1024, 0, 2048, 64, 1 },
	};
	struct tally tally = { .subject = "values" };
	struct mapping_list list;

	(void)state;
	scripted_read_plain();
	assert_int_equal(mapping_list_read(source, PID, &list), 0);
	assert_int_equal(list.n, ARRAY_SIZE(rows));
	for (size_t i = 0; i < list.n; i++) {
		const struct mapping_record *record = &list.records[i];

		tally_equal(&tally, record->start, rows[i].start, "start of %zu", i);
		tally_equal(&tally, record->end, rows[i].end, "end of %zu", i);
		tally_equal(&tally, record->offset, rows[i].offset, "offset of %zu", i);
		tally_equal(&tally, record->inode, rows[i].inode, "inode of %zu", i);
		tally_equal(&tally, record->device_major, rows[i].major, "major of %zu", i);
		tally_equal(&tally, record->device_minor, rows[i].minor, "minor of %zu", i);
		tally_equal(&tally, record->class_, rows[i].class_, "class of %zu", i);
		tally_equal(&tally, record->flags, rows[i].flags, "flags of %zu", i);
		tally_text(&tally, record->name, rows[i].name, "name of %zu", i);
		tally_equal(&tally, (uint64_t)record->error, 0, "error of %zu", i);
		tally_equal(&tally, record_value(record, THPSTAT_SIZE), rows[i].size * 1024,
			    "size of %zu", i);
		tally_equal(&tally, record_value(record, THPSTAT_RSS), rows[i].rss * 1024,
			    "rss of %zu", i);
		tally_equal(&tally, record_value(record, THPSTAT_PSS), rows[i].pss * 1024,
			    "pss of %zu", i);
		tally_equal(&tally, record_value(record, THPSTAT_ANONYMOUS),
			    rows[i].anonymous * 1024, "anonymous of %zu", i);
		tally_equal(&tally, record_value(record, THPSTAT_HUGE), rows[i].huge * 1024,
			    "huge of %zu", i);
		tally_equal(&tally, record_value(record, THPSTAT_KERNEL_PAGE_SIZE),
			    rows[i].kernel_page * 1024, "page size of %zu", i);
		tally_equal(&tally, record_value(record, THPSTAT_THP_ELIGIBLE), rows[i].eligible,
			    "eligible of %zu", i);
	}
	mapping_list_free(&list);
	tally_finish(&tally, 17 * ARRAY_SIZE(rows));
}

/* The kernel ends a read where it likes. */
static void test_any_pieces(void **state)
{
	struct tally tally = { .subject = "pieces" };
	struct mapping_list wanted, found;

	(void)state;
	scripted_read_plain();
	assert_int_equal(mapping_list_read(source, PID, &wanted), 0);
	for (size_t size = 1; size < sizeof(three_mappings); size++) {
		scripted_read_pieces(size, size);
		tally_equal(&tally, (uint64_t)mapping_list_read(source, PID, &found), 0,
			    "result, pieces of %zu", size);
		tally_lists(&tally, &found, &wanted, size);
		mapping_list_free(&found);
	}
	mapping_list_free(&wanted);
	tally_finish(&tally, 200 * sizeof(three_mappings));
}

static void test_interrupted(void **state)
{
	struct tally tally = { .subject = "interrupted" };
	struct mapping_list wanted, found;

	(void)state;
	scripted_read_plain();
	assert_int_equal(mapping_list_read(source, PID, &wanted), 0);
	scripted_read_interrupt();
	assert_int_equal(mapping_list_read(source, PID, &found), 0);
	tally_lists(&tally, &found, &wanted, 0);
	mapping_list_free(&found);
	mapping_list_free(&wanted);
	tally_finish(&tally, 200);
}

/* A list that ends with an error is not a complete list. */
static void test_errors(void **state)
{
	static const int errors[] = { EIO, ESRCH, EACCES };
	struct tally tally = { .subject = "errors" };
	struct mapping_list list;
	unsigned long reads;

	(void)state;
	scripted_read_plain();
	assert_int_equal(mapping_list_read(source, PID, &list), 0);
	mapping_list_free(&list);
	reads = scripted_read_count();
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		for (unsigned long number = 1; number <= reads; number++) {
			scripted_read_error(number, errors[i]);

			int result = mapping_list_read(source, PID, &list);

			/* mountinfo is read on the way; without it the class is a guess */
			tally_holds(&tally,
				    result == -errors[i] || (!result && list.n == 3) ||
					    (number == 1 && result < 0),
				    "error %d in read %lu of %lu gives %d", errors[i], number,
				    reads, result);
			mapping_list_free(&list);
		}
	scripted_read_plain();
	tally_finish(&tally, 4 * ARRAY_SIZE(errors));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_any_pieces),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, open_tree, close_tree);
}

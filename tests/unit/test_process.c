/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "figure_list.h"
#include "made_tree.h"
#include "process_files.h"
#include "support/files.h"
#include "unit.h"

#define KB(n) ((uint64_t)(n)*1024)
#define PID 10
#define NOT_OFFERED THPSTAT_REASON_NOT_OFFERED
#define NOT_READ THPSTAT_REASON_NOT_READ
#define NOT_PROVED THPSTAT_REASON_NOT_PROVED
#define FORBIDDEN THPSTAT_REASON_FORBIDDEN
#define GONE THPSTAT_REASON_GONE
#define CUT THPSTAT_REASON_CUT
#define NO_MEMORY THPSTAT_REASON_NO_MEMORY

/* The figures of smaps_rollup, and those that follow. */
#define ROLLUP_FIGURES                                                                             \
	{ THPSTAT_RSS, KB(APP_RSS), 0, 0 }, { THPSTAT_PSS, KB(APP_PSS), 0, 0 },                    \
		{ THPSTAT_ANONYMOUS, KB(APP_ANONYMOUS), 0, 0 },                                    \
		{ THPSTAT_RESIDENT, KB(APP_RSS), 0, 0 },                                           \
		{ THPSTAT_HUGE, KB(APP_ANON_HUGE + APP_SHMEM_HUGE), 0, 0 },                        \
		{ THPSTAT_RESIDENT_SHMEM, KB(APP_SHMEM), 0, 0 },                                   \
	{                                                                                          \
		THPSTAT_RESIDENT_FILE, KB(APP_FILE), 0, 0                                          \
	}
#define MEMORY_ABSENT(reason)                                                                      \
	{ THPSTAT_RSS, 0, reason, 0 }, { THPSTAT_PSS, 0, reason, 0 },                              \
		{ THPSTAT_ANON_HUGE_PAGES, 0, reason, 0 }, { THPSTAT_RESIDENT, 0, reason, 0 },     \
		{ THPSTAT_HUGE, 0, reason, 0 },                                                    \
	{                                                                                          \
		THPSTAT_FOOTPRINT, 0, reason, 0                                                    \
	}
#define STATUS_FIGURES                                                                             \
	{ THPSTAT_VM_RSS, KB(APP_RSS), 0, 0 }, { THPSTAT_VM_PTE, KB(APP_PTE), 0, 0 },              \
		{ THPSTAT_THREADS, 2, 0, 0 },                                                      \
	{                                                                                          \
		THPSTAT_THP_ENABLED, 1, 0, 0                                                       \
	}

/* What is counted of a walk. */
enum counter { READ, WAS_FORBIDDEN, VANISHED, WAS_CUT, KERNEL_THREADS, ZOMBIES };

static const struct process_row {
	const char *what;
	struct made_file
		files[4]; /* below proc/10, or of the tree when the path has a slash before */
	int once;	  /* ask for once figures, so that smaps is read */
	enum thpstat_process_state state;
	int error;
	unsigned int flags;
	enum counter counter;
	const char *comm;
	struct figure_row figures[14];
} rows[] = {
	{ "all files",
	  { { "status", APP_STATUS, 0 },
	    { "smaps_rollup", APP_ROLLUP, 0 },
	    { "smaps", APP_SMAPS, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  "app",
	  { ROLLUP_FIGURES,
	    STATUS_FIGURES,
	    { THPSTAT_RESIDENT_ONCE, 0, NOT_READ, 0 },
	    { THPSTAT_FOOTPRINT, KB(APP_PSS + APP_PTE), 0, 0 } } },
	{ "all files, once",
	  { { "status", APP_STATUS, 0 },
	    { "smaps_rollup", APP_ROLLUP, 0 },
	    { "smaps", APP_SMAPS, 0 } },
	  1,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  "app",
	  { ROLLUP_FIGURES,
	    { THPSTAT_RESIDENT_ONCE, KB(APP_RSS), 0, 0 },
	    { THPSTAT_SHMEM_HUGE_ONCE, KB(APP_SHMEM_HUGE), 0, 0 },
	    { THPSTAT_MAPPINGS, 3, 0, 0 },
	    { THPSTAT_SIZE, KB(8192), 0, 0 },
	    { THPSTAT_FOOTPRINT, KB(APP_PSS + APP_PTE), 0, 0 } } },
	{ "no status",
	  { { "smaps_rollup", APP_ROLLUP, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  NULL,
	  { { THPSTAT_RSS, KB(APP_RSS), 0, 0 },
	    { THPSTAT_RESIDENT, KB(APP_RSS), 0, 0 },
	    { THPSTAT_VM_RSS, 0, NOT_OFFERED, 0 },
	    { THPSTAT_RESIDENT_SHMEM, 0, NOT_OFFERED, 0 },
	    { THPSTAT_FOOTPRINT, 0, NOT_OFFERED, 0 } } },
	/* Linux before 4.14: the sum of smaps, whose Pss is a little low */
	{ "no smaps_rollup",
	  { { "status", APP_STATUS, 0 }, { "smaps", APP_SMAPS, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  "app",
	  { { THPSTAT_RSS, KB(APP_RSS), 0, 0 },
	    { THPSTAT_PSS, KB(APP_PSS_SUM), 0, THPSTAT_METHOD_ESTIMATE },
	    { THPSTAT_PSS_ANON, 0, NOT_OFFERED, 0 },
	    { THPSTAT_RESIDENT_SHMEM, KB(APP_SHMEM), 0, 0 },
	    { THPSTAT_RESIDENT_FILE, KB(APP_FILE), 0, 0 },
	    { THPSTAT_HUGE, KB(APP_ANON_HUGE + APP_SHMEM_HUGE), 0, 0 },
	    { THPSTAT_FOOTPRINT, KB(APP_PSS_SUM + APP_PTE), 0, THPSTAT_METHOD_ESTIMATE },
	    { THPSTAT_RESIDENT_ONCE, KB(APP_RSS), 0, 0 } } },
	{ "no smaps, once",
	  { { "status", APP_STATUS, 0 }, { "smaps_rollup", APP_ROLLUP, 0 } },
	  1,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  "app",
	  { ROLLUP_FIGURES,
	    { THPSTAT_RESIDENT_ONCE, 0, NOT_OFFERED, 0 },
	    { THPSTAT_MAPPINGS, 0, NOT_OFFERED, 0 } } },
	{ "status alone",
	  { { "status", APP_STATUS, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  "app",
	  { MEMORY_ABSENT(NOT_OFFERED), STATUS_FIGURES } },
	{ "nothing",
	  { { "", "", 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  NULL,
	  { MEMORY_ABSENT(NOT_OFFERED), { THPSTAT_VM_RSS, 0, NOT_OFFERED, 0 } } },
	{ "no such process",
	  { { "/proc/11/", "", 0 } },
	  0,
	  THPSTAT_PROCESS_GONE,
	  -ESRCH,
	  0,
	  VANISHED,
	  NULL,
	  { MEMORY_ABSENT(GONE), { THPSTAT_VM_RSS, 0, GONE, 0 } } },
	{ "an empty status",
	  { { "status", "", 0 }, { "smaps_rollup", APP_ROLLUP, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  NULL,
	  { { THPSTAT_RSS, KB(APP_RSS), 0, 0 }, { THPSTAT_VM_RSS, 0, NOT_OFFERED, 0 } } },
	{ "an empty smaps_rollup",
	  { { "status", APP_STATUS, 0 }, { "smaps_rollup", "", 0 }, { "smaps", APP_SMAPS, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  -EBADMSG,
	  0,
	  WAS_CUT,
	  "app",
	  { MEMORY_ABSENT(CUT), STATUS_FIGURES } },
	{ "an empty smaps",
	  { { "status", APP_STATUS, 0 }, { "smaps", "", 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  "app",
	  { MEMORY_ABSENT(NOT_OFFERED), STATUS_FIGURES } },
	{ "all empty",
	  { { "status", "", 0 }, { "smaps_rollup", "", 0 }, { "smaps", "", 0 } },
	  1,
	  THPSTAT_PROCESS_RUNNING,
	  -EBADMSG,
	  0,
	  WAS_CUT,
	  NULL,
	  { MEMORY_ABSENT(CUT), { THPSTAT_RESIDENT_ONCE, 0, CUT, 0 } } },
	{ "a rollup that ends within a line",
	  { { "status", APP_STATUS, 0 },
	    { "smaps_rollup", APP_ROLLUP "Pss_Dirty:            12", 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  -EBADMSG,
	  0,
	  WAS_CUT,
	  "app",
	  { MEMORY_ABSENT(CUT), STATUS_FIGURES } },
	{ "a rollup that is an smaps",
	  { { "status", APP_STATUS, 0 }, { "smaps_rollup", APP_SMAPS, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  -EBADMSG,
	  0,
	  WAS_CUT,
	  "app",
	  { MEMORY_ABSENT(CUT), STATUS_FIGURES } },
	{ "a rollup without a header",
	  { { "status", APP_STATUS, 0 }, { "smaps_rollup", "Rss:                3100 kB\n", 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  -EBADMSG,
	  0,
	  WAS_CUT,
	  "app",
	  { MEMORY_ABSENT(CUT), STATUS_FIGURES } },
	{ "a value of the rollup that is no number",
	  { { "status", APP_STATUS, 0 },
	    { "smaps_rollup",
	      "00400000-7ffd1d052000 ---p 00000000 00:00 0 [rollup]\nRss: x kB\nPss:  5 kB\n",
	      0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  THPSTAT_PROCESS_CUT,
	  WAS_CUT,
	  "app",
	  { { THPSTAT_RSS, 0, CUT, 0 },
	    { THPSTAT_PSS, KB(5), 0, 0 },
	    { THPSTAT_RESIDENT, 0, CUT, 0 } } },
	{ "a value of the rollup that does not fit",
	  { { "status", APP_STATUS, 0 },
	    { "smaps_rollup",
	      "00400000-7ffd1d052000 ---p 00000000 00:00 0 [rollup]\n"
	      "Rss: 99999999999999999999 kB\nPss:  5 kB\n",
	      0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  THPSTAT_PROCESS_CUT,
	  WAS_CUT,
	  "app",
	  { { THPSTAT_RSS, 0, THPSTAT_REASON_OVERFLOW, 0 }, { THPSTAT_PSS, KB(5), 0, 0 } } },
	{ "a value of status that is no number",
	  { { "status", "Name:\tapp\nVmSize:\t1 kB\nVmRSS:\tx kB\n", 0 },
	    { "smaps_rollup", APP_ROLLUP, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  THPSTAT_PROCESS_CUT,
	  WAS_CUT,
	  "app",
	  { { THPSTAT_VM_RSS, 0, CUT, 0 }, { THPSTAT_RSS, KB(APP_RSS), 0, 0 } } },
	{ "a value of the only mapping that is no number",
	  { { "status", APP_STATUS, 0 },
	    { "smaps", "1000-2000 rw-p 00000000 00:00 0\nSize: 4 kB\nRss: x kB\nPss: 4 kB\n", 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  THPSTAT_PROCESS_CUT,
	  WAS_CUT,
	  "app",
	  { { THPSTAT_RSS, 0, CUT, 0 },
	    { THPSTAT_SIZE, KB(4), 0, 0 },
	    { THPSTAT_RESIDENT, 0, CUT, 0 } } },
	{ "a value of the only mapping that does not fit",
	  { { "status", APP_STATUS, 0 },
	    { "smaps", "1000-2000 rw-p 00000000 00:00 0\nSize: 18014398509481984 kB\nRss: 4 kB\n",
	      0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  THPSTAT_PROCESS_CUT,
	  WAS_CUT,
	  "app",
	  { { THPSTAT_SIZE, 0, THPSTAT_REASON_OVERFLOW, 0 }, { THPSTAT_RSS, KB(4), 0, 0 } } },
	{ "a sum that does not fit",
	  { { "status", APP_STATUS, 0 },
	    { "smaps",
	      "1000-2000 rw-p 00000000 00:00 0\nSize: 18014398509481983 kB\nRss: 4 kB\n"
	      "2000-3000 rw-p 00000000 00:00 0\nSize: 1 kB\nRss: 4 kB\n",
	      0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  "app",
	  { { THPSTAT_SIZE, 0, THPSTAT_REASON_OVERFLOW, 0 }, { THPSTAT_RSS, KB(8), 0, 0 } } },
	/* the key of one record is not borrowed from its neighbour */
	{ "a mapping without figures",
	  { { "status", APP_STATUS, 0 },
	    { "smaps", APP_TEXT "00700000-00701000 ---p 00000000 00:00 0 \n" APP_HEAP, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  THPSTAT_PROCESS_CUT,
	  WAS_CUT,
	  "app",
	  { { THPSTAT_RSS, KB(1600), 0, 0 },
	    { THPSTAT_MAPPINGS, 3, 0, 0 },
	    { THPSTAT_RESIDENT, 0, CUT, 0 },
	    { THPSTAT_RESIDENT_ONCE, 0, CUT, 0 },
	    { THPSTAT_FOOTPRINT, 0, CUT, 0 } } },
	{ "a mapping seen twice",
	  { { "status", APP_STATUS, 0 }, { "smaps", APP_TEXT APP_HEAP APP_HEAP, 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  THPSTAT_PROCESS_INCONSISTENT,
	  READ,
	  "app",
	  { { THPSTAT_RSS, KB(2600), 0, 0 },
	    { THPSTAT_RESIDENT_ONCE, 0, THPSTAT_REASON_DIFFERENT_MOMENTS, 0 } } },
	{ "a range that ends before it begins",
	  { { "status", APP_STATUS, 0 },
	    { "smaps",
	      "2000-1000 rw-p 00000000 00:01 9 /memfd:x\nRss: 4 kB\nAnonymous: 0 kB\n"
	      "Shared_Hugetlb: 0 kB\nPrivate_Hugetlb: 0 kB\n",
	      0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  THPSTAT_PROCESS_INCONSISTENT,
	  READ,
	  "app",
	  { { THPSTAT_RSS, KB(4), 0, 0 },
	    { THPSTAT_RESIDENT_ONCE, 0, THPSTAT_REASON_DIFFERENT_MOMENTS, 0 } } },
	{ "more resident than mapped",
	  { { "status", APP_STATUS, 0 },
	    { "smaps",
	      "1000-2000 rw-s 00000000 00:01 9 /memfd:x\nRss: 8 kB\nAnonymous: 0 kB\n"
	      "Shared_Hugetlb: 0 kB\nPrivate_Hugetlb: 0 kB\n",
	      0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  0,
	  0,
	  READ,
	  "app",
	  { { THPSTAT_RSS, KB(8), 0, 0 },
	    { THPSTAT_RESIDENT_ONCE, 0, THPSTAT_REASON_BROKEN, 0 } } },
	{ "smaps that ends within a line",
	  { { "status", APP_STATUS, 0 }, { "smaps", APP_TEXT APP_HEAP "0090", 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  -EBADMSG,
	  0,
	  WAS_CUT,
	  "app",
	  { MEMORY_ABSENT(CUT), STATUS_FIGURES } },
	/* what could not be read when the tree was taken */
	{ "rollup forbidden",
	  { { "status", APP_STATUS, 0 }, { "/errors.tsv", "proc/10/smaps_rollup\tEACCES\n", 0 } },
	  0,
	  THPSTAT_PROCESS_FORBIDDEN,
	  -EACCES,
	  0,
	  WAS_FORBIDDEN,
	  "app",
	  { MEMORY_ABSENT(FORBIDDEN), STATUS_FIGURES } },
	{ "rollup not permitted",
	  { { "status", APP_STATUS, 0 }, { "/errors.tsv", "proc/10/smaps_rollup\tEPERM\n", 0 } },
	  0,
	  THPSTAT_PROCESS_FORBIDDEN,
	  -EACCES,
	  0,
	  WAS_FORBIDDEN,
	  "app",
	  { MEMORY_ABSENT(FORBIDDEN), STATUS_FIGURES } },
	{ "gone while it was read",
	  { { "status", APP_STATUS, 0 }, { "/errors.tsv", "proc/10/smaps_rollup\tESRCH\n", 0 } },
	  0,
	  THPSTAT_PROCESS_GONE,
	  -ESRCH,
	  0,
	  VANISHED,
	  "app",
	  { MEMORY_ABSENT(GONE) } },
	{ "an error of the disk",
	  { { "status", APP_STATUS, 0 }, { "/errors.tsv", "proc/10/smaps_rollup\tEIO\n", 0 } },
	  0,
	  THPSTAT_PROCESS_RUNNING,
	  -EIO,
	  0,
	  WAS_CUT,
	  "app",
	  { MEMORY_ABSENT(CUT), STATUS_FIGURES } },
	{ "smaps forbidden",
	  { { "status", APP_STATUS, 0 }, { "/errors.tsv", "proc/10/smaps\tEACCES\n", 0 } },
	  1,
	  THPSTAT_PROCESS_FORBIDDEN,
	  -EACCES,
	  0,
	  WAS_FORBIDDEN,
	  "app",
	  { MEMORY_ABSENT(FORBIDDEN), STATUS_FIGURES } },
	{ "status forbidden",
	  { { "smaps_rollup", APP_ROLLUP, 0 }, { "/errors.tsv", "proc/10/status\tEACCES\n", 0 } },
	  0,
	  THPSTAT_PROCESS_FORBIDDEN,
	  -EACCES,
	  0,
	  WAS_FORBIDDEN,
	  NULL,
	  { MEMORY_ABSENT(FORBIDDEN), { THPSTAT_VM_RSS, 0, FORBIDDEN, 0 } } },
	{ "the directory forbidden",
	  { { "/proc/11/", "", 0 }, { "/errors.tsv", "proc/10\tEACCES\n", 0 } },
	  0,
	  THPSTAT_PROCESS_FORBIDDEN,
	  -EACCES,
	  0,
	  WAS_FORBIDDEN,
	  NULL,
	  { MEMORY_ABSENT(FORBIDDEN), { THPSTAT_VM_RSS, 0, FORBIDDEN, 0 } } },
	/* no address space */
	{ "a kernel thread",
	  { { "status",
	      "Name:\tkthreadd\nState:\tS (sleeping)\nPPid:\t0\nKthread:\t1\nThreads:\t1\n", 0 },
	    { "smaps", "", 0 } },
	  0,
	  THPSTAT_PROCESS_KERNEL_THREAD,
	  0,
	  0,
	  KERNEL_THREADS,
	  "kthreadd",
	  { MEMORY_ABSENT(NO_MEMORY), { THPSTAT_VM_RSS, 0, NO_MEMORY, 0 } } },
	{ "a kernel thread of an old kernel",
	  { { "status", "Name:\tkthreadd\nState:\tS (sleeping)\nThreads:\t1\n", 0 },
	    { "stat", "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 0 0\n", 0 } },
	  0,
	  THPSTAT_PROCESS_KERNEL_THREAD,
	  0,
	  0,
	  KERNEL_THREADS,
	  "kthreadd",
	  { MEMORY_ABSENT(NO_MEMORY) } },
	{ "a zombie",
	  { { "status", "Name:\tsh\nState:\tZ (zombie)\nPPid:\t1\nThreads:\t1\n", 0 },
	    { "smaps", "", 0 } },
	  0,
	  THPSTAT_PROCESS_ZOMBIE,
	  0,
	  0,
	  ZOMBIES,
	  "sh",
	  { MEMORY_ABSENT(NO_MEMORY), { THPSTAT_VM_RSS, 0, NO_MEMORY, 0 } } },
	{ "dead",
	  { { "status", "Name:\tsh\nState:\tX (dead)\nThreads:\t1\n", 0 } },
	  0,
	  THPSTAT_PROCESS_GONE,
	  -ESRCH,
	  0,
	  VANISHED,
	  "sh",
	  { MEMORY_ABSENT(GONE) } },
	{ "a leader that is gone",
	  { { "status", "Name:\tapp\nState:\tZ (zombie)\nThreads:\t2\n", 0 },
	    { "task/10/status", "Name:\tapp\nState:\tZ (zombie)\nThreads:\t2\n", 0 },
	    { "task/12/status", APP_STATUS, 0 },
	    { "task/12/smaps_rollup", APP_ROLLUP, 0 } },
	  0,
	  THPSTAT_PROCESS_LEADER_GONE,
	  0,
	  0,
	  READ,
	  "app",
	  { ROLLUP_FIGURES, STATUS_FIGURES } },
	{ "a leader and all others gone",
	  { { "status", "Name:\tapp\nState:\tZ (zombie)\nThreads:\t2\n", 0 },
	    { "task/10/status", "Name:\tapp\nState:\tZ (zombie)\nThreads:\t2\n", 0 },
	    { "task/12/status", "Name:\tapp\nState:\tZ (zombie)\nThreads:\t2\n", 0 } },
	  0,
	  THPSTAT_PROCESS_ZOMBIE,
	  0,
	  0,
	  ZOMBIES,
	  "app",
	  { MEMORY_ABSENT(NO_MEMORY), { THPSTAT_THREADS, 2, 0, 0 } } },
};

static void add_file(const char *root, const struct made_file *file)
{
	char *path = file->path[0] == '/' ? format_text("%s", file->path + 1)
					  : format_text("proc/%d/%s", PID, file->path);

	made_tree_text(root, path, file->text);
	free(path);
}

static void tally_counters(struct tally *tally, const struct thpstat_completeness *completeness,
			   enum counter counter, const char *what)
{
	const uint64_t found[] = {
		[READ] = completeness->read,
		[WAS_FORBIDDEN] = completeness->forbidden,
		[VANISHED] = completeness->vanished,
		[WAS_CUT] = completeness->cut,
		[KERNEL_THREADS] = completeness->kernel_threads,
		[ZOMBIES] = completeness->zombies,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(found); i++)
		tally_equal(tally, found[i], i == counter, "%s: counter %u", what, i);
}

static void tally_process(struct tally *tally, const struct process_row *row)
{
	static const enum thpstat_metric once[] = { THPSTAT_RSS, THPSTAT_PSS,
						    THPSTAT_RESIDENT_ONCE };
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = (int[]){ PID },
		.n_pids = 1,
		.metrics = row->once ? once : NULL,
		.n_metrics = row->once ? ARRAY_SIZE(once) : 0,
	};
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	char *root = scratch_make();
	struct thpstat *source;

	made_tree_text(root, "proc/self/mountinfo", APP_MOUNTINFO);
	for (size_t i = 0; i < ARRAY_SIZE(row->files) && row->files[i].path; i++)
		add_file(root, &row->files[i]);
	source = made_tree_open(root);
	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	assert_int_equal(thpstat_processes_next(walk, &process), 1);
	tally_equal(tally, (uint64_t)process->pid, PID, "%s: pid", row->what);
	tally_equal(tally, process->state, row->state, "%s: state", row->what);
	tally_equal(tally, (uint64_t)-process->error, (uint64_t)-row->error, "%s: error",
		    row->what);
	tally_equal(tally, process->flags, row->flags, "%s: flags", row->what);
	tally_text(tally, process->comm, row->comm, "%s: name", row->what);
	tally_record(tally, process->usage, row->figures, row->what);
	tally_counters(tally, thpstat_processes_completeness(walk), row->counter, row->what);
	assert_int_equal(thpstat_processes_next(walk, &process), 0);
	/* any order of closing */
	thpstat_close(source);
	thpstat_processes_close(walk);
	scratch_remove(root);
}

static void test_processes(void **state)
{
	struct tally tally = { .subject = "processes" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		tally_process(&tally, &rows[i]);
	tally_finish(&tally, 15 * ARRAY_SIZE(rows));
}

/* A walk that goes from one kind to the next carries nothing over. */
static void test_all_in_one_walk(void **state)
{
	static const enum thpstat_metric metrics[] = { THPSTAT_RESIDENT_ONCE, THPSTAT_PSS };
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.n_metrics = ARRAY_SIZE(metrics),
	};
	struct tally tally = { .subject = "one walk" };
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	char *root = scratch_make();
	struct thpstat *source;
	int more, n = 0;

	(void)state;
	made_tree_text(root, "proc/self/mountinfo", APP_MOUNTINFO);
	for (int pid = 1; pid <= 60; pid++) {
		static const char *const smaps[] = { APP_SMAPS, APP_TEXT, "", APP_TEXT "0090" };
		char *path = format_text("proc/%d/", pid);
		char *status = format_text("%sstatus", path), *list = format_text("%ssmaps", path);

		made_tree_text(root, path, "");
		if (pid % 5)
			made_tree_text(root, status, APP_STATUS);
		if (pid % 5 != 1)
			made_tree_text(root, list, smaps[pid % 4]);
		free(path);
		free(status);
		free(list);
	}
	source = made_tree_open(root);
	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	while ((more = thpstat_processes_next(walk, &process)) == 1) {
		int has_smaps = process->pid % 5 != 1, which = process->pid % 4;
		enum thpstat_reason reason = has_smaps && which < 2    ? THPSTAT_REASON_NONE
					     : has_smaps && which == 3 ? CUT
								       : NOT_OFFERED;
		const struct figure_row figures[] = {
			{ THPSTAT_RSS, KB(which ? 600 : APP_RSS), reason, 0 },
			{ THPSTAT_MAPPINGS, which ? 1 : 3, reason, 0 },
			{ THPSTAT_RESIDENT_ONCE, KB(which ? 600 : APP_RSS), reason, 0 },
			{ THPSTAT_VM_RSS, KB(APP_RSS),
			  process->pid % 5 ? 0
			  : reason == CUT  ? CUT
					   : NOT_OFFERED,
			  0 },
			{ 0, 0, 0, 0 },
		};
		char *what = format_text("pid %d", process->pid);

		tally_text(&tally, process->comm, process->pid % 5 ? "app" : NULL, "%s: name",
			   what);
		tally_equal(&tally, process->known,
			    process->pid % 5
				    ? THPSTAT_PROCESS_KNOWS_UID | THPSTAT_PROCESS_KNOWS_PPID
				    : 0,
			    "%s: what is known", what);
		tally_record(&tally, process->usage, figures, what);
		free(what);
		n++;
	}
	assert_int_equal(more, 0);
	assert_int_equal(n, 60);
	thpstat_processes_close(walk);
	thpstat_close(source);
	scratch_remove(root);
	tally_finish(&tally, 60 * 6);
}

static void test_identity(void **state)
{
	static const struct made_file files[] = {
		{ "proc/10/status",
		  "Name:\ta\\nb\\\\c\nPPid:\t7\nUid:\t1\t2\t3\t4\nVmSize:\t1 kB\n", 0 },
		{ "proc/10/stat", "10 (a\nb) S 7 0 0 0 -1 5 0 0 0 0 0 0 0 0 20 0 1 0 9152441 0\n",
		  0 },
		{ "proc/10/cgroup", "0::/app.slice/x:y\n", 0 },
		{ "proc/10/cmdline", "a\0b c\0", 6 },
		{ "proc/10/smaps_rollup", APP_ROLLUP, 0 },
		{ "proc/11/status", "State:\tZ (zombie)\nThreads:\t1\n", 0 },
		{ "proc/11/cgroup", "0::/\n", 0 },
		{ "proc/11/stat", "11 (x) Z 7\n", 0 },
		{ "proc/11/cmdline", "", 0 },
		{ "proc/12/status", "VmSize:\t1 kB\n", 0 },
		{ "proc/12/stat",
		  "12 (x) S 7 0 0 0 -1 5 0 0 0 0 0 0 0 0 20 0 1 0 18446744073709551615 0\n", 0 },
		{ "proc/12/cmdline", "no NUL", 0 },
		{ "errors.tsv", "proc/13/cmdline\tEACCES\n", 0 },
		{ "proc/13/", "", 0 },
	};
	static const struct {
		int pid;
		unsigned int known;
		uint64_t start_time;
		const char *comm, *cgroup;
		int command_line;
		const char *arguments;
		size_t size;
	} wanted[] = {
		{ 10, 7, 91524410, "a\nb\\c", "/app.slice/x:y", 0, "a\0b c", 6 },
		{ 11, 0, 0, NULL, NULL, -ENODATA, NULL, 0 },
		{ 12, 0, 0, NULL, NULL, 0, "no NUL", 7 },
		{ 13, 0, 0, NULL, NULL, -EACCES, NULL, 0 },
		{ 14, 0, 0, NULL, NULL, -ENODATA, NULL, 0 },
		{ 10, 7, 91524410, "a\nb\\c", "/app.slice/x:y", 0, "a\0b c", 6 },
	};
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = (int[]){ 10, 11, 12, 13, 14, 10 },
		.n_pids = 6,
		.want = THPSTAT_PROCESS_WANT_CGROUP | THPSTAT_PROCESS_WANT_START_TIME,
	};
	struct tally tally = { .subject = "identity" };
	char *root = made_tree(files, ARRAY_SIZE(files));
	struct thpstat *source = made_tree_open(root);
	const struct thpstat_process *process;
	struct thpstat_processes *walk;

	(void)state;
	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		const char *arguments = NULL;
		size_t size = 0;

		assert_int_equal(thpstat_processes_next(walk, &process), 1);
		tally_equal(&tally, (uint64_t)process->pid, (uint64_t)wanted[i].pid, "pid %zu", i);
		tally_equal(&tally, process->known, wanted[i].known, "what is known of %zu", i);
		tally_equal(&tally,
			    process->known & THPSTAT_PROCESS_KNOWS_START_TIME ? process->start_time
									      : 0,
			    wanted[i].start_time, "start time of %zu", i);
		tally_text(&tally, process->comm, wanted[i].comm, "name of %zu", i);
		tally_text(&tally, process->cgroup, wanted[i].cgroup, "cgroup of %zu", i);
		tally_equal(&tally,
			    (uint64_t)-thpstat_process_command_line(process, &arguments, &size),
			    (uint64_t)-wanted[i].command_line, "command line of %zu", i);
		tally_equal(&tally, size, wanted[i].size, "size of the command line of %zu", i);
		if (arguments)
			tally_holds(&tally, !memcmp(arguments, wanted[i].arguments, size),
				    "arguments of %zu", i);
	}
	assert_true(process->uid == 2 && process->ppid == 7);
	assert_int_equal(thpstat_process_command_line(NULL, NULL, NULL), -EINVAL);
	thpstat_processes_close(walk);
	thpstat_close(source);
	scratch_remove(root);
	tally_finish(&tally, 7 * ARRAY_SIZE(wanted));
}

/* A command line of a megabyte is cut at 128 KiB. */
static void test_long_command_line(void **state)
{
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = (int[]){ PID },
		.n_pids = 1,
	};
	char *root = scratch_make(), *text = malloc(1u << 20);
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	struct thpstat *source;
	const char *arguments;
	size_t size;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', 1u << 20);
	made_tree_add(root, "proc/10/cmdline", text, 1u << 20);
	source = made_tree_open(root);
	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	assert_int_equal(thpstat_processes_next(walk, &process), 1);
	assert_int_equal(thpstat_process_command_line(process, &arguments, &size), 0);
	assert_int_equal(size, 128 * 1024 + 1);
	assert_int_equal(strlen(arguments), 128 * 1024);
	thpstat_processes_close(walk);
	thpstat_close(source);
	free(text);
	scratch_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_all_in_one_walk),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_long_command_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

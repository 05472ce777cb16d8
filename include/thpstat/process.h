/* SPDX-License-Identifier: MIT */
#ifndef THPSTAT_PROCESS_H
#define THPSTAT_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#include <thpstat/common.h>
#include <thpstat/metric.h>
#include <thpstat/source.h>
#include <thpstat/usage.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum thpstat_process_state - what was found behind a pid
 * @THPSTAT_PROCESS_RUNNING: it has an address space, whatever it does
 * @THPSTAT_PROCESS_KERNEL_THREAD: no address space of its own, alive
 * @THPSTAT_PROCESS_ZOMBIE: ended, waits for its parent; no address space
 * @THPSTAT_PROCESS_LEADER_GONE: the main thread ended, others live on; its memory was read
 *	through one of those
 * @THPSTAT_PROCESS_GONE: it ended before or while it was read
 * @THPSTAT_PROCESS_FORBIDDEN: it lives and its memory may not be read; what status says is there
 */
enum thpstat_process_state {
	THPSTAT_PROCESS_RUNNING = 1,
	THPSTAT_PROCESS_KERNEL_THREAD = 2,
	THPSTAT_PROCESS_ZOMBIE = 3,
	THPSTAT_PROCESS_LEADER_GONE = 4,
	THPSTAT_PROCESS_GONE = 5,
	THPSTAT_PROCESS_FORBIDDEN = 6,
	THPSTAT_PROCESS_STATE_FORCE_INT = 0x7fffffff
};

/* What of the identity is known: bits of thpstat_process.known. */
#define THPSTAT_PROCESS_KNOWS_UID (1u << 0)
#define THPSTAT_PROCESS_KNOWS_PPID (1u << 1)
#define THPSTAT_PROCESS_KNOWS_START_TIME (1u << 2)

/* What was noticed: bits of thpstat_process.flags. */
/* the mappings overlap or do not ascend, or their pages are others than smaps said: the process
 * changed while it was read */
#define THPSTAT_PROCESS_INCONSISTENT (1u << 0)
/* some mappings lack a figure that others have, or a file ended early */
#define THPSTAT_PROCESS_CUT (1u << 1)

/**
 * struct thpstat_process - one process
 * @pid: process id in the pid namespace of the proc directory
 * @state: see enum thpstat_process_state
 * @error: 0, or the negative errno of what went wrong with this item: -ESRCH gone, -EACCES
 *	forbidden, -EBADMSG a file that is malformed or ends early, -EIO, -ENOMEM, -EMFILE ...
 * @known: THPSTAT_PROCESS_KNOWS_ bits; what has no bit and no known value is NULL
 * @flags: THPSTAT_PROCESS_ bits
 * @uid: effective user id (status, Uid)
 * @ppid: parent process id (status, PPid)
 * @start_time: milliseconds after boot (stat, field 22), only with THPSTAT_PROCESS_WANT_START_TIME
 * @comm: command name, up to 15 bytes, raw, may hold any byte but NUL (status, Name); NULL unknown
 * @cgroup: path of the cgroup that memory is charged to as the kernel shows it to this reader
 *	(/proc/PID/cgroup), only with THPSTAT_PROCESS_WANT_CGROUP; NULL when it is not known, as
 *	for a zombie, whose path is no longer true
 * @usage: its figures
 */
struct thpstat_process {
	int pid;
	enum thpstat_process_state state;
	int error;
	unsigned int known;
	unsigned int flags;
	uint32_t uid;
	int ppid;
	uint64_t start_time;
	const char *comm;
	const char *cgroup;
	const struct thpstat_usage *usage;
};

#define THPSTAT_PROCESS_WANT_CGROUP (1u << 0)
#define THPSTAT_PROCESS_WANT_START_TIME (1u << 1)
/* read status only: who is there, no figures of smaps */
#define THPSTAT_PROCESS_WANT_IDENTITY_ONLY (1u << 2)
/*
 * where smaps leaves open how many pages mappings of one object have in common, look at the pages
 * themselves (/proc/PID/pagemap): once figures that would be intervals are exact then. Costs a walk
 * of their page tables. A tree has no pages to look at: the intervals stay
 */
#define THPSTAT_PROCESS_WANT_PAGES (1u << 3)

/**
 * enum thpstat_page_source - what was asked about single pages
 * @THPSTAT_PAGE_SOURCE_NONE: nothing: it was not wanted, not needed or not permitted
 * @THPSTAT_PAGE_SOURCE_PAGEMAP: the entries of /proc/PID/pagemap, which do not tell huge pages
 * @THPSTAT_PAGE_SOURCE_PAGEMAP_SCAN: its ioctl PAGEMAP_SCAN (Linux 6.7), which does
 */
enum thpstat_page_source {
	THPSTAT_PAGE_SOURCE_NONE = 0,
	THPSTAT_PAGE_SOURCE_PAGEMAP = 1,
	THPSTAT_PAGE_SOURCE_PAGEMAP_SCAN = 2,
	THPSTAT_PAGE_SOURCE_FORCE_INT = 0x7fffffff
};

/**
 * struct thpstat_process_options - which processes, and what of them
 * @size: sizeof(struct thpstat_process_options), set by the caller
 * @pids: the processes to read, in this order; NULL reads every process of the proc directory,
 *	in ascending order
 * @n_pids: length of @pids
 * @metrics: the figures wanted: they decide which files are opened. NULL means all that status
 *	and smaps_rollup give; once figures make the walk read smaps, which costs more
 * @n_metrics: length of @metrics
 * @want: THPSTAT_PROCESS_WANT_ bits
 * @shard: with @n_shards > 1 the walk yields the processes whose pid modulo @n_shards is @shard,
 *	so that threads can share the work, each with its own walk
 * @n_shards: 0 and 1 mean the whole
 */
struct thpstat_process_options {
	size_t size;
	const int *pids;
	size_t n_pids;
	const enum thpstat_metric *metrics;
	size_t n_metrics;
	unsigned int want;
	unsigned int shard;
	unsigned int n_shards;
};

/**
 * struct thpstat_completeness - what became of the processes seen so far
 * @read: figures were read
 * @forbidden: alive, but not permitted
 * @vanished: ended before or while they were read
 * @cut: a file was malformed, ended early or failed
 * @kernel_threads: have no memory map
 * @zombies: have no memory map any more
 *
 * The six add up to the number of processes yielded.
 */
struct thpstat_completeness {
	uint64_t read;
	uint64_t forbidden;
	uint64_t vanished;
	uint64_t cut;
	uint64_t kernel_threads;
	uint64_t zombies;
};

/* An open walk over processes. */
struct thpstat_processes;

/**
 * thpstat_processes_open - start a walk over processes
 * @source: stays alive until the walk is closed
 * @options: NULL means every process, default figures
 * @ret: the walk
 *
 * Return: 0; -ENOENT when the tree has no proc directory; -EINVAL, -E2BIG, -ENOMEM, -EMFILE.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_processes_open(struct thpstat *source,
						     const struct thpstat_process_options *options,
						     struct thpstat_processes **ret);

/**
 * thpstat_processes_next - the next process
 * @walk: the walk
 * @ret: borrowed until the next call on @walk
 *
 * A process that cannot be read is yielded with its state and error; it never ends the walk.
 * With a pid list each pid yields exactly one item. Allocates nothing, except that once figures
 * may enlarge the walk's buffers.
 *
 * Return: 1 for an item, 0 at the end, a negative errno when the proc directory itself fails.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_processes_next(struct thpstat_processes *walk,
						     const struct thpstat_process **ret);

/**
 * thpstat_processes_completeness - what became of the processes yielded so far
 * @walk: the walk
 *
 * Return: borrowed from @walk until it is closed; changes with each next.
 */
THPSTAT_API const struct thpstat_completeness *
thpstat_processes_completeness(const struct thpstat_processes *walk);

/**
 * thpstat_processes_close - end a walk
 * @walk: may be NULL
 *
 * Return: NULL.
 */
THPSTAT_API struct thpstat_processes *thpstat_processes_close(struct thpstat_processes *walk);

/**
 * thpstat_process_command_line - the arguments of the process a walk stands on
 * @process: the item last yielded
 * @ret: the arguments, each ended by a NUL; borrowed until the next call on the walk
 * @ret_size: bytes in @ret
 *
 * Kernel source: /proc/PID/cmdline, read now, through the directory the walk holds. At most
 * 128 KiB. A process can write what it likes there.
 *
 * Return: 0; -ESRCH, -EACCES, -ENODATA (none, as for kernel threads), -ENOMEM.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_process_command_line(const struct thpstat_process *process,
							   const char **ret, size_t *ret_size);

/**
 * thpstat_process_cgroup_directory - where the cgroup of a process lies in the cgroup directory
 * @process: the item last yielded, walked with THPSTAT_PROCESS_WANT_CGROUP
 *
 * The path below the source's cgroup directory, found by the root field of the hierarchy's mount
 * in mountinfo; "memory/app.slice" on v1, "app.slice" on v2, "." for the mount itself.
 *
 * Return: borrowed until the next call on the walk; NULL when it cannot be known, as for a cgroup
 * outside of what this mount or cgroup namespace shows.
 */
THPSTAT_API const char *thpstat_process_cgroup_directory(const struct thpstat_process *process);

/**
 * thpstat_process_page_source - what settled the once figures where smaps did not
 * @process: the item last yielded, walked with THPSTAT_PROCESS_WANT_PAGES
 *
 * An object whose mappings changed between the two files is not settled: its part stays an
 * interval, and the item has THPSTAT_PROCESS_INCONSISTENT.
 *
 * Return: see enum thpstat_page_source.
 */
THPSTAT_API enum thpstat_page_source
thpstat_process_page_source(const struct thpstat_process *process);

/**
 * thpstat_page_source_name - a word for a source of page-exact figures
 * @source: the source
 *
 * Return: static text such as "pagemap_scan"; "unknown" for one this library does not know.
 */
THPSTAT_API const char *thpstat_page_source_name(enum thpstat_page_source source);

/**
 * thpstat_process_state_name - a word or two for a state
 * @state: the state
 *
 * Return: static text such as "kernel thread"; "unknown" for a state this library does not know.
 */
THPSTAT_API const char *thpstat_process_state_name(enum thpstat_process_state state);

#ifdef __cplusplus
}
#endif
#endif

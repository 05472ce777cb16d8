/* SPDX-License-Identifier: MIT */
#ifndef THPSTAT_SOURCE_H
#define THPSTAT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include <thpstat/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct thpstat - an opened source of figures
 *
 * Either the running kernel or a saved directory tree; everything else in this library reads
 * through one. It does not change after thpstat_open(), holds no lock and may be shared by threads.
 */
struct thpstat;

/**
 * struct thpstat_problem - one thing that could not be read as expected
 * @path: file, relative to the source; valid during the call only
 * @line: line number, 0 when the whole file is meant
 * @error: negative errno, see thpstat.h
 * @text: one short sentence in English; valid during the call only
 */
struct thpstat_problem {
	const char *path;
	uint64_t line;
	int error;
	const char *text;
};

/**
 * thpstat_problem_fn - told of problems as they are met
 *
 * Called from within the call that meets the problem. When threads share a source it may run in
 * several of them at once: the callee does its own locking.
 */
typedef void (*thpstat_problem_fn)(void *userdata, const struct thpstat_problem *problem);

/**
 * struct thpstat_file_piece - something that was read
 * @path: the file, relative to a tree that the same would be read from, such as
 *	"proc/4330/smaps_rollup"; with a '/' at its end a directory, which was opened; valid during
 *	the call only
 * @data: bytes of the file; valid during the call only
 * @size: how many; 0 at the end of the file
 * @offset: of @data in the file
 * @error: 0, or the negative errno that there was instead of bytes; behind the end of a file it
 *	takes back what was told of it, since the process had gone
 */
struct thpstat_file_piece {
	const char *path;
	const char *data;
	size_t size;
	uint64_t offset;
	int error;
};

/**
 * thpstat_file_fn - told of every byte that is read, and of every file that could not be
 *
 * What it is told makes a tree from which every function gives the same answer again. Each file
 * begins with a piece at offset 0, and may be read several times. As with thpstat_problem_fn it
 * may run in several threads at once.
 */
typedef void (*thpstat_file_fn)(void *userdata, const struct thpstat_file_piece *piece);

/**
 * struct thpstat_open_options - where to read from
 * @size: sizeof(struct thpstat_open_options), set by the caller
 * @root: a directory that holds proc, sys and sys/fs/cgroup; NULL is the running system
 * @proc: overrides the proc directory of @root; NULL keeps it
 * @sys: likewise for sys
 * @cgroup: likewise for the directory below which cgroup hierarchies are mounted
 * @on_problem: may be NULL
 * @userdata: handed to @on_problem and @on_file
 * @on_file: may be NULL
 *
 * In a tree each of the three directories and any file may be missing; figures of what is missing
 * are absent. A file errors.tsv in @root (path, tab, errno name) says what could not be read when
 * the tree was taken, so that forbidden and absent stay apart.
 */
struct thpstat_open_options {
	size_t size;
	const char *root;
	const char *proc;
	const char *sys;
	const char *cgroup;
	thpstat_problem_fn on_problem;
	void *userdata;
	thpstat_file_fn on_file;
};

/**
 * thpstat_open - open the running system or a tree
 * @options: NULL means the running system
 * @ret: the source, to be given back with thpstat_close()
 *
 * Return: 0; -ENOENT or -ENOTDIR when a directory named in @options is not there, or when @root
 * holds none of the three; -E2BIG for option bytes this library does not know; -EINVAL, -ENOMEM,
 * -EMFILE; what reading errors.tsv gives, unless it is not there.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_open(const struct thpstat_open_options *options,
					   struct thpstat **ret);

/**
 * thpstat_close - give a source back
 * @source: may be NULL; walks that are still open keep what they need of it
 *
 * Return: NULL.
 */
THPSTAT_API struct thpstat *thpstat_close(struct thpstat *source);

/**
 * thpstat_is_live - is the proc directory a real procfs?
 * @source: an opened source
 *
 * Return: 1 or 0.
 */
THPSTAT_API int thpstat_is_live(const struct thpstat *source);

/**
 * thpstat_kernel - release of the kernel the figures come from
 * @source: an opened source
 *
 * Kernel source: /proc/sys/kernel/osrelease, else the third word of /proc/version.
 *
 * Return: borrowed from @source; NULL when the tree does not say.
 */
THPSTAT_API const char *thpstat_kernel(const struct thpstat *source);

/**
 * thpstat_version - version of the library that runs
 *
 * Return: static text such as "0.1.0".
 */
THPSTAT_API const char *thpstat_version(void);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
#ifndef LIB_TREE_TREE_H
#define LIB_TREE_TREE_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

#include <thpstat/source.h>

#include "tree/capture_errors.h"

/*
 * The only code that opens files. The running system and a saved tree differ by three directory
 * fds alone. A tree may come from a stranger: nothing outside of it is opened, whatever links it
 * holds, nothing that is no regular file is read, and no file can grow without limit.
 */

/* An open directory, and what to call it. */
struct directory {
	int fd; /* -1: not there */
	char path[80];
};

struct tree {
	struct directory proc;
	struct directory sys;
	struct directory cgroup;
	int live; /* proc is a real procfs */
	int has_openat2;
	struct capture_errors errors;
	thpstat_problem_fn on_problem;
	thpstat_file_fn on_file;
	void *userdata;
};

/* The options are complete and valid. 0 or a negative errno. */
int tree_open(struct tree *tree, const struct thpstat_open_options *options);

void tree_close(struct tree *tree);

/*
 * Opens a directory below another. @readable: its entries can be listed; else it only serves to
 * open what is below it. To be closed with directory_close().
 */
int tree_open_directory(const struct tree *tree, const struct directory *at, const char *name,
			int readable, struct directory *ret);

void directory_close(struct directory *directory);

/* An fd to read, or a negative errno. What errors.tsv says of a missing file comes out here. */
int tree_open_file(const struct tree *tree, const struct directory *at, const char *name);

/*
 * Reads the whole of a file into @buffer, and puts a NUL behind it. -EFBIG when it does not fit
 * in size - 1 bytes. An open that fails with anything but -ENOENT is reported as a problem, when
 * the tree has a callback.
 */
int tree_read_file(const struct tree *tree, const struct directory *at, const char *name,
		   char *buffer, size_t size, size_t *ret_length);

/* The same for a file of procfs that the kernel writes as one record (its single_open()). */
int tree_read_record(const struct tree *tree, const struct directory *at, const char *name,
		     char *buffer, size_t size, size_t *ret_length);

/* tree_read_file() into memory of its own, up to @limit bytes, to be freed by the caller. */
int tree_read_file_alloc(const struct tree *tree, const struct directory *at, const char *name,
			 size_t limit, char **ret, size_t *ret_length);

/*
 * One read of what is open as @fd, at @offset of the file: bytes, 0 at the end, or a negative
 * errno. The directory and the name are those it was opened by.
 */
long tree_read_some(const struct tree *tree, const struct directory *at, const char *name, int fd,
		    char *buffer, size_t size, uint64_t offset);

/*
 * Reads what is open as @fd until @size bytes or the end; bytes or a negative errno.
 */
long tree_read(const struct tree *tree, const struct directory *at, const char *name, int fd,
	       char *buffer, size_t size);

/* A directory stream of its own over a readable directory; NULL and errno on failure. */
DIR *tree_list(const struct directory *directory);

/* The next entry that is a positive decimal number without leading zeros; 1, 0 at the end, or
 * -errno. */
int tree_next_number(DIR *stream, int *ret);

/* Tells the callback of what was read, or could not be, when there is one. */
void tree_tell(const struct tree *tree, const struct directory *at, const char *name,
	       const char *data, size_t size, uint64_t offset, int error);

/* Tells the callback for problems, when there is one. */
void tree_problem(const struct tree *tree, const struct directory *at, const char *name,
		  uint64_t line, int error, const char *text);

#endif

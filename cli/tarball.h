/* SPDX-License-Identifier: MIT */
#ifndef CLI_TARBALL_H
#define CLI_TARBALL_H

#include <stddef.h>
#include <stdint.h>

/* Files of many files: tar.gz. All return 0 or a negative errno. */

/* One that is written to an fd, which stays the caller's. */
struct tarball_writer;

int tarball_writer_open(int fd, struct tarball_writer **ret);
int tarball_add_directory(struct tarball_writer *writer, const char *path);
int tarball_add_file(struct tarball_writer *writer, const char *path, const void *data,
		     size_t size);
/* Write the end. The writer is freed, whatever comes out; NULL is fine. */
int tarball_writer_close(struct tarball_writer *writer);

struct tarball_limits {
	uint64_t entries;
	uint64_t bytes;
};

/*
 * Unpack what is open as @fd into the directory open as @root: directories and regular files, and
 * nothing else that may be in it. -EBADMSG when it is no such archive, is damaged, or names a path
 * outside of itself; -EFBIG when it holds more than the limits.
 */
int tarball_unpack(int fd, int root, const struct tarball_limits *limits);

#endif

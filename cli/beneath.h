/* SPDX-License-Identifier: MIT */
#ifndef CLI_BENEATH_H
#define CLI_BENEATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Files and directories made below an open directory, and never elsewhere, whoever chose their
 * names: paths are walked component by component, and no link is followed.
 */

/* Is it relative, and free of "", "." and ".." as components, and of more than file systems hold?
 */
bool beneath_is_safe(const char *path);

/* Make a directory and those above it; one that is there is fine. 0 or a negative errno. */
int beneath_make_directory(int root, const char *path);

/* Make a file that is not there yet, and the directories above it. An fd or a negative errno. */
int beneath_create(int root, const char *path);

/* Write all of it. 0 or a negative errno. */
int beneath_write(int fd, const void *data, size_t size);

#endif

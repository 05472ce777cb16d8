/* SPDX-License-Identifier: MIT */
#ifndef CLI_CAPTURE_WRITER_H
#define CLI_CAPTURE_WRITER_H

#include <limits.h>
#include <stddef.h>

/*
 * Where a capture goes to. It is written beside its target under a name of its own, and appears
 * there only when it is whole. All return 0 or a negative errno.
 */
struct capture_writer {
	/* Paths are relative; one that leads elsewhere is refused. */
	int (*add_directory)(struct capture_writer *writer, const char *path);
	int (*add_file)(struct capture_writer *writer, const char *path, const void *data,
			size_t size);
	/* It becomes the target, and the writer is freed; on failure neither. */
	int (*finish)(struct capture_writer *writer);
	/* It vanishes, and the writer is freed. */
	void (*discard)(struct capture_writer *writer);
};

/* A directory that is not there yet, or empty. */
int capture_writer_directory(const char *target, struct capture_writer **ret);

/* A tar.gz that is not there yet; everything in it is below one directory of its name. */
int capture_writer_archive(const char *target, struct capture_writer **ret);

/* Where a target lies: its directory, open, and its name in there. */
struct capture_place {
	int parent;
	char name[NAME_MAX + 1];
};

int capture_place_open(const char *target, struct capture_place *ret);

#endif

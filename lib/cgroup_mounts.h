/* SPDX-License-Identifier: MIT */
#ifndef LIB_CGROUP_MOUNTS_H
#define LIB_CGROUP_MOUNTS_H

#include <stddef.h>

#include "source.h"

/*
 * Where the hierarchies that charge memory are mounted, and which part of them a mount shows: in a
 * container that is not the root of the hierarchy.
 */
struct cgroup_mounts {
	struct cgroup_mount {
		int version;
		char *root;  /* of the mount in the hierarchy */
		char *below; /* of the mount in the source's cgroup directory, "" for itself */
	} * list;
	size_t n;
	int known; /* there is a mountinfo; the list is empty when it cannot be read */
};

/* 0, -ENOMEM or -EMFILE; without a mountinfo the layout of the cgroup directory is used. */
int cgroup_mounts_read(struct cgroup_mounts *mounts, struct thpstat *source);

/*
 * Writes the directory of a cgroup below the source's cgroup directory, "." for that itself. 0, or
 * -1 when it cannot be known.
 */
int cgroup_mounts_directory(const struct cgroup_mounts *mounts, const struct thpstat *source,
			    int version, const char *path, char *buffer, size_t size);

void cgroup_mounts_free(struct cgroup_mounts *mounts);

#endif

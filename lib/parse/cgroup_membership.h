/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_CGROUP_MEMBERSHIP_H
#define LIB_PARSE_CGROUP_MEMBERSHIP_H

#include <stddef.h>

/* Where a process is charged for memory. */
struct cgroup_membership {
	const char *path; /* inside of the text */
	size_t length;
	int version; /* 1: a hierarchy of its own for the memory controller; 2: the unified one */
};

/*
 * Reads /proc/PID/cgroup, lines of "id:controllers:path". A line that lists the memory controller
 * wins; without one the unified hierarchy ("0::path") has it. 0, or -1 when there is neither.
 */
int cgroup_membership_parse(const char *text, size_t length, struct cgroup_membership *ret);

/*
 * The part of a cgroup path below the directory that a mount shows: path less the mount's root.
 * "" for the mount itself, else it begins with '/'. NULL when the path is not below that root, or
 * climbs out of it.
 */
const char *cgroup_path_below(const char *path, const char *root);

#endif

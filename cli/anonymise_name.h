/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANONYMISE_NAME_H
#define CLI_ANONYMISE_NAME_H

#include <stddef.h>
#include <stdio.h>

#include "alias.h"

/*
 * Names of several kinds, without what is private in them, to @out. What tells the kind of a thing
 * stays: the form of a path, names that the kernel gives, units of systemd and container runtimes.
 */

/* Components of a path one by one; octal escapes are read when @escaped. */
void anonymise_path(struct aliases *aliases, const char *path, size_t length, int escaped,
		    FILE *out);

/* The name of a mapping, in maps and smaps. */
void anonymise_mapping_name(struct aliases *aliases, const char *name, size_t length, FILE *out);

/* The path of a cgroup, or what follows one in the cgroup directory. */
void anonymise_cgroup(struct aliases *aliases, const char *path, size_t length, int escaped,
		      FILE *out);

/* An argument of a command line. Options of a JVM that tell of memory stay. */
void anonymise_argument(struct aliases *aliases, const char *argument, size_t length, FILE *out);

#endif

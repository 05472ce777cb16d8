/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANONYMISE_MOUNTS_H
#define CLI_ANONYMISE_MOUNTS_H

#include <stddef.h>
#include <stdio.h>

#include "alias.h"

/*
 * A line of mountinfo, without its newline. Numbers, types and options stay; directories and
 * devices are replaced but for those of proc, sysfs and the cgroup hierarchies.
 */
void anonymise_mount(struct aliases *aliases, const char *line, size_t length, FILE *out);

#endif

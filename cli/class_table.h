/* SPDX-License-Identifier: MIT */
#ifndef CLI_CLASS_TABLE_H
#define CLI_CLASS_TABLE_H

#include <thpstat/thpstat.h>

#include "object_views.h"
#include "options.h"

/*
 * Print what a process has resident and huge by class of memory, for people: each page counted
 * once, where that is known of anything.
 */
void class_table_print(const struct options *options, const struct thpstat_usage *usage,
		       const struct object_views *views);

/* Is it known of anything? */
bool class_table_counts_once(const struct thpstat_usage *usage);

#endif

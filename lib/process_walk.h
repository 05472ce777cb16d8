/* SPDX-License-Identifier: MIT */
#ifndef LIB_PROCESS_WALK_H
#define LIB_PROCESS_WALK_H

#include <thpstat/process.h>

#include "source.h"
#include "subject.h"

/* What is behind an item of a walk over processes, for those who read more of it. */
const struct subject *process_walk_subject(const struct thpstat_process *process);
struct thpstat *process_walk_source(const struct thpstat_process *process);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef THPSTAT_H
#define THPSTAT_H

/*
 * libthpstat - huge page memory of processes and of the host: how much is huge, what is really
 * used, and how sure each figure is.
 *
 * Errors. Every function that can fail returns a negative errno and leaves its return parameters
 * alone:
 *	-ENODATA	the kernel (or the tree) does not offer it
 *	-EACCES		not permitted
 *	-ESRCH		the process is gone
 *	-EBADMSG	the text of a file is malformed or ends early
 *	-EOVERFLOW	a number does not fit in 64 bits
 *	-E2BIG		option bytes that this library does not know
 *	-EINVAL		mistake of the caller
 *	-ENOMEM, -EIO, -EMFILE ... as usual
 *
 * Ownership. open/close for sources and walks, read/free for snapshots, new/free for records the
 * caller fills. What is reached through a const pointer is borrowed: from a walk until its next
 * "next" or "close", from a snapshot until its "free". Every close and free takes NULL and
 * returns NULL. A walk keeps its source alive, so the order of closing is free.
 *
 * Threads. A source may be shared. A walk, a snapshot and a record belong to one thread at a time;
 * several walks on one source may run in parallel. There are no globals and no locks; the library
 * does not look at the environment, the locale or signals, never prints and never exits.
 *
 * Consistency. What one read(2) returned belongs together; a walk is not a snapshot. The kernel
 * hands out smaps a few mappings at a time, so a mapping that moves meanwhile can be missed or
 * seen twice. Pss summed over smaps is low by less than 1 kB per mapping, since the kernel
 * truncates each one: totals of Pss come from smaps_rollup where there is one.
 *
 * Units. Sizes are bytes, always; events and pages are counts. Absent is not zero.
 */
#include <thpstat/common.h>
#include <thpstat/host.h>
#include <thpstat/mapping.h>
#include <thpstat/metric.h>
#include <thpstat/object.h>
#include <thpstat/process.h>
#include <thpstat/source.h>
#include <thpstat/usage.h>

#endif

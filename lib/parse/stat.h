/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_STAT_H
#define LIB_PARSE_STAT_H

#include <stddef.h>
#include <stdint.h>

#define STAT_FLAG_KERNEL_THREAD 0x00200000 /* PF_KTHREAD */

/* /proc/PID/stat, which has the command name raw: it may hold parentheses and newlines. */
struct stat_line {
	char state;
	uint64_t flags;	     /* field 9 */
	uint64_t start_time; /* field 22, clock ticks after boot; the tick is 1/100 s for user space
			      */
};

/* 0, or -1 when the text is not such a line. */
int stat_parse(const char *text, size_t length, struct stat_line *ret);

#endif

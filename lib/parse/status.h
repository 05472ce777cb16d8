/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_STATUS_H
#define LIB_PARSE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "parse/field_table.h"
#include "parse/figures.h"

/* A name is at most 15 bytes; some kernels let kernel threads have longer ones. */
#define STATUS_COMM_SIZE 64

/* What of /proc/PID/status is no metric. */
struct status {
	char comm[STATUS_COMM_SIZE]; /* un-escaped, "" when there is no Name line */
	char state;		     /* letter, 0 when unknown */
	int ppid;
	uint32_t euid;
	unsigned has_comm : 1;
	unsigned has_ppid : 1;
	unsigned has_euid : 1;
	unsigned kernel_thread : 1; /* "Kthread: 1", printed from Linux 6.9 on */
};

void status_parse(const struct field_table *table, const char *text, size_t length,
		  struct figures *figures, struct status *ret);

#endif

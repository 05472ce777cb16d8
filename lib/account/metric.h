/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_METRIC_H
#define LIB_ACCOUNT_METRIC_H

#include <thpstat/metric.h>

#include "parse/figures.h"

/* The kernel files that hold metrics: one bit each. */
enum metric_file {
	FILE_SMAPS = 1 << 0,
	FILE_ROLLUP = 1 << 1,
	FILE_STATUS = 1 << 2,
	FILE_MEMINFO = 1 << 3,
	FILE_NODE_MEMINFO = 1 << 4,
	FILE_VMSTAT = 1 << 5,
	FILE_THP = 1 << 6, /* one file per value, as all below */
	FILE_KHUGEPAGED = 1 << 7,
	FILE_POOL = 1 << 8,
	FILE_THP_STATS = 1 << 9,
};

struct metric_row {
	struct thpstat_metric_info info;
	unsigned int files; /* metric_file bits */
};

/* NULL for a number that is not in use. */
const struct metric_row *metric_row(enum thpstat_metric metric);

#endif

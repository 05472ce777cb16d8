/* SPDX-License-Identifier: MIT */
#ifndef TEST_ONCE_RULE_H
#define TEST_ONCE_RULE_H

#include "kernel_text.h"

/* What can be said of a process' memory, each page once, from smaps alone. */
struct once_interval {
	uint64_t min;
	uint64_t max;
};

/*
 * The plain interval that the library's must lie within: per group of overlapping mappings of one
 * object from the larger of (largest resident mapping, sum of Pss less Anonymous) to the smaller
 * of (sum of resident, union of the ranges); anonymous pages count as they are (no KSM here).
 */
struct once_interval once_rule(const struct kernel_records *records);

/* Do two records show one object? Their device, inode and kind of name agree. */
bool once_same_object(const struct kernel_record *a, const struct kernel_record *b);

#endif

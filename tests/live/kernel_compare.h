/* SPDX-License-Identifier: MIT */
#ifndef TEST_KERNEL_COMPARE_H
#define TEST_KERNEL_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include <thpstat/thpstat.h>

/* What the library says, held against the kernel's own text. Failures end the test. */

/* Every metric of @subjects that is read from a file of the kernel or derived from such. */
size_t metrics_of(unsigned int subjects, enum thpstat_metric *list, size_t size);

/* A walk over one process that asks for every figure, standing on its item. */
struct process_view {
	struct thpstat_processes *walk;
	const struct thpstat_process *process;
};

struct process_view process_view_open(struct thpstat *source, int pid);
/* The same with THPSTAT_PROCESS_WANT_ bits. */
struct process_view process_view_open_as(struct thpstat *source, int pid, unsigned int want);
void process_view_close(struct process_view *view);

/* A figure, a ratio that have to be there. */
uint64_t figure(const struct thpstat_usage *usage, enum thpstat_metric metric);
double ratio_of(const struct thpstat_usage *usage, enum thpstat_ratio ratio);

/*
 * Every figure of every mapping and of the process equals the kernel's text, to the byte: of each
 * metric that the text has, and those that it lacks are absent. @directory is the process
 * ("PID") or the thread of it that has its memory ("PID/task/TID"). Read between two readings of
 * the text that are equal, so that the figures are of one moment; what other processes change by
 * mapping the same pages (Pss, Shared_, Private_) may lie between the two.
 */
void assert_equals_kernel(struct thpstat *source, int pid, const char *directory);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PROCESS_FIGURES_H
#define TESTS_SUPPORT_PROCESS_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <thpstat/thpstat.h>

#include "support/tally.h"

/* A value, or the negative errno of thpstat_usage_get(). */
struct figure {
	int error;
	uint64_t value;
};

struct figure figure_of(const struct thpstat_usage *usage, enum thpstat_metric metric);

/* The value, or 0 when the kernel does not offer it; anything else fails the running test. */
uint64_t figure_or_zero(const struct thpstat_usage *usage, enum thpstat_metric metric);

/* One figure against what must be there, or, for @known false, against its absence. */
void tally_figure(struct tally *tally, struct figure found, bool known, uint64_t wanted,
		  const char *what, int pid, const char *name);

/* Above every metric that a mapping can have. */
#define MAPPING_METRIC_LIMIT 80

/* A mapping with all its figures, kept after the walk went on. */
struct mapping_record {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint32_t device_major;
	uint32_t device_minor;
	uint64_t inode;
	struct thpstat_object_key object;
	enum thpstat_class class_;
	unsigned int flags;
	int error;
	char *name;
	struct figure figures[MAPPING_METRIC_LIMIT];
};

struct mapping_list {
	struct mapping_record *records;
	size_t n;
};

/*
 * All mappings of a process. Returns what thpstat_mappings_open() or, when the list is not
 * complete, thpstat_mappings_next() returns; the list then holds what came before.
 */
int mapping_list_read(struct thpstat *source, int pid, struct mapping_list *ret);
void mapping_list_free(struct mapping_list *list);

/* A sum over records: -ENODATA when none has the figure; what lacks it is counted in @missing. */
struct figure mapping_list_sum(const struct mapping_list *list, size_t from, size_t to,
			       enum thpstat_metric metric, size_t *missing);

/* Sum over all records, 0 where the kernel does not offer it. */
uint64_t mapping_list_total(const struct mapping_list *list, enum thpstat_metric metric);

uint64_t record_value(const struct mapping_record *record, enum thpstat_metric metric);

/* Pages in memory that belong to the object behind the mapping, hugetlb included. */
uint64_t record_object_bytes(const struct mapping_record *record);

/* A walk over one process, standing on it. */
struct one_process {
	int pid;
	struct thpstat_processes *walk;
	const struct thpstat_process *process;
};

void one_process_open(struct thpstat *source, int pid, const enum thpstat_metric *metrics,
		      size_t n_metrics, unsigned int want, struct one_process *ret);
void one_process_close(struct one_process *one);

#endif

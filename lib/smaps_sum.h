/* SPDX-License-Identifier: MIT */
#ifndef LIB_SMAPS_SUM_H
#define LIB_SMAPS_SUM_H

#include <stddef.h>

#include "account/once.h"
#include "mapping_walk.h"
#include "pages/object_pages.h"

/*
 * Adds up all mappings of a process, and reckons its objects once. The arrays grow and are kept
 * from process to process. All zero at first.
 */
struct smaps_sum {
	struct once_range *ranges;
	struct once_span *spans;
	size_t room;
	size_t n_ranges;
	uint64_t n_mappings;
	uint64_t page_size; /* the smallest of any mapping; 0: none says */
	uint64_t shmem;	    /* resident shared memory, each mapping counted */
	uint64_t unsure;    /* resident bytes of files that may be shared memory */
	uint64_t mergeable; /* anonymous bytes that KSM may have merged, when it does not say */
	uint64_t overflow[METRIC_WORDS]; /* the sum does not fit */
	/* of any record: see struct figures */
	uint64_t record_overflow[METRIC_WORDS];
	uint64_t record_malformed[METRIC_WORDS];
	uint64_t value[METRIC_LIMIT];
	uint64_t records[METRIC_LIMIT]; /* that had the key */
	struct once_sum once;
	int exact; /* take a closer look at what smaps leaves open; set by the owner */
	struct object_pages pages;
};

/*
 * Takes the smaps in @directory. The sums go to @usage; Pss and the like only where @keep_pss is
 * 0, else smaps_rollup has given better ones. 0; -ENODATA when it is empty; -ENOMEM, or what ended
 * the walk early. Unless 0, @usage is as it was.
 */
int smaps_sum_read(struct smaps_sum *sum, struct mapping_walk *walk,
		   const struct directory *directory, struct thpstat_usage *usage, int keep_pss);

/* Did any record lack a key that others have, or its value? Of the process last read. */
int smaps_sum_has_gaps(const struct smaps_sum *sum);

void smaps_sum_free(struct smaps_sum *sum);

#endif

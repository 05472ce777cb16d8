/* SPDX-License-Identifier: MIT */
#ifndef CLI_MAPPING_LIST_H
#define CLI_MAPPING_LIST_H

#include <thpstat/thpstat.h>

#include "listing.h"
#include "mapping_filter.h"
#include "process_walk.h"
#include "session.h"

#define MAPPING_KINDS_MAX 64

struct kind_sum {
	struct thpstat_usage *usage; /* NULL while there is no such mapping */
	uint64_t mappings;
};

/* One row per mapping of some processes, or per kind of mapping, in whatever format. */
struct mapping_list {
	const struct session *session;
	const struct mapping_filter *filter;
	struct process_walk walk;
	struct listing listing;
	enum thpstat_metric *smaps_metrics; /* that a record can have */
	size_t n_smaps_metrics;
	/* with --by kind: of the processes that were read whole, and of the one that is being read
	 */
	struct kind_sum kinds[MAPPING_KINDS_MAX];
	struct kind_sum kinds_of_process[MAPPING_KINDS_MAX];
};

/* Find out what is to be listed. Returns 0, or an exit status after one message. */
int mapping_list_prepare(struct mapping_list *list, const struct session *session,
			 const struct mapping_filter *filter);

/* Read and print. Returns the exit status. */
int mapping_list_print(struct mapping_list *list);

void mapping_list_free(struct mapping_list *list);

#endif

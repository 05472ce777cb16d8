/* SPDX-License-Identifier: MIT */
#ifndef CLI_MAPPING_FILTER_H
#define CLI_MAPPING_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include <thpstat/thpstat.h>

#include "session.h"

/* Which mappings --min and --only leave. */
struct mapping_filter {
	uint64_t min;
	enum { ONLY_ALL, ONLY_HUGE, ONLY_GAP, ONLY_KIND } only;
	enum thpstat_mapping_kind kind;
	uint64_t pmd_size; /* of ONLY_GAP */
};

/* Returns 0, or STATUS_USAGE after a message. */
int mapping_filter_parse(struct mapping_filter *filter, const struct options *options);

/* What of the host it needs. Returns 0, or an exit status after a message. */
int mapping_filter_prepare(struct mapping_filter *filter, const struct session *session);

bool mapping_filter_passes(const struct mapping_filter *filter,
			   const struct thpstat_mapping *mapping);

#endif

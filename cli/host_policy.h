/* SPDX-License-Identifier: MIT */
#ifndef CLI_HOST_POLICY_H
#define CLI_HOST_POLICY_H

#include <thpstat/thpstat.h>

#include "session.h"

/*
 * The settings that decide what PMD-sized huge pages are given, in a few words: "THP madvise,
 * defrag madvise, shmem advise"; or why there are none. To be freed.
 */
char *host_policy_words(const struct session *session, const struct thpstat_host *host);

/* "always [madvise] never" or a number; "-" with the reason when unknown. To be freed. */
char *host_policy_choices(const struct thpstat_policy *policy);

/* NULL when there is none. @page_size is 0 for a setting of the host. */
const struct thpstat_policy *host_policy_find(const struct thpstat_host *host, const char *knob,
					      uint64_t page_size);

#endif

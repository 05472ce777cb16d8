/* SPDX-License-Identifier: MIT */
#ifndef CLI_PROCESS_LOOK_H
#define CLI_PROCESS_LOOK_H

#include <thpstat/thpstat.h>

#include "session.h"

/* Print what one look at a process shall give, for people. @policies: see host_policy_words(). */
void process_look_print(const struct session *session, const struct thpstat_process *process,
			const char *policies);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_PROCESS_LIST_H
#define CLI_PROCESS_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "listing.h"
#include "process_walk.h"
#include "session.h"

/* One row per process, in whatever format. */
struct process_list {
	const struct session *session;
	struct process_walk walk;
	struct listing listing;
	bool is_tree; /* processes come in no order */
	size_t pid_column;
};

/*
 * Find out what is to be listed. @whole says that all figures are worth their cost when no columns
 * were named. Returns 0, or an exit status after one message.
 */
int process_list_prepare(struct process_list *list, const struct session *session, bool whole);

/* Read and print; tables for people end after @limit rows. Returns the exit status. */
int process_list_print(struct process_list *list, size_t limit);

void process_list_free(struct process_list *list);

#endif

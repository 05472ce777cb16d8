/* SPDX-License-Identifier: MIT */
#ifndef CLI_OBJECT_LIST_H
#define CLI_OBJECT_LIST_H

#include "listing.h"
#include "mapping_filter.h"
#include "process_walk.h"
#include "session.h"

/* One row per object behind the mappings of some processes, in whatever format. */
struct object_list {
	const struct session *session;
	const struct mapping_filter *filter;
	struct process_walk walk;
	struct listing listing;
};

/* Find out what is to be listed. Returns 0, or an exit status after one message. */
int object_list_prepare(struct object_list *list, const struct session *session,
			const struct mapping_filter *filter);

/* Read and print. Returns the exit status. */
int object_list_print(struct object_list *list);

void object_list_free(struct object_list *list);

#endif

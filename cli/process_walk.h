/* SPDX-License-Identifier: MIT */
#ifndef CLI_PROCESS_WALK_H
#define CLI_PROCESS_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include <thpstat/thpstat.h>

#include "identity.h"
#include "session.h"

/* How the processes were asked for: it decides what is told and the exit status. */
enum asked {
	ASKED_ALL,
	ASKED_PIDS,
	ASKED_MATCHING,
};

struct process_walk {
	enum asked asked;
	struct pid_list pids;	      /* unless all were asked for */
	enum thpstat_metric *metrics; /* NULL: all that is cheap; else owned */
	size_t n_metrics;
	unsigned int want; /* THPSTAT_PROCESS_WANT_ bits */
	bool stopped;	   /* set by whoever is visited, to end the walk */
	struct thpstat_completeness completeness;
};

/*
 * Find out which processes are meant, and how to read them. Returns 0, or an exit status after one
 * message.
 */
int process_walk_select(struct process_walk *walk, const struct session *session);

/*
 * Call @visit for each process that is there; those that are gone are only told of. Returns 0, or
 * an exit status after one message.
 */
int process_walk_run(struct process_walk *walk, const struct session *session,
		     void (*visit)(void *userdata, const struct thpstat_process *process),
		     void *userdata);

/* Say what could not be read, now that the walk is over. Returns the exit status. */
int process_walk_status(const struct process_walk *walk, const struct session *session);

void process_walk_free(struct process_walk *walk);

#endif

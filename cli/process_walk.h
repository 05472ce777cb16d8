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
	struct thpstat_completeness changed; /* by process_walk_outcome() */
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

/*
 * What reading more of a process that was visited as readable came to: 0 or a negative errno, and
 * whether some of its figures were missing. @is_partly_out: some of what was read is printed.
 */
void process_walk_outcome(struct process_walk *walk, const struct session *session, int pid,
			  int error, bool is_cut, bool is_partly_out);

/* The record "completeness" of JSON. */
struct report *process_walk_report(const struct process_walk *walk);

/* Say what could not be read, now that the walk is over. Returns the exit status. */
int process_walk_status(const struct process_walk *walk, const struct session *session);

void process_walk_free(struct process_walk *walk);

#endif

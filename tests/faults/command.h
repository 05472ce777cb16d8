/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAULTS_COMMAND_H
#define TESTS_FAULTS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

#include "inject.h"

#define COMMAND_ARGUMENTS 16

/* Where stdout goes. */
enum sink {
	SINK_MEMORY,
	SINK_FULL,   /* /dev/full */
	SINK_BROKEN, /* a pipe that nobody reads */
	SINK_CLOSED, /* not open at all */
};

/* thpstat with certain arguments, ready to be run any number of times. */
struct command_server {
	pid_t pid;
	int requests;
	int ends;
	int out; /* in memory */
	int err;
};

/* How a run ended, and what it wrote. */
struct outcome {
	int status; /* of its exit, or 128 and the signal */
	char *out;
	size_t out_size;
	char *err;
	size_t err_lines;
	bool fired; /* the fault happened */
};

/*
 * All of them fail the running test on any error. @arguments end with NULL. @file_size: no file may
 * become larger; 0 is no limit.
 */
struct command_server command_serve(const char *const *arguments, enum sink sink, size_t file_size);
struct outcome command_run(const struct command_server *server, struct inject inject);
void command_end(struct command_server *server);

/* One run without a fault. */
struct outcome command_run_once(const char *const *arguments, enum sink sink, size_t file_size);

void outcome_free(struct outcome *outcome);

#endif

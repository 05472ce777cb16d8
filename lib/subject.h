/* SPDX-License-Identifier: MIT */
#ifndef LIB_SUBJECT_H
#define LIB_SUBJECT_H

#include <stddef.h>

#include <thpstat/process.h>

#include "parse/figures.h"
#include "parse/status.h"
#include "source.h"

/* A status file is 1.5 kB; one of a capture is believed up to this size. */
#define SUBJECT_BUFFER_SIZE 65536

/*
 * A process that is looked at: its directory, held open so that all files are of the same process
 * even when its pid is taken over, and what lives there.
 */
struct subject {
	int pid;
	enum thpstat_process_state state;
	int error;
	struct directory directory;
	/*
	 * Where its memory is read: the directory itself, or, when the main thread is gone, that of
	 * a thread which lives. Its fd is the same as that of directory in the first case.
	 */
	struct directory memory;
	struct status status;
};

/* Opens /proc/PID. On failure the state and error say why, and there is nothing to read. */
int subject_open(struct subject *subject, struct thpstat *source, int pid);

/*
 * Finds out what lives there, from status; its figures go to @figures, which is empty. May be
 * called again for the process of an open directory, when a file says it changed. @buffer has
 * SUBJECT_BUFFER_SIZE bytes.
 */
void subject_examine(struct subject *subject, struct thpstat *source, char *buffer,
		     struct figures *figures);

void subject_close(struct subject *subject);

/* Is there memory to be read? */
static inline int subject_has_memory(const struct subject *subject)
{
	return subject->state == THPSTAT_PROCESS_RUNNING ||
	       subject->state == THPSTAT_PROCESS_LEADER_GONE;
}

/* Sets state and error for a file of the process that could not be read. */
void subject_failed(struct subject *subject, int error);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAULTS_INJECT_PRELOAD_H
#define TESTS_FAULTS_INJECT_PRELOAD_H

/*
 * A program with inject_preload.c in it does not begin: it reads struct inject from one pipe, and
 * for each of them a child begins as the program would have; then it writes to another pipe how the
 * child ended. That saves loading the program for each fault.
 */
struct inject_end {
	int status; /* of waitpid() */
	int fired;  /* the fault happened */
};

/* "IN OUT", the file descriptors. */
#define INJECT_PIPES "THPSTAT_INJECT_PIPES"

#endif

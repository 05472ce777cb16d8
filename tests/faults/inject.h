/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAULTS_INJECT_H
#define TESTS_FAULTS_INJECT_H

#include <stdbool.h>

/*
 * One call of a kind fails: the n-th. Calls count from inject_arm() on. inject_wrap.c puts this
 * between a test program and libc, inject_preload.c between thpstat and libc.
 */
enum inject_kind {
	INJECT_ALLOCATION,
	INJECT_OWN_ALLOCATION, /* not of a library that thpstat loads: inject_preload.c */
	INJECT_READ,
	INJECT_OPEN,
	INJECT_LIST, /* a directory is opened for listing, or gives its next entry */
	INJECT_KINDS,
};

/* In place of an errno: a read gives one byte. */
#define INJECT_SHORT (-1)

struct inject {
	enum inject_kind kind;
	unsigned long at; /* counted from 1; 0: none */
	int error;
};

void inject_arm(struct inject inject);

/* Calls of the kind since then. */
unsigned long inject_disarm(void);

/* Called for each call; true when this one fails, with the error that it fails with. */
bool inject_here(enum inject_kind kind, int *ret_error);

/* Did it happen? */
bool inject_fired(void);

/* Allocations since inject_arm() that were not given back: kept by inject_wrap.c. */
long inject_outstanding(void);

/* Every proc directory is taken for a real procfs: kept by inject_wrap.c. */
void inject_live(bool live);

#endif

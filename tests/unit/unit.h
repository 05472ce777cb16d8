/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/tally.h"

/*
 * Tests go through their table to the end: each row is held against a tally, which prints what
 * differs and fails the test when all rows are done.
 */

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A text that may hold NULs, with its length. */
#define BYTES(literal) (literal), sizeof(literal) - 1

/* The same numbers in each run, so that a failure can be had again. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* 0 to @n - 1 */
static inline unsigned int random_below(uint64_t *state, unsigned int n)
{
	return (unsigned int)(next_random(state) >> 32) % n;
}

#endif

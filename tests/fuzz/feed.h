/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_FEED_H
#define TESTS_FUZZ_FEED_H

#include <limits.h>
#include <stddef.h>

/*
 * A file that is nowhere: programs that link with -Wl,--wrap=read get its bytes by reading from
 * FEED_FD, in pieces of a size of our choice.
 */
#define FEED_FD INT_MAX

/* The first read gives at most @first bytes, each other one @others; 0 is no limit. */
void feed(const char *text, size_t size, size_t first, size_t others);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BENCH_POPULATION_H
#define BENCH_POPULATION_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Idle processes to look at. They end when they are told to, when this program calls exit(), and
 * by the kernel's hand when it ends in any other way.
 */

/* Makes what a process shall have, in that process. */
typedef void (*population_fill_fn)(void);

/* Starts @n processes and waits until each has been filled. */
void population_start(size_t n, population_fill_fn fill);

/* The first of them. */
pid_t population_first(void);

void population_end(void);

/* 64 mappings of 64 KiB, all of it touched: 4 MiB, beside what a program has anyway. */
void fill_usual(void);

/* Nothing beside what a program has anyway. */
void fill_nothing(void);

/*
 * 60000 mappings of a few pages each, of the kinds that are mixed in real programs: anonymous
 * memory, touched or not, shared memory and pages of a file. The kernel's default limit is 65530.
 */
void fill_many(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include <stddef.h>

/*
 * Contestants run in turn, round by round, so that whatever else the machine does falls on all of
 * them; each is compared with the first one of the same round.
 */
#define ROUNDS 11

struct sample {
	double cpu; /* seconds, user and system */
	double wall;
	long peak; /* KiB of resident memory */
};

struct contestant {
	const char *name;
	struct sample samples[ROUNDS];
};

/* Ends the program, with one line on stderr. */
_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Runs a command, its output to /dev/null, @times times in a row. One that fails ends the program.
 * Nobody's peak is below that of the program which starts it.
 */
struct sample run_command(const char *const argv[], unsigned int times);

/* Runs a command once, and its output is seen. */
void run_shown(const char *const argv[]);

double now(void);

/* CPU seconds of this process. */
double cpu_of_this(void);

/* The table: a heading, and two lines for each contestant. */
void print_heading(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_contest(const struct contestant *contestants, size_t n);

double median(const double *values, size_t n);

#endif

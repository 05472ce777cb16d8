/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_TALLY_H
#define TESTS_SUPPORT_TALLY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A tally counts the figures one test compares. A difference is printed and counted, and the test
 * goes on, so that one run shows all of them; tally_finish() then fails the test, also when fewer
 * figures were compared than there must be. Output lines begin with '#', as TAP wants it.
 */
struct tally {
	const char *subject;
	unsigned int compared;
	unsigned int failed;
	unsigned int skipped;
};

/* One figure: equal or not. */
void tally_equal(struct tally *tally, uint64_t found, uint64_t wanted, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* One figure that may be off by @slack. */
void tally_near(struct tally *tally, uint64_t found, uint64_t wanted, uint64_t slack,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/* One statement that must hold. */
void tally_holds(struct tally *tally, bool holds, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* One text; NULL is a value of its own. */
void tally_text(struct tally *tally, const char *found, const char *wanted, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Something that is not compared, and why: never passed over silently. */
void tally_skip(struct tally *tally, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fails the running test on any difference, and when fewer than @minimum were compared. */
void tally_finish(const struct tally *tally, unsigned int minimum);

#endif

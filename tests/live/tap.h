/* SPDX-License-Identifier: MIT */
#ifndef TEST_TAP_H
#define TEST_TAP_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/**
 * tap_run - run a group of tests as one TAP program
 * @tests: an array of struct CMUnitTest
 *
 * The tests run in a child process whose output passes through this one: cmocka 1.1 reports a
 * skipped test as "not ok N # SKIP", which TAP readers take for a failure. Here it becomes
 * "ok N - name # SKIP reason". When this process ends, however it does, so do the tests.
 *
 * Return: the exit status.
 */
#define tap_run(tests) tap_run_group(#tests, tests, sizeof(tests) / sizeof((tests)[0]))

int tap_run_group(const char *name, const struct CMUnitTest *tests, size_t n_tests);

/* Leaves the running test as skipped, for a printed reason. */
_Noreturn __attribute__((format(printf, 1, 2))) void tap_skip(const char *format, ...);

#endif

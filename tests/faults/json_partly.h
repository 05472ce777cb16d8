/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAULTS_JSON_PARTLY_H
#define TESTS_FAULTS_JSON_PARTLY_H

#include <stdbool.h>

#include "support/tally.h"

/*
 * Holds JSON that was printed under a fault against what is printed without one: each figure is
 * equal or null, and a null that is new has a reason beside it, unless @told. Sums that say how
 * many parts they lack may be smaller, and lists shorter when @told.
 */
void json_hold_partly(struct tally *tally, const char *wanted, const char *found, bool told,
		      const char *what);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_FIGURE_LIST_H
#define TESTS_UNIT_FIGURE_LIST_H

#include <thpstat/usage.h>

#include "account/usage.h"
#include "unit.h"

/*
 * A record written down: its figures in order, and what they have to become. A list ends with
 * metric 0. A figure is known, or absent for a reason.
 */
struct figure_row {
	enum thpstat_metric metric;
	uint64_t value;
	enum thpstat_reason absent;
	enum thpstat_method method; /* 0: exact */
};

static inline void fill_record(struct thpstat_usage *usage, const struct figure_row *rows)
{
	usage_clear(usage);
	for (; rows->metric; rows++) {
		usage_set(usage, rows->metric, rows->value,
			  rows->method ? rows->method : THPSTAT_METHOD_EXACT);
		if (rows->absent)
			usage_absent(usage, rows->metric, rows->absent);
	}
}

static inline void tally_record(struct tally *tally, const struct thpstat_usage *usage,
				const struct figure_row *rows, const char *what)
{
	for (; rows->metric; rows++) {
		const char *name = thpstat_metric_info(rows->metric)->name;
		uint64_t value = 0;

		tally_equal(tally, thpstat_usage_reason(usage, rows->metric), rows->absent,
			    "%s: why %s is absent", what, name);
		if (rows->absent || thpstat_usage_get(usage, rows->metric, &value))
			continue;
		tally_equal(tally, value, rows->value, "%s: %s", what, name);
		tally_equal(tally, thpstat_usage_method(usage, rows->metric),
			    rows->method ? rows->method : THPSTAT_METHOD_EXACT, "%s: method of %s",
			    what, name);
	}
}

#endif

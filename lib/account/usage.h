/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_USAGE_H
#define LIB_ACCOUNT_USAGE_H

#include <stdint.h>

#include <thpstat/usage.h>

#include "account/metric.h"
#include "parse/figures.h"

/*
 * A record: figures, and for those that are absent or not plain, why and how. The three arrays are
 * 0 for a plain figure, so a record of one mapping is emptied by figures_clear() alone.
 */
struct thpstat_usage {
	struct figures figures;
	uint8_t reason[METRIC_LIMIT]; /* thpstat_reason of an absent figure; 0: not offered */
	uint8_t method[METRIC_LIMIT]; /* thpstat_method of a present one; 0: exact */
	uint32_t missing[METRIC_LIMIT];
};

void usage_clear(struct thpstat_usage *usage);

static inline void usage_set(struct thpstat_usage *usage, enum thpstat_metric metric,
			     uint64_t value, enum thpstat_method method)
{
	figures_set(&usage->figures, metric, value);
	usage->method[metric] = (uint8_t)method;
}

void usage_absent(struct thpstat_usage *usage, enum thpstat_metric metric,
		  enum thpstat_reason reason);

/* Gives each absent metric of these files (metric_file bits) and without a reason this one. */
void usage_absent_files(struct thpstat_usage *usage, unsigned int files,
			enum thpstat_reason reason);

/* The same for the absent ones of a set, a bit for each. */
void usage_absent_set(struct thpstat_usage *usage, const uint64_t metrics[METRIC_WORDS],
		      enum thpstat_reason reason);

/* The same for every absent metric of a subject (THPSTAT_OF_ bits). */
void usage_absent_subject(struct thpstat_usage *usage, unsigned int subject,
			  enum thpstat_reason reason);

static inline int usage_has(const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	return figures_has(&usage->figures, metric);
}

/* Only for a figure that is there. */
static inline uint64_t usage_value(const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	return usage->figures.value[metric];
}

/* Value of a figure that, when absent, adds nothing to what is worked out. */
static inline uint64_t usage_or_zero(const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	return usage_has(usage, metric) ? usage_value(usage, metric) : 0;
}

/* Is it there, and are no parts of it missing? */
static inline int usage_complete(const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	return usage_has(usage, metric) && !usage->missing[metric];
}

/* Why it is not complete; THPSTAT_REASON_NONE when it is. */
enum thpstat_reason usage_why_not_complete(const struct thpstat_usage *usage,
					   enum thpstat_metric metric);

/*
 * total = sum of parts, when every part is there and complete; else absent, with the reason of the
 * first part that is not. Inline, since every mapping needs some.
 */
static inline void usage_sum(struct thpstat_usage *usage, enum thpstat_metric total,
			     const enum thpstat_metric *parts, unsigned int n)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < n; i++) {
		if (!usage_complete(usage, parts[i])) {
			usage_absent(usage, total, usage_why_not_complete(usage, parts[i]));
			return;
		}
		if (__builtin_add_overflow(sum, usage_value(usage, parts[i]), &sum)) {
			usage_absent(usage, total, THPSTAT_REASON_OVERFLOW);
			return;
		}
	}
	usage_set(usage, total, sum, THPSTAT_METHOD_EXACT);
}

#endif

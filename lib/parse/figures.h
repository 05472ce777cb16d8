/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_FIGURES_H
#define LIB_PARSE_FIGURES_H

#include <stdint.h>

#include <thpstat/metric.h>

/* One above the highest metric number. */
#define METRIC_LIMIT 269
#define METRIC_WORDS ((METRIC_LIMIT + 63) / 64)

/*
 * What parsers fill: values by metric, with a bit for each that is there. A value whose bit is not
 * set is garbage, so that a record can be emptied by clearing a few words.
 */
struct figures {
	uint64_t present[METRIC_WORDS];
	uint64_t overflow[METRIC_WORDS];  /* the key was there, its number does not fit */
	uint64_t malformed[METRIC_WORDS]; /* the key was there, its value is no number with its unit
					   */
	uint64_t value[METRIC_LIMIT];
};

static inline void figures_clear(struct figures *figures)
{
	for (unsigned int i = 0; i < METRIC_WORDS; i++)
		figures->present[i] = figures->overflow[i] = figures->malformed[i] = 0;
}

static inline int figures_bit(const uint64_t *bits, unsigned int metric)
{
	return bits[metric / 64] >> (metric % 64) & 1;
}

static inline void figures_mark(uint64_t *bits, unsigned int metric)
{
	bits[metric / 64] |= UINT64_C(1) << (metric % 64);
}

static inline int figures_has(const struct figures *figures, enum thpstat_metric metric)
{
	return figures_bit(figures->present, (unsigned int)metric);
}

/* Was there a key whose value could not be taken? */
static inline int figures_refused(const struct figures *figures)
{
	uint64_t bits = 0;

	for (unsigned int i = 0; i < METRIC_WORDS; i++)
		bits |= figures->overflow[i] | figures->malformed[i];
	return bits != 0;
}

static inline void figures_set(struct figures *figures, enum thpstat_metric metric, uint64_t value)
{
	figures->value[metric] = value;
	figures_mark(figures->present, (unsigned int)metric);
}

#endif

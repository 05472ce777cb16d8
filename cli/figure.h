/* SPDX-License-Identifier: MIT */
#ifndef CLI_FIGURE_H
#define CLI_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include <thpstat/thpstat.h>

/* Single figures of a record as text for people; what is returned as text is to be freed. */

/* False when it is not known. */
bool figure_get(const struct thpstat_usage *usage, enum thpstat_metric metric, uint64_t *ret);

/* "26.7 MiB", or plain bytes. */
char *figure_size(uint64_t bytes, bool plain);
char *figure_interval(uint64_t low, uint64_t high, bool plain);

/* "-" when it is not known. */
char *figure_text(const struct thpstat_usage *usage, enum thpstat_metric metric, bool plain);

/* Print @before, a blank and the size. */
void figure_print(const char *before, const struct thpstat_usage *usage, enum thpstat_metric metric,
		  bool plain);

#endif

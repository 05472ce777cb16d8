/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "figure.h"
#include "human_size.h"
#include "memory.h"

bool figure_get(const struct thpstat_usage *usage, enum thpstat_metric metric, uint64_t *ret)
{
	return !thpstat_usage_get(usage, metric, ret);
}

char *figure_size(uint64_t bytes, bool plain)
{
	char text[HUMAN_SIZE_MAX];

	return plain ? memory_format("%" PRIu64, bytes) : memory_copy(human_size(bytes, text));
}

char *figure_interval(uint64_t low, uint64_t high, bool plain)
{
	char *from = figure_size(low, plain), *to = figure_size(high, plain);
	char *text = memory_format("%s..%s", from, to);

	free(from);
	free(to);
	return text;
}

char *figure_text(const struct thpstat_usage *usage, enum thpstat_metric metric, bool plain)
{
	uint64_t bytes;

	return figure_get(usage, metric, &bytes) ? figure_size(bytes, plain) : memory_copy("-");
}

void figure_print(const char *before, const struct thpstat_usage *usage, enum thpstat_metric metric,
		  bool plain)
{
	char *text = figure_text(usage, metric, plain);

	printf("%s %s", before, text);
	free(text);
}

/* SPDX-License-Identifier: MIT */
/*
 * The numbers of metrics and ratios in metric_numbers.txt, against the shared library. A number is
 * never changed and never used again; that of a new metric is added to the list.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <thpstat/thpstat.h>

#include "support/tally.h"

#define LIMIT 10000

struct list {
	char *metrics[LIMIT];
	char *ratios[LIMIT];
};

/* Lines "rss=4" and "ratio coverage=1"; others begin with a '#'. */
static int read_list(void **state)
{
	const char *path = getenv("METRIC_NUMBERS");
	FILE *file = path ? fopen(path, "re") : NULL;
	struct list *list = calloc(1, sizeof(*list));
	char line[256], name[128];
	unsigned int number;

	assert_true(file && list);
	while (fgets(line, sizeof(line), file)) {
		char **names = list->metrics;

		if (line[0] == '#')
			continue;
		if (sscanf(line, "ratio %127[a-z0-9_]=%u", name, &number) == 2)
			names = list->ratios;
		else if (sscanf(line, "%127[a-z0-9_]=%u", name, &number) != 2)
			fail_msg("not understood: %s", line);
		if (number >= LIMIT || names[number])
			fail_msg("a number too large, or there twice: %s", line);
		names[number] = strdup(name);
	}
	fclose(file);
	*state = list;
	return 0;
}

static int free_list(void **state)
{
	struct list *list = *state;

	for (size_t i = 0; i < LIMIT; i++) {
		free(list->metrics[i]);
		free(list->ratios[i]);
	}
	free(list);
	return 0;
}

static void test_metrics(void **state)
{
	struct tally tally = { .subject = "metrics" };
	const struct list *list = *state;

	for (int i = 0; i < LIMIT; i++) {
		const struct thpstat_metric_info *info =
			thpstat_metric_info((enum thpstat_metric)i);
		enum thpstat_metric found = 0;

		if (info && !list->metrics[i]) {
			tally_holds(&tally, false, "%s=%d is in the list: it is new, add it",
				    info->name, i);
			continue;
		}
		if (!list->metrics[i])
			continue;
		tally_text(&tally, info ? info->name : NULL, list->metrics[i], "metric %d", i);
		tally_holds(&tally,
			    !thpstat_metric_from_name(list->metrics[i], &found) && (int)found == i,
			    "%s is found as %d", list->metrics[i], i);
	}
	tally_finish(&tally, 2 * 160);
}

static void test_ratios(void **state)
{
	struct tally tally = { .subject = "ratios" };
	const struct list *list = *state;

	for (int i = 0; i < LIMIT; i++) {
		const struct thpstat_ratio_info *info = thpstat_ratio_info((enum thpstat_ratio)i);

		if (info || list->ratios[i])
			tally_text(&tally, info ? info->name : NULL, list->ratios[i], "ratio %d",
				   i);
	}
	tally_finish(&tally, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_ratios),
	};

	return cmocka_run_group_tests(tests, read_list, free_list);
}

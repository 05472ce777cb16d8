/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "account/metric.h"
#include "unit.h"

static int is_name(const char *name)
{
	if (!islower((unsigned char)*name))
		return 0;
	for (; *name; name++)
		if (!islower((unsigned char)*name) && !isdigit((unsigned char)*name) &&
		    *name != '_')
			return 0;
	return 1;
}

/* Each row is complete, is found by its name, and is found once. */
static void test_rows(void **state)
{
	struct tally tally = { .subject = "metrics" };
	unsigned int n = 0;

	(void)state;
	for (enum thpstat_metric m = 0, last = 0; (m = thpstat_metric_next(m)); last = m, n++) {
		const struct thpstat_metric_info *info = thpstat_metric_info(m);
		const struct metric_row *row = metric_row(m);
		enum thpstat_metric found = 0;

		assert_non_null(info);
		assert_true(info == &row->info);
		assert_true(m > last);
		tally_equal(&tally, info->metric, m, "number of %s", info->name);
		tally_holds(&tally, is_name(info->name), "'%s' is a name", info->name);
		tally_equal(&tally, (uint64_t)thpstat_metric_from_name(info->name, &found), 0,
			    "look-up of %s", info->name);
		tally_equal(&tally, found, m, "%s is unique", info->name);
		tally_holds(&tally,
			    info->unit >= THPSTAT_BYTES && info->unit <= THPSTAT_MILLISECONDS,
			    "unit of %s", info->name);
		tally_holds(&tally, info->kind == THPSTAT_GAUGE || info->kind == THPSTAT_COUNTER,
			    "kind of %s", info->name);
		tally_holds(&tally, info->subjects && info->subjects < 64, "subjects of %s",
			    info->name);
		tally_holds(&tally, info->kernel_field && *info->kernel_field, "field of %s",
			    info->name);
		tally_holds(&tally,
			    info->description && *info->description &&
				    !strpbrk(info->description, "\n\t") &&
				    info->description[strlen(info->description) - 1] != '.',
			    "description of %s is one line", info->name);
		tally_holds(&tally, info->kernel_files && !*info->kernel_files == !row->files,
			    "files of %s", info->name);
		/* events add up to events, flags to nothing; only processes are added */
		tally_holds(&tally,
			    !info->addable || (info->subjects & THPSTAT_OF_PROCESS &&
					       info->unit != THPSTAT_FLAG),
			    "%s may be added", info->name);
		tally_holds(&tally,
			    !(info->kind == THPSTAT_COUNTER) || info->unit == THPSTAT_EVENTS ||
				    info->unit == THPSTAT_PAGES || info->unit == THPSTAT_COUNT,
			    "unit of the counter %s", info->name);
	}
	tally_finish(&tally, 12 * 150);
	assert_true(n > 150);
}

static void test_unknown(void **state)
{
	static const enum thpstat_metric numbers[] = { (enum thpstat_metric)0,
						       (enum thpstat_metric)27,
						       (enum thpstat_metric)METRIC_LIMIT,
						       THPSTAT_METRIC_FORCE_INT,
						       (enum thpstat_metric) - 1,
						       (enum thpstat_metric) - 2147483647 };
	static const char *const names[] = { "", "RSS", "rss ", "r", "rsss", "Rss", "27" };
	enum thpstat_metric metric = THPSTAT_PSS;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		assert_null(thpstat_metric_info(numbers[i]));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(thpstat_metric_from_name(names[i], &metric), -EINVAL);
	assert_int_equal(thpstat_metric_from_name(NULL, &metric), -EINVAL);
	assert_int_equal(thpstat_metric_from_name("rss", NULL), -EINVAL);
	assert_int_equal(metric, THPSTAT_PSS);
	assert_int_equal(thpstat_metric_next((enum thpstat_metric)METRIC_LIMIT), 0);
	assert_int_equal(thpstat_metric_next(THPSTAT_METRIC_FORCE_INT), 0);
	/* the highest number is the last one below the limit */
	assert_non_null(thpstat_metric_info((enum thpstat_metric)(METRIC_LIMIT - 1)));
}

static void test_ratios(void **state)
{
	struct tally tally = { .subject = "ratios" };
	const struct thpstat_ratio_info *info;
	int n = 0;

	(void)state;
	while ((info = thpstat_ratio_info((enum thpstat_ratio)(n + 1)))) {
		n++;
		tally_equal(&tally, info->ratio, (uint64_t)n, "number of %s", info->name);
		tally_holds(&tally, is_name(info->name), "'%s' is a name", info->name);
		tally_holds(&tally, info->description && *info->description, "description of %s",
			    info->name);
		assert_non_null(thpstat_metric_info(info->numerator));
		assert_non_null(thpstat_metric_info(info->denominator));
		tally_equal(&tally, thpstat_metric_info(info->numerator)->unit, THPSTAT_BYTES,
			    "upper unit of %s", info->name);
		tally_equal(&tally, thpstat_metric_info(info->denominator)->unit, THPSTAT_BYTES,
			    "lower unit of %s", info->name);
	}
	assert_int_equal(n, THPSTAT_COVERAGE_FILE_ONCE);
	assert_null(thpstat_ratio_info((enum thpstat_ratio)0));
	assert_null(thpstat_ratio_info((enum thpstat_ratio) - 1));
	assert_null(thpstat_ratio_info(THPSTAT_RATIO_FORCE_INT));
	tally_finish(&tally, 40);
}

static void test_state_names(void **state)
{
	(void)state;
	for (int i = THPSTAT_PROCESS_RUNNING; i <= THPSTAT_PROCESS_FORBIDDEN; i++)
		assert_string_not_equal(thpstat_process_state_name((enum thpstat_process_state)i),
					"unknown");
	assert_string_equal(thpstat_process_state_name((enum thpstat_process_state)0), "unknown");
	assert_string_equal(thpstat_process_state_name((enum thpstat_process_state)7), "unknown");
	assert_string_equal(thpstat_process_state_name((enum thpstat_process_state) - 1),
			    "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_ratios),
		cmocka_unit_test(test_state_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

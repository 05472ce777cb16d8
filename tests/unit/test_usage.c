/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "account/usage.h"
#include "unit.h"

#define UNTOUCHED UINT64_C(0xdead)

static struct thpstat_usage *new_record(void)
{
	struct thpstat_usage *usage;

	assert_int_equal(thpstat_usage_new(&usage), 0);
	return usage;
}

static const struct {
	enum thpstat_reason reason;
	int error;
	const char *name;
} reasons[] = {
	{ THPSTAT_REASON_NOT_OFFERED, -ENODATA, "not offered" },
	{ THPSTAT_REASON_FORBIDDEN, -EACCES, "forbidden" },
	{ THPSTAT_REASON_NOT_READ, -ENODATA, "not read" },
	{ THPSTAT_REASON_NO_MEMORY, -ENODATA, "no memory" },
	{ THPSTAT_REASON_GONE, -ESRCH, "gone" },
	{ THPSTAT_REASON_CUT, -EBADMSG, "cut" },
	{ THPSTAT_REASON_DIFFERENT_MOMENTS, -ENODATA, "different moments" },
	{ THPSTAT_REASON_NOT_PROVED, -ENODATA, "not proved" },
	{ THPSTAT_REASON_BROKEN, -EBADMSG, "broken" },
	{ THPSTAT_REASON_OVERFLOW, -EOVERFLOW, "overflow" },
};

static void test_get(void **state)
{
	struct thpstat_usage *usage = new_record();
	struct tally tally = { .subject = "get" };
	uint64_t value = UNTOUCHED;

	(void)state;
	/* an empty record: nothing is 0 */
	for (enum thpstat_metric m = 0; (m = thpstat_metric_next(m));) {
		tally_equal(&tally, (uint64_t)-thpstat_usage_get(usage, m, &value), ENODATA,
			    "metric %d of an empty record", (int)m);
		tally_equal(&tally, thpstat_usage_reason(usage, m), THPSTAT_REASON_NOT_OFFERED,
			    "reason of metric %d", (int)m);
		tally_equal(&tally, thpstat_usage_method(usage, m), THPSTAT_METHOD_NONE,
			    "method of metric %d", (int)m);
	}
	usage_set(usage, THPSTAT_RSS, 0, THPSTAT_METHOD_EXACT);
	tally_equal(&tally, (uint64_t)thpstat_usage_get(usage, THPSTAT_RSS, &value), 0,
		    "a measured zero");
	tally_equal(&tally, value, 0, "its value");
	tally_equal(&tally, thpstat_usage_reason(usage, THPSTAT_RSS), THPSTAT_REASON_NONE,
		    "its reason");
	tally_equal(&tally, thpstat_usage_method(usage, THPSTAT_RSS), THPSTAT_METHOD_EXACT,
		    "its method");
	usage_set(usage, THPSTAT_RSS, UINT64_MAX, THPSTAT_METHOD_BOUND);
	tally_equal(&tally, (uint64_t)thpstat_usage_get(usage, THPSTAT_RSS, &value), 0,
		    "a large one");
	tally_equal(&tally, value, UINT64_MAX, "its value");
	tally_equal(&tally, thpstat_usage_method(usage, THPSTAT_RSS), THPSTAT_METHOD_BOUND,
		    "its method");
	/* parsers set values without a method: the kernel's own figures are exact */
	figures_set(&usage->figures, THPSTAT_PSS, 5);
	tally_equal(&tally, thpstat_usage_method(usage, THPSTAT_PSS), THPSTAT_METHOD_EXACT,
		    "method of a parsed figure");
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		value = UNTOUCHED;
		usage_absent(usage, THPSTAT_RSS, reasons[i].reason);
		tally_equal(&tally, (uint64_t)-thpstat_usage_get(usage, THPSTAT_RSS, &value),
			    (uint64_t)-reasons[i].error, "error of %s", reasons[i].name);
		tally_equal(&tally, value, UNTOUCHED, "return parameter of %s", reasons[i].name);
		tally_equal(&tally, thpstat_usage_reason(usage, THPSTAT_RSS), reasons[i].reason,
			    "reason %s", reasons[i].name);
		tally_equal(&tally, thpstat_usage_method(usage, THPSTAT_RSS), THPSTAT_METHOD_NONE,
			    "method of %s", reasons[i].name);
		tally_text(&tally, thpstat_reason_name(reasons[i].reason), reasons[i].name,
			   "name of %s", reasons[i].name);
	}
	/* what a parser met and could not take */
	figures_mark(usage->figures.overflow, THPSTAT_SWAP);
	figures_mark(usage->figures.malformed, THPSTAT_LOCKED);
	tally_equal(&tally, thpstat_usage_reason(usage, THPSTAT_SWAP), THPSTAT_REASON_OVERFLOW,
		    "a number that does not fit");
	tally_equal(&tally, thpstat_usage_reason(usage, THPSTAT_LOCKED), THPSTAT_REASON_CUT,
		    "no number");
	usage_clear(usage);
	tally_equal(&tally, thpstat_usage_reason(usage, THPSTAT_SWAP), THPSTAT_REASON_NOT_OFFERED,
		    "a cleared record");
	thpstat_usage_free(usage);
	tally_finish(&tally, 500);
}

static void test_misuse(void **state)
{
	static const enum thpstat_metric unknown[] = { (enum thpstat_metric)0,
						       (enum thpstat_metric)27,
						       (enum thpstat_metric)METRIC_LIMIT,
						       (enum thpstat_metric)(METRIC_LIMIT - 1 + 64),
						       THPSTAT_METRIC_FORCE_INT,
						       (enum thpstat_metric) - 1 };
	struct thpstat_usage *usage = new_record();
	uint64_t value = UNTOUCHED;
	double ratio = 7;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++) {
		assert_int_equal(thpstat_usage_get(usage, unknown[i], &value), -EINVAL);
		assert_int_equal(thpstat_usage_reason(usage, unknown[i]),
				 THPSTAT_REASON_NOT_OFFERED);
		assert_int_equal(thpstat_usage_method(usage, unknown[i]), THPSTAT_METHOD_NONE);
		assert_true(thpstat_usage_missing(usage, unknown[i]) == 0);
	}
	assert_int_equal(thpstat_usage_get(NULL, THPSTAT_RSS, &value), -EINVAL);
	assert_int_equal(thpstat_usage_get(usage, THPSTAT_RSS, NULL), -EINVAL);
	assert_int_equal(thpstat_usage_ratio(NULL, THPSTAT_COVERAGE, &ratio), -EINVAL);
	assert_int_equal(thpstat_usage_ratio(usage, THPSTAT_COVERAGE, NULL), -EINVAL);
	assert_int_equal(thpstat_usage_ratio(usage, (enum thpstat_ratio)0, &ratio), -EINVAL);
	assert_int_equal(thpstat_usage_ratio(usage, (enum thpstat_ratio)9, &ratio), -EINVAL);
	assert_int_equal(thpstat_usage_ratio_reason(usage, (enum thpstat_ratio)9),
			 THPSTAT_REASON_NOT_OFFERED);
	assert_int_equal(thpstat_usage_ratio_reason(NULL, THPSTAT_COVERAGE),
			 THPSTAT_REASON_NOT_OFFERED);
	assert_int_equal(thpstat_usage_new(NULL), -EINVAL);
	assert_int_equal(thpstat_usage_add(NULL, usage), -EINVAL);
	assert_int_equal(thpstat_usage_add(usage, NULL), -EINVAL);
	assert_true(value == UNTOUCHED && ratio == 7);
	assert_null(thpstat_usage_free(NULL));
	assert_null(thpstat_usage_free(usage));
	assert_string_equal(thpstat_reason_name(THPSTAT_REASON_NONE), "none");
	assert_string_equal(thpstat_reason_name((enum thpstat_reason)11), "unknown");
	assert_string_equal(thpstat_reason_name((enum thpstat_reason) - 1), "unknown");
	assert_string_equal(thpstat_method_name(THPSTAT_METHOD_EXACT), "exact");
	assert_string_equal(thpstat_method_name(THPSTAT_METHOD_BOUND), "bound");
	assert_string_equal(thpstat_method_name(THPSTAT_METHOD_ESTIMATE), "estimate");
	assert_string_equal(thpstat_method_name(THPSTAT_METHOD_NONE), "none");
	assert_string_equal(thpstat_method_name((enum thpstat_method)9), "none");
}

static void test_ratio(void **state)
{
	static const struct {
		const char *what;
		uint64_t above, below;
		enum thpstat_reason above_absent, below_absent;
		uint32_t above_missing, below_missing;
		int error;
		enum thpstat_reason reason;
		double ratio;
	} rows[] = {
		{ "half", 1, 2, 0, 0, 0, 0, 0, 0, 0.5 },
		{ "none of it", 0, 2, 0, 0, 0, 0, 0, 0, 0 },
		{ "all of it", 7, 7, 0, 0, 0, 0, 0, 0, 1 },
		{ "large ones", UINT64_MAX, UINT64_MAX, 0, 0, 0, 0, 0, 0, 1 },
		{ "nothing to divide by", 0, 0, 0, 0, 0, 0, -EDOM, 0, 0 },
		{ "more than all", 3, 2, 0, 0, 0, 0, -EBADMSG, THPSTAT_REASON_BROKEN, 0 },
		{ "more than nothing", 3, 0, 0, 0, 0, 0, -EBADMSG, THPSTAT_REASON_BROKEN, 0 },
		{ "the upper part forbidden", 0, 2, THPSTAT_REASON_FORBIDDEN, 0, 0, 0, -EACCES,
		  THPSTAT_REASON_FORBIDDEN, 0 },
		{ "the lower part gone", 0, 2, 0, THPSTAT_REASON_GONE, 0, 0, -ESRCH,
		  THPSTAT_REASON_GONE, 0 },
		{ "both absent", 0, 2, THPSTAT_REASON_NOT_OFFERED, THPSTAT_REASON_CUT, 0, 0,
		  -ENODATA, THPSTAT_REASON_NOT_OFFERED, 0 },
		{ "the upper part incomplete", 1, 2, 0, 0, 1, 0, -EBADMSG, THPSTAT_REASON_CUT, 0 },
		{ "the lower part incomplete", 1, 2, 0, 0, 0, 1, -EBADMSG, THPSTAT_REASON_CUT, 0 },
	};
	struct tally tally = { .subject = "ratio" };

	(void)state;
	for (int r = THPSTAT_COVERAGE; r <= THPSTAT_COVERAGE_FILE_ONCE; r++) {
		const struct thpstat_ratio_info *info = thpstat_ratio_info((enum thpstat_ratio)r);

		assert_non_null(info);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			struct thpstat_usage *usage = new_record();
			double ratio = -1;

			usage_set(usage, info->numerator, rows[i].above, THPSTAT_METHOD_EXACT);
			usage_set(usage, info->denominator, rows[i].below, THPSTAT_METHOD_EXACT);
			if (rows[i].above_absent)
				usage_absent(usage, info->numerator, rows[i].above_absent);
			if (rows[i].below_absent)
				usage_absent(usage, info->denominator, rows[i].below_absent);
			usage->missing[info->numerator] = rows[i].above_missing;
			usage->missing[info->denominator] = rows[i].below_missing;

			int error = thpstat_usage_ratio(usage, (enum thpstat_ratio)r, &ratio);

			tally_equal(&tally, (uint64_t)-error, (uint64_t)-rows[i].error, "%s of %s",
				    info->name, rows[i].what);
			tally_equal(&tally,
				    thpstat_usage_ratio_reason(usage, (enum thpstat_ratio)r),
				    rows[i].reason, "reason of %s of %s", info->name, rows[i].what);
			tally_holds(&tally, ratio == (error ? -1 : rows[i].ratio),
				    "value of %s of %s", info->name, rows[i].what);
			thpstat_usage_free(usage);
		}
	}
	tally_finish(&tally, 8 * 3 * ARRAY_SIZE(rows));
}

/* Adds parts that each have a value, or lack it for a reason, in this order and backwards. */
struct add_part {
	uint64_t value;
	enum thpstat_reason absent;
	uint32_t missing; /* mappings */
	enum thpstat_method method;
};

static const struct add_row {
	const char *what;
	size_t n;
	struct add_part parts[4];
	int error;
	enum thpstat_reason reason;
	uint64_t value;
	uint64_t missing;
	enum thpstat_method method;
} sums[] = {
	{ "nothing", 0, { { 0 } }, -ENODATA, THPSTAT_REASON_NOT_OFFERED, 0, 0, 0 },
	{ "one", 1, { { 5, 0, 0, 1 } }, 0, 0, 5, 0, THPSTAT_METHOD_EXACT },
	{ "three",
	  3,
	  { { 5, 0, 0, 1 }, { 0, 0, 0, 1 }, { 7, 0, 0, 1 } },
	  0,
	  0,
	  12,
	  0,
	  THPSTAT_METHOD_EXACT },
	{ "one forbidden",
	  3,
	  { { 5, 0, 0, 1 }, { 0, THPSTAT_REASON_FORBIDDEN, 0, 0 }, { 7, 0, 0, 1 } },
	  0,
	  0,
	  12,
	  1,
	  THPSTAT_METHOD_EXACT },
	{ "two of other reasons",
	  4,
	  { { 0, THPSTAT_REASON_GONE, 0, 0 },
	    { 5, 0, 0, 1 },
	    { 0, THPSTAT_REASON_CUT, 0, 0 },
	    { 7, 0, 0, 1 } },
	  0,
	  0,
	  12,
	  2,
	  THPSTAT_METHOD_EXACT },
	{ "kernel threads",
	  3,
	  { { 0, THPSTAT_REASON_NO_MEMORY, 0, 0 },
	    { 5, 0, 0, 1 },
	    { 0, THPSTAT_REASON_NO_MEMORY, 0, 0 } },
	  0,
	  0,
	  5,
	  0,
	  THPSTAT_METHOD_EXACT },
	{ "kernel threads alone",
	  2,
	  { { 0, THPSTAT_REASON_NO_MEMORY, 0, 0 }, { 0, THPSTAT_REASON_NO_MEMORY, 0, 0 } },
	  -ENODATA,
	  THPSTAT_REASON_NOT_OFFERED,
	  0,
	  0,
	  0 },
	{ "all forbidden",
	  2,
	  { { 0, THPSTAT_REASON_FORBIDDEN, 0, 0 }, { 0, THPSTAT_REASON_FORBIDDEN, 0, 0 } },
	  -EACCES,
	  THPSTAT_REASON_FORBIDDEN,
	  0,
	  2,
	  0 },
	{ "all gone",
	  1,
	  { { 0, THPSTAT_REASON_GONE, 0, 0 } },
	  -ESRCH,
	  THPSTAT_REASON_GONE,
	  0,
	  1,
	  0 },
	{ "one overflown among known ones",
	  3,
	  { { 0, THPSTAT_REASON_OVERFLOW, 0, 0 }, { 5, 0, 0, 1 }, { 7, 0, 0, 1 } },
	  0,
	  0,
	  12,
	  1,
	  THPSTAT_METHOD_EXACT },
	{ "all overflown",
	  2,
	  { { 0, THPSTAT_REASON_OVERFLOW, 0, 0 }, { 0, THPSTAT_REASON_OVERFLOW, 0, 0 } },
	  -EOVERFLOW,
	  THPSTAT_REASON_OVERFLOW,
	  0,
	  2,
	  0 },
	{ "the largest sum",
	  2,
	  { { UINT64_MAX - 1, 0, 0, 1 }, { 1, 0, 0, 1 } },
	  0,
	  0,
	  UINT64_MAX,
	  0,
	  THPSTAT_METHOD_EXACT },
	{ "a sum that does not fit",
	  2,
	  { { UINT64_MAX, 0, 0, 1 }, { 1, 0, 0, 1 } },
	  -EOVERFLOW,
	  THPSTAT_REASON_OVERFLOW,
	  0,
	  0,
	  0 },
	{ "a sum that does not fit, and more",
	  4,
	  { { 1, 0, 0, 1 }, { UINT64_MAX, 0, 0, 1 }, { UINT64_MAX, 0, 0, 1 }, { 3, 0, 0, 1 } },
	  -EOVERFLOW,
	  THPSTAT_REASON_OVERFLOW,
	  0,
	  0,
	  0 },
	{ "a sum that did not fit once",
	  3,
	  { { UINT64_MAX, 0, 0, 1 }, { 7, 0, 0, 1 }, { UINT64_MAX, 0, 0, 1 } },
	  -EOVERFLOW,
	  THPSTAT_REASON_OVERFLOW,
	  0,
	  0,
	  0 },
	/* missing counts processes, not mappings of one */
	{ "a process with mappings missing",
	  2,
	  { { 5, 0, 3, 1 }, { 7, 0, 0, 1 } },
	  0,
	  0,
	  12,
	  1,
	  THPSTAT_METHOD_EXACT },
	{ "two of them",
	  3,
	  { { 5, 0, 3, 1 }, { 7, 0, 1, 1 }, { 1, 0, 0, 1 } },
	  0,
	  0,
	  13,
	  2,
	  THPSTAT_METHOD_EXACT },
	/* as sure as the least sure part */
	{ "a bound",
	  2,
	  { { 5, 0, 0, 1 }, { 7, 0, 0, THPSTAT_METHOD_BOUND } },
	  0,
	  0,
	  12,
	  0,
	  THPSTAT_METHOD_BOUND },
	{ "an estimate",
	  3,
	  { { 5, 0, 0, THPSTAT_METHOD_ESTIMATE },
	    { 7, 0, 0, THPSTAT_METHOD_BOUND },
	    { 1, 0, 0, 1 } },
	  0,
	  0,
	  13,
	  0,
	  THPSTAT_METHOD_ESTIMATE },
};

static void tally_sum(struct tally *tally, const struct add_row *row, int backwards)
{
	struct thpstat_usage *sum = new_record();
	uint64_t value = 0;

	for (size_t i = 0; i < row->n; i++) {
		const struct add_part *part = &row->parts[backwards ? row->n - 1 - i : i];
		struct thpstat_usage *usage = new_record();

		usage_set(usage, THPSTAT_RSS, part->value, part->method);
		if (part->absent)
			usage_absent(usage, THPSTAT_RSS, part->absent);
		usage->missing[THPSTAT_RSS] = part->missing;
		/* a flag adds up to nothing that makes sense */
		usage_set(usage, THPSTAT_THP_ENABLED, 1, THPSTAT_METHOD_EXACT);
		assert_int_equal(thpstat_usage_add(sum, usage), 0);
		thpstat_usage_free(usage);
	}

	const char *way = backwards ? "backwards" : "forwards";
	int error = thpstat_usage_get(sum, THPSTAT_RSS, &value);

	tally_equal(tally, (uint64_t)-error, (uint64_t)-row->error, "%s %s: error", row->what, way);
	tally_equal(tally, thpstat_usage_reason(sum, THPSTAT_RSS), row->reason, "%s %s: reason",
		    row->what, way);
	if (!row->error)
		tally_equal(tally, value, row->value, "%s %s: value", row->what, way);
	tally_equal(tally, thpstat_usage_missing(sum, THPSTAT_RSS), row->missing, "%s %s: missing",
		    row->what, way);
	tally_equal(tally, thpstat_usage_method(sum, THPSTAT_RSS), row->method, "%s %s: method",
		    row->what, way);
	tally_equal(tally, (uint64_t)-thpstat_usage_get(sum, THPSTAT_THP_ENABLED, &value), ENODATA,
		    "%s %s: a flag", row->what, way);
	thpstat_usage_free(sum);
}

static void test_add(void **state)
{
	struct tally tally = { .subject = "add" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sums); i++) {
		tally_sum(&tally, &sums[i], 0);
		tally_sum(&tally, &sums[i], 1);
	}
	tally_finish(&tally, 10 * ARRAY_SIZE(sums));
}

/* All that may be added is, and nothing else. */
static void test_add_everything(void **state)
{
	struct thpstat_usage *sum = new_record(), *part = new_record();
	struct tally tally = { .subject = "add everything" };

	(void)state;
	for (enum thpstat_metric m = 0; (m = thpstat_metric_next(m));)
		usage_set(part, m, m, THPSTAT_METHOD_EXACT);
	for (int i = 0; i < 3; i++)
		assert_int_equal(thpstat_usage_add(sum, part), 0);
	for (enum thpstat_metric m = 0; (m = thpstat_metric_next(m));) {
		const struct thpstat_metric_info *info = thpstat_metric_info(m);
		uint64_t value = 0;

		tally_equal(&tally, (uint64_t)-thpstat_usage_get(sum, m, &value),
			    info->addable ? 0 : ENODATA, "is %s added", info->name);
		tally_equal(&tally, value, info->addable ? 3 * (uint64_t)m : 0, "%s", info->name);
		tally_equal(&tally, thpstat_usage_missing(sum, m), 0, "missing of %s", info->name);
	}
	thpstat_usage_free(sum);
	thpstat_usage_free(part);
	tally_finish(&tally, 300);
}

static void test_sum_of_parts(void **state)
{
	static const enum thpstat_metric parts[] = { THPSTAT_RSS, THPSTAT_PSS, THPSTAT_SWAP };
	struct thpstat_usage *usage = new_record();
	uint64_t value = 0;

	(void)state;
	usage_sum(usage, THPSTAT_HUGE, parts, 3);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_HUGE), THPSTAT_REASON_NOT_OFFERED);
	usage_set(usage, THPSTAT_RSS, 1, THPSTAT_METHOD_EXACT);
	usage_set(usage, THPSTAT_PSS, 2, THPSTAT_METHOD_EXACT);
	usage_set(usage, THPSTAT_SWAP, 3, THPSTAT_METHOD_EXACT);
	usage_sum(usage, THPSTAT_HUGE, parts, 3);
	assert_int_equal(thpstat_usage_get(usage, THPSTAT_HUGE, &value), 0);
	assert_true(value == 6);
	/* of several reasons the first */
	usage_absent(usage, THPSTAT_PSS, THPSTAT_REASON_FORBIDDEN);
	usage_absent(usage, THPSTAT_SWAP, THPSTAT_REASON_GONE);
	usage_sum(usage, THPSTAT_HUGE, parts, 3);
	assert_int_equal(thpstat_usage_get(usage, THPSTAT_HUGE, &value), -EACCES);
	usage_set(usage, THPSTAT_PSS, 2, THPSTAT_METHOD_EXACT);
	usage_set(usage, THPSTAT_SWAP, UINT64_MAX, THPSTAT_METHOD_EXACT);
	usage_sum(usage, THPSTAT_HUGE, parts, 3);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_HUGE), THPSTAT_REASON_OVERFLOW);
	usage_set(usage, THPSTAT_SWAP, 3, THPSTAT_METHOD_EXACT);
	usage->missing[THPSTAT_SWAP] = 1;
	usage_sum(usage, THPSTAT_HUGE, parts, 3);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_HUGE), THPSTAT_REASON_CUT);
	usage_sum(usage, THPSTAT_HUGE, parts, 2);
	assert_int_equal(thpstat_usage_get(usage, THPSTAT_HUGE, &value), 0);
	assert_true(value == 3);
	thpstat_usage_free(usage);
}

/* A reason given to many leaves alone what is there, and what has a reason. */
static void test_absent_files(void **state)
{
	struct thpstat_usage *usage = new_record();

	(void)state;
	usage_set(usage, THPSTAT_VM_RSS, 1, THPSTAT_METHOD_EXACT);
	usage_absent(usage, THPSTAT_VM_PTE, THPSTAT_REASON_CUT);
	usage_absent_files(usage, FILE_STATUS, THPSTAT_REASON_FORBIDDEN);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_VM_RSS), THPSTAT_REASON_NONE);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_VM_PTE), THPSTAT_REASON_CUT);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_VM_SWAP), THPSTAT_REASON_FORBIDDEN);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_RSS), THPSTAT_REASON_NOT_OFFERED);
	usage_absent_subject(usage, THPSTAT_OF_PROCESS, THPSTAT_REASON_GONE);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_VM_RSS), THPSTAT_REASON_NONE);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_VM_SWAP), THPSTAT_REASON_FORBIDDEN);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_RSS), THPSTAT_REASON_GONE);
	assert_int_equal(thpstat_usage_reason(usage, THPSTAT_MEM_TOTAL),
			 THPSTAT_REASON_NOT_OFFERED);
	thpstat_usage_free(usage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_get),
		cmocka_unit_test(test_misuse),
		cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_add_everything),
		cmocka_unit_test(test_sum_of_parts),
		cmocka_unit_test(test_absent_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "account/coverage.h"
#include "figure_list.h"
#include "unit.h"

#define MOMENTS THPSTAT_REASON_DIFFERENT_MOMENTS
#define NOT_OFFERED THPSTAT_REASON_NOT_OFFERED

/* What smaps_rollup of a process says, before anything is worked out. */
#define KERNEL_FIGURES(rss, anonymous, ahp, spm, fpm, shared, private)                             \
	{ THPSTAT_RSS, rss, 0, 0 }, { THPSTAT_ANONYMOUS, anonymous, 0, 0 },                        \
		{ THPSTAT_ANON_HUGE_PAGES, ahp, 0, 0 }, { THPSTAT_SHMEM_PMD_MAPPED, spm, 0, 0 },   \
		{ THPSTAT_FILE_PMD_MAPPED, fpm, 0, 0 }, { THPSTAT_SHARED_HUGETLB, shared, 0, 0 },  \
	{                                                                                          \
		THPSTAT_PRIVATE_HUGETLB, private, 0, 0                                             \
	}

static const struct {
	const char *what;
	struct figure_row before[10];
	struct figure_row after[8];
} totals[] = {
	{ "all there",
	  { KERNEL_FIGURES(1000, 400, 100, 50, 25, 7, 8) },
	  { { THPSTAT_HUGETLB, 15, 0, 0 },
	    { THPSTAT_HUGE, 190, 0, 0 },
	    { THPSTAT_RESIDENT, 1015, 0, 0 } } },
	{ "before Linux 5.4",
	  { KERNEL_FIGURES(1000, 400, 100, 50, 0, 7, 8),
	    { THPSTAT_FILE_PMD_MAPPED, 0, NOT_OFFERED, 0 } },
	  { { THPSTAT_HUGETLB, 15, 0, 0 },
	    { THPSTAT_HUGE, 0, NOT_OFFERED, 0 },
	    { THPSTAT_RESIDENT, 1015, 0, 0 } } },
	{ "no hugetlb keys",
	  { KERNEL_FIGURES(1000, 400, 100, 50, 25, 0, 0),
	    { THPSTAT_PRIVATE_HUGETLB, 0, NOT_OFFERED, 0 } },
	  { { THPSTAT_HUGETLB, 0, NOT_OFFERED, 0 },
	    { THPSTAT_HUGE, 0, NOT_OFFERED, 0 },
	    { THPSTAT_RESIDENT, 0, NOT_OFFERED, 0 } } },
	{ "forbidden",
	  { KERNEL_FIGURES(1000, 400, 100, 50, 25, 7, 8),
	    { THPSTAT_RSS, 0, THPSTAT_REASON_FORBIDDEN, 0 } },
	  { { THPSTAT_HUGETLB, 15, 0, 0 },
	    { THPSTAT_HUGE, 190, 0, 0 },
	    { THPSTAT_RESIDENT, 0, THPSTAT_REASON_FORBIDDEN, 0 } } },
	{ "too large to be added",
	  { KERNEL_FIGURES(UINT64_MAX, 400, UINT64_MAX, 50, 25, 7, 8) },
	  { { THPSTAT_HUGETLB, 15, 0, 0 },
	    { THPSTAT_HUGE, 0, THPSTAT_REASON_OVERFLOW, 0 },
	    { THPSTAT_RESIDENT, 0, THPSTAT_REASON_OVERFLOW, 0 } } },
};

static void test_totals(void **state)
{
	struct tally tally = { .subject = "totals" };
	struct thpstat_usage usage;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(totals); i++) {
		fill_record(&usage, totals[i].before);
		coverage_as_mapped(&usage);
		tally_record(&tally, &usage, totals[i].after, totals[i].what);
	}
	tally_finish(&tally, 3 * ARRAY_SIZE(totals) + 12);
}

static const struct {
	const char *what;
	struct figure_row before[10];
	uint64_t shmem;
	enum thpstat_reason absent;
	uint64_t shmem_after, file_after;
} splits[] = {
	{ "both", { KERNEL_FIGURES(1000, 400, 0, 50, 25, 0, 0) }, 200, 0, 200, 400 },
	{ "no shared memory", { KERNEL_FIGURES(1000, 400, 0, 0, 25, 0, 0) }, 0, 0, 0, 600 },
	{ "nothing else", { KERNEL_FIGURES(1000, 400, 0, 600, 0, 0, 0) }, 600, 0, 600, 0 },
	{ "all anonymous", { KERNEL_FIGURES(1000, 1000, 0, 0, 0, 0, 0) }, 0, 0, 0, 0 },
	{ "at the edges", { KERNEL_FIGURES(1000, 400, 0, 200, 400, 0, 0) }, 200, 0, 200, 400 },
	/* figures of status and of smaps are of two moments: nothing is clamped */
	{ "more shared memory than there is",
	  { KERNEL_FIGURES(1000, 400, 0, 0, 0, 0, 0) },
	  601,
	  MOMENTS,
	  0,
	  0 },
	{ "more of it huge than there is",
	  { KERNEL_FIGURES(1000, 400, 0, 201, 0, 0, 0) },
	  200,
	  MOMENTS,
	  0,
	  0 },
	{ "more of files huge than there is",
	  { KERNEL_FIGURES(1000, 400, 0, 0, 401, 0, 0) },
	  200,
	  MOMENTS,
	  0,
	  0 },
	{ "an anonymous part larger than the whole",
	  { KERNEL_FIGURES(1000, 1001, 0, 0, 0, 0, 0) },
	  0,
	  THPSTAT_REASON_BROKEN,
	  0,
	  0 },
	{ "no Anonymous",
	  { KERNEL_FIGURES(1000, 0, 0, 0, 0, 0, 0), { THPSTAT_ANONYMOUS, 0, NOT_OFFERED, 0 } },
	  0,
	  NOT_OFFERED,
	  0,
	  0 },
	{ "no Rss",
	  { KERNEL_FIGURES(1000, 0, 0, 0, 0, 0, 0), { THPSTAT_RSS, 0, THPSTAT_REASON_GONE, 0 } },
	  0,
	  THPSTAT_REASON_GONE,
	  0,
	  0 },
	{ "before Linux 5.4",
	  { KERNEL_FIGURES(1000, 400, 0, 50, 0, 0, 0),
	    { THPSTAT_FILE_PMD_MAPPED, 0, NOT_OFFERED, 0 } },
	  200,
	  0,
	  200,
	  400 },
	{ "before Linux 4.8",
	  { KERNEL_FIGURES(1000, 400, 0, 0, 0, 0, 0),
	    { THPSTAT_FILE_PMD_MAPPED, 0, NOT_OFFERED, 0 },
	    { THPSTAT_SHMEM_PMD_MAPPED, 0, NOT_OFFERED, 0 } },
	  200,
	  0,
	  200,
	  400 },
};

static void test_splits(void **state)
{
	struct tally tally = { .subject = "splits" };
	struct thpstat_usage usage;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(splits); i++) {
		const struct figure_row after[] = {
			{ THPSTAT_RESIDENT_SHMEM, splits[i].shmem_after, splits[i].absent, 0 },
			{ THPSTAT_RESIDENT_FILE, splits[i].file_after, splits[i].absent, 0 },
			{ 0, 0, 0, 0 },
		};

		fill_record(&usage, splits[i].before);
		coverage_split_process(&usage, splits[i].shmem);
		tally_record(&tally, &usage, after, splits[i].what);
	}
	/* parts of it missing: cut */
	fill_record(&usage, splits[0].before);
	usage.missing[THPSTAT_ANONYMOUS] = 1;
	coverage_split_process(&usage, 200);
	tally_equal(&tally, thpstat_usage_reason(&usage, THPSTAT_RESIDENT_SHMEM),
		    THPSTAT_REASON_CUT, "some mappings without Anonymous");
	tally_finish(&tally, 2 * ARRAY_SIZE(splits));
}

static void test_split_mapping(void **state)
{
	static const struct {
		enum thpstat_class class_;
		uint64_t shmem, file;
	} rows[] = {
		{ THPSTAT_CLASS_ANON, 0, 600 },
		{ THPSTAT_CLASS_SHMEM, 600, 0 },
		{ THPSTAT_CLASS_FILE, 0, 600 },
		{ THPSTAT_CLASS_HUGETLB, 0, 600 },
	};
	struct tally tally = { .subject = "split of a mapping" };
	struct thpstat_usage usage;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct figure_row after[] = {
			{ THPSTAT_RESIDENT_SHMEM, rows[i].shmem, 0, 0 },
			{ THPSTAT_RESIDENT_FILE, rows[i].file, 0, 0 },
			{ 0, 0, 0, 0 },
		};

		fill_record(&usage, splits[0].before);
		coverage_split_mapping(&usage, rows[i].class_);
		tally_record(&tally, &usage, after, "a mapping");
	}
	fill_record(&usage, splits[8].before);
	coverage_split_mapping(&usage, THPSTAT_CLASS_SHMEM);
	tally_equal(&tally, thpstat_usage_reason(&usage, THPSTAT_RESIDENT_FILE),
		    THPSTAT_REASON_BROKEN, "a broken mapping");
	tally_finish(&tally, 6 * ARRAY_SIZE(rows) + 1);
}

struct ratio_row {
	int error;
	double ratio;
};

/* The four ratios of what was mapped, as a whole. */
static const struct {
	const char *what;
	struct figure_row before[10];
	uint64_t shmem;
	struct ratio_row all, anon, shmem_ratio, file;
} ratios[] = {
	{ "all there",
	  { KERNEL_FIGURES(1000, 400, 100, 50, 100, 250, 250) },
	  200,
	  { 0, 0.5 },
	  { 0, 0.25 },
	  { 0, 0.25 },
	  { 0, 0.25 } },
	/* no FilePmdMapped: what does not need it stands */
	{ "before Linux 5.4",
	  { KERNEL_FIGURES(1000, 400, 100, 50, 0, 0, 0),
	    { THPSTAT_FILE_PMD_MAPPED, 0, NOT_OFFERED, 0 } },
	  200,
	  { -ENODATA, 0 },
	  { 0, 0.25 },
	  { 0, 0.25 },
	  { -ENODATA, 0 } },
	{ "different moments",
	  { KERNEL_FIGURES(1000, 400, 100, 300, 0, 0, 0) },
	  200,
	  { 0, 0.4 },
	  { 0, 0.25 },
	  { -ENODATA, 0 },
	  { -ENODATA, 0 } },
	{ "nothing there",
	  { KERNEL_FIGURES(0, 0, 0, 0, 0, 0, 0) },
	  0,
	  { -EDOM, 0 },
	  { -EDOM, 0 },
	  { -EDOM, 0 },
	  { -EDOM, 0 } },
	{ "hugetlb alone",
	  { KERNEL_FIGURES(0, 0, 0, 0, 0, 100, 0) },
	  0,
	  { 0, 1 },
	  { -EDOM, 0 },
	  { -EDOM, 0 },
	  { -EDOM, 0 } },
	/* figures of one read that contradict each other are not clamped to 1 */
	{ "more huge than anonymous",
	  { KERNEL_FIGURES(1000, 400, 401, 0, 0, 0, 0) },
	  0,
	  { 0, 0.401 },
	  { -EBADMSG, 0 },
	  { -EDOM, 0 },
	  { 0, 0 } },
};

static void tally_ratio(struct tally *tally, const struct thpstat_usage *usage,
			enum thpstat_ratio ratio, const struct ratio_row *row, const char *what)
{
	double value = 0;
	int error = thpstat_usage_ratio(usage, ratio, &value);

	tally_equal(tally, (uint64_t)-error, (uint64_t)-row->error, "%s: error of %s", what,
		    thpstat_ratio_info(ratio)->name);
	tally_holds(tally, value == row->ratio, "%s: %s is %f, wanted %f", what,
		    thpstat_ratio_info(ratio)->name, value, row->ratio);
}

static void test_ratios(void **state)
{
	struct tally tally = { .subject = "ratios" };
	struct thpstat_usage usage;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ratios); i++) {
		fill_record(&usage, ratios[i].before);
		coverage_as_mapped(&usage);
		coverage_split_process(&usage, ratios[i].shmem);
		tally_ratio(&tally, &usage, THPSTAT_COVERAGE, &ratios[i].all, ratios[i].what);
		tally_ratio(&tally, &usage, THPSTAT_COVERAGE_ANON, &ratios[i].anon, ratios[i].what);
		tally_ratio(&tally, &usage, THPSTAT_COVERAGE_SHMEM, &ratios[i].shmem_ratio,
			    ratios[i].what);
		tally_ratio(&tally, &usage, THPSTAT_COVERAGE_FILE, &ratios[i].file, ratios[i].what);
	}
	tally_finish(&tally, 8 * ARRAY_SIZE(ratios));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_splits),
		cmocka_unit_test(test_split_mapping),
		cmocka_unit_test(test_ratios),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

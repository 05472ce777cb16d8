/* SPDX-License-Identifier: MIT */
#include "account/coverage.h"
#include "account/footprint.h"
#include "figure_list.h"
#include "unit.h"

#define GIB (UINT64_C(1) << 30)
#define NOT_OFFERED THPSTAT_REASON_NOT_OFFERED
#define NOT_PROVED THPSTAT_REASON_NOT_PROVED
#define NOT_READ THPSTAT_REASON_NOT_READ
#define BOUND THPSTAT_METHOD_BOUND
#define ESTIMATE THPSTAT_METHOD_ESTIMATE

/* A rollup whose process maps no page twice. */
#define UNSHARED                                                                                   \
	{ THPSTAT_RSS, 1000, 0, 0 }, { THPSTAT_ANONYMOUS, 400, 0, 0 },                             \
		{ THPSTAT_ANON_HUGE_PAGES, 100, 0, 0 }, { THPSTAT_SHMEM_PMD_MAPPED, 50, 0, 0 },    \
		{ THPSTAT_FILE_PMD_MAPPED, 25, 0, 0 }, { THPSTAT_SHARED_CLEAN, 0, 0, 0 },          \
		{ THPSTAT_SHARED_DIRTY, 0, 0, 0 }, { THPSTAT_SHARED_HUGETLB, 0, 0, 0 },            \
		{ THPSTAT_PRIVATE_HUGETLB, 64, 0, 0 }, { THPSTAT_KSM, 0, 0, 0 },                   \
	{                                                                                          \
		THPSTAT_RSS_SHMEM, 200, 0, 0                                                       \
	}

#define ALL_NOT_READ                                                                               \
	{ THPSTAT_RESIDENT_ONCE, 0, NOT_READ, 0 }, { THPSTAT_RESIDENT_ONCE_MIN, 0, NOT_READ, 0 },  \
		{ THPSTAT_RESIDENT_ONCE_MAX, 0, NOT_READ, 0 },                                     \
		{ THPSTAT_HUGE_ONCE, 0, NOT_READ, 0 }, { THPSTAT_HUGE_ONCE_MIN, 0, NOT_READ, 0 },  \
		{ THPSTAT_HUGE_ONCE_MAX, 0, NOT_READ, 0 }, { THPSTAT_ANON_ONCE, 0, NOT_READ, 0 },  \
		{ THPSTAT_SHMEM_ONCE, 0, NOT_READ, 0 }, { THPSTAT_FILE_ONCE, 0, NOT_READ, 0 },     \
		{ THPSTAT_ANON_HUGE_ONCE, 0, NOT_READ, 0 },                                        \
		{ THPSTAT_SHMEM_HUGE_ONCE, 0, NOT_READ, 0 },                                       \
		{ THPSTAT_FILE_HUGE_ONCE, 0, NOT_READ, 0 },                                        \
	{                                                                                          \
		THPSTAT_COUNTED_AGAIN, 0, NOT_READ, 0                                              \
	}

static const struct {
	const char *what;
	struct figure_row before[16];
	struct figure_row after[20];
} rollups[] = {
	{ "no page twice",
	  { UNSHARED },
	  { { THPSTAT_RESIDENT_ONCE, 1064, 0, 0 },
	    { THPSTAT_RESIDENT_ONCE_MIN, 1064, 0, 0 },
	    { THPSTAT_RESIDENT_ONCE_MAX, 1064, 0, 0 },
	    { THPSTAT_HUGE_ONCE, 239, 0, 0 },
	    { THPSTAT_HUGE_ONCE_MIN, 239, 0, 0 },
	    { THPSTAT_HUGE_ONCE_MAX, 239, 0, 0 },
	    { THPSTAT_ANON_ONCE, 400, 0, 0 },
	    { THPSTAT_SHMEM_ONCE, 200, 0, 0 },
	    { THPSTAT_FILE_ONCE, 400, 0, 0 },
	    { THPSTAT_HUGETLB_ONCE, 64, 0, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 64, 0, 0 },
	    { THPSTAT_ANON_HUGE_ONCE, 100, 0, 0 },
	    { THPSTAT_SHMEM_HUGE_ONCE, 50, 0, 0 },
	    { THPSTAT_FILE_HUGE_ONCE, 25, 0, 0 },
	    { THPSTAT_COUNTED_AGAIN, 0, 0, 0 } } },
	{ "one clean page twice",
	  { UNSHARED, { THPSTAT_SHARED_CLEAN, 1, 0, 0 } },
	  { ALL_NOT_READ,
	    { THPSTAT_HUGETLB_ONCE, 0, NOT_READ, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 64, 0, BOUND } } },
	{ "one dirty page twice",
	  { UNSHARED, { THPSTAT_SHARED_DIRTY, 1, 0, 0 } },
	  { ALL_NOT_READ,
	    { THPSTAT_HUGETLB_ONCE, 0, NOT_READ, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 64, 0, BOUND } } },
	{ "one hugetlb page twice",
	  { UNSHARED, { THPSTAT_SHARED_HUGETLB, 1, 0, 0 } },
	  { ALL_NOT_READ,
	    { THPSTAT_HUGETLB_ONCE, 0, NOT_READ, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 65, 0, BOUND } } },
	{ "pages twice, but no hugetlb",
	  { UNSHARED, { THPSTAT_SHARED_CLEAN, 1, 0, 0 }, { THPSTAT_PRIVATE_HUGETLB, 0, 0, 0 } },
	  { ALL_NOT_READ,
	    { THPSTAT_HUGETLB_ONCE, 0, 0, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 0, 0, 0 } } },
	{ "pages merged by KSM",
	  { UNSHARED, { THPSTAT_KSM, 1, 0, 0 } },
	  { ALL_NOT_READ,
	    { THPSTAT_HUGETLB_ONCE, 0, NOT_READ, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 64, 0, BOUND } } },
	/* the kernel may show pages behind a shared page table as private */
	{ "1 GiB of private hugetlb",
	  { UNSHARED, { THPSTAT_PRIVATE_HUGETLB, GIB, 0, 0 } },
	  { ALL_NOT_READ,
	    { THPSTAT_HUGETLB_ONCE, 0, NOT_READ, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, GIB, 0, BOUND } } },
	{ "a little less",
	  { UNSHARED, { THPSTAT_PRIVATE_HUGETLB, GIB - 1, 0, 0 } },
	  { { THPSTAT_RESIDENT_ONCE, GIB + 999, 0, 0 }, { THPSTAT_HUGETLB_ONCE, GIB - 1, 0, 0 } } },
	{ "no hugetlb keys",
	  { UNSHARED, { THPSTAT_SHARED_HUGETLB, 0, NOT_OFFERED, 0 } },
	  { ALL_NOT_READ,
	    { THPSTAT_HUGETLB_ONCE, 0, NOT_READ, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 0, NOT_OFFERED, 0 } } },
	{ "no Shared_Clean",
	  { UNSHARED, { THPSTAT_SHARED_CLEAN, 0, NOT_OFFERED, 0 } },
	  { ALL_NOT_READ,
	    { THPSTAT_HUGETLB_ONCE, 0, NOT_READ, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 64, 0, BOUND } } },
	{ "no KSM key, before Linux 6.8",
	  { UNSHARED, { THPSTAT_KSM, 0, NOT_OFFERED, 0 } },
	  { { THPSTAT_RESIDENT_ONCE, 1064, 0, 0 }, { THPSTAT_COUNTED_AGAIN, 0, 0, 0 } } },
	{ "before Linux 5.4",
	  { UNSHARED, { THPSTAT_FILE_PMD_MAPPED, 0, NOT_OFFERED, 0 } },
	  { { THPSTAT_RESIDENT_ONCE, 1064, 0, 0 },
	    { THPSTAT_HUGE_ONCE, 0, NOT_OFFERED, 0 },
	    { THPSTAT_HUGE_ONCE_MIN, 0, NOT_OFFERED, 0 },
	    { THPSTAT_HUGE_ONCE_MAX, 0, NOT_OFFERED, 0 },
	    { THPSTAT_FILE_HUGE_ONCE, 0, NOT_OFFERED, 0 },
	    { THPSTAT_SHMEM_HUGE_ONCE, 50, 0, 0 },
	    { THPSTAT_ANON_HUGE_ONCE, 100, 0, 0 } } },
	{ "of different moments",
	  { UNSHARED, { THPSTAT_RSS_SHMEM, 601, 0, 0 } },
	  { { THPSTAT_RESIDENT_ONCE, 1064, 0, 0 },
	    { THPSTAT_ANON_ONCE, 400, 0, 0 },
	    { THPSTAT_SHMEM_ONCE, 0, THPSTAT_REASON_DIFFERENT_MOMENTS, 0 },
	    { THPSTAT_FILE_ONCE, 0, THPSTAT_REASON_DIFFERENT_MOMENTS, 0 } } },
};

static void test_rollup(void **state)
{
	struct tally tally = { .subject = "rollup" };
	struct thpstat_usage usage;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rollups); i++) {
		fill_record(&usage, rollups[i].before);
		coverage_as_mapped(&usage);
		coverage_split_process(&usage, usage_value(&usage, THPSTAT_RSS_SHMEM));
		footprint_once_from_rollup(&usage, NOT_READ);
		tally_record(&tally, &usage, rollups[i].after, rollups[i].what);
	}
	tally_finish(&tally, 200);
}

/* What a list of mappings has come to, and what it makes of the figures. */
static const struct figure_row mapped[] = { UNSHARED, { 0, 0, 0, 0 } };

#define CLASSES(anon, shmem, file, hugetlb)                                                        \
	{                                                                                          \
		[THPSTAT_CLASS_ANON] = anon, [THPSTAT_CLASS_SHMEM] = shmem,                        \
		[THPSTAT_CLASS_FILE] = file, [THPSTAT_CLASS_HUGETLB] = hugetlb                     \
	}
#define POINT(value)                                                                               \
	{                                                                                          \
		value, value                                                                       \
	}
#define SPAN(low, high)                                                                            \
	{                                                                                          \
		low, high                                                                          \
	}

static const struct {
	const char *what;
	struct once_sum sum;
	struct figure_row change;
	struct figure_row after[18];
} sums[] = {
	{ "all proved",
	  { .resident = CLASSES(POINT(400), POINT(100), POINT(300), POINT(64)),
	    .huge = CLASSES(POINT(100), POINT(20), POINT(10), POINT(64)) },
	  { 0, 0, 0, 0 },
	  { { THPSTAT_RESIDENT_ONCE, 864, 0, 0 },
	    { THPSTAT_RESIDENT_ONCE_MIN, 864, 0, 0 },
	    { THPSTAT_RESIDENT_ONCE_MAX, 864, 0, 0 },
	    { THPSTAT_HUGE_ONCE, 194, 0, 0 },
	    { THPSTAT_HUGE_ONCE_MIN, 194, 0, 0 },
	    { THPSTAT_HUGE_ONCE_MAX, 194, 0, 0 },
	    { THPSTAT_ANON_ONCE, 400, 0, 0 },
	    { THPSTAT_SHMEM_ONCE, 100, 0, 0 },
	    { THPSTAT_FILE_ONCE, 300, 0, 0 },
	    { THPSTAT_HUGETLB_ONCE, 64, 0, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 64, 0, 0 },
	    { THPSTAT_ANON_HUGE_ONCE, 100, 0, 0 },
	    { THPSTAT_SHMEM_HUGE_ONCE, 20, 0, 0 },
	    { THPSTAT_FILE_HUGE_ONCE, 10, 0, 0 },
	    { THPSTAT_COUNTED_AGAIN, 200, 0, 0 } } },
	{ "shared memory in doubt",
	  { .resident = CLASSES(POINT(400), SPAN(100, 200), POINT(300), POINT(0)),
	    .huge = CLASSES(POINT(100), SPAN(20, 40), POINT(10), POINT(0)) },
	  { 0, 0, 0, 0 },
	  { { THPSTAT_RESIDENT_ONCE, 0, NOT_PROVED, 0 },
	    { THPSTAT_RESIDENT_ONCE_MIN, 800, 0, BOUND },
	    { THPSTAT_RESIDENT_ONCE_MAX, 900, 0, BOUND },
	    { THPSTAT_HUGE_ONCE, 0, NOT_PROVED, 0 },
	    { THPSTAT_HUGE_ONCE_MIN, 130, 0, BOUND },
	    { THPSTAT_HUGE_ONCE_MAX, 150, 0, BOUND },
	    { THPSTAT_ANON_ONCE, 400, 0, 0 },
	    { THPSTAT_SHMEM_ONCE, 0, NOT_PROVED, 0 },
	    { THPSTAT_SHMEM_HUGE_ONCE, 0, NOT_PROVED, 0 },
	    { THPSTAT_FILE_ONCE, 300, 0, 0 },
	    { THPSTAT_COUNTED_AGAIN, 0, NOT_PROVED, 0 } } },
	{ "hugetlb in doubt",
	  { .resident = CLASSES(POINT(400), POINT(100), POINT(300), SPAN(32, 64)),
	    .huge = CLASSES(POINT(100), POINT(20), POINT(10), SPAN(32, 64)) },
	  { 0, 0, 0, 0 },
	  { { THPSTAT_HUGETLB_ONCE, 0, NOT_PROVED, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 64, 0, BOUND } } },
	{ "before Linux 5.4",
	  { .resident = CLASSES(POINT(400), POINT(100), POINT(300), POINT(64)),
	    .huge = CLASSES(POINT(100), POINT(20), POINT(0), POINT(64)) },
	  { THPSTAT_FILE_PMD_MAPPED, 0, NOT_OFFERED, 0 },
	  { { THPSTAT_RESIDENT_ONCE, 864, 0, 0 },
	    { THPSTAT_HUGE_ONCE, 0, NOT_OFFERED, 0 },
	    { THPSTAT_HUGE_ONCE_MIN, 0, NOT_OFFERED, 0 },
	    { THPSTAT_HUGE_ONCE_MAX, 0, NOT_OFFERED, 0 },
	    { THPSTAT_FILE_HUGE_ONCE, 0, NOT_OFFERED, 0 },
	    { THPSTAT_SHMEM_HUGE_ONCE, 20, 0, 0 },
	    { THPSTAT_FILE_ONCE, 300, 0, 0 } } },
	{ "broken",
	  { .resident = CLASSES(POINT(400), POINT(100), POINT(300), POINT(64)), .broken = 1 },
	  { 0, 0, 0, 0 },
	  { { THPSTAT_RESIDENT_ONCE, 0, THPSTAT_REASON_BROKEN, 0 },
	    { THPSTAT_RESIDENT_ONCE_MAX, 0, THPSTAT_REASON_BROKEN, 0 },
	    { THPSTAT_HUGE_ONCE_MIN, 0, THPSTAT_REASON_BROKEN, 0 },
	    { THPSTAT_ANON_ONCE, 0, THPSTAT_REASON_BROKEN, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 0, THPSTAT_REASON_BROKEN, 0 },
	    { THPSTAT_COUNTED_AGAIN, 0, THPSTAT_REASON_BROKEN, 0 } } },
	{ "too large",
	  { .resident = CLASSES(POINT(400), SPAN(100, UINT64_MAX - 10), POINT(300), POINT(64)) },
	  { 0, 0, 0, 0 },
	  { { THPSTAT_RESIDENT_ONCE, 0, THPSTAT_REASON_OVERFLOW, 0 },
	    { THPSTAT_RESIDENT_ONCE_MIN, 0, THPSTAT_REASON_OVERFLOW, 0 } } },
	{ "as large as can be, which proves nothing",
	  { .resident = CLASSES(POINT(0), SPAN(100, UINT64_MAX), POINT(0), POINT(0)) },
	  { 0, 0, 0, 0 },
	  { { THPSTAT_RESIDENT_ONCE_MAX, 0, THPSTAT_REASON_OVERFLOW, 0 } } },
	{ "more once than mapped",
	  { .resident = CLASSES(POINT(400), POINT(1000), POINT(300), POINT(64)) },
	  { 0, 0, 0, 0 },
	  { { THPSTAT_RESIDENT_ONCE, 1764, 0, 0 },
	    { THPSTAT_COUNTED_AGAIN, 0, THPSTAT_REASON_BROKEN, 0 } } },
};

static void test_once(void **state)
{
	struct tally tally = { .subject = "once" };
	struct thpstat_usage usage;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sums); i++) {
		fill_record(&usage, mapped);
		if (sums[i].change.absent)
			usage_absent(&usage, sums[i].change.metric, sums[i].change.absent);
		coverage_as_mapped(&usage);
		footprint_once(&usage, &sums[i].sum);
		tally_record(&tally, &usage, sums[i].after, sums[i].what);
	}
	tally_finish(&tally, 80);
}

static const struct {
	const char *what;
	struct figure_row before[6];
	struct figure_row after;
} totals[] = {
	{ "no hugetlb",
	  { { THPSTAT_PSS, 500, 0, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 0, 0, 0 },
	    { THPSTAT_VM_PTE, 7, 0, 0 } },
	  { THPSTAT_FOOTPRINT, 507, 0, 0 } },
	/* nobody says who shares hugetlb pages */
	{ "hugetlb",
	  { { THPSTAT_PSS, 500, 0, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 64, 0, 0 },
	    { THPSTAT_VM_PTE, 7, 0, 0 } },
	  { THPSTAT_FOOTPRINT, 571, 0, BOUND } },
	{ "the sum of smaps",
	  { { THPSTAT_PSS, 500, 0, ESTIMATE },
	    { THPSTAT_HUGETLB_ONCE_MAX, 0, 0, 0 },
	    { THPSTAT_VM_PTE, 7, 0, 0 } },
	  { THPSTAT_FOOTPRINT, 507, 0, ESTIMATE } },
	{ "the sum of smaps, and hugetlb",
	  { { THPSTAT_PSS, 500, 0, ESTIMATE },
	    { THPSTAT_HUGETLB_ONCE_MAX, 64, 0, BOUND },
	    { THPSTAT_VM_PTE, 7, 0, 0 } },
	  { THPSTAT_FOOTPRINT, 571, 0, ESTIMATE } },
	{ "before Linux 4.15",
	  { { THPSTAT_PSS, 500, 0, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 0, 0, 0 },
	    { THPSTAT_VM_PTE, 7, 0, 0 },
	    { THPSTAT_VM_PMD, 3, 0, 0 } },
	  { THPSTAT_FOOTPRINT, 510, 0, 0 } },
	{ "no Pss",
	  { { THPSTAT_PSS, 0, THPSTAT_REASON_FORBIDDEN, 0 },
	    { THPSTAT_HUGETLB_ONCE_MAX, 0, 0, 0 },
	    { THPSTAT_VM_PTE, 7, 0, 0 } },
	  { THPSTAT_FOOTPRINT, 0, THPSTAT_REASON_FORBIDDEN, 0 } },
	{ "no VmPTE",
	  { { THPSTAT_PSS, 500, 0, 0 }, { THPSTAT_HUGETLB_ONCE_MAX, 0, 0, 0 } },
	  { THPSTAT_FOOTPRINT, 0, NOT_OFFERED, 0 } },
	{ "no hugetlb keys",
	  { { THPSTAT_PSS, 500, 0, 0 }, { THPSTAT_VM_PTE, 7, 0, 0 } },
	  { THPSTAT_FOOTPRINT, 0, NOT_OFFERED, 0 } },
};

static void test_total(void **state)
{
	struct tally tally = { .subject = "total" };
	struct thpstat_usage usage;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(totals); i++) {
		const struct figure_row after[] = { totals[i].after, { 0, 0, 0, 0 } };

		fill_record(&usage, totals[i].before);
		footprint_total(&usage);
		tally_record(&tally, &usage, after, totals[i].what);
	}
	tally_finish(&tally, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rollup),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_total),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

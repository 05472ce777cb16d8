/* SPDX-License-Identifier: MIT */
#include "account/pool.h"
#include "figure_list.h"
#include "unit.h"

#define MIB (UINT64_C(1) << 20)
#define SIZE (2 * MIB)
#define BROKEN THPSTAT_REASON_BROKEN
#define NOT_OFFERED THPSTAT_REASON_NOT_OFFERED
#define OVERFLOWN THPSTAT_REASON_OVERFLOW

/* Pages; UINT64_MAX - 1 stands for a count that is not there. */
#define ABSENT (UINT64_MAX - 1)

struct part {
	uint64_t pages;
	enum thpstat_reason absent;
};

static const struct {
	const char *what;
	uint64_t total, free, reserved;
	uint64_t page_size;
	struct part pool_total, pool_free, in_use, pool_reserved, promised, available;
} rows[] = {
	{ "no pages", 0, 0, 0, SIZE, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } },
	{ "free", 16, 16, 0, SIZE, { 16, 0 }, { 16, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 16, 0 } },
	/* free includes what is promised */
	{ "in use and promised",
	  32161,
	  9000,
	  7191,
	  SIZE,
	  { 32161, 0 },
	  { 9000, 0 },
	  { 23161, 0 },
	  { 7191, 0 },
	  { 30352, 0 },
	  { 1809, 0 } },
	{ "all promised",
	  16,
	  16,
	  16,
	  SIZE,
	  { 16, 0 },
	  { 16, 0 },
	  { 0, 0 },
	  { 16, 0 },
	  { 16, 0 },
	  { 0, 0 } },
	{ "all in use",
	  16,
	  0,
	  0,
	  SIZE,
	  { 16, 0 },
	  { 0, 0 },
	  { 16, 0 },
	  { 0, 0 },
	  { 16, 0 },
	  { 0, 0 } },
	{ "pages of 16 GiB",
	  3,
	  1,
	  1,
	  16384 * MIB,
	  { 3, 0 },
	  { 1, 0 },
	  { 2, 0 },
	  { 1, 0 },
	  { 3, 0 },
	  { 0, 0 } },
	/* a counter gone below zero: what would follow from it is not known, the pool stands */
	{ "reserved below zero",
	  2048,
	  2047,
	  UINT64_MAX,
	  SIZE,
	  { 2048, 0 },
	  { 2047, 0 },
	  { 1, 0 },
	  { 0, BROKEN },
	  { 0, BROKEN },
	  { 0, BROKEN } },
	{ "reserved above the pool",
	  10,
	  10,
	  11,
	  SIZE,
	  { 10, 0 },
	  { 10, 0 },
	  { 0, 0 },
	  { 0, BROKEN },
	  { 0, BROKEN },
	  { 0, BROKEN } },
	{ "reserved above what is free",
	  10,
	  4,
	  5,
	  SIZE,
	  { 10, 0 },
	  { 4, 0 },
	  { 6, 0 },
	  { 0, BROKEN },
	  { 0, BROKEN },
	  { 0, BROKEN } },
	{ "free above the pool",
	  10,
	  11,
	  1,
	  SIZE,
	  { 10, 0 },
	  { 0, BROKEN },
	  { 0, BROKEN },
	  { 1, 0 },
	  { 0, BROKEN },
	  { 0, BROKEN } },
	{ "free below zero",
	  10,
	  UINT64_MAX,
	  1,
	  SIZE,
	  { 10, 0 },
	  { 0, BROKEN },
	  { 0, BROKEN },
	  { 1, 0 },
	  { 0, BROKEN },
	  { 0, BROKEN } },
	/* a node says nothing of reservations */
	{ "no reserved",
	  120,
	  101,
	  ABSENT,
	  SIZE,
	  { 120, 0 },
	  { 101, 0 },
	  { 19, 0 },
	  { 0, NOT_OFFERED },
	  { 0, NOT_OFFERED },
	  { 0, NOT_OFFERED } },
	{ "no free",
	  120,
	  ABSENT,
	  1,
	  SIZE,
	  { 120, 0 },
	  { 0, NOT_OFFERED },
	  { 0, NOT_OFFERED },
	  { 1, 0 },
	  { 0, NOT_OFFERED },
	  { 0, NOT_OFFERED } },
	{ "no total",
	  ABSENT,
	  5,
	  1,
	  SIZE,
	  { 0, NOT_OFFERED },
	  { 0, NOT_OFFERED },
	  { 0, NOT_OFFERED },
	  { 0, NOT_OFFERED },
	  { 0, NOT_OFFERED },
	  { 0, NOT_OFFERED } },
	{ "a product that does not fit",
	  UINT64_C(1) << 43,
	  UINT64_C(1) << 43,
	  1,
	  SIZE,
	  { 0, OVERFLOWN },
	  { 0, OVERFLOWN },
	  { 0, 0 },
	  { 1, 0 },
	  { 1, 0 },
	  { (UINT64_C(1) << 43) - 1, 0 } },
	{ "the largest that does",
	  (UINT64_C(1) << 43) - 1,
	  0,
	  0,
	  SIZE,
	  { (UINT64_C(1) << 43) - 1, 0 },
	  { 0, 0 },
	  { (UINT64_C(1) << 43) - 1, 0 },
	  { 0, 0 },
	  { (UINT64_C(1) << 43) - 1, 0 },
	  { 0, 0 } },
};

static void test_pools(void **state)
{
	struct tally tally = { .subject = "pools" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct figure_row before[] = {
			{ THPSTAT_NR_HUGEPAGES, rows[i].total,
			  rows[i].total == ABSENT ? NOT_OFFERED : 0, 0 },
			{ THPSTAT_FREE_HUGEPAGES, rows[i].free,
			  rows[i].free == ABSENT ? NOT_OFFERED : 0, 0 },
			{ THPSTAT_RESV_HUGEPAGES, rows[i].reserved,
			  rows[i].reserved == ABSENT ? NOT_OFFERED : 0, 0 },
			{ 0, 0, 0, 0 },
		};
		const struct {
			enum thpstat_metric metric;
			const struct part *part;
		} wanted[] = {
			{ THPSTAT_POOL_TOTAL, &rows[i].pool_total },
			{ THPSTAT_POOL_FREE, &rows[i].pool_free },
			{ THPSTAT_POOL_IN_USE, &rows[i].in_use },
			{ THPSTAT_POOL_RESERVED, &rows[i].pool_reserved },
			{ THPSTAT_POOL_PROMISED, &rows[i].promised },
			{ THPSTAT_POOL_AVAILABLE, &rows[i].available },
		};
		struct thpstat_usage usage;

		fill_record(&usage, before);
		pool_account(&usage, rows[i].page_size);
		for (size_t j = 0; j < ARRAY_SIZE(wanted); j++) {
			const struct figure_row after[] = {
				{ wanted[j].metric, wanted[j].part->pages * rows[i].page_size,
				  wanted[j].part->absent, 0 },
				{ 0, 0, 0, 0 },
			};

			tally_record(&tally, &usage, after, rows[i].what);
		}
	}
	tally_finish(&tally, 6 * ARRAY_SIZE(rows) + 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pools),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

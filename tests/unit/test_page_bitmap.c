/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "account/page_bitmap.h"
#include "unit.h"

static const struct {
	unsigned int first, n;
} runs[] = {
	{ 0, 1 },
	{ 0, 64 },
	{ 63, 2 },
	{ 1, 62 },
	{ 64, 0 },
	{ 100, 300 },
	{ PAGE_BITMAP_SIZE - 1, 1 },
	{ 0, PAGE_BITMAP_SIZE },
};

static void test_one_run(void **state)
{
	struct page_bitmap bitmap;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		page_bitmap_clear(&bitmap);
		page_bitmap_add(&bitmap, runs[i].first, runs[i].n);
		assert_int_equal(page_bitmap_count(&bitmap), runs[i].n);
		/* the same once more is nothing new */
		page_bitmap_add(&bitmap, runs[i].first, runs[i].n);
		assert_int_equal(page_bitmap_count(&bitmap), runs[i].n);
	}
}

/* Against one byte for each page. */
static void test_many_runs(void **state)
{
	static unsigned char seen[PAGE_BITMAP_SIZE];
	struct page_bitmap bitmap;
	uint64_t random = 88172645463325252u;

	(void)state;
	for (unsigned int round = 0; round < 50; round++) {
		unsigned int wanted = 0;

		memset(seen, 0, sizeof(seen));
		page_bitmap_clear(&bitmap);
		for (unsigned int i = 0; i < 40; i++) {
			unsigned int first =
				(unsigned int)(next_random(&random) % PAGE_BITMAP_SIZE);
			unsigned int n = (unsigned int)(next_random(&random) % 700);

			if (n > PAGE_BITMAP_SIZE - first)
				n = PAGE_BITMAP_SIZE - first;
			memset(seen + first, 1, n);
			page_bitmap_add(&bitmap, first, n);
		}
		for (unsigned int i = 0; i < PAGE_BITMAP_SIZE; i++)
			wanted += seen[i];
		assert_int_equal(page_bitmap_count(&bitmap), wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_run),
		cmocka_unit_test(test_many_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "parse/size_name.h"
#include "unit.h"

#define KIB UINT64_C(1024)

static const struct {
	const char *name;
	int result;
	uint64_t bytes;
} names[] = {
	{ "hugepages-2048kB", 0, 2048 * KIB },
	{ "hugepages-64kB", 0, 64 * KIB },
	{ "hugepages-8kB", 0, 8 * KIB },
	{ "hugepages-1048576kB", 0, 1048576 * KIB },
	{ "hugepages-524288kB", 0, 524288 * KIB },
	{ "hugepages-16777216kB", 0, 16777216 * KIB },
	{ "hugepages-18014398509481983kB", 0, 18014398509481983 * KIB },
	{ "hugepages-18014398509481984kB", -1, 0 },
	{ "hugepages-99999999999999999999kB", -1, 0 },
	{ "hugepages-0kB", -1, 0 },
	{ "hugepages-02048kB", -1, 0 },
	{ "hugepages-kB", -1, 0 },
	{ "hugepages-", -1, 0 },
	{ "hugepages", -1, 0 },
	{ "hugepages-2048", -1, 0 },
	{ "hugepages-2048kb", -1, 0 },
	{ "hugepages-2048kB ", -1, 0 },
	{ "hugepages-2048kB.old", -1, 0 },
	{ "hugepages-2048MB", -1, 0 },
	{ "hugepages--2048kB", -1, 0 },
	{ "hugepages- 2048kB", -1, 0 },
	{ "hugepages-0x800kB", -1, 0 },
	{ "Hugepages-2048kB", -1, 0 },
	{ " hugepages-2048kB", -1, 0 },
	{ "khugepaged", -1, 0 },
	{ ".", -1, 0 },
	{ "..", -1, 0 },
	{ "", -1, 0 },
};

static void test_names(void **state)
{
	struct tally tally = { .subject = "size names" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t bytes = 0;
		int result = size_name_parse(names[i].name, &bytes);

		tally_equal(&tally, (uint64_t)result, (uint64_t)names[i].result, "result of '%s'",
			    names[i].name);
		if (!result)
			tally_equal(&tally, bytes, names[i].bytes, "bytes of '%s'", names[i].name);
	}
	tally_finish(&tally, ARRAY_SIZE(names) + 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parse/buddyinfo.h"
#include "unit.h"

/* Orders 0 to 10. */
static const char two_nodes[] = "Node 0, zone      DMA      1      1      0      0      2      1   "
				"   1      0      1      1      3 \n"
				"Node 0, zone    DMA32   1025    620    361    147     70     34   "
				"  17      9      5      4    380 \n"
				"Node 0, zone   Normal   4381   2034    873    402    190     81   "
				"  33     12      7      2     11 \n"
				"Node 1, zone   Normal      9      8      7      6      5      4   "
				"   3      2      1      7      0 \n";

static const struct buddyinfo_row {
	const char *what;
	const char *text;
	size_t length;
	unsigned int order;
	int result;
	uint64_t blocks;
} rows[] = {
	{ "order 9", BYTES(two_nodes), 9, 0, 1 + 4 + 2 + 7 + 2 * (3 + 380 + 11) },
	{ "order 10", BYTES(two_nodes), 10, 0, 3 + 380 + 11 },
	{ "an order above all", BYTES(two_nodes), 11, -1, 0 },
	{ "no newline at the end", BYTES("Node 0, zone   Normal      1      2      3"), 1, 0,
	  2 + 6 },
	{ "order 0", BYTES("Node 0, zone   Normal      1      2      3\n"), 0, 0, 1 + 4 + 12 },
	{ "a zone that ends before the order",
	  BYTES("Node 0, zone  DMA  1 2\nNode 0, zone  Normal  1 2 3\n"), 2, 0, 3 },
	{ "13 orders, as arm64 on 64 kB pages has",
	  BYTES("Node 0, zone   Normal  1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"), 13, 0, 1 },
	{ "zero is a figure", BYTES("Node 0, zone   Normal  1 0 0\n"), 1, 0, 0 },
	{ "a NUL ends it", BYTES("Node 0, zone  Normal  1 2\n\0Node 0, zone  Normal  1 2\n"), 1, 0,
	  2 },
	{ "lines of something else", BYTES("\nPage block order: 9\nNode 0, zone  Normal  1 2\n"), 1,
	  0, 2 },
	{ "empty", BYTES(""), 0, -1, 0 },
	{ "no numbers", BYTES("Node 0, zone   Normal\n"), 0, -1, 0 },
	{ "no zone", BYTES("Node 0, 1 2 3\n"), 0, -1, 0 },
	{ "the largest number", BYTES("Node 0, zone  Normal  18446744073709551615\n"), 0, 0,
	  UINT64_MAX },
	/* a sum without what does not fit would be a wrong figure */
	{ "a number too large", BYTES("Node 0, zone  Normal  5 18446744073709551616 7\n"), 0, -1,
	  0 },
	{ "a product too large", BYTES("Node 0, zone  Normal  0 9223372036854775808\n"), 0, -1, 0 },
	{ "a sum too large",
	  BYTES("Node 0, zone  Normal  18446744073709551615\nNode 1, zone  Normal  1\n"), 0, -1,
	  0 },
	{ "an order that no page can have",
	  BYTES("Node 0, zone  Normal  0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		"0 0"
		" 0 0 0 0 0 0 0 0 1\n"),
	  0, -1, 0 },
	{ "more orders than there can be",
	  BYTES("Node 0, zone  Normal  1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
		"1 1"
		" 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"),
	  0, -1, 0 },
};

static void test_blocks(void **state)
{
	struct tally tally = { .subject = "buddyinfo" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct buddyinfo_row *row = &rows[i];
		uint64_t blocks = 0;

		tally_equal(&tally,
			    (uint64_t)buddyinfo_free_blocks(row->text, row->length, row->order,
							    &blocks),
			    (uint64_t)row->result, "result of %s", row->what);
		tally_equal(&tally, blocks, row->blocks, "blocks of %s", row->what);
	}
	tally_finish(&tally, 2 * ARRAY_SIZE(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

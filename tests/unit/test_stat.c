/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parse/stat.h"
#include "unit.h"

/* Fields 4 to 52 of an ordinary process. */
#define REST                                                                                       \
	" 3601 3608 2468 0 -1 4194304 110 0 1 0 0 0 0 0 20 0 1 0 9152441 2646016 243 "             \
	"18446744073709551615 1 1 0 0 0 0 0 16781312 2 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

static const struct stat_row {
	const char *what;
	const char *text;
	size_t length;
	int result;
	char state;
	uint64_t flags;
	uint64_t start_time;
} rows[] = {
	{ "a plain one", BYTES("3608 (cat) S" REST), 0, 'S', 4194304, 9152441 },
	{ "a name with blanks", BYTES("1 (tmux: server) S" REST), 0, 'S', 4194304, 9152441 },
	{ "a name that looks like the rest", BYTES("1 (x) R 1 2 (3) Z) S" REST), 0, 'S', 4194304,
	  9152441 },
	{ "a closing parenthesis", BYTES("1467 ((sd-pam)) S" REST), 0, 'S', 4194304, 9152441 },
	{ "an opening parenthesis", BYTES("1 (a(b) S" REST), 0, 'S', 4194304, 9152441 },
	{ "a raw newline", BYTES("3608 (a\nb) R" REST), 0, 'R', 4194304, 9152441 },
	{ "an empty name", BYTES("1 () S" REST), 0, 'S', 4194304, 9152441 },
	{ "a kernel thread",
	  BYTES("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 0 0 0 "
		"18446744073709551615 0 0 0\n"),
	  0, 'S', 2129984, 0 },
	{ "negative priority and nice",
	  BYTES("9 (rt) S 2 0 0 0 -1 69238848 0 0 0 0 0 0 0 0 -100 -20 1 0 31\n"), 0, 'S', 69238848,
	  31 },
	{ "nothing behind field 22", BYTES("9 (x) S 2 0 0 0 -1 5 0 0 0 0 0 0 0 0 20 0 1 0 77"), 0,
	  'S', 5, 77 },
	{ "field 22 missing", BYTES("9 (x) S 2 0 0 0 -1 5 0 0 0 0 0 0 0 0 20 0 1 0\n"), -1, 0, 0,
	  0 },
	{ "a word among the numbers",
	  BYTES("9 (x) S 2 0 0 zero -1 5 0 0 0 0 0 0 0 0 20 0 1 0 77\n"), -1, 0, 0, 0 },
	{ "a dash among the numbers", BYTES("9 (x) S 2 0 0 - -1 5 0 0 0 0 0 0 0 0 20 0 1 0 77\n"),
	  -1, 0, 0, 0 },
	{ "flags that do not fit",
	  BYTES("9 (x) S 2 0 0 0 -1 99999999999999999999 0 0 0 0 0 0 0 0 20 0 1 0 77\n"), -1, 0, 0,
	  0 },
	{ "a start time that does not fit",
	  BYTES("9 (x) S 2 0 0 0 -1 5 0 0 0 0 0 0 0 0 20 0 1 0 99999999999999999999\n"), -1, 0, 0,
	  0 },
	{ "the state alone", BYTES("9 (x) S"), -1, 0, 0, 0 },
	{ "nothing behind the name", BYTES("9 (x)"), -1, 0, 0, 0 },
	{ "blanks behind the name", BYTES("9 (x)  "), -1, 0, 0, 0 },
	{ "no name", BYTES("9 x S 1 2 3\n"), -1, 0, 0, 0 },
	{ "empty", BYTES(""), -1, 0, 0, 0 },
	{ "NULs", BYTES("\0\0\0\0"), -1, 0, 0, 0 },
};

static void test_lines(void **state)
{
	struct tally tally = { .subject = "stat" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct stat_row *row = &rows[i];
		struct stat_line line = { 0 };

		tally_equal(&tally, (uint64_t)stat_parse(row->text, row->length, &line),
			    (uint64_t)row->result, "result of %s", row->what);
		tally_equal(&tally, (uint64_t)line.state, (uint64_t)row->state, "state of %s",
			    row->what);
		tally_equal(&tally, line.flags, row->flags, "flags of %s", row->what);
		tally_equal(&tally, line.start_time, row->start_time, "start time of %s",
			    row->what);
	}
	tally_finish(&tally, 4 * ARRAY_SIZE(rows));
}

/* Nothing short of the whole of field 22 is taken for a line. */
static void test_prefixes(void **state)
{
	static const char text[] = "9 (x) S 2 0 0 0 -1 5 0 0 0 0 0 0 0 0 20 0 1 0 77";
	struct tally tally = { .subject = "prefixes of stat" };
	struct stat_line line;

	(void)state;
	for (size_t length = 0; length < sizeof(text) - 2; length++)
		tally_holds(&tally, stat_parse(text, length, &line) == -1, "%zu bytes", length);
	tally_finish(&tally, 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_prefixes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "parse/choice.h"
#include "unit.h"

static const struct choice_row {
	const char *text;
	size_t length;
	int result;
	const char *value;
	const char *choices;
} rows[] = {
	{ BYTES("always [madvise] never\n"), 1, "madvise", "always madvise never" },
	{ BYTES("[always] madvise never\n"), 1, "always", "always madvise never" },
	{ BYTES("always madvise [never]\n"), 1, "never", "always madvise never" },
	{ BYTES("always madvise [never]"), 1, "never", "always madvise never" },
	{ BYTES("always defer [defer+madvise] madvise never\n"), 1, "defer+madvise",
	  "always defer defer+madvise madvise never" },
	{ BYTES("always within_size advise [never] deny force\n"), 1, "never",
	  "always within_size advise never deny force" },
	{ BYTES("always inherit madvise [never]\n\0\0\0\0"), 1, "never",
	  "always inherit madvise never" },
	{ BYTES("[never]"), 1, "never", "never" },
	{ BYTES("  always\t[madvise]  never  \n\n"), 1, "madvise", "always madvise never" },
	{ BYTES("yes [no]\n"), 1, "no", "yes no" },
	{ BYTES("[0] 1\n"), 1, "0", "0 1" },
	/* numbers and plain words: nothing to choose from */
	{ BYTES("511\n"), 0, "511", "" },
	{ BYTES("1"), 0, "1", "" },
	{ BYTES("always\n"), 0, "always", "" },
	{ BYTES("always madvise never\n"), 0, "always madvise never", "" },
	{ BYTES("[]\n"), 0, "[]", "" },
	{ BYTES("[x y]\n"), 0, "[x y]", "" },
	{ BYTES("[always\n"), 0, "[always", "" },
	/* no sense in it */
	{ BYTES("[always] [never]\n"), -1, "", "" },
	{ BYTES("[always] madvise [never]\n"), -1, "", "" },
	{ BYTES(""), -1, "", "" },
	{ BYTES("\n"), -1, "", "" },
	{ BYTES(" \t \n"), -1, "", "" },
	{ BYTES("\0always [never]\n"), -1, "", "" },
};

/* The buffers have exactly the room that is promised to be enough: tools find what is beyond. */
static void test_choices(void **state)
{
	struct tally tally = { .subject = "choices" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct choice_row *row = &rows[i];
		char *text = malloc(row->length ? row->length : 1);
		char *value = malloc(row->length + 1), *choices = malloc(row->length + 1);

		assert_true(text && value && choices);
		memcpy(text, row->text, row->length);
		tally_equal(&tally, (uint64_t)choice_parse(text, row->length, value, choices),
			    (uint64_t)row->result, "result of '%s'", row->text);
		tally_text(&tally, value, row->value, "value of '%s'", row->text);
		tally_text(&tally, choices, row->choices, "choices of '%s'", row->text);
		free(text);
		free(value);
		free(choices);
	}
	tally_finish(&tally, 3 * ARRAY_SIZE(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_choices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

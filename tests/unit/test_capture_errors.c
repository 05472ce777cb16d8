/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "tree/capture_errors.h"
#include "unit.h"

static void load(struct capture_errors *errors, const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	*errors = (struct capture_errors){ 0 };
	assert_int_equal(capture_errors_load(errors, copy), 0);
}

static void test_lines(void **state)
{
	static const struct {
		const char *path;
		int error;
	} rows[] = {
		{ "proc/12/smaps", -EACCES },
		{ "proc/12/smaps_rollup", -EPERM },
		{ "proc/2/smaps_rollup", -ESRCH },
		{ "proc/3/status", -ENOENT },
		{ "proc/4/status", -EIO },
		{ "proc/5/status", -EINVAL },
		{ "proc/6/status", -ENOMEM },
		{ "proc/7/status", -EAGAIN },
		{ "proc/8/status", -ENODATA },
		/* an error is an error, whatever it is called */
		{ "proc/9/status", -EIO },
		{ "proc/10/status", -EIO },
		{ "proc/11/status", -EIO },
		{ "sys/a b", -EACCES },
		{ "last", -EACCES },
		{ "", 0 },
		{ "proc/12", 0 },
		{ "proc/12/sma", 0 },
		{ "proc/12/smapsx", 0 },
		{ "/proc/12/smaps", 0 },
		{ "no tab", 0 },
		{ "absent", 0 },
	};
	struct tally tally = { .subject = "errors.tsv" };
	struct capture_errors errors;

	(void)state;
	load(&errors, "proc/12/smaps_rollup\tEPERM\n"
		      "proc/12/smaps\tEACCES\n"
		      "\n"
		      "proc/2/smaps_rollup\tESRCH\n"
		      "no tab\n"
		      "proc/3/status\tENOENT\n"
		      "proc/4/status\tEIO\n"
		      "proc/5/status\tEINVAL\n"
		      "proc/6/status\tENOMEM\n"
		      "proc/7/status\tEAGAIN\n"
		      "proc/8/status\tENODATA\n"
		      "proc/9/status\tESTALE\n"
		      "proc/10/status\t\n"
		      "proc/11/status\tEACCES\tmore\n"
		      "sys/a b\tEACCES\n"
		      "last\tEACCES");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		tally_equal(&tally, (uint64_t)-capture_errors_find(&errors, rows[i].path),
			    (uint64_t)-rows[i].error, "'%s'", rows[i].path);
	capture_errors_unload(&errors);
	assert_null(errors.text);
	assert_int_equal(capture_errors_find(&errors, "last"), 0);
	tally_finish(&tally, ARRAY_SIZE(rows));
}

static void test_nothing_in_it(void **state)
{
	static const char *const texts[] = { "", "\n", "\n\n\n", "no tab", "no tab\n" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct capture_errors errors;

		load(&errors, texts[i]);
		assert_int_equal(errors.n, 0);
		assert_int_equal(capture_errors_find(&errors, "no tab"), 0);
		capture_errors_unload(&errors);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_nothing_in_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* errors.tsv of a tree. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tree/capture_errors.h"

static int number_of(const char *name)
{
	static const struct {
		const char *name;
		int error;
	} names[] = {
		{ "EACCES", EACCES }, { "EPERM", EPERM },     { "ESRCH", ESRCH },
		{ "ENOENT", ENOENT }, { "EINVAL", EINVAL },   { "ENOMEM", ENOMEM },
		{ "EAGAIN", EAGAIN }, { "ENODATA", ENODATA },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i].name))
			return -names[i].error;
	return -EIO;
}

/* Is it what a line says of this path? */
static bool is_said(const char *text, const char *path, int error)
{
	char *copy = fuzz_text(text, strlen(text)), *rest = copy;
	bool said = false;

	for (char *line; (line = strsep(&rest, "\n"));) {
		const char *name = strsep(&line, "\t");

		said |= line && !strcmp(name, path) && number_of(line) == error;
	}
	free(copy);
	return said;
}

static void hold_line(const struct capture_errors *errors, const char *text, char *line, size_t *n)
{
	const char *path = strsep(&line, "\t");
	char *longer;
	int found;

	if (!line)
		return;
	(*n)++;
	found = capture_errors_find(errors, path);
	fuzz_require(is_said(text, path, found), "'%s': %d", path, found);
	longer = fuzz_text(path, strlen(path) + 1);
	longer[strlen(path)] = 'x';
	found = capture_errors_find(errors, longer);
	fuzz_require(!found || is_said(text, longer, found), "'%s': %d", longer, found);
	free(longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture_errors errors = { 0 };
	char *text = fuzz_text(data, size), *copy = fuzz_text(data, size), *rest = copy;
	static const char unlikely[] = "no such path";
	int found;
	size_t n = 0;

	fuzz_require(!capture_errors_load(&errors, fuzz_text(data, size)), "memory");
	for (char *line; (line = strsep(&rest, "\n"));)
		hold_line(&errors, text, line, &n);
	fuzz_require(errors.n == n, "%zu, wanted %zu", errors.n, n);
	/* unlikely is not impossible: inputs are made by those who see what is compared */
	found = capture_errors_find(&errors, unlikely);
	fuzz_require(!found || is_said(text, unlikely, found), "'%s': %d", unlikely, found);
	capture_errors_unload(&errors);
	free(copy);
	free(text);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tree/capture_errors.h"

static int errno_from_name(const char *name)
{
	static const struct {
		const char *name;
		int error;
	} names[] = {
		{ "EACCES", EACCES }, { "EPERM", EPERM },   { "ESRCH", ESRCH },
		{ "ENOENT", ENOENT }, { "EIO", EIO },	    { "EINVAL", EINVAL },
		{ "ENOMEM", ENOMEM }, { "EAGAIN", EAGAIN }, { "ENODATA", ENODATA },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, name))
			return -names[i].error;
	return -EIO; /* something was wrong with it */
}

static int compare(const void *left, const void *right)
{
	const struct capture_error *a = left, *b = right;

	return strcmp(a->path, b->path);
}

int capture_errors_load(struct capture_errors *errors, char *text)
{
	size_t lines = 0;

	for (const char *p = text; (p = strchr(p, '\n')); p++)
		lines++;
	errors->errors = calloc(lines + 1, sizeof(*errors->errors));
	if (!errors->errors) {
		free(text);
		return -ENOMEM;
	}
	errors->text = text;

	char *save;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *tab = strchr(line, '\t');

		if (!tab)
			continue;
		*tab = '\0';
		errors->errors[errors->n++] = (struct capture_error){
			.path = line,
			.error = errno_from_name(tab + 1),
		};
	}
	qsort(errors->errors, errors->n, sizeof(*errors->errors), compare);
	return 0;
}

void capture_errors_unload(struct capture_errors *errors)
{
	free(errors->errors);
	free(errors->text);
	*errors = (struct capture_errors){ 0 };
}

int capture_errors_find(const struct capture_errors *errors, const char *path)
{
	struct capture_error key = { .path = path };
	const struct capture_error *found;

	if (!errors->n)
		return 0;
	found = bsearch(&key, errors->errors, errors->n, sizeof(key), compare);
	return found ? found->error : 0;
}

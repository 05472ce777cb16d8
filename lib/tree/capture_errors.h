/* SPDX-License-Identifier: MIT */
#ifndef LIB_TREE_CAPTURE_ERRORS_H
#define LIB_TREE_CAPTURE_ERRORS_H

#include <stddef.h>

/*
 * errors.tsv of a captured tree: lines of "path<TAB>errno name" for what could not be read when
 * the tree was taken.
 */
struct capture_errors {
	struct capture_error {
		const char *path; /* in text */
		int error;	  /* negative errno */
	} * errors;
	size_t n;
	char *text;
};

/* Takes over @text (from malloc, NUL-terminated). 0 or -ENOMEM, and then @text is freed. */
int capture_errors_load(struct capture_errors *errors, char *text);

void capture_errors_unload(struct capture_errors *errors);

/* The errno noted for a path, such as "proc/12/smaps"; 0 when there is none. */
int capture_errors_find(const struct capture_errors *errors, const char *path);

#endif

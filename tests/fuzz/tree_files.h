/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_TREE_FILES_H
#define TESTS_FUZZ_TREE_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "fuzz.h"

/*
 * A small tree whose files are parts of one input. A line "@x" begins the file with the letter x,
 * see tree_files.c; it goes on to the next such line. Files without a part are not there.
 */
struct tree_file {
	char letter;
	const char *path;
	const char *text; /* in the input; NULL when it is not there */
	size_t size;
};

/*
 * Writes the files below a directory in memory, which is removed when the program ends, whatever
 * way it does.
 */
void tree_files_write(const uint8_t *data, size_t size);

const char *tree_files_root(void);

/* As it was last written. */
const struct tree_file *tree_files_find(const char *path);

#endif

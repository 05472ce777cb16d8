/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_MADE_TREE_H
#define TESTS_UNIT_MADE_TREE_H

#include <stddef.h>

#include <thpstat/source.h>

/* A file of a tree; a path that ends in '/' is an empty directory. */
struct made_file {
	const char *path;
	const char *text;
	size_t length; /* 0: text ends at its NUL */
};

/* Makes a scratch directory with these files; removed with scratch_remove(). */
char *made_tree(const struct made_file *files, size_t n);

/* Adds or replaces one file. Directories on the way are made. */
void made_tree_add(const char *root, const char *path, const char *text, size_t length);
void made_tree_text(const char *root, const char *path, const char *text);

/* Opens a tree; any error fails the running test. */
struct thpstat *made_tree_open(const char *root);

#endif

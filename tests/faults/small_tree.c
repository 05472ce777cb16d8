/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "small_tree.h"
#include "support/files.h"

/* The processes that stay; see truth.json in the trees. */
static const struct tree {
	const char *name;
	const char *stay[8];
	const char *forbidden; /* was readable, and is no more */
} trees[] = {
	{ SMALL_TREE,
	  /* init, a kernel thread, one memfd mapped three times, files on a tmpfs, a zombie, a main
	   * thread that ended, hugetlb */
	  { "1", "2", "451", "453", "461", "462", "470" },
	  "466" },
	{ SMALL_TREE_MTHP, { "1" }, NULL },
};

static const struct tree *find(const char *name)
{
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++)
		if (!strcmp(trees[i].name, name))
			return &trees[i];
	fail_msg("no tree %s", name);
	return NULL;
}

static bool stays(const struct tree *tree, const char *name)
{
	for (size_t i = 0; i < sizeof(tree->stay) / sizeof(tree->stay[0]) && tree->stay[i]; i++)
		if (!strcmp(tree->stay[i], name))
			return true;
	return tree->forbidden && !strcmp(tree->forbidden, name);
}

static void thin_out(const struct tree *tree, const char *root)
{
	char *proc = format_text("%s/proc", root);
	size_t n;
	char **names = directory_names(proc, "", &n);

	for (size_t i = 0; i < n; i++)
		if (*names[i] >= '1' && *names[i] <= '9' && !stays(tree, names[i]))
			scratch_remove(format_text("%s/%s", proc, names[i]));
	names_free(names, n);
	free(proc);
}

/* What there are two of: one will do, since each file is some more points where a fault can be. */
static void drop_second_pool(const char *root)
{
	static const char *const pools[] = { "sys/kernel/mm", "sys/devices/system/node/node0" };

	for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++)
		scratch_remove(format_text("%s/%s/hugepages/hugepages-1048576kB", root, pools[i]));
}

static void forbid(const char *root, const char *pid)
{
	static const char *const files[] = { "smaps", "smaps_rollup" };
	char *path = format_text("%s/errors.tsv", root);
	FILE *errors = fopen(path, "ae");

	assert_non_null(errors);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *file = format_text("%s/proc/%s/%s", root, pid, files[i]);

		assert_int_equal(unlink(file), 0);
		fprintf(errors, "proc/%s/%s\tEACCES\n", pid, files[i]);
		free(file);
	}
	assert_int_equal(fclose(errors), 0);
	free(path);
}

char *small_tree_make(const char *captures, const char *name, char **ret_scratch)
{
	const struct tree *tree = find(name);
	char *archive = format_text("%s/%s.tar.gz", captures, name);
	char *root;

	*ret_scratch = scratch_make();
	scratch_unpack(*ret_scratch, archive);
	free(archive);
	root = format_text("%s/%s", *ret_scratch, name);
	thin_out(tree, root);
	drop_second_pool(root);
	if (tree->forbidden)
		forbid(root, tree->forbidden);
	return root;
}

/* SPDX-License-Identifier: MIT */
#ifndef LIB_SOURCE_H
#define LIB_SOURCE_H

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include <thpstat/source.h>

#include "parse/field_table.h"
#include "tree/tree.h"

struct thpstat {
	atomic_uint references;
	struct tree tree;
	/* the keys of each kind of file, from the metric table */
	struct field_table smaps;
	struct field_table rollup;
	struct field_table status;
	struct field_table meminfo;
	struct field_table node_meminfo;
	struct field_table vmstat;
	char kernel[128]; /* "" when unknown */
};

struct thpstat *source_ref(struct thpstat *source);

/*
 * Copies the caller's options into @ret, whose size is @ret_size. The caller may have been built
 * against an older or a newer header: what is not there is 0, and bytes that this library does not
 * know must be 0. 0, -EINVAL or -E2BIG.
 */
int options_copy(const void *options, void *ret, size_t ret_size);

/*
 * Is it this program that is short of something? Then nothing is known of the file, and what is
 * read later may be more.
 */
static inline int is_shortage(int error)
{
	return error == -ENOMEM || error == -EMFILE || error == -ENFILE;
}

/* mountinfo of the reader, or of process 1 where a tree has none of the reader. */
int source_read_mountinfo(struct thpstat *source, char **ret, size_t *ret_length);

#define MOUNTINFO_LIMIT (16u << 20)

#endif

/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_KIND_H
#define LIB_ACCOUNT_KIND_H

#include <stddef.h>
#include <stdint.h>

#include <thpstat/mapping.h>

#include "parse/smaps.h"

/* A file as a header line names it; inode 0 is none. */
struct kind_file {
	uint32_t major;
	uint32_t minor;
	uint64_t inode;
};

/*
 * What of the mappings before one decides about it: the one directly before, and the binary whose
 * mappings they are. Begins zeroed with each process.
 */
struct kind_walk {
	uint64_t end;
	uint64_t size;
	unsigned int flags;
	int anonymous; /* private, no file behind it */
	enum thpstat_mapping_kind kind;
	struct kind_file file;
	struct kind_file binary; /* the last file mapped to be executed; none behind another file */
};

/*
 * The kind of a mapping, of which all but the kind is filled in. Mappings come in ascending order.
 * @next is the header behind it, NULL when it is the last one.
 */
enum thpstat_mapping_kind kind_of(struct kind_walk *walk, const struct thpstat_mapping *mapping,
				  size_t name_length, const struct smaps_header *next);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef LIB_MAPPING_WALK_H
#define LIB_MAPPING_WALK_H

#include <thpstat/mapping.h>

#include "account/kind.h"
#include "account/object.h"
#include "account/usage.h"
#include "devices.h"
#include "parse/smaps.h"
#include "source.h"
#include "tree/line_reader.h"

/*
 * One pass over an smaps. A walk of the public interface has one, and so has each walk over
 * processes, which adds up what it yields.
 */
struct mapping_walk {
	struct thpstat *source;
	struct smaps_parser parser;
	struct devices devices;
	const struct directory *process; /* of the present pass */
	struct line_reader reader;
	int maps;	   /* -1, or maps of the same process, opened before smaps */
	const char *block; /* what of the reader's block is not taken yet */
	const char *block_end;
	int have_header; /* the block begins with this header */
	struct smaps_header header;
	int at_end;
	int error; /* the walk ended before the list did */
	uint64_t previous_end;
	int inconsistent; /* mappings overlap: the process changed meanwhile */
	/* the mapping last yielded */
	struct thpstat_mapping view;
	struct thpstat_usage usage;
	enum object_name object_name;
	struct kind_walk kinds;
	int class_sure; /* 0: the class FILE is a guess */
	size_t name_length;
	char name[LINE_READER_SIZE];
	char buffer[LINE_READER_SIZE];
};

/* Both leave and find the walk without open files. */
void mapping_walk_init(struct mapping_walk *walk, struct thpstat *source);
void mapping_walk_free(struct mapping_walk *walk);

/*
 * Begins a pass over the smaps in a directory, which stays open until the pass ends.
 * 0 or a negative errno.
 */
int mapping_walk_begin(struct mapping_walk *walk, const struct directory *process);

/* As thpstat_mappings_next(); the item is the view of the walk. */
int mapping_walk_next(struct mapping_walk *walk);

/* Ends a pass, at any point. */
void mapping_walk_end(struct mapping_walk *walk);

#endif

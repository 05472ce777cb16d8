/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_SMAPS_H
#define LIB_PARSE_SMAPS_H

#include <stddef.h>
#include <stdint.h>

#include "parse/field_table.h"
#include "parse/figures.h"

/* The first line of a record: "start-end perms offset major:minor inode   name". */
struct smaps_header {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t inode;
	uint32_t major;
	uint32_t minor;
	unsigned int flags; /* THPSTAT_MAPPING_READ, _WRITE, _EXEC, _SHARED */
	const char *name;   /* rest of the line, inside of it */
	size_t name_length;
};

/* Is [line, end) a header? The header is filled only then. */
int smaps_header(const char *line, const char *end, struct smaps_header *ret);

#define SMAPS_LEARNED_MAX 48

/*
 * Reads the lines below a header. The kernel prints nearly all of them alike, key padded to the
 * left and number to the right, in the same order for every record: the parser remembers the first
 * 16 bytes of each such line and, while the next record looks the same, reads its numbers without
 * searching. Any other line, or any other order, is taken apart the long way.
 */
struct smaps_parser {
	const struct field_table *table;
	struct smaps_learned {
		char head[16];
		uint64_t number; /* the text of the last one but 0 */
		uint64_t value;	 /* of it */
		uint64_t bit;	 /* of the metric in figures.present; 0: no metric */
		uint16_t metric;
		uint16_t length; /* of the line */
	} learned[SMAPS_LEARNED_MAX];
	size_t n_learned;
	size_t at;   /* place in learned of the line to come */
	size_t hint; /* for the long way */
};

void smaps_parser_init(struct smaps_parser *parser, const struct field_table *table);

/* To be called at the header of each record. */
static inline void smaps_parser_begin(struct smaps_parser *parser)
{
	parser->at = 0;
}

/*
 * Takes whole lines from [p, end), which must end behind a newline, until there are no more or
 * the next one is a header, which then is in *next; returns where it stopped. *flags gets the
 * THPSTAT_MAPPING_ bits of VmFlags.
 */
const char *smaps_fields(struct smaps_parser *parser, const char *p, const char *end,
			 struct figures *figures, unsigned int *flags, struct smaps_header *next);

#endif

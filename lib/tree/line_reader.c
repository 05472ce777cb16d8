/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "tree/line_reader.h"
#include "tree/tree.h"

/* A usual record of smaps is no larger. */
#define RECORD_SIZE 768

/*
 * procfs collects records in a buffer of one page until it holds what was asked for. A record that
 * does not fit any more is thrown away and made again for the next read, page table walk and all:
 * of small mappings that is every sixth. Who asks for so little that one more record always has
 * room spares the process that work. How large its pages are, the first read tells.
 */
static size_t piece_size(size_t got)
{
	size_t page_size = 4096;

	if (got < 2 * RECORD_SIZE)
		return LINE_READER_SIZE;
	while (page_size < got)
		page_size *= 2;
	return page_size - RECORD_SIZE;
}

void line_reader_init(struct line_reader *reader, const struct tree *tree,
		      const struct directory *at, const char *name, int fd, char *buffer)
{
	*reader = (struct line_reader){
		.tree = tree,
		.at = at,
		.name = name,
		.fd = fd,
		.buffer = buffer,
		.piece = LINE_READER_SIZE,
	};
}

/* Makes room: what is left of a line moves to the front. */
static void carry(struct line_reader *reader)
{
	size_t rest = reader->length - reader->start;

	if (rest == LINE_READER_SIZE) {
		reader->skipping = reader->overlong = 1;
		rest = 0;
	}
	memmove(reader->buffer, reader->buffer + reader->start, rest);
	reader->start = 0;
	reader->length = rest;
}

int line_reader_next(struct line_reader *reader, const char **ret, const char **ret_end)
{
	for (;;) {
		carry(reader);

		size_t room = LINE_READER_SIZE - reader->length;
		long n =
			tree_read_some(reader->tree, reader->at, reader->name, reader->fd,
				       reader->buffer + reader->length,
				       room < reader->piece ? room : reader->piece, reader->offset);

		if (n < 0)
			return (int)n;
		if (!n) {
			reader->cut = reader->length > 0 || reader->skipping;
			return 0;
		}
		reader->offset += (uint64_t)n;
		if (reader->piece == LINE_READER_SIZE)
			reader->piece = piece_size((size_t)n);

		const char *new = reader->buffer + reader->length;
		const char *first = reader->buffer;

		reader->length += (size_t)n;
		if (reader->skipping) {
			const char *newline = memchr(new, '\n', (size_t)n);

			if (!newline) {
				reader->length = 0;
				continue;
			}
			reader->skipping = 0;
			first = newline + 1;
			reader->start = (size_t)(first - reader->buffer);
		}

		const char *last = memrchr(new, '\n', (size_t)n);

		if (!last || last < first)
			continue;
		reader->start = (size_t)(last + 1 - reader->buffer);
		*ret = first;
		*ret_end = last + 1;
		return 1;
	}
}

/* SPDX-License-Identifier: MIT */
#ifndef LIB_TREE_LINE_READER_H
#define LIB_TREE_LINE_READER_H

#include <stddef.h>
#include <stdint.h>

/*
 * A file of any length, handed out in blocks of whole lines, in memory that does not grow. A line
 * longer than the buffer is passed over.
 */
#define LINE_READER_SIZE 65536

struct tree;
struct directory;

struct line_reader {
	const struct tree *tree; /* told of what is read */
	const struct directory *at;
	const char *name;
	uint64_t offset;
	int fd;
	char *buffer;  /* LINE_READER_SIZE bytes of the owner */
	size_t piece;  /* most to ask for at once */
	size_t start;  /* what has not been handed out */
	size_t length; /* what is in the buffer */
	int skipping;  /* inside of a line that is too long */
	int cut;       /* the file ends within a line */
	int overlong;  /* a line was passed over */
};

/* The file is open as @fd; the directory and the name are those it was opened by. */
void line_reader_init(struct line_reader *reader, const struct tree *tree,
		      const struct directory *at, const char *name, int fd, char *buffer);

/*
 * The next block [*ret, *ret_end), which ends behind a newline: 1; 0 at the end of the file; or a
 * negative errno. The block is gone with the next call.
 */
int line_reader_next(struct line_reader *reader, const char **ret, const char **ret_end);

#endif

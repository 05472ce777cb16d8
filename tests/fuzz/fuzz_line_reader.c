/* SPDX-License-Identifier: MIT */
/*
 * A text in blocks of lines, whatever pieces it is read in. The first two bytes choose the pieces;
 * of the others those from 0xf0 on stand for many bytes, so that lines become as long as the
 * reader's buffer.
 */
#include <stdlib.h>
#include <string.h>

#include "feed.h"
#include "fuzz.h"
#include "reference.h"
#include "tree/line_reader.h"
#include "tree/tree.h"

#define TEXT_MAX (4 * LINE_READER_SIZE)

struct outcome {
	struct fuzz_buffer lines; /* those handed out, one behind the other */
	int cut;
	int overlong;
};

static void expand(struct fuzz_input *input, struct fuzz_buffer *text)
{
	static char many[2 * LINE_READER_SIZE];

	memset(many, 'x', sizeof(many));
	while (input->p < input->end && text->size < TEXT_MAX) {
		uint8_t byte = fuzz_byte(input);

		if (byte < 0xf0)
			fuzz_append(text, &byte, 1);
		else if (byte < 0xf8) /* about the buffer */
			fuzz_append(text, many, (size_t)(LINE_READER_SIZE - 4 + (byte - 0xf0)));
		else
			fuzz_append(text, many, (size_t)1 << (byte - 0xf8 + 8));
	}
}

static struct outcome wanted_of(const struct fuzz_buffer *text)
{
	const char *end = text->size ? text->text + text->size : text->text;
	struct outcome wanted = { 0 };

	for (const char *p = text->text; p < end;) {
		size_t length = reference_line_length(p, end);
		bool whole = p + length < end;
		size_t size = length + whole;

		/* a line may be as long as the buffer, its newline included */
		if (size > LINE_READER_SIZE || (!whole && size == LINE_READER_SIZE))
			wanted.overlong = 1;
		else if (whole)
			fuzz_append(&wanted.lines, p, size);
		wanted.cut |= !whole;
		p += size;
	}
	return wanted;
}

static void hold(const struct fuzz_buffer *text, const struct outcome *wanted, size_t first,
		 size_t others)
{
	static const struct tree tree = { .live = 0 };
	static const struct directory directory = { .fd = -1 };
	char *buffer = fuzz_memory(LINE_READER_SIZE, 1);
	struct fuzz_buffer lines = { 0 };
	struct line_reader reader;
	const char *p, *end;
	int more;

	feed(text->text, text->size, first, others);
	line_reader_init(&reader, &tree, &directory, "text", FEED_FD, buffer);
	while ((more = line_reader_next(&reader, &p, &end)) == 1) {
		fuzz_require(p < end && end[-1] == '\n', "no whole lines");
		fuzz_append(&lines, p, (size_t)(end - p));
	}
	fuzz_require(!more, "%d", more);
	fuzz_require(lines.size == wanted->lines.size &&
			     (!lines.size || !memcmp(lines.text, wanted->lines.text, lines.size)),
		     "%zu bytes, wanted %zu", lines.size, wanted->lines.size);
	fuzz_require(reader.cut == wanted->cut, "cut %d", reader.cut);
	fuzz_require(reader.overlong == wanted->overlong, "overlong %d", reader.overlong);
	fuzz_buffer_free(&lines);
	free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = { data, data + size };
	size_t first = fuzz_byte(&input), others = fuzz_byte(&input);
	struct fuzz_buffer text = { 0 };
	struct outcome wanted;

	expand(&input, &text);
	wanted = wanted_of(&text);
	hold(&text, &wanted, 0, 0);
	hold(&text, &wanted, 1 + 257 * first, 1 + 257 * others);
	if (text.size < LINE_READER_SIZE)
		hold(&text, &wanted, 1 + first, 1 + others);
	fuzz_buffer_free(&wanted.lines);
	fuzz_buffer_free(&text);
	return 0;
}

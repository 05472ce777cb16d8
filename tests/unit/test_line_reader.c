/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scripted_read.h"
#include "tree/line_reader.h"
#include "tree/tree.h"
#include "unit.h"

static const struct tree no_tree = { .live = 0 };
static const struct directory no_directory = { .fd = -1 };

/* What a reader has to make of a text. */
struct outcome {
	char *text; /* the lines handed out, one behind the other */
	size_t length;
	int cut;
	int overlong;
	int result; /* of the last call */
};

static struct outcome outcome_wanted(const char *text, size_t length)
{
	struct outcome wanted = { .text = malloc(length + 1) };
	const char *end = text + length;

	assert_non_null(wanted.text);
	for (const char *p = text; p < end;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t size = (size_t)((newline ? newline + 1 : end) - p);

		/* a line may be as long as the buffer, its newline included */
		if (size > LINE_READER_SIZE || (!newline && size == LINE_READER_SIZE)) {
			wanted.overlong = 1;
		} else if (newline) {
			memcpy(wanted.text + wanted.length, p, size);
			wanted.length += size;
		}
		wanted.cut |= !newline;
		p += size;
	}
	return wanted;
}

static struct outcome read_all(int fd, size_t room, struct tally *tally, const char *what)
{
	struct outcome found = { .text = malloc(room + 1) };
	char *buffer = malloc(LINE_READER_SIZE);
	struct line_reader reader;
	const char *p, *end;

	assert_true(found.text && buffer);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	line_reader_init(&reader, &no_tree, &no_directory, "text", fd, buffer);
	while ((found.result = line_reader_next(&reader, &p, &end)) == 1) {
		tally_holds(tally, p < end && end[-1] == '\n', "whole lines: %s", what);
		assert_true(found.length + (size_t)(end - p) <= room);
		memcpy(found.text + found.length, p, (size_t)(end - p));
		found.length += (size_t)(end - p);
	}
	found.cut = reader.cut;
	found.overlong = reader.overlong;
	free(buffer);
	return found;
}

static int file_of(const char *text, size_t length)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	assert_true(fd >= 0);
	while (length) {
		ssize_t n = write(fd, text, length);

		assert_true(n > 0);
		text += n;
		length -= (size_t)n;
	}
	return fd;
}

static void tally_outcome(struct tally *tally, const struct outcome *found,
			  const struct outcome *wanted, const char *what, size_t pieces)
{
	tally_holds(tally,
		    found->length == wanted->length &&
			    !memcmp(found->text, wanted->text, wanted->length),
		    "lines of %s in pieces of %zu", what, pieces);
	tally_equal(tally, (uint64_t)found->cut, (uint64_t)wanted->cut, "is %s cut, pieces of %zu",
		    what, pieces);
	tally_equal(tally, (uint64_t)found->overlong, (uint64_t)wanted->overlong,
		    "is %s overlong, pieces of %zu", what, pieces);
	tally_equal(tally, (uint64_t)found->result, (uint64_t)wanted->result,
		    "end of %s in pieces of %zu", what, pieces);
}

static void tally_pieces(struct tally *tally, int fd, size_t length, const struct outcome *wanted,
			 const char *what, size_t first, size_t others)
{
	scripted_read_pieces(first, others);

	struct outcome found = read_all(fd, length, tally, what);

	tally_outcome(tally, &found, wanted, what, others ? others : first);
	free(found.text);
}

/* Short texts: in pieces of each size, and split at each byte. */
static void test_short_texts(void **state)
{
	static const struct {
		const char *what;
		const char *text;
		size_t length;
	} rows[] = {
		{ "nothing", BYTES("") },
		{ "one line", BYTES("a\n") },
		{ "three lines", BYTES("one\ntwo\nthree\n") },
		{ "no newline at the end", BYTES("one\ntwo\nthree") },
		{ "no newline at all", BYTES("one") },
		{ "blank lines", BYTES("\n\n\na\n\n") },
		{ "newlines alone", BYTES("\n\n\n\n\n") },
		{ "NULs", BYTES("a\0b\n\0\n\0\0\nc\n") },
		{ "NULs at the end", BYTES("a\nb\n\0\0\0\0") },
	};
	struct tally tally = { .subject = "short texts" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct outcome wanted = outcome_wanted(rows[i].text, rows[i].length);
		int fd = file_of(rows[i].text, rows[i].length);

		for (size_t size = 0; size <= rows[i].length; size++) {
			tally_pieces(&tally, fd, rows[i].length, &wanted, rows[i].what, size, size);
			tally_pieces(&tally, fd, rows[i].length, &wanted, rows[i].what, size, 0);
		}
		close(fd);
		free(wanted.text);
	}
	tally_finish(&tally, 500);
}

/* Lines around the size of the buffer, at the beginning, in the middle and at the end. */
static void test_long_lines(void **state)
{
	static const size_t lengths[] = { LINE_READER_SIZE - 2,	    LINE_READER_SIZE - 1,
					  LINE_READER_SIZE,	    LINE_READER_SIZE + 1,
					  2 * LINE_READER_SIZE - 1, 2 * LINE_READER_SIZE,
					  2 * LINE_READER_SIZE + 1, 1u << 20 };
	static const char *const around[][2] = {
		{ "", "\n" },	    { "", "" },	      { "before\n", "\nbehind\n" },
		{ "before\n", "" }, { "\n", "\n\n" }, { "", "\nno newline at the end" },
	};
	static const size_t pieces[] = {
		0, 4095, 4096, LINE_READER_SIZE - 1, LINE_READER_SIZE, LINE_READER_SIZE + 1, 7, 1
	};
	struct tally tally = { .subject = "long lines" };
	char *text = malloc((1u << 20) + 64);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		for (size_t j = 0; j < ARRAY_SIZE(around); j++) {
			size_t before = strlen(around[j][0]), behind = strlen(around[j][1]);
			size_t length = before + lengths[i] + behind;

			memcpy(text, around[j][0], before);
			memset(text + before, 'x', lengths[i]);
			memcpy(text + before + lengths[i], around[j][1], behind);

			struct outcome wanted = outcome_wanted(text, length);
			int fd = file_of(text, length);

			for (size_t k = 0; k < ARRAY_SIZE(pieces); k++) {
				/* a byte at a time is slow, and once is enough */
				if (pieces[k] && pieces[k] < 8 && (j != 2 || i > 4))
					continue;
				tally_pieces(&tally, fd, length, &wanted, "a long line", pieces[k],
					     pieces[k]);
			}
			close(fd);
			free(wanted.text);
		}
	free(text);
	tally_finish(&tally, 6 * ARRAY_SIZE(lengths) * ARRAY_SIZE(around) * 4);
}

/* Two long lines one behind the other, and lines that begin where the buffer ends. */
static void test_many_lines(void **state)
{
	struct tally tally = { .subject = "many lines" };
	size_t room = 6 * LINE_READER_SIZE;
	char *text = malloc(room);
	uint64_t seed = 42;

	(void)state;
	assert_non_null(text);
	for (int round = 0; round < 200; round++) {
		size_t length = random_below(&seed, (unsigned int)room);

		memset(text, 'x', length);
		for (unsigned int i = random_below(&seed, 12); i && length; i--)
			text[random_below(&seed, (unsigned int)length)] = '\n';

		struct outcome wanted = outcome_wanted(text, length);
		int fd = file_of(text, length);
		size_t size = 1000 + random_below(&seed, 2 * LINE_READER_SIZE);

		tally_pieces(&tally, fd, length, &wanted, "random lines", size, size);
		tally_pieces(&tally, fd, length, &wanted, "random lines", size, 0);
		close(fd);
		free(wanted.text);
	}
	free(text);
	tally_finish(&tally, 200 * 8);
}

static void test_interrupted(void **state)
{
	static const char text[] = "one\ntwo\nthree\n";
	struct tally tally = { .subject = "interrupted" };
	struct outcome wanted = outcome_wanted(BYTES(text));
	int fd = file_of(BYTES(text));

	(void)state;
	scripted_read_interrupt();

	struct outcome found = read_all(fd, sizeof(text), &tally, "interrupted");

	tally_outcome(&tally, &found, &wanted, "interrupted", 0);
	assert_true(scripted_read_count() >= 4);
	free(found.text);
	free(wanted.text);
	close(fd);
	tally_finish(&tally, 4);
}

/* An error comes out as it is, behind what was read before it. */
static void test_errors(void **state)
{
	static const int errors[] = { EIO, ESRCH, EACCES, EINVAL };
	static const char text[] = "one\ntwo\n";
	struct tally tally = { .subject = "errors" };
	int fd = file_of(BYTES(text));

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		for (unsigned long number = 1; number <= 2; number++) {
			struct outcome wanted = outcome_wanted(text, number == 1 ? 0 : 8);

			wanted.result = -errors[i];
			scripted_read_error(number, errors[i]);

			struct outcome found = read_all(fd, sizeof(text), &tally, "an error");

			tally_outcome(&tally, &found, &wanted, "a text with an error", number);
			free(found.text);
			free(wanted.text);
		}
	close(fd);
	tally_finish(&tally, 2 * ARRAY_SIZE(errors) * 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_texts), cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_many_lines),  cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

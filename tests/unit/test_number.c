/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "parse/number.h"
#include "unit.h"

#define UNTOUCHED UINT64_C(0xdead)

typedef enum parse_result number_fn(const char **p, const char *end, uint64_t *ret);

static const struct number_row {
	number_fn *parse;
	const char *text;
	enum parse_result result;
	uint64_t value;
	size_t consumed;
} numbers[] = {
	{ number_decimal, "0", PARSE_OK, 0, 1 },
	{ number_decimal, "42", PARSE_OK, 42, 2 },
	{ number_decimal, "007", PARSE_OK, 7, 3 },
	{ number_decimal, "12 kB", PARSE_OK, 12, 2 },
	{ number_decimal, "1a", PARSE_OK, 1, 1 },
	{ number_decimal, "18446744073709551615", PARSE_OK, UINT64_MAX, 20 },
	{ number_decimal, "18446744073709551616", PARSE_OVERFLOW, UNTOUCHED, 20 },
	{ number_decimal, "18446744073709551620", PARSE_OVERFLOW, UNTOUCHED, 20 },
	{ number_decimal, "36893488147419103232", PARSE_OVERFLOW, UNTOUCHED, 20 },
	{ number_decimal, "99999999999999999999999999 kB", PARSE_OVERFLOW, UNTOUCHED, 26 },
	{ number_decimal, "00000000000000000000000000001", PARSE_OK, 1, 29 },
	{ number_decimal, "", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_decimal, " 1", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_decimal, "-1", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_decimal, "+1", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_decimal, "x", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_decimal, "/0", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_decimal, ":0", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_hex, "0", PARSE_OK, 0, 1 },
	{ number_hex, "7f-", PARSE_OK, 0x7f, 2 },
	{ number_hex, "abcdefg", PARSE_OK, 0xabcdef, 6 },
	{ number_hex, "ffffffffff600000", PARSE_OK, UINT64_C(0xffffffffff600000), 16 },
	{ number_hex, "ffffffffffffffff", PARSE_OK, UINT64_MAX, 16 },
	{ number_hex, "10000000000000000", PARSE_OVERFLOW, UNTOUCHED, 17 },
	{ number_hex, "0000000000000000ff", PARSE_OK, 0xff, 18 },
	{ number_hex, "0x10", PARSE_OK, 0, 1 },
	{ number_hex, "FF", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_hex, "g", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_hex, "`", PARSE_MALFORMED, UNTOUCHED, 0 },
	{ number_hex, "", PARSE_MALFORMED, UNTOUCHED, 0 },
};

static void test_numbers(void **state)
{
	struct tally tally = { .subject = "numbers" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		const struct number_row *row = &numbers[i];
		const char *p = row->text;
		uint64_t value = UNTOUCHED;

		tally_equal(&tally, row->parse(&p, p + strlen(p), &value), row->result,
			    "result of '%s'", row->text);
		tally_equal(&tally, value, row->value, "value of '%s'", row->text);
		tally_equal(&tally, (uint64_t)(p - row->text), row->consumed, "bytes taken of '%s'",
			    row->text);
	}
	tally_finish(&tally, 3 * ARRAY_SIZE(numbers));
}

/* One digit after the other, as it was learned at school. */
static enum parse_result plain_number(const char **p, const char *end, unsigned int base,
				      uint64_t *ret)
{
	static const char digits[] = "0123456789abcdef";
	const char *start = *p;
	int overflow = 0;
	uint64_t value = 0;

	for (; *p < end; (*p)++) {
		const char *digit = memchr(digits, **p, base);

		if (!digit)
			break;
		overflow |= value > (UINT64_MAX - (uint64_t)(digit - digits)) / base;
		value = value * base + (uint64_t)(digit - digits);
	}
	if (*p == start)
		return PARSE_MALFORMED;
	if (overflow)
		return PARSE_OVERFLOW;
	*ret = value;
	return PARSE_OK;
}

/* The text is in memory of its own, with nothing readable behind it. */
static void tally_text_of(struct tally *tally, const char *text, size_t length)
{
	static number_fn *const parse[] = { number_decimal, number_hex };
	static const unsigned int base[] = { 10, 16 };
	char *copy = malloc(length ? length : 1);

	assert_non_null(copy);
	memcpy(copy, text, length);
	for (unsigned int i = 0; i < 2; i++) {
		const char *p = copy, *plain = copy;
		uint64_t value = UNTOUCHED, plain_value = UNTOUCHED;

		tally_equal(tally, parse[i](&p, copy + length, &value),
			    plain_number(&plain, copy + length, base[i], &plain_value),
			    "base %u, result of '%.*s'", base[i], (int)length, text);
		tally_equal(tally, value, plain_value, "base %u, value of '%.*s'", base[i],
			    (int)length, text);
		tally_equal(tally, (uint64_t)(p - copy), (uint64_t)(plain - copy),
			    "base %u, bytes taken of '%.*s'", base[i], (int)length, text);
	}
	free(copy);
}

/* Each byte there can be, at each place of numbers of each length. */
static void test_all_bytes(void **state)
{
	struct tally tally = { .subject = "all bytes" };

	(void)state;
	for (size_t length = 1; length <= 21; length++)
		for (size_t place = 0; place < length; place++)
			for (unsigned int byte = 0; byte < 256; byte++) {
				char text[] = "19a0f3c7d2b8e46510f9a";

				text[place] = (char)byte;
				tally_text_of(&tally, text, length);
			}
	tally_finish(&tally, 6 * 231 * 256);
}

static void test_random(void **state)
{
	static const char likely[] = "0123456789abcdef0123456789abcdefffff000099999/:`g@GAF -\n";
	struct tally tally = { .subject = "random" };
	uint64_t seed = 99;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		size_t length = random_below(&seed, 26);
		/* how far into the likely ones: at first digits only, which give long numbers */
		unsigned int kinds = i % 3 == 0 ? 10 : i % 3 == 1 ? 45 : sizeof(likely) - 1;
		char text[32];

		for (size_t j = 0; j < length; j++)
			text[j] = likely[random_below(&seed, kinds)];
		tally_text_of(&tally, text, length);
	}
	tally_finish(&tally, 600000);
}

/* Digits behind the end belong to somebody else. */
static void test_end_is_respected(void **state)
{
	static const char text[] = "123456";
	struct tally tally = { .subject = "end" };

	(void)state;
	for (size_t length = 1; length < sizeof(text); length++) {
		const char *p = text;
		uint64_t value = 0;

		tally_equal(&tally, number_decimal(&p, text + length, &value), PARSE_OK,
			    "first %zu", length);
		tally_equal(&tally, (uint64_t)(p - text), length, "bytes taken of %zu", length);
	}
	tally_finish(&tally, 12);
}

static const struct only_row {
	const char *text;
	size_t length;
	enum parse_result result;
	uint64_t value;
} only[] = {
	{ BYTES("5"), PARSE_OK, 5 },
	{ BYTES("5\n"), PARSE_OK, 5 },
	{ BYTES(" \t5 \t\n"), PARSE_OK, 5 },
	{ BYTES("5\n\n"), PARSE_OK, 5 },
	{ BYTES("2097152\n"), PARSE_OK, 2097152 },
	{ BYTES("18446744073709551615\n"), PARSE_OK, UINT64_MAX },
	{ BYTES("18446744073709551616\n"), PARSE_OVERFLOW, UNTOUCHED },
	{ BYTES("18446744073709551616 x"), PARSE_MALFORMED, UNTOUCHED },
	{ BYTES("5 6"), PARSE_MALFORMED, UNTOUCHED },
	{ BYTES("5kB"), PARSE_MALFORMED, UNTOUCHED },
	{ BYTES("-1\n"), PARSE_MALFORMED, UNTOUCHED },
	{ BYTES("always\n"), PARSE_MALFORMED, UNTOUCHED },
	{ BYTES("5\0"), PARSE_MALFORMED, UNTOUCHED },
	{ BYTES(""), PARSE_MALFORMED, UNTOUCHED },
	{ BYTES("\n"), PARSE_MALFORMED, UNTOUCHED },
	{ BYTES("   "), PARSE_MALFORMED, UNTOUCHED },
};

static void test_only(void **state)
{
	struct tally tally = { .subject = "number_only" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(only); i++) {
		const struct only_row *row = &only[i];
		uint64_t value = UNTOUCHED;

		tally_equal(&tally, number_only(row->text, row->text + row->length, &value),
			    row->result, "result of '%s'", row->text);
		tally_equal(&tally, value, row->value, "value of '%s'", row->text);
	}
	tally_finish(&tally, 2 * ARRAY_SIZE(only));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_all_bytes),
		cmocka_unit_test(test_random),	cmocka_unit_test(test_end_is_respected),
		cmocka_unit_test(test_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

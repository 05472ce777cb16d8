/* SPDX-License-Identifier: MIT */
/* Numbers in decimal and hexadecimal, and a text that is one number. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parse/number.h"
#include "reference.h"

#define UNTOUCHED UINT64_C(0x5ca1ab1e5ca1ab1e)

static void hold(enum parse_result result, uint64_t value, enum reference_kind kind,
		 uint64_t wanted, const char *what)
{
	static const enum parse_result results[] = {
		[REFERENCE_NUMBER] = PARSE_OK,
		[REFERENCE_NO_NUMBER] = PARSE_MALFORMED,
		[REFERENCE_TOO_LARGE] = PARSE_OVERFLOW,
	};

	fuzz_require(result == results[kind], "%s: %d", what, (int)result);
	fuzz_require(value == (result == PARSE_OK ? wanted : UNTOUCHED), "%s: %llu", what,
		     (unsigned long long)value);
}

/* The digits that @text begins with. */
static void leading(const char *text, size_t size, int base, const char *digits,
		    enum parse_result (*parse)(const char **, const char *, uint64_t *),
		    const char *what)
{
	char *whole = fuzz_text(text, size), *number;
	size_t length = strspn(whole, digits);
	uint64_t value = UNTOUCHED, wanted = 0;
	const char *p = text;
	enum parse_result result = parse(&p, text + size, &value);
	enum reference_kind kind;

	number = fuzz_text(whole, length);
	kind = reference_number(number, base, &wanted);
	hold(result, value, kind, wanted, what);
	fuzz_require(p == text + length, "%s stops %td bytes from there", what,
		     p - (text + length));
	free(number);
	free(whole);
}

static void only(const char *text, size_t size)
{
	uint64_t value = UNTOUCHED, wanted = 0;
	enum parse_result result = number_only(text, text + size, &value);
	enum reference_kind kind = REFERENCE_NO_NUMBER;

	if (!size || !memchr(text, '\0', size)) {
		char *whole = fuzz_text(text, size), *p = whole + strspn(whole, " \t");
		size_t length = strlen(p);

		while (length && strchr(" \t\n", p[length - 1]))
			p[--length] = '\0';
		kind = reference_number(p, 10, &wanted);
		free(whole);
	}
	hold(result, value, kind, wanted, "the only number");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);

	leading(text, size, 10, "0123456789", number_decimal, "decimal");
	leading(text, size, 16, "0123456789abcdef", number_hex, "hexadecimal");
	only(text, size);
	free(text);
	return 0;
}

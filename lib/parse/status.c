/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <string.h>

#include "parse/number.h"
#include "parse/status.h"

/* The kernel writes a newline as \n and a backslash as \\; all other bytes are raw. */
static void comm(const char *p, const char *end, struct status *ret)
{
	size_t n = 0;

	while (p < end && n < sizeof(ret->comm) - 1) {
		char c = *p++;

		if (c == '\\' && p < end && (*p == 'n' || *p == '\\'))
			c = *p++ == 'n' ? '\n' : '\\';
		ret->comm[n++] = c;
	}
	ret->comm[n] = '\0';
	ret->has_comm = 1;
}

static void uids(const char *p, const char *end, struct status *ret)
{
	uint64_t real, effective;

	if (number_decimal(&p, end, &real))
		return;
	p = skip_blanks(p, end);
	if (number_decimal(&p, end, &effective) || effective > UINT32_MAX)
		return;
	ret->euid = (uint32_t)effective;
	ret->has_euid = 1;
}

static int key_is(const char *line, const char *colon, const char *key)
{
	return (size_t)(colon - line) == strlen(key) && !memcmp(line, key, strlen(key));
}

/* Takes a line that tells who the process is; 0 when it does not. */
static int identity(const char *line, const char *end, struct status *ret)
{
	const char *colon = memchr(line, ':', (size_t)(end - line));
	uint64_t number;

	if (!colon)
		return 0;

	/* exactly one tab stands before a name, which may itself begin with blanks */
	const char *value = colon + 1;

	if (key_is(line, colon, "Name")) {
		comm(value < end && *value == '\t' ? value + 1 : skip_blanks(value, end), end, ret);
		return 1;
	}
	value = skip_blanks(value, end);
	if (key_is(line, colon, "State")) {
		ret->state = value < end ? *value : 0;
	} else if (key_is(line, colon, "PPid")) {
		if (!number_only(value, end, &number) && number <= INT_MAX) {
			ret->ppid = (int)number;
			ret->has_ppid = 1;
		}
	} else if (key_is(line, colon, "Uid")) {
		uids(value, end, ret);
	} else if (key_is(line, colon, "Kthread")) {
		ret->kernel_thread = !number_only(value, end, &number) && number == 1;
	} else {
		return 0;
	}
	return 1;
}

void status_parse(const struct field_table *table, const char *text, size_t length,
		  struct figures *figures, struct status *ret)
{
	const char *end = text + strnlen(text, length);
	size_t hint = 0;

	memset(ret, 0, sizeof(*ret));
	for (const char *p = text; p < end;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *eol = newline ? newline : end;

		if (!identity(p, eol, ret))
			field_table_line(table, p, eol, &hint, figures);
		p = eol + 1;
	}
}

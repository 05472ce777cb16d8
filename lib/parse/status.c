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

static int key_is(const char *key, size_t length, const char *name)
{
	return length == strlen(name) && !memcmp(key, name, length);
}

/* A line that tells who the process is, or one that nobody asks for. */
static void identity(const char *key, const char *colon, const char *end, struct status *ret)
{
	const char *value = skip_blanks(colon + 1, end);
	size_t length = (size_t)(colon - key);
	uint64_t number;

	if (key_is(key, length, "Name")) {
		/* exactly one tab stands before a name, which may itself begin with blanks */
		comm(colon + 1 < end && colon[1] == '\t' ? colon + 2 : value, end, ret);
	} else if (key_is(key, length, "State")) {
		ret->state = value < end ? *value : 0;
	} else if (key_is(key, length, "PPid")) {
		if (!number_only(value, end, &number) && number <= INT_MAX) {
			ret->ppid = (int)number;
			ret->has_ppid = 1;
		}
	} else if (key_is(key, length, "Uid")) {
		uids(value, end, ret);
	} else if (key_is(key, length, "Kthread")) {
		ret->kernel_thread = !number_only(value, end, &number) && number == 1;
	}
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
		const char *colon = memchr(p, ':', (size_t)(eol - p));
		const struct field *field = NULL;

		if (colon)
			field = field_table_find(table, p, (size_t)(colon - p), &hint);
		if (field)
			field_store(field, colon + 1, eol, figures);
		else if (colon)
			identity(p, colon, eol, ret);
		p = eol + 1;
	}
}

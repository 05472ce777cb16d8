/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parse/field_table.h"
#include "parse/number.h"

static uint64_t hash_bit(const char *key, size_t length)
{
	unsigned int first = (unsigned char)key[0], last = (unsigned char)key[length - 1];

	return UINT64_C(1) << (first + 3 * last + (unsigned int)length) % 64;
}

void field_table_add(struct field_table *table, const char *key, enum thpstat_metric metric,
		     int kilobytes)
{
	if (table->n == FIELD_TABLE_MAX)
		__builtin_trap();
	table->fields[table->n++] = (struct field){
		.key = key,
		.length = (uint8_t)strlen(key),
		.kilobytes = (uint8_t)kilobytes,
		.metric = (uint16_t)metric,
	};
	table->hashes |= hash_bit(key, strlen(key));
}

static int field_is(const struct field *field, const char *key, size_t length)
{
	return field->length == length && !memcmp(field->key, key, length);
}

const struct field *field_table_find(const struct field_table *table, const char *key,
				     size_t length, size_t *hint)
{
	if (!length || !(table->hashes & hash_bit(key, length)))
		return NULL;
	/* the one that followed last time; or the same again, when the others go another way */
	if (*hint < table->n && field_is(&table->fields[*hint], key, length))
		return &table->fields[(*hint)++];
	if (*hint && *hint <= table->n && field_is(&table->fields[*hint - 1], key, length))
		return &table->fields[*hint - 1];
	for (size_t i = 0; i < table->n; i++)
		if (field_is(&table->fields[i], key, length)) {
			*hint = i + 1;
			return &table->fields[i];
		}
	return NULL;
}

void field_store(const struct field *field, const char *text, const char *end,
		 struct figures *figures)
{
	const char *p = skip_blanks(text, end);
	uint64_t value;
	enum parse_result result = number_decimal(&p, end, &value);

	p = skip_blanks(p, end);
	if (field->kilobytes && result != PARSE_MALFORMED) {
		if (end - p >= 2 && p[0] == 'k' && p[1] == 'B')
			p = skip_blanks(p + 2, end);
		else
			result = PARSE_MALFORMED;
	}
	if (p != end)
		result = PARSE_MALFORMED;
	if (result == PARSE_OK && field->kilobytes &&
	    __builtin_mul_overflow(value, UINT64_C(1024), &value))
		result = PARSE_OVERFLOW;

	if (result == PARSE_OK)
		figures_set(figures, (enum thpstat_metric)field->metric, value);
	else if (result == PARSE_OVERFLOW)
		figures_mark(figures->overflow, field->metric);
	else
		figures_mark(figures->malformed, field->metric);
}

enum field_line field_table_line(const struct field_table *table, const char *line, const char *end,
				 size_t *hint, struct figures *figures)
{
	const char *p = line;

	while (p < end && *p != ':' && *p != ' ' && *p != '\t')
		p++;
	if (p == line || p == end || *p != ':')
		return FIELD_LINE_NONE;

	const struct field *field = field_table_find(table, line, (size_t)(p - line), hint);

	if (!field)
		return FIELD_LINE_UNKNOWN;
	field_store(field, p + 1, end, figures);
	return FIELD_LINE_VALUE;
}

/* The end of a line, and where the next one begins. */
static const char *line_end(const char *p, const char *end, const char **next)
{
	const char *newline = memchr(p, '\n', (size_t)(end - p));

	*next = newline ? newline + 1 : end;
	return newline ? newline : end;
}

void field_table_text(const struct field_table *table, const char *text, size_t length,
		      struct figures *figures)
{
	const char *end = text + strnlen(text, length);
	const char *next;
	size_t hint = 0;

	for (const char *p = text; p < end; p = next) {
		const char *eol = line_end(p, end, &next);

		field_table_line(table, p, eol, &hint, figures);
	}
}

void field_table_flat(const struct field_table *table, const char *text, size_t length,
		      struct figures *figures)
{
	const char *end = text + strnlen(text, length);
	const char *next;
	size_t hint = 0;

	for (const char *p = text; p < end; p = next) {
		const char *eol = line_end(p, end, &next);
		const char *blank = memchr(p, ' ', (size_t)(eol - p));

		if (!blank)
			continue;

		const struct field *field = field_table_find(table, p, (size_t)(blank - p), &hint);

		if (field)
			field_store(field, blank, eol, figures);
	}
}

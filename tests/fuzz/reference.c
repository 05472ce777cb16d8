/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "reference.h"

#define FILES_MAX 8
#define KEYS_MAX 64

/* The metrics of one kind of file, by their keys. */
static struct keys {
	const char *file;
	size_t n;
	struct {
		const char *key;
		enum thpstat_metric metric;
		bool kilobytes;
	} list[KEYS_MAX];
} files[FILES_MAX];

bool reference_is_of(enum thpstat_metric metric, const char *file)
{
	const char *p = thpstat_metric_info(metric)->kernel_files;
	size_t length = strlen(file);

	for (; *p; p += strspn(p, " ")) {
		size_t word = strcspn(p, " ");

		if (word == length && !memcmp(p, file, length))
			return true;
		p += word;
	}
	return false;
}

static const struct keys *keys_of(const char *file)
{
	struct keys *keys = files;

	for (; keys->file; keys++)
		if (!strcmp(keys->file, file))
			return keys;
	fuzz_require(keys < files + FILES_MAX - 1, "more than %d kinds of files", FILES_MAX);
	keys->file = file;
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metric);

		if (!reference_is_of(metric, file))
			continue;
		fuzz_require(keys->n < KEYS_MAX, "%s has more than %d keys", file, KEYS_MAX);
		keys->list[keys->n].key = info->kernel_field;
		keys->list[keys->n].metric = metric;
		keys->list[keys->n++].kilobytes = info->unit == THPSTAT_BYTES;
	}
	return keys;
}

enum reference_kind reference_number(const char *text, int base, uint64_t *ret)
{
	const char *digits = base == 10 ? "0123456789" : "0123456789abcdef";
	uint64_t value;

	if (!*text || text[strspn(text, digits)])
		return REFERENCE_NO_NUMBER;
	errno = 0;
	value = strtoull(text, NULL, base);
	if (errno)
		return REFERENCE_TOO_LARGE;
	*ret = value;
	return REFERENCE_NUMBER;
}

/* "  123 kB ": what stands behind a key. */
static enum reference_kind value_of(const char *text, bool kilobytes, uint64_t *ret)
{
	const char *p = text + strspn(text, " \t");
	size_t digits = strspn(p, "0123456789");
	char *number = fuzz_text(p, digits);
	enum reference_kind kind = reference_number(number, 10, ret);

	free(number);
	p += digits;
	p += strspn(p, " \t");
	if (kilobytes) {
		if (strncmp(p, "kB", 2))
			return REFERENCE_NO_NUMBER;
		p += 2;
		p += strspn(p, " \t");
	}
	if (*p)
		return REFERENCE_NO_NUMBER;
	if (kind == REFERENCE_NUMBER && kilobytes) {
		if (*ret > UINT64_MAX / 1024)
			return REFERENCE_TOO_LARGE;
		*ret *= 1024;
	}
	return kind;
}

/* A key of @length bytes, and the rest of its line. */
static enum thpstat_metric key_and_rest(const char *file, const char *line, size_t key_length,
					const char *rest, size_t rest_length,
					struct reference_figures *figures)
{
	const struct keys *keys = keys_of(file);

	for (size_t i = 0; i < keys->n; i++) {
		struct reference_figure *figure = &figures->of[keys->list[i].metric];
		enum reference_kind kind = REFERENCE_NO_NUMBER;
		uint64_t value;

		if (strlen(keys->list[i].key) != key_length ||
		    memcmp(keys->list[i].key, line, key_length))
			continue;
		if (!rest_length || !memchr(rest, '\0', rest_length)) {
			char *text = fuzz_text(rest, rest_length);

			kind = value_of(text, keys->list[i].kilobytes, &value);
			free(text);
		}
		if (kind == REFERENCE_NUMBER) {
			figure->present = true;
			figure->value = value;
		} else if (kind == REFERENCE_TOO_LARGE) {
			figure->overflow = true;
		} else {
			figure->malformed = true;
		}
		return keys->list[i].metric;
	}
	return (enum thpstat_metric)0;
}

enum thpstat_metric reference_line(const char *file, const char *line, size_t length,
				   struct reference_figures *figures)
{
	const char *colon = length ? memchr(line, ':', length) : NULL;

	/* a key with blanks in it is nobody's */
	if (!colon)
		return (enum thpstat_metric)0;
	return key_and_rest(file, line, (size_t)(colon - line), colon + 1,
			    (size_t)(line + length - colon - 1), figures);
}

size_t reference_line_length(const char *text, const char *end)
{
	const char *newline = end > text ? memchr(text, '\n', (size_t)(end - text)) : NULL;

	return (size_t)((newline ? newline : end) - text);
}

void reference_text(const char *file, bool flat, const char *text, size_t length,
		    struct reference_figures *figures)
{
	const char *nul = length ? memchr(text, '\0', length) : NULL;
	const char *end = nul ? nul : text + length;

	for (const char *p = text; p < end;) {
		size_t size = reference_line_length(p, end);
		const char *blank = size ? memchr(p, ' ', size) : NULL;

		if (!flat)
			reference_line(file, p, size, figures);
		else if (blank)
			key_and_rest(file, p, (size_t)(blank - p), blank,
				     (size_t)(p + size - blank), figures);
		p += size + (p + size < end);
	}
}

void reference_compare(const struct reference_figures *wanted, const struct figures *found,
		       const char *what)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct reference_figure *figure = &wanted->of[metric];
		const char *name = thpstat_metric_info(metric)->name;

		fuzz_require(figures_has(found, metric) == figure->present, "%s: %s", what, name);
		fuzz_require(figures_bit(found->overflow, metric) == figure->overflow, "%s: %s",
			     what, name);
		fuzz_require(figures_bit(found->malformed, metric) == figure->malformed, "%s: %s",
			     what, name);
		fuzz_require(!figure->present || found->value[metric] == figure->value,
			     "%s: %s is %llu, wanted %llu", what, name,
			     (unsigned long long)found->value[metric],
			     (unsigned long long)figure->value);
	}
}

/* A number at *p, which is not empty; *p moves behind it. */
static bool take_number(const char **p, int base, uint64_t limit, uint64_t *ret)
{
	size_t digits = strspn(*p, base == 10 ? "0123456789" : "0123456789abcdef");
	char *text = fuzz_text(*p, digits);
	bool taken = reference_number(text, base, ret) == REFERENCE_NUMBER && *ret <= limit;

	free(text);
	*p += digits;
	return taken;
}

static bool take(const char **p, char wanted)
{
	if (**p != wanted)
		return false;
	(*p)++;
	return true;
}

/* Where the name begins is in *rest. */
static bool header_of_text(const char *text, size_t length, struct reference_header *header,
			   const char **rest)
{
	const char *p = text;

	if (!take_number(&p, 16, UINT64_MAX, &header->start) || !take(&p, '-') ||
	    !take_number(&p, 16, UINT64_MAX, &header->end) || !take(&p, ' ') ||
	    (size_t)(p - text) + 4 > length)
		return false;
	memcpy(header->permissions, p, 4);
	p += 4;
	if (!take(&p, ' ') || !take_number(&p, 16, UINT64_MAX, &header->offset) || !take(&p, ' ') ||
	    !take_number(&p, 16, UINT32_MAX, &header->major) || !take(&p, ':') ||
	    !take_number(&p, 16, UINT32_MAX, &header->minor) || !take(&p, ' ') ||
	    !take_number(&p, 10, UINT64_MAX, &header->inode))
		return false;
	*rest = p;
	return *p == ' ' || p == text + length;
}

bool reference_header(const char *line, size_t length, struct reference_header *ret)
{
	/* any byte may stand in the permissions and in the name, a NUL too */
	char *text = fuzz_text(line, length);
	const char *rest = text;
	bool is_header = header_of_text(text, length, ret, &rest);
	size_t at = (size_t)(rest - text);

	while (at < length && (text[at] == ' ' || text[at] == '\t'))
		at++;
	ret->name = line + at;
	ret->name_length = length - at;
	free(text);
	return is_header;
}

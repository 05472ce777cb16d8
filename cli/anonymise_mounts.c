/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <string.h>

#include "anonymise_mounts.h"
#include "anonymise_name.h"
#include "text_match.h"

#define CGROUP_DIRECTORY "/sys/fs/cgroup"

struct text {
	const char *p;
	size_t length;
};

/* The fields that each line begins with. */
enum { MOUNT_ID, PARENT_ID, DEVICE, ROOT, MOUNT_POINT, N_FIRST };

struct mount {
	struct text first[N_FIRST];
	struct text middle; /* options, and fields such as "shared:7", before a dash */
	struct text type;
	struct text source;
	struct text super_options;
};

static bool is(const struct text *text, const char *word)
{
	return text_is(text->p, text->length, word);
}

static void keep(const struct text *text, FILE *out)
{
	fwrite(text->p, 1, text->length, out);
}

static bool is_hierarchy(const struct text *type)
{
	return is(type, "cgroup") || is(type, "cgroup2");
}

static void root(struct aliases *aliases, const struct text *text, const struct text *type,
		 FILE *out)
{
	/* "net:[4026531840]" has no path */
	if (is(type, "nsfs") && text->p[0] != '/')
		keep(text, out);
	else if (is_hierarchy(type))
		anonymise_cgroup(aliases, text->p, text->length, 1, out);
	else
		anonymise_path(aliases, text->p, text->length, 1, out);
}

static bool is_below(const struct text *text, const char *directory)
{
	return text_begins(text->p, text->length, directory) &&
	       (text->length == strlen(directory) || text->p[strlen(directory)] == '/');
}

/* A container may have the host's hierarchies below a directory of its own. */
static void mount_point(struct aliases *aliases, const struct text *text, FILE *out)
{
	const char *found =
		memmem(text->p, text->length, CGROUP_DIRECTORY, sizeof(CGROUP_DIRECTORY) - 1);
	const char *end = text->p + text->length;

	if (found) {
		struct text rest = { found, (size_t)(end - found) };

		if (is_below(&rest, CGROUP_DIRECTORY)) {
			anonymise_path(aliases, text->p, (size_t)(found - text->p), 1, out);
			fputs(CGROUP_DIRECTORY, out);
			found += sizeof(CGROUP_DIRECTORY) - 1;
			anonymise_cgroup(aliases, found, (size_t)(end - found), 1, out);
			return;
		}
	}
	if (is_below(text, "/proc") || is_below(text, "/sys"))
		keep(text, out);
	else
		anonymise_path(aliases, text->p, text->length, 1, out);
}

/* Pseudo file systems have their type, or none, for a device. */
static void source(struct aliases *aliases, const struct text *text, const struct text *type,
		   FILE *out)
{
	bool is_type = text->length == type->length && !memcmp(text->p, type->p, type->length);

	if (is_type || is(text, "none"))
		keep(text, out);
	else
		anonymise_path(aliases, text->p, text->length, 1, out);
}

/* Sizes, modes and numbers, and the policy of a tmpfs. Of all else the name of the option stays. */
static bool is_plain_value(const struct text *name, const char *value, size_t length)
{
	size_t digits = text_span(value, length, "0123456789");

	if (is(name, "huge="))
		return true;
	return digits && digits + text_span(value + digits, length - digits, "kKmMgGtT%") == length;
}

static void option(struct aliases *aliases, const char *p, size_t length, FILE *out)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	struct text name = { p, text_span(p, length, letters) };

	if (name.length == length) {
		keep(&name, out);
		return;
	}
	if (p[name.length] != '=') {
		alias_write(aliases, p, length, out);
		return;
	}
	name.length++;
	keep(&name, out);
	if (is_plain_value(&name, p + name.length, length - name.length))
		fwrite(p + name.length, 1, length - name.length, out);
	else
		alias_write(aliases, p + name.length, length - name.length, out);
}

static void options(struct aliases *aliases, const struct text *text, FILE *out)
{
	for (size_t at = 0; at < text->length;) {
		const char *p = text->p + at;
		const char *comma = memchr(p, ',', text->length - at);
		size_t n = comma ? (size_t)(comma - p) : text->length - at;

		option(aliases, p, n, out);
		if (comma)
			fputc(',', out);
		at += n + (comma != NULL);
	}
}

static bool word(const char **p, const char *end, struct text *ret)
{
	const char *start = *p + text_span(*p, (size_t)(end - *p), " \t");

	*p = start;
	while (*p < end && **p != ' ')
		(*p)++;
	*ret = (struct text){ start, (size_t)(*p - start) };
	return ret->length > 0;
}

/* The options, then "shared:7" and the like: a word and the number of a group of mounts. */
static void middle(struct aliases *aliases, const struct text *text, FILE *out)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
	const char *p = text->p, *end = text->p + text->length;
	bool is_first = true;
	struct text field;

	for (; word(&p, end, &field); is_first = false) {
		size_t n = text_span(field.p, field.length, letters);

		n += n < field.length && field.p[n] == ':';
		n += text_span(field.p + n, field.length - n, "0123456789");
		if (is_first)
			options(aliases, &field, out);
		else if (n == field.length)
			keep(&field, out);
		else
			alias_write(aliases, field.p, field.length, out);
		fputc(' ', out);
	}
}

static bool parse(const char *p, const char *end, struct mount *ret)
{
	struct text field;

	for (int i = 0; i < N_FIRST; i++)
		if (!word(&p, end, &ret->first[i]))
			return false;
	ret->middle.p = p;
	do {
		if (!word(&p, end, &field))
			return false;
	} while (!is(&field, "-"));
	ret->middle.length = (size_t)(field.p - ret->middle.p);
	if (!word(&p, end, &ret->type) || p == end)
		return false;
	/* a source may be an empty text */
	ret->source.p = ++p;
	while (p < end && *p != ' ')
		p++;
	ret->source.length = (size_t)(p - ret->source.p);
	word(&p, end, &ret->super_options);
	return true;
}

void anonymise_mount(struct aliases *aliases, const char *line, size_t length, FILE *out)
{
	struct mount mount;

	if (!parse(line, line + length, &mount)) {
		alias_write(aliases, line, length, out);
		return;
	}
	for (int i = MOUNT_ID; i <= DEVICE; i++) {
		keep(&mount.first[i], out);
		fputc(' ', out);
	}
	root(aliases, &mount.first[ROOT], &mount.type, out);
	fputc(' ', out);
	mount_point(aliases, &mount.first[MOUNT_POINT], out);
	fputc(' ', out);
	middle(aliases, &mount.middle, out);
	fputs("- ", out);
	keep(&mount.type, out);
	fputc(' ', out);
	source(aliases, &mount.source, &mount.type, out);
	fputc(' ', out);
	options(aliases, &mount.super_options, out);
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alias.h"
#include "anonymise.h"
#include "anonymise_mounts.h"
#include "anonymise_name.h"
#include "memory.h"
#include "text_match.h"

#define CGROUP_DIRECTORY "sys/fs/cgroup/"

struct anonymiser {
	struct aliases *aliases;
};

struct anonymiser *anonymiser_new(void)
{
	struct anonymiser *anonymiser = memory_zeroed(1, sizeof(*anonymiser));

	anonymiser->aliases = aliases_new();
	return anonymiser;
}

struct anonymiser *anonymiser_free(struct anonymiser *anonymiser)
{
	if (!anonymiser)
		return NULL;
	aliases_free(anonymiser->aliases);
	free(anonymiser);
	return NULL;
}

/* Rules: what a file, or a line of it without its newline, becomes. */
typedef void (*rule_fn)(struct aliases *aliases, const char *text, size_t length, FILE *out);

/* A file of lines; whether the last one has a newline is seen by the library. */
static void each_line(rule_fn rule, struct aliases *aliases, const char *text, size_t length,
		      FILE *out)
{
	while (length) {
		const char *newline = memchr(text, '\n', length);
		size_t n = newline ? (size_t)(newline - text) : length;

		rule(aliases, text, n, out);
		if (newline)
			fputc('\n', out);
		n += newline != NULL;
		text += n;
		length -= n;
	}
}

/* Numbers and words that the kernel alone chooses. */
static void as_it_is(struct aliases *aliases, const char *text, size_t length, FILE *out)
{
	(void)aliases;
	fwrite(text, 1, length, out);
}

/* "Linux version 6.1.0 (who built it, where and when)" */
static void version(struct aliases *aliases, const char *text, size_t length, FILE *out)
{
	size_t n = 0;

	(void)aliases;
	for (int words = 0; words < 3; words++) {
		n += text_span(text + n, length - n, " ");
		while (n < length && text[n] != ' ' && text[n] != '\n')
			n++;
	}
	fwrite(text, 1, n, out);
	fputc('\n', out);
}

static void comm(struct aliases *aliases, const char *text, size_t length, FILE *out)
{
	size_t newline = length && text[length - 1] == '\n';

	alias_write(aliases, text, length - newline, out);
	fwrite("\n", 1, newline, out);
}

/* The name in status has \n and \\ for what stat and comm have as it is. */
static void status_name(struct aliases *aliases, const char *name, size_t length, FILE *out)
{
	char *plain = memory_zeroed(length + 1, 1);
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		char c = name[i];

		if (c == '\\' && i + 1 < length && (name[i + 1] == 'n' || name[i + 1] == '\\'))
			c = name[++i] == 'n' ? '\n' : '\\';
		plain[n++] = c;
	}
	alias_write(aliases, plain, n, out);
	free(plain);
}

static void status_line(struct aliases *aliases, const char *line, size_t length, FILE *out)
{
	size_t head = sizeof("Name:") - 1;

	if (!text_begins(line, length, "Name:")) {
		fwrite(line, 1, length, out);
		return;
	}
	head += length > head && (line[head] == '\t' || line[head] == ' ');
	fwrite(line, 1, head, out);
	status_name(aliases, line + head, length - head, out);
}

/* "12 (name) S 1 ...": the name ends with the last parenthesis. */
static void stat(struct aliases *aliases, const char *text, size_t length, FILE *out)
{
	const char *open = memchr(text, '(', length), *close = memrchr(text, ')', length);

	if (!open || !close || close < open) {
		alias_write(aliases, text, length, out);
		return;
	}
	fwrite(text, 1, (size_t)(open + 1 - text), out);
	alias_write(aliases, open + 1, (size_t)(close - open - 1), out);
	fwrite(close, 1, (size_t)(text + length - close), out);
}

static void command_line(struct aliases *aliases, const char *text, size_t length, FILE *out)
{
	while (length) {
		size_t n = strnlen(text, length);

		anonymise_argument(aliases, text, n, out);
		if (n < length)
			fputc('\0', out);
		n += n < length;
		text += n;
		length -= n;
	}
}

/* "4:memory:/path", "1:name=systemd:/path" */
static void cgroup_line(struct aliases *aliases, const char *line, size_t length, FILE *out)
{
	static const char named[] = "name=";
	const char *end = line + length;
	const char *first = memchr(line, ':', length);
	const char *second = first ? memchr(first + 1, ':', (size_t)(end - first - 1)) : NULL;

	if (!second) {
		alias_write(aliases, line, length, out);
		return;
	}
	fwrite(line, 1, (size_t)(first + 1 - line), out);
	first++;
	if (text_begins(first, (size_t)(second - first), named)) {
		fputs(named, out);
		first += strlen(named);
		anonymise_cgroup(aliases, first, (size_t)(second - first), 0, out);
	} else {
		fwrite(first, 1, (size_t)(second - first), out);
	}
	fputc(':', out);
	anonymise_cgroup(aliases, second + 1, (size_t)(end - second - 1), 0, out);
}

/* "7f00-7f10 r-xp 00000000 fe:00 12   /name": where the name begins; 0 when it is no such line. */
static size_t mapping_head(const char *line, size_t length)
{
	static const char hex[] = "0123456789abcdef";
	static const struct {
		const char *set;
		char end;
	} fields[] = {
		{ hex, '-' }, { hex, ' ' }, { NULL, ' ' }, { hex, ' ' }, { hex, ':' }, { hex, ' ' },
	};
	size_t at = 0;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		size_t n = fields[i].set ? text_span(line + at, length - at, fields[i].set) : 4;

		if (!n || length - at <= n || line[at + n] != fields[i].end)
			return 0;
		at += n + 1;
	}
	/* the inode */
	if (!text_span(line + at, length - at, "0123456789"))
		return 0;
	at += text_span(line + at, length - at, "0123456789");
	if (at < length && line[at] != ' ')
		return 0;
	return at + text_span(line + at, length - at, " \t");
}

/* Words of two letters, as VmFlags has them, stay; there is no other line of words. */
static void flags(struct aliases *aliases, const char *text, size_t length, FILE *out)
{
	while (length) {
		size_t blanks = text_span(text, length, " \t"), n = blanks;

		while (n < length && text[n] != ' ' && text[n] != '\t')
			n++;
		fwrite(text, 1, n - blanks > 2 ? blanks : n, out);
		if (n - blanks > 2)
			alias_write(aliases, text + blanks, n - blanks, out);
		text += n;
		length -= n;
	}
}

/* "Rss:   12 kB" stays. Some vendors' kernels add "Name:   [anon:name]". */
static void mapping_field(struct aliases *aliases, const char *line, size_t length, FILE *out)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				      "0123456789()";
	size_t key = text_span(line, length, letters);

	if (!key || key == length || line[key] != ':') {
		alias_write(aliases, line, length, out);
		return;
	}
	key++;
	key += text_span(line + key, length - key, " \t");
	fwrite(line, 1, key, out);
	line += key;
	length -= key;
	if (text_span(line, length, "0123456789 \tkB-") == length)
		fwrite(line, 1, length, out);
	else if (*line == '[' || *line == '/')
		anonymise_mapping_name(aliases, line, length, out);
	else
		flags(aliases, line, length, out);
}

static void mapping_line(struct aliases *aliases, const char *line, size_t length, FILE *out)
{
	size_t head = mapping_head(line, length);

	if (!head) {
		mapping_field(aliases, line, length, out);
		return;
	}
	fwrite(line, 1, head, out);
	anonymise_mapping_name(aliases, line + head, length - head, out);
}

/* Which rule is for which file. */
struct rule {
	const char *path; /* below a process, or of the whole */
	rule_fn rule;
	int by_line;
};

static const struct rule process_rules[] = {
	{ "cgroup", cgroup_line, 1 },
	{ "cmdline", command_line, 0 },
	{ "comm", comm, 0 },
	{ "maps", mapping_line, 1 },
	{ "mountinfo", anonymise_mount, 1 },
	{ "smaps", mapping_line, 1 },
	{ "smaps_rollup", mapping_line, 1 },
	{ "stat", stat, 0 },
	{ "status", status_line, 1 },
	{ NULL, NULL, 0 },
};

static const struct rule host_rules[] = {
	{ "proc/buddyinfo", as_it_is, 0 },
	{ "proc/meminfo", as_it_is, 0 },
	{ "proc/sys/kernel/osrelease", as_it_is, 0 },
	{ "proc/version", version, 0 },
	{ "proc/vmstat", as_it_is, 0 },
	{ NULL, NULL, 0 },
};

/* The name of a file of a process or one of its threads; NULL when it is none. */
static const char *name_in_process(const char *path)
{
	if (strncmp(path, "proc/", 5))
		return NULL;
	path += 5;
	if (!strncmp(path, "self/", 5))
		return path + 5;
	if (strspn(path, "0123456789") != strcspn(path, "/"))
		return NULL;
	path = strchr(path, '/');
	if (!path)
		return NULL;
	path++;
	if (strncmp(path, "task/", 5))
		return path;
	path = strchr(path + 5, '/');
	return path ? path + 1 : NULL;
}

static const struct rule *find_rule(const char *path)
{
	static const struct rule kernel_values = { "sys/", as_it_is, 0 };
	const char *name = name_in_process(path);
	const struct rule *rule = name ? process_rules : host_rules;

	if (!strncmp(path, "sys/", 4))
		return &kernel_values;
	while (rule->path && strcmp(rule->path, name ? name : path))
		rule++;
	return rule->path ? rule : NULL;
}

static FILE *open_text(char **ret, size_t *ret_size)
{
	FILE *out = open_memstream(ret, ret_size);

	if (!out)
		memory_exhausted();
	return out;
}

static void close_text(FILE *out)
{
	if (fclose(out))
		memory_exhausted();
}

bool anonymise_file(struct anonymiser *anonymiser, const char *path, const char *data, size_t size,
		    char **ret, size_t *ret_size)
{
	const struct rule *rule = find_rule(path);
	FILE *out;

	if (!rule)
		return false;
	out = open_text(ret, ret_size);
	if (rule->by_line)
		each_line(rule->rule, anonymiser->aliases, data, size, out);
	else
		rule->rule(anonymiser->aliases, data, size, out);
	close_text(out);
	return true;
}

/* Cgroups alone have names that somebody chose; files in them are the kernel's. */
char *anonymise_place(struct anonymiser *anonymiser, const char *path)
{
	size_t head = sizeof(CGROUP_DIRECTORY) - 1, size, length = strlen(path);
	const char *name = strrchr(path, '/');
	char *text = NULL;
	FILE *out;

	if (strncmp(path, CGROUP_DIRECTORY, head))
		return memory_copy(path);
	out = open_text(&text, &size);
	fputs(CGROUP_DIRECTORY, out);
	if (name > path + head) {
		anonymise_cgroup(anonymiser->aliases, path + head, (size_t)(name - path) - head, 0,
				 out);
		fwrite(name, 1, length - (size_t)(name - path), out);
	} else {
		fputs(path + head, out);
	}
	close_text(out);
	return text;
}

/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/files.h"

extern char **environ;

char *format_text(const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	assert_true(length >= 0);
	return text;
}

char *file_text(const char *path, size_t *ret_size)
{
	FILE *file = fopen(path, "re");
	size_t size = 0, room = 4096, got;
	char *text;

	if (!file) {
		if (errno == ENOENT || errno == ENOTDIR)
			return NULL;
		fail_msg("%s: %s", path, strerror(errno));
	}
	text = malloc(room);
	assert_non_null(text);
	while ((got = fread(text + size, 1, room - size - 1, file)) > 0) {
		size += got;
		if (room - size > 1)
			continue;
		room *= 2;
		text = realloc(text, room);
		assert_non_null(text);
	}
	assert_false(ferror(file));
	fclose(file);
	text[size] = '\0';
	if (ret_size)
		*ret_size = size;
	return text;
}

char *file_line(const char *path)
{
	size_t size;
	char *text = file_text(path, &size);

	if (text && size > 0 && text[size - 1] == '\n')
		text[size - 1] = '\0';
	return text;
}

bool file_number(const char *path, uint64_t *ret)
{
	char *text = file_text(path, NULL), *end;

	if (!text)
		return false;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	if (errno || end == text)
		fail_msg("%s: no number: '%s'", path, text);
	free(text);
	return true;
}

/* What follows "key" and ':' or a blank at the beginning of a line. */
static const char *find_key(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		if (*line == '\n')
			line++;
		if (strncmp(line, key, length) || (line[length] != ':' && line[length] != ' '))
			continue;
		line += length + 1;
		return line + strspn(line, " \t");
	}
	return NULL;
}

bool key_number(const char *text, const char *key, uint64_t *ret)
{
	const char *value = find_key(text, key);
	char *end;

	if (!value)
		return false;
	errno = 0;
	*ret = strtoull(value, &end, 10);
	if (errno || end == value)
		fail_msg("%s: no number", key);
	if (!strncmp(end, " kB", 3))
		*ret *= 1024;
	return true;
}

char *key_text(const char *text, const char *key)
{
	const char *value = find_key(text, key);

	if (!value)
		return NULL;
	return format_text("%.*s", (int)strcspn(value, "\n"), value);
}

char *bracketed_word(const char *text)
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return NULL;
	return format_text("%.*s", (int)(close - open - 1), open + 1);
}

bool file_exists(const char *path)
{
	struct stat status;

	return !stat(path, &status);
}

bool directory_exists(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **directory_names(const char *path, const char *prefix, size_t *ret_n)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	char **names = NULL;
	size_t n = 0;

	*ret_n = 0;
	if (!directory) {
		if (errno == ENOENT)
			return NULL;
		fail_msg("%s: %s", path, strerror(errno));
	}
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.' || strncmp(entry->d_name, prefix, strlen(prefix)))
			continue;
		names = realloc(names, (n + 1) * sizeof(*names));
		assert_non_null(names);
		names[n++] = format_text("%s", entry->d_name);
	}
	closedir(directory);
	if (n)
		qsort(names, n, sizeof(*names), compare_names);
	*ret_n = n;
	return names;
}

void names_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

char *scratch_make(void)
{
	const char *parent = getenv("TMPDIR");
	char *path = format_text("%s/thpstat-test-XXXXXX", parent && *parent ? parent : "/tmp");

	if (!mkdtemp(path))
		fail_msg("%s: %s", path, strerror(errno));
	return path;
}

void scratch_unpack(const char *scratch, const char *archive)
{
	char tar[] = "tar", extract[] = "-xzf", into[] = "-C";
	char *from = format_text("%s", archive), *to = format_text("%s", scratch);
	char *const arguments[] = { tar, extract, from, into, to, NULL };
	int status, error;
	pid_t child;

	error = posix_spawnp(&child, tar, NULL, NULL, arguments, environ);
	if (error)
		fail_msg("tar: %s", strerror(error));
	assert_int_equal(waitpid(child, &status, 0), child);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail_msg("tar could not unpack %s", archive);
	free(from);
	free(to);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

void scratch_remove(char *scratch)
{
	if (nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS))
		print_message("# could not remove %s: %s\n", scratch, strerror(errno));
	free(scratch);
}

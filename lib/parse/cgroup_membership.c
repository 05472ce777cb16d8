/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parse/cgroup_membership.h"

static int lists_memory(const char *p, const char *end)
{
	while (p < end) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		const char *stop = comma ? comma : end;

		if (stop - p == 6 && !memcmp(p, "memory", 6))
			return 1;
		p = stop + 1;
	}
	return 0;
}

int cgroup_membership_parse(const char *text, size_t length, struct cgroup_membership *ret)
{
	const char *end = text + strnlen(text, length);
	int found = -1;

	for (const char *p = text, *next; p < end; p = next) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *eol = newline ? newline : end;

		next = eol + 1;

		/* two colons only: controllers cannot hold one, a path can */
		const char *first = memchr(p, ':', (size_t)(eol - p));
		const char *second =
			first ? memchr(first + 1, ':', (size_t)(eol - first - 1)) : NULL;

		if (!second)
			continue;

		int unified = first - p == 1 && *p == '0' && second == first + 1;
		int memory = lists_memory(first + 1, second);

		if (memory || (unified && found)) {
			ret->path = second + 1;
			ret->length = (size_t)(eol - second - 1);
			ret->version = memory ? 1 : 2;
			found = 0;
		}
		if (memory)
			break;
	}
	return found;
}

static int climbs(const char *path)
{
	for (const char *p = path; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (p[0] == '.' && p[1] == '.' && (p[2] == '/' || !p[2]))
			return 1;
		if (!*p)
			break;
	}
	return 0;
}

const char *cgroup_path_below(const char *path, const char *root)
{
	size_t length = strcmp(root, "/") ? strlen(root) : 0;

	if (*path != '/' || strncmp(path, root, length) || (path[length] && path[length] != '/'))
		return NULL;
	path += length;
	if (climbs(path))
		return NULL;
	/* what is joined to a directory must not become an absolute path */
	while (path[0] == '/' && (path[1] == '/' || !path[1]))
		path++;
	return path;
}

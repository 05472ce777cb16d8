/* SPDX-License-Identifier: MIT */
/*
 * /proc/PID/cgroup, and the part of the path below the root of a mount. The first line is the root,
 * the rest is the file.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parse/cgroup_membership.h"
#include "reference.h"

struct wanted {
	int version; /* 0: none */
	char *path;
};

static bool has_memory(char *controllers)
{
	for (char *word; (word = strsep(&controllers, ","));)
		if (!strcmp(word, "memory"))
			return true;
	return false;
}

static struct wanted find(char *text)
{
	struct wanted wanted = { 0 };

	for (char *line; (line = strsep(&text, "\n"));) {
		char *id = strsep(&line, ":"), *controllers = strsep(&line, ":");
		bool unified = line && !strcmp(id, "0") && !*controllers;

		if (line && has_memory(controllers))
			return (struct wanted){ 1, line };
		if (unified && !wanted.version)
			wanted = (struct wanted){ 2, line };
	}
	return wanted;
}

static bool climbs(const char *path)
{
	char *copy = fuzz_text(path, strlen(path)), *rest = copy;
	bool found = false;

	for (char *word; (word = strsep(&rest, "/"));)
		found |= !strcmp(word, "..");
	free(copy);
	return found;
}

static void hold_below(const char *path, const char *root)
{
	const char *below = cgroup_path_below(path, root);
	size_t length = !strcmp(root, "/") ? 0 : strlen(root);
	bool is_below = *path == '/' && !strncmp(path, root, length) &&
			(!path[length] || path[length] == '/') && !climbs(path + length);

	fuzz_require(!below == !is_below, "'%s' below '%s'", path, root);
	if (!below)
		return;
	fuzz_require(!*below || *below == '/', "'%s'", below);
	/* it will be joined to a directory and opened */
	fuzz_require(strncmp(below, "//", 2), "'%s'", below);
	/* the end of the path, but for slashes too many */
	fuzz_require(!*below || (below >= path + length &&
				 (size_t)(below - path) - length <= strspn(path + length, "/")),
		     "'%s' of '%s'", below, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *input = (const char *)data, *end = input + size;
	size_t length = reference_line_length(input, end);
	char *root = fuzz_text(input, length);
	size_t rest = length < size ? size - length - 1 : 0;
	char *exact = fuzz_copy(end - rest, rest), *text = fuzz_text(end - rest, rest);
	struct cgroup_membership membership = { 0 };
	struct wanted wanted = find(text);
	int result = cgroup_membership_parse(exact, rest, &membership);

	fuzz_require(result == (wanted.version ? 0 : -1), "%d", result);
	if (!result) {
		char *path = fuzz_text(membership.path, membership.length);

		fuzz_require(membership.version == wanted.version, "version %d",
			     membership.version);
		fuzz_require(!strcmp(path, wanted.path), "'%s', wanted '%s'", path, wanted.path);
		hold_below(path, root);
		hold_below(path, "/");
		free(path);
	}
	free(text);
	free(exact);
	free(root);
	return 0;
}

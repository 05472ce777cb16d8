/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup_mounts.h"
#include "parse/cgroup_membership.h"
#include "parse/mountinfo.h"

/* 1 and 2 are hierarchies that can charge memory, 0 is none. */
static int version_of(const struct mountinfo *mount)
{
	if (mountinfo_text_is(&mount->type, "cgroup2"))
		return 2;
	if (mountinfo_text_is(&mount->type, "cgroup") &&
	    mountinfo_has_option(&mount->super_options, "memory"))
		return 1;
	return 0;
}

/*
 * The mount point as seen from the source's cgroup directory. In mountinfo it is an absolute path
 * of the system the tree was taken from, or of a container where the host's is mounted elsewhere.
 */
static const char *below_cgroup_directory(const char *mount_point)
{
	static const char usual[] = "/sys/fs/cgroup";
	const char *found = strstr(mount_point, usual);

	if (!found)
		return NULL;
	found += sizeof(usual) - 1;
	/* nor may it lead out of there */
	return *found ? cgroup_path_below(found, "/") : found;
}

static int add(struct cgroup_mounts *mounts, const struct mountinfo *mount, int version)
{
	char root[PATH_MAX], mount_point[PATH_MAX];

	if (mountinfo_unescape(&mount->root, root, sizeof(root)) ||
	    mountinfo_unescape(&mount->mount_point, mount_point, sizeof(mount_point)))
		return 0;

	const char *below = below_cgroup_directory(mount_point);

	if (!below)
		return 0;

	struct cgroup_mount *list =
		reallocarray(mounts->list, mounts->n + 1, sizeof(*mounts->list));

	if (!list)
		return -ENOMEM;
	mounts->list = list;
	list[mounts->n] = (struct cgroup_mount){ version, strdup(root), strdup(below) };
	mounts->n++;
	return list[mounts->n - 1].root && list[mounts->n - 1].below ? 0 : -ENOMEM;
}

int cgroup_mounts_read(struct cgroup_mounts *mounts, struct thpstat *source)
{
	char *text;
	size_t length;
	int error = source_read_mountinfo(source, &text, &length);

	*mounts = (struct cgroup_mounts){ 0 };
	if (is_shortage(error))
		return error;
	/* one that cannot be read leaves no mount known; without one there is a guess */
	mounts->known = error != -ENOENT;
	if (error)
		return 0;

	const char *end = text + length;

	for (const char *p = text; p < end && !error;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *eol = newline ? newline : end;
		struct mountinfo mount;
		int version = mountinfo_line(p, eol, &mount) ? 0 : version_of(&mount);

		if (version)
			error = add(mounts, &mount, version);
		p = eol + 1;
	}
	free(text);
	if (error)
		cgroup_mounts_free(mounts);
	return error;
}

static int join(const char *mount, const char *path, char *buffer, size_t size)
{
	int length = snprintf(buffer, size, "%s%s", mount, path);

	if (length < 0 || (size_t)length >= size)
		return -1;
	/* relative: without its first slash */
	memmove(buffer, buffer + (buffer[0] == '/'), (size_t)length + (buffer[0] != '/'));
	if (!buffer[0])
		snprintf(buffer, size, ".");
	return 0;
}

/* A tree without a mountinfo: mounts where distributions have them. NULL when that is not clear. */
static const char *usual_mount(const struct thpstat *source, int version)
{
	struct directory directory;
	int error;

	if (version == 1)
		return "/memory";
	error = tree_open_directory(&source->tree, &source->tree.cgroup, "unified", 0, &directory);
	if (error)
		return error == -ENOENT || error == -ENOTDIR ? "" : NULL;
	directory_close(&directory);
	return "/unified";
}

int cgroup_mounts_directory(const struct cgroup_mounts *mounts, const struct thpstat *source,
			    int version, const char *path, char *buffer, size_t size)
{
	if (!mounts->known) {
		const char *below = cgroup_path_below(path, "/");
		const char *mount = below ? usual_mount(source, version) : NULL;

		return mount ? join(mount, below, buffer, size) : -1;
	}
	for (size_t i = 0; i < mounts->n; i++) {
		const char *below = mounts->list[i].version == version
					    ? cgroup_path_below(path, mounts->list[i].root)
					    : NULL;

		if (below)
			return join(mounts->list[i].below, below, buffer, size);
	}
	return -1;
}

void cgroup_mounts_free(struct cgroup_mounts *mounts)
{
	for (size_t i = 0; i < mounts->n; i++) {
		free(mounts->list[i].root);
		free(mounts->list[i].below);
	}
	free(mounts->list);
	*mounts = (struct cgroup_mounts){ 0 };
}

/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "message.h"
#include "sysroot_archive.h"
#include "tarball.h"
#include "temporary.h"

/* A capture of a very large host is a tenth of this. */
static const struct tarball_limits limits = {
	.entries = 1000000,
	.bytes = UINT64_C(4) << 30,
};

struct sysroot_archive {
	struct temporary *temporary;
	char *root;
};

static bool has_directory(int at, const char *name)
{
	struct stat status;

	return !fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) && S_ISDIR(status.st_mode);
}

static bool is_tree(int fd)
{
	return has_directory(fd, "proc") || has_directory(fd, "sys");
}

/* The tree is what was unpacked, or in a directory that is alone there. NULL for none. */
static char *find_tree(int fd)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), below = -1;
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;
	char *found = NULL;
	size_t n = 0;

	while (stream && (entry = readdir(stream))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		free(found);
		found = memory_copy(entry->d_name);
		n++;
	}
	if (stream)
		closedir(stream);
	if (n == 1)
		below = openat(fd, found, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (is_tree(fd) || below < 0 || !is_tree(below)) {
		free(found);
		found = is_tree(fd) ? memory_copy(".") : NULL;
	}
	if (below >= 0)
		close(below);
	return found;
}

static int make_directory(const char *directory, struct sysroot_archive *archive, int *ret_fd)
{
	int parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = parent < 0
			    ? -errno
			    : temporary_directory(parent, "thpstat-", &archive->temporary, ret_fd);

	if (!error)
		return 0;
	message("cannot unpack in %s: %s", directory, strerror(-error));
	return STATUS_FAILED;
}

static const char *reason(int error)
{
	return error == -EBADMSG ? "not a tar.gz of a tree, or damaged" : strerror(-error);
}

static int unpack(const char *file, int fd, const char *directory, struct sysroot_archive *archive)
{
	int root, status = make_directory(directory, archive, &root), error;
	char *tree;

	if (status)
		return status;
	error = tarball_unpack(fd, root, &limits);
	if (error) {
		message("cannot unpack %s: %s", file, reason(error));
		return STATUS_FAILED;
	}
	tree = find_tree(root);
	if (!tree) {
		message("cannot open %s: no proc, sys or sys/fs/cgroup in it", file);
		return STATUS_FAILED;
	}
	archive->root =
		memory_format("%s/%s/%s", directory, temporary_name(archive->temporary), tree);
	free(tree);
	return 0;
}

int sysroot_archive_open(const char *file, struct sysroot_archive **ret)
{
	const char *directory = getenv("TMPDIR");
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), status;
	struct sysroot_archive *archive;

	if (fd < 0) {
		message("cannot open %s: %s", file, strerror(errno));
		return STATUS_FAILED;
	}
	archive = memory_zeroed(1, sizeof(*archive));
	status = unpack(file, fd, directory && *directory ? directory : "/tmp", archive);
	close(fd);
	if (status)
		sysroot_archive_close(archive);
	else
		*ret = archive;
	return status;
}

const char *sysroot_archive_root(const struct sysroot_archive *archive)
{
	return archive->root;
}

struct sysroot_archive *sysroot_archive_close(struct sysroot_archive *archive)
{
	if (!archive)
		return NULL;
	temporary_remove(archive->temporary);
	free(archive->root);
	free(archive);
	return NULL;
}

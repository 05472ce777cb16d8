/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "beneath.h"

#define DEPTH_MAX 64

bool beneath_is_safe(const char *path)
{
	if (strlen(path) >= PATH_MAX)
		return false;
	for (int depth = 1; depth <= DEPTH_MAX; depth++) {
		size_t length = strcspn(path, "/");

		if (!length || length > NAME_MAX || (length == 1 && path[0] == '.') ||
		    (length == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += length;
		if (!*path++)
			return true;
	}
	return false;
}

/* The directory @name of @at, made when it is not there. Takes @at over unless it is @root. */
static int descend(int root, int at, const char *name)
{
	int fd = -1, error;

	if (!mkdirat(at, name, 0700) || errno == EEXIST)
		fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	error = -errno;
	if (at != root)
		close(at);
	return fd < 0 ? error : fd;
}

/* The directory that holds the last component, which *ret becomes. @root itself may be returned. */
static int open_parent(int root, const char *path, char ret[NAME_MAX + 1])
{
	int at = root;

	if (!beneath_is_safe(path))
		return -EINVAL;
	for (;;) {
		size_t length = strcspn(path, "/");

		memcpy(ret, path, length);
		ret[length] = '\0';
		if (!path[length])
			return at;
		at = descend(root, at, ret);
		if (at < 0)
			return at;
		path += length + 1;
	}
}

int beneath_make_directory(int root, const char *path)
{
	char name[NAME_MAX + 1];
	int at = open_parent(root, path, name);

	if (at >= 0)
		at = descend(root, at, name);
	if (at < 0)
		return at;
	close(at);
	return 0;
}

int beneath_create(int root, const char *path)
{
	char name[NAME_MAX + 1];
	int at = open_parent(root, path, name), fd, error;

	if (at < 0)
		return at;
	fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	error = -errno;
	if (at != root)
		close(at);
	return fd < 0 ? error : fd;
}

int beneath_write(int fd, const void *data, size_t size)
{
	const char *p = data;

	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		size -= (size_t)n;
	}
	return 0;
}

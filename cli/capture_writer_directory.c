/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "beneath.h"
#include "capture_writer.h"
#include "memory.h"
#include "temporary.h"

struct directory_writer {
	struct capture_writer writer; /* first: what the caller holds leads back here */
	struct temporary *temporary;
	int fd; /* of the temporary */
	char *name;
};

static struct directory_writer *own(struct capture_writer *writer)
{
	return (struct directory_writer *)writer;
}

static int add_directory(struct capture_writer *writer, const char *path)
{
	return beneath_make_directory(own(writer)->fd, path);
}

static int add_file(struct capture_writer *writer, const char *path, const void *data, size_t size)
{
	int fd = beneath_create(own(writer)->fd, path), error;

	if (fd < 0)
		return fd;
	error = beneath_write(fd, data, size);
	if (close(fd) && !error)
		error = -errno;
	return error;
}

static void release(struct directory_writer *directory)
{
	free(directory->name);
	free(directory);
}

static int finish(struct capture_writer *writer)
{
	struct directory_writer *directory = own(writer);
	int error = temporary_keep(directory->temporary, directory->name);

	if (!error)
		release(directory);
	return error;
}

static void discard(struct capture_writer *writer)
{
	struct directory_writer *directory = own(writer);

	temporary_remove(directory->temporary);
	release(directory);
}

static bool is_empty(const char *path)
{
	DIR *stream = opendir(path);
	const struct dirent *entry = NULL;

	while (stream && (entry = readdir(stream)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			break;
	if (stream)
		closedir(stream);
	return stream && !entry;
}

/* An empty directory may be replaced, under its real name, unless we stand in it. */
static int check_existing(const char *target, char **ret)
{
	struct stat here, there;

	if (stat(target, &there))
		return -EEXIST; /* a link that leads nowhere */
	if (!S_ISDIR(there.st_mode))
		return -ENOTDIR;
	if (!is_empty(target))
		return -ENOTEMPTY;
	if (!stat(".", &here) && here.st_dev == there.st_dev && here.st_ino == there.st_ino)
		return -EBUSY;
	*ret = realpath(target, NULL);
	return *ret ? 0 : -errno;
}

int capture_writer_directory(const char *target, struct capture_writer **ret)
{
	struct directory_writer *directory;
	struct capture_place place;
	struct stat there;
	char *real = NULL, *stem;
	int error = lstat(target, &there) ? 0 : check_existing(target, &real);

	if (!error)
		error = capture_place_open(real ? real : target, &place);
	free(real);
	if (error)
		return error;
	directory = memory_zeroed(1, sizeof(*directory));
	directory->writer = (struct capture_writer){ add_directory, add_file, finish, discard };
	directory->name = memory_copy(place.name);
	stem = memory_format(".%s.thpstat-capture-", place.name);
	error = temporary_directory(place.parent, stem, &directory->temporary, &directory->fd);
	free(stem);
	if (error) {
		release(directory);
		return error;
	}
	*ret = &directory->writer;
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "beneath.h"
#include "capture_writer.h"
#include "memory.h"
#include "tarball.h"
#include "temporary.h"

struct packer {
	struct capture_writer writer; /* first: what the caller holds leads back here */
	struct temporary *temporary;
	struct tarball_writer *archive; /* NULL once it is closed */
	char *name;
	char *top; /* the directory of its name that all is in */
};

static struct packer *own(struct capture_writer *writer)
{
	return (struct packer *)writer;
}

static int add_directory(struct capture_writer *writer, const char *path)
{
	struct packer *packer = own(writer);
	char *below = memory_format("%s/%s", packer->top, path);
	int error =
		beneath_is_safe(below) ? tarball_add_directory(packer->archive, below) : -EINVAL;

	free(below);
	return error;
}

static int add_file(struct capture_writer *writer, const char *path, const void *data, size_t size)
{
	struct packer *packer = own(writer);
	char *below = memory_format("%s/%s", packer->top, path);
	int error = beneath_is_safe(below) ? tarball_add_file(packer->archive, below, data, size)
					   : -EINVAL;

	free(below);
	return error;
}

static void release(struct packer *packer)
{
	free(packer->name);
	free(packer->top);
	free(packer);
}

static int finish(struct capture_writer *writer)
{
	struct packer *packer = own(writer);
	int error = tarball_writer_close(packer->archive);

	packer->archive = NULL;
	if (!error)
		error = temporary_keep(packer->temporary, packer->name);
	if (!error)
		release(packer);
	return error;
}

static void discard(struct capture_writer *writer)
{
	struct packer *packer = own(writer);

	tarball_writer_close(packer->archive);
	temporary_remove(packer->temporary);
	release(packer);
}

/* "host.tar.gz" has all in "host". */
static char *top_directory(const char *name)
{
	char *top = memory_copy(name);
	size_t length = strlen(top);

	length -= length > 7 && !strcmp(top + length - 7, ".tar.gz") ? 7 : 4;
	top[length] = '\0';
	if (!beneath_is_safe(top)) {
		free(top);
		top = memory_copy("capture");
	}
	return top;
}

static int open_archive(struct packer *packer, struct capture_place *place)
{
	char *stem = memory_format(".%s.thpstat-capture-", place->name);
	int fd, error = temporary_file(place->parent, stem, &packer->temporary, &fd);

	free(stem);
	if (error)
		return error;
	error = tarball_writer_open(fd, &packer->archive);
	if (error)
		packer->temporary = temporary_remove(packer->temporary);
	return error;
}

int capture_writer_archive(const char *target, struct capture_writer **ret)
{
	struct capture_place place;
	struct packer *packer;
	int error = faccessat(AT_FDCWD, target, F_OK, AT_SYMLINK_NOFOLLOW) ? 0 : -EEXIST;

	if (!error)
		error = capture_place_open(target, &place);
	if (error)
		return error;
	packer = memory_zeroed(1, sizeof(*packer));
	packer->writer = (struct capture_writer){ add_directory, add_file, finish, discard };
	packer->name = memory_copy(place.name);
	packer->top = top_directory(place.name);
	error = open_archive(packer, &place);
	if (!error)
		error = tarball_add_directory(packer->archive, packer->top);
	if (error) {
		if (packer->temporary)
			discard(&packer->writer);
		else
			release(packer);
		return error;
	}
	*ret = &packer->writer;
	return 0;
}

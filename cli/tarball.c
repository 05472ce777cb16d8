/* SPDX-License-Identifier: MIT */
/* The only file that knows libarchive. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "beneath.h"
#include "lazy_library.h"
#include "memory.h"
#include "tarball.h"

#define BLOCK 65536

/* clang-format off */
#define LIBARCHIVE(each) \
	each(archive_entry_filetype) \
	each(archive_entry_free) \
	each(archive_entry_hardlink) \
	each(archive_entry_new) \
	each(archive_entry_pathname) \
	each(archive_entry_set_filetype) \
	each(archive_entry_set_mtime) \
	each(archive_entry_set_pathname) \
	each(archive_entry_set_perm) \
	each(archive_entry_set_size) \
	each(archive_entry_size) \
	each(archive_errno) \
	each(archive_read_data) \
	each(archive_read_free) \
	each(archive_read_new) \
	each(archive_read_next_header) \
	each(archive_read_open_fd) \
	each(archive_read_support_filter_gzip) \
	each(archive_read_support_format_tar) \
	each(archive_write_add_filter_gzip) \
	each(archive_write_close) \
	each(archive_write_data) \
	each(archive_write_finish_entry) \
	each(archive_write_free) \
	each(archive_write_header) \
	each(archive_write_new) \
	each(archive_write_open_fd) \
	each(archive_write_set_format_pax_restricted) \
	each(archive_write_set_options)
/* clang-format on */

LAZY_LIBRARY(libarchive, LIBARCHIVE_SONAME, LIBARCHIVE)

/* What libarchive says went wrong; its own numbers are no errnos. */
static int error_of(struct archive *archive, int otherwise)
{
	int error = libarchive.archive_errno(archive);

	switch (error) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
	case EIO:
	case EPIPE:
	case ENOMEM:
		return -error;
	default:
		return otherwise;
	}
}

/* Writing */

struct tarball_writer {
	struct archive *archive;
	time_t time;
};

int tarball_writer_open(int fd, struct tarball_writer **ret)
{
	struct archive *archive;
	int error;

	libarchive_load();
	archive = libarchive.archive_write_new();
	if (!archive)
		memory_exhausted();
	/* names are bytes, whatever the locale; tar as every tar reads it, where that can be */
	if (libarchive.archive_write_add_filter_gzip(archive) != ARCHIVE_OK ||
	    libarchive.archive_write_set_format_pax_restricted(archive) != ARCHIVE_OK ||
	    libarchive.archive_write_set_options(archive, "hdrcharset=BINARY") != ARCHIVE_OK ||
	    libarchive.archive_write_open_fd(archive, fd) != ARCHIVE_OK) {
		error = error_of(archive, -EIO);
		libarchive.archive_write_free(archive);
		return error;
	}
	*ret = memory_zeroed(1, sizeof(**ret));
	(*ret)->archive = archive;
	(*ret)->time = time(NULL);
	return 0;
}

static int add(struct tarball_writer *writer, const char *path, unsigned int type,
	       unsigned int mode, const void *data, size_t size)
{
	struct archive_entry *entry = libarchive.archive_entry_new();
	int error = 0;

	if (!entry)
		memory_exhausted();
	libarchive.archive_entry_set_pathname(entry, path);
	libarchive.archive_entry_set_filetype(entry, type);
	libarchive.archive_entry_set_perm(entry, mode);
	libarchive.archive_entry_set_size(entry, (la_int64_t)size);
	libarchive.archive_entry_set_mtime(entry, writer->time, 0);
	if (libarchive.archive_write_header(writer->archive, entry) < ARCHIVE_WARN ||
	    (size &&
	     libarchive.archive_write_data(writer->archive, data, size) != (la_ssize_t)size) ||
	    libarchive.archive_write_finish_entry(writer->archive) < ARCHIVE_WARN)
		error = error_of(writer->archive, -EIO);
	libarchive.archive_entry_free(entry);
	return error;
}

int tarball_add_directory(struct tarball_writer *writer, const char *path)
{
	return add(writer, path, AE_IFDIR, 0700, NULL, 0);
}

int tarball_add_file(struct tarball_writer *writer, const char *path, const void *data, size_t size)
{
	return add(writer, path, AE_IFREG, 0600, data, size);
}

int tarball_writer_close(struct tarball_writer *writer)
{
	int error = 0;

	if (!writer)
		return 0;
	if (libarchive.archive_write_close(writer->archive) != ARCHIVE_OK)
		error = error_of(writer->archive, -EIO);
	libarchive.archive_write_free(writer->archive);
	free(writer);
	return error;
}

/* Reading */

static int copy_data(struct archive *archive, int fd, uint64_t *room)
{
	char block[BLOCK];

	for (;;) {
		la_ssize_t n = libarchive.archive_read_data(archive, block, sizeof(block));
		int error;

		if (n < 0)
			return error_of(archive, -EBADMSG);
		if (!n)
			return 0;
		if ((uint64_t)n > *room)
			return -EFBIG;
		*room -= (uint64_t)n;
		error = beneath_write(fd, block, (size_t)n);
		if (error)
			return error;
	}
}

static int unpack_file(struct archive *archive, struct archive_entry *entry, int root,
		       const char *path, uint64_t *room)
{
	int fd, error;

	/* no need to wait for it to arrive */
	if (libarchive.archive_entry_size(entry) < 0 ||
	    (uint64_t)libarchive.archive_entry_size(entry) > *room)
		return -EFBIG;
	fd = beneath_create(root, path);
	if (fd < 0)
		return fd;
	error = copy_data(archive, fd, room);
	if (close(fd) && !error)
		error = -errno;
	return error;
}

/* "./proc/12/" is "proc/12". What stays unsafe is refused by whoever makes it. */
static char *plain_path(const char *path)
{
	char *plain;
	size_t length;

	while (path[0] == '.' && path[1] == '/')
		path += 2 + strspn(path + 2, "/");
	plain = memory_copy(path);
	length = strlen(plain);
	while (length > 1 && plain[length - 1] == '/')
		plain[--length] = '\0';
	return plain;
}

static int unpack_entry(struct archive *archive, struct archive_entry *entry, int root,
			uint64_t *room)
{
	const char *name = libarchive.archive_entry_pathname(entry);
	unsigned int type = libarchive.archive_entry_filetype(entry);
	char *path;
	int error = 0;

	if (!name)
		return -EBADMSG;
	/* a link to a file that came before has its type */
	if ((type != AE_IFREG && type != AE_IFDIR) || libarchive.archive_entry_hardlink(entry))
		return 0;
	path = plain_path(name);
	if (type == AE_IFDIR && (!*path || !strcmp(path, ".")))
		error = 0;
	else if (!beneath_is_safe(path))
		error = -EBADMSG;
	else if (type == AE_IFDIR)
		error = beneath_make_directory(root, path);
	else
		error = unpack_file(archive, entry, root, path, room);
	free(path);
	/* something else of this name came before */
	return error == -EEXIST || error == -ENOTDIR || error == -EISDIR ? -EBADMSG : error;
}

static int unpack(struct archive *archive, int root, const struct tarball_limits *limits)
{
	uint64_t room = limits->bytes;

	for (uint64_t n = 0;; n++) {
		struct archive_entry *entry;
		int result = libarchive.archive_read_next_header(archive, &entry), error;

		if (result == ARCHIVE_EOF)
			return 0;
		if (result < ARCHIVE_WARN)
			return error_of(archive, -EBADMSG);
		if (n == limits->entries)
			return -EFBIG;
		error = unpack_entry(archive, entry, root, &room);
		if (error)
			return error;
	}
}

int tarball_unpack(int fd, int root, const struct tarball_limits *limits)
{
	struct archive *archive;
	int error;

	libarchive_load();
	archive = libarchive.archive_read_new();
	if (!archive)
		memory_exhausted();
	if (libarchive.archive_read_support_filter_gzip(archive) < ARCHIVE_WARN ||
	    libarchive.archive_read_support_format_tar(archive) < ARCHIVE_WARN ||
	    libarchive.archive_read_open_fd(archive, fd, BLOCK) != ARCHIVE_OK)
		error = error_of(archive, -EBADMSG);
	else
		error = unpack(archive, root, limits);
	libarchive.archive_read_free(archive);
	return error;
}

/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "temporary.h"

/* A capture, and the unpacked archive that it may be taken from. */
#define TEMPORARIES_MAX 2

/* Deeper than beneath.c makes them. */
#define DEPTH_MAX 80

struct temporary {
	volatile sig_atomic_t used;
	bool is_directory;
	int parent;
	int fd;
	char name[NAME_MAX + 1];
};

static struct temporary temporaries[TEMPORARIES_MAX];

static void remove_entry(int parent, const char *name, int depth);

/* One pass over a directory: was something found? */
static bool remove_entries(int fd, int depth)
{
	_Alignas(struct dirent64) char buffer[2048];
	bool found = false;
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	while ((n = getdents64(fd, buffer, sizeof(buffer))) > 0) {
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(buffer + at);

			at += entry->d_reclen;
			if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
				continue;
			remove_entry(fd, entry->d_name, depth + 1);
			found = true;
		}
	}
	return found;
}

/* A file, or a directory with all that is in it. */
static void remove_entry(int parent, const char *name, int depth)
{
	int fd;

	if (!unlinkat(parent, name, 0) || errno != EISDIR || depth > DEPTH_MAX)
		return;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	/* entries may be passed over while others are removed */
	for (int pass = 0; pass < 8 && remove_entries(fd, depth); pass++)
		;
	close(fd);
	unlinkat(parent, name, AT_REMOVEDIR);
}

void temporary_remove_all(void)
{
	for (int i = 0; i < TEMPORARIES_MAX; i++)
		if (temporaries[i].used)
			remove_entry(temporaries[i].parent, temporaries[i].name, 0);
}

static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ };

static void remove_and_end(int number)
{
	int error = errno;

	temporary_remove_all();
	/* the handler was a single one: this ends the program as soon as it returns */
	raise(number);
	errno = error;
}

static void watch_signals(void)
{
	struct sigaction action = {
		.sa_handler = remove_and_end,
		.sa_flags = (int)SA_RESETHAND,
	}, old;

	atexit(temporary_remove_all);
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(fatal_signals) / sizeof(fatal_signals[0]); i++)
		if (!sigaction(fatal_signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(fatal_signals[i], &action, NULL);
}

static void letters(char text[7])
{
	static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	unsigned char random[6] = { 0 };

	if (getrandom(random, sizeof(random), 0) < 0)
		random[0] = (unsigned char)getpid();
	for (int i = 0; i < 6; i++)
		text[i] = alphabet[random[i] % (sizeof(alphabet) - 1)];
	text[6] = '\0';
}

static int make(struct temporary *temporary)
{
	if (!temporary->is_directory)
		return openat(temporary->parent, temporary->name,
			      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (mkdirat(temporary->parent, temporary->name, 0700))
		return -1;

	int fd = openat(temporary->parent, temporary->name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int error = errno;

	if (fd < 0)
		unlinkat(temporary->parent, temporary->name, AT_REMOVEDIR);
	errno = error;
	return fd;
}

/* Signals wait, so that there is no moment at which it is there and not known. */
static int make_known(struct temporary *temporary, const char *stem)
{
	sigset_t all, before;
	char tail[7];
	int error = 0;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	for (int tries = 0; tries < 100; tries++) {
		letters(tail);
		snprintf(temporary->name, sizeof(temporary->name), "%.240s%s", stem, tail);
		temporary->fd = make(temporary);
		error = temporary->fd < 0 ? -errno : 0;
		if (error != -EEXIST)
			break;
	}
	temporary->used = !error;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return error;
}

static int create(int parent, const char *stem, bool is_directory, struct temporary **ret,
		  int *ret_fd)
{
	struct temporary *temporary = temporaries;
	int error = -EMFILE;

	while (temporary < temporaries + TEMPORARIES_MAX && temporary->used)
		temporary++;
	if (temporary < temporaries + TEMPORARIES_MAX) {
		watch_signals();
		temporary->is_directory = is_directory;
		temporary->parent = parent;
		error = make_known(temporary, stem);
	}
	if (error) {
		close(parent);
		return error;
	}
	*ret = temporary;
	*ret_fd = temporary->fd;
	return 0;
}

int temporary_directory(int parent, const char *stem, struct temporary **ret, int *ret_fd)
{
	return create(parent, stem, true, ret, ret_fd);
}

int temporary_file(int parent, const char *stem, struct temporary **ret, int *ret_fd)
{
	return create(parent, stem, false, ret, ret_fd);
}

const char *temporary_name(const struct temporary *temporary)
{
	return temporary->name;
}

static void forget(struct temporary *temporary)
{
	temporary->used = false;
	close(temporary->fd);
	close(temporary->parent);
}

/* Not every file system can refuse to replace by itself. */
static int rename_to_new(const struct temporary *temporary, const char *name)
{
	if (!renameat2(temporary->parent, temporary->name, temporary->parent, name,
		       RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (!faccessat(temporary->parent, name, F_OK, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	return renameat(temporary->parent, temporary->name, temporary->parent, name) ? -errno : 0;
}

int temporary_keep(struct temporary *temporary, const char *name)
{
	int error;

	if (!temporary->is_directory)
		error = fsync(temporary->fd) && errno != EINVAL ? -errno
								: rename_to_new(temporary, name);
	else
		error = renameat(temporary->parent, temporary->name, temporary->parent, name)
				? -errno
				: 0;
	if (!error)
		forget(temporary);
	return error;
}

struct temporary *temporary_remove(struct temporary *temporary)
{
	if (!temporary)
		return NULL;
	remove_entry(temporary->parent, temporary->name, 0);
	forget(temporary);
	return NULL;
}

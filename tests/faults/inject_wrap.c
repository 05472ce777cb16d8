/* SPDX-License-Identifier: MIT */
/*
 * For programs that link with -Wl,--wrap of each of these functions. Meson asks for large files, so
 * some have names that end in 64.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "inject.h"

/* Names that the linker makes. */
#define WRAPPED(type, name, ...)                                                                   \
	type __real_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__)

static long outstanding;
static bool is_live;

long inject_outstanding(void)
{
	long n = outstanding;

	outstanding = 0;
	return n;
}

void inject_live(bool live)
{
	is_live = live;
}

static bool fails(enum inject_kind kind)
{
	int error;

	if (!inject_here(kind, &error))
		return false;
	errno = error;
	return true;
}

static void *counted(void *memory)
{
	outstanding += memory != NULL;
	return memory;
}

WRAPPED(void *, malloc, size_t size)
{
	return fails(INJECT_ALLOCATION) ? NULL : counted(__real_malloc(size));
}

WRAPPED(void *, calloc, size_t n, size_t size)
{
	return fails(INJECT_ALLOCATION) ? NULL : counted(__real_calloc(n, size));
}

WRAPPED(void *, reallocarray, void *old, size_t n, size_t size)
{
	if (fails(INJECT_ALLOCATION))
		return NULL;
	return old ? __real_reallocarray(old, n, size) : counted(__real_reallocarray(old, n, size));
}

WRAPPED(char *, strdup, const char *text)
{
	return fails(INJECT_ALLOCATION) ? NULL : counted(__real_strdup(text));
}

WRAPPED(void, free, void *memory)
{
	outstanding -= memory != NULL;
	__real_free(memory);
}

WRAPPED(ssize_t, read, int fd, void *buffer, size_t size)
{
	int error;

	if (!inject_here(INJECT_READ, &error))
		return __real_read(fd, buffer, size);
	if (error == INJECT_SHORT)
		return __real_read(fd, buffer, size ? 1 : 0);
	errno = error;
	return -1;
}

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags);

int __wrap_open64(const char *path, int flags)
{
	return fails(INJECT_OPEN) ? -1 : __real_open64(path, flags);
}

int __real_openat64(int at, const char *path, int flags, ...);
int __wrap_openat64(int at, const char *path, int flags);

int __wrap_openat64(int at, const char *path, int flags)
{
	return fails(INJECT_OPEN) ? -1 : __real_openat64(at, path, flags);
}

/* The library makes one such call: openat2. */
WRAPPED(long, syscall, long number, long at, const char *path, void *how, size_t size)
{
	if (number == SYS_openat2 && fails(INJECT_OPEN))
		return -1;
	return __real_syscall(number, at, path, how, size);
}

int __real_fcntl64(int fd, int command, ...);
int __wrap_fcntl64(int fd, int command, int argument);

int __wrap_fcntl64(int fd, int command, int argument)
{
	int error;

	/* a descriptor too, but nothing that a signal interrupts */
	if (command == F_DUPFD_CLOEXEC && inject_here(INJECT_OPEN, &error) && error != EINTR) {
		errno = error;
		return -1;
	}
	return __real_fcntl64(fd, command, argument);
}

WRAPPED(DIR *, fdopendir, int fd)
{
	return fails(INJECT_LIST) ? NULL : __real_fdopendir(fd);
}

WRAPPED(struct dirent *, readdir64, DIR *stream)
{
	return fails(INJECT_LIST) ? NULL : __real_readdir64(stream);
}

WRAPPED(int, fstatfs64, int fd, struct statfs *ret)
{
	int result = __real_fstatfs64(fd, ret);

	if (!result && is_live)
		ret->f_type = PROC_SUPER_MAGIC;
	return result;
}

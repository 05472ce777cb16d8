/* SPDX-License-Identifier: MIT */
/*
 * Stands between thpstat and libc by LD_PRELOAD; see inject_preload.h.
 *
 * INJECT_ALLOCATION is one of everybody, the C library and those that are loaded included. All else
 * is of thpstat and its library alone.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject.h"
#include "inject_preload.h"

#define VISIBLE __attribute__((visibility("default")))

/* What the GNU C library's own names stand for. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static ssize_t (*real_read)(int fd, void *buffer, size_t size);
static int (*real_open)(const char *path, int flags, ...);
static int (*real_openat)(int at, const char *path, int flags, ...);
static long (*real_syscall)(long number, ...);
static DIR *(*real_fdopendir)(int fd);
static struct dirent64 *(*real_readdir)(DIR *stream);

/* Shared with the process that waits; NULL there, where nothing fails. */
static int *fired;

/* A run takes milliseconds; what takes longer hangs. */
#define SECONDS 20

/* Where thpstat and its library are in memory. */
static struct {
	uintptr_t start;
	uintptr_t end;
} own[2];

static int find_own(struct dl_phdr_info *info, size_t size, void *userdata)
{
	size_t *n = userdata;
	/* the program itself comes first, and has no name */
	int is_own = !*n || strstr(info->dlpi_name, "libthpstat.so");

	(void)size;
	for (int i = 0; is_own && *n < 2 && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
			continue;
		own[*n].start = info->dlpi_addr + part->p_vaddr;
		own[*n].end = own[*n].start + part->p_memsz;
		(*n)++;
		break;
	}
	return 0;
}

static bool is_own(const void *address)
{
	uintptr_t at = (uintptr_t)address;

	return (at >= own[0].start && at < own[0].end) || (at >= own[1].start && at < own[1].end);
}

static void resolve(const char *name, void *pointer)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		abort();
	memcpy(pointer, &function, sizeof(function));
}

static int *shared_int(void)
{
	void *memory =
		mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		abort();
	return memory;
}

/* Returns in a child, which then begins. */
static void serve(int in, int out)
{
	int *shared = shared_int();
	struct inject inject;

	while (real_read(in, &inject, sizeof(inject)) == sizeof(inject)) {
		struct inject_end end;
		pid_t child;

		*shared = 0;
		child = fork();
		if (!child) {
			close(in);
			close(out);
			alarm(SECONDS);
			fired = shared;
			inject_arm(inject);
			return;
		}
		if (child < 0 || waitpid(child, &end.status, 0) != child)
			abort();
		end.fired = *shared;
		if (write(out, &end, sizeof(end)) != sizeof(end))
			abort();
	}
	_exit(0);
}

__attribute__((constructor)) static void begin(void)
{
	const char *pipes = getenv(INJECT_PIPES);
	size_t n = 0;
	int in, out;

	resolve("read", &real_read);
	resolve("open64", &real_open);
	resolve("openat64", &real_openat);
	resolve("syscall", &real_syscall);
	resolve("fdopendir", &real_fdopendir);
	resolve("readdir64", &real_readdir);
	dl_iterate_phdr(find_own, &n);
	if (!pipes || sscanf(pipes, "%d %d", &in, &out) != 2)
		abort();
	unsetenv(INJECT_PIPES);
	unsetenv("LD_PRELOAD");
	serve(in, out);
}

static bool fails(enum inject_kind kind, const void *caller, int *ret_error)
{
	bool now;

	if (!fired || (kind != INJECT_ALLOCATION && !is_own(caller)))
		return false;
	now = inject_here(kind, ret_error);
	if (now)
		*fired = 1;
	return now;
}

/* The common case: the call fails with the error. */
#define FAILS(kind)                                                                                \
	({                                                                                         \
		int error_;                                                                        \
		bool fails_ = fails(kind, __builtin_return_address(0), &error_);                   \
                                                                                                   \
		if (fails_)                                                                        \
			errno = error_;                                                            \
		fails_;                                                                            \
	})

#define ALLOCATION_FAILS() (FAILS(INJECT_ALLOCATION) || FAILS(INJECT_OWN_ALLOCATION))

VISIBLE void *malloc(size_t size)
{
	return ALLOCATION_FAILS() ? NULL : __libc_malloc(size);
}

VISIBLE void *calloc(size_t n, size_t size)
{
	return ALLOCATION_FAILS() ? NULL : __libc_calloc(n, size);
}

VISIBLE void *realloc(void *old, size_t size)
{
	return ALLOCATION_FAILS() ? NULL : __libc_realloc(old, size);
}

VISIBLE ssize_t read(int fd, void *buffer, size_t size)
{
	int error;

	if (!fails(INJECT_READ, __builtin_return_address(0), &error))
		return real_read(fd, buffer, size);
	if (error == INJECT_SHORT)
		return real_read(fd, buffer, size ? 1 : 0);
	errno = error;
	return -1;
}

VISIBLE int open64(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode = 0;

	va_start(arguments, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return FAILS(INJECT_OPEN) ? -1 : real_open(path, flags, mode);
}

VISIBLE int openat64(int at, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode = 0;

	va_start(arguments, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return FAILS(INJECT_OPEN) ? -1 : real_openat(at, path, flags, mode);
}

VISIBLE long syscall(long number, ...)
{
	long arguments[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_openat2 && FAILS(INJECT_OPEN))
		return -1;
	return real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
			    arguments[4], arguments[5]);
}

VISIBLE DIR *fdopendir(int fd)
{
	return FAILS(INJECT_LIST) ? NULL : real_fdopendir(fd);
}

VISIBLE struct dirent64 *readdir64(DIR *stream)
{
	return FAILS(INJECT_LIST) ? NULL : real_readdir(stream);
}

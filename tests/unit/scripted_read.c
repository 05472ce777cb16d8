/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <sys/types.h>

#include "scripted_read.h"

/* Names that the linker makes. */
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __wrap_read(int fd, void *buffer, size_t size);

static struct {
	size_t first;
	size_t others;
	unsigned long error_at;
	int error;
	int interrupt;
	unsigned long count;
} script;

void scripted_read_plain(void)
{
	script = (typeof(script)){ 0 };
}

void scripted_read_pieces(size_t first, size_t others)
{
	scripted_read_plain();
	script.first = first;
	script.others = others;
}

void scripted_read_error(unsigned long number, int error)
{
	scripted_read_plain();
	script.error_at = number;
	script.error = error;
}

void scripted_read_interrupt(void)
{
	scripted_read_plain();
	script.interrupt = 1;
}

unsigned long scripted_read_count(void)
{
	return script.count;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	size_t limit = script.count++ ? script.others : script.first;

	if (script.count == script.error_at) {
		errno = script.error;
		return -1;
	}
	if (script.interrupt && script.count % 2) {
		errno = EINTR;
		return -1;
	}
	return __real_read(fd, buffer, limit && limit < size ? limit : size);
}

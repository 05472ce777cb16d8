/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/types.h>

#include "feed.h"

/* Names that the linker makes. */
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __wrap_read(int fd, void *buffer, size_t size);

static struct {
	const char *text;
	size_t rest;
	size_t limit;
	size_t next_limit;
} fed;

void feed(const char *text, size_t size, size_t first, size_t others)
{
	fed.text = text;
	fed.rest = size;
	fed.limit = first;
	fed.next_limit = others;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	if (fd != FEED_FD)
		return __real_read(fd, buffer, size);
	if (fed.limit && fed.limit < size)
		size = fed.limit;
	if (fed.rest < size)
		size = fed.rest;
	fed.limit = fed.next_limit;
	if (!size)
		return 0;
	memcpy(buffer, fed.text, size);
	fed.text += size;
	fed.rest -= size;
	return (ssize_t)size;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "capture_writer.h"

int capture_place_open(const char *target, struct capture_place *ret)
{
	size_t length = strlen(target), start;
	char parent[PATH_MAX];

	while (length > 1 && target[length - 1] == '/')
		length--;
	start = length;
	while (start && target[start - 1] != '/')
		start--;
	if (start == length)
		return length ? -EEXIST : -ENOENT; /* "/" or nothing at all */
	if (length - start > NAME_MAX || start + 2 > sizeof(parent))
		return -ENAMETOOLONG;
	memcpy(ret->name, target + start, length - start);
	ret->name[length - start] = '\0';
	memcpy(parent, target, start);
	/* "name" lies in ".", "/name" in "/." */
	strcpy(parent + start, ".");
	ret->parent = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return ret->parent < 0 ? -errno : 0;
}

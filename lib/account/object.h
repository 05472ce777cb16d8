/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_OBJECT_H
#define LIB_ACCOUNT_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include <thpstat/mapping.h>

#include "account/usage.h"

/*
 * What the name of a mapping says of the object behind it. On the kernel's internal tmpfs mount a
 * System V segment has its id as inode number, which may also be that of a memfd; memfds and
 * shared anonymous memory draw theirs from one counter.
 */
enum object_name {
	OBJECT_NAME_NONE = 0,  /* no object: inode 0 */
	OBJECT_NAME_FILE = 1,  /* a path, or a name that says nothing */
	OBJECT_NAME_SHMEM = 2, /* memfd, /dev/zero, [anon_shmem:...], graphics buffer */
	OBJECT_NAME_SYSV = 3,
};

enum object_name object_name(const char *name, size_t length, uint64_t inode);

/* What is known of the device of a mapping's file. */
enum object_device {
	OBJECT_DEVICE_UNKNOWN,
	OBJECT_DEVICE_SHMEM, /* tmpfs */
	OBJECT_DEVICE_OTHER,
};

/*
 * The class of a mapping, from its name, its device and its figures. *sure is 0 when the file could
 * as well be shared memory, for all that is known.
 */
enum thpstat_class object_class(enum object_name name, enum object_device device,
				unsigned int flags, const struct thpstat_usage *usage, int *sure);

struct thpstat_object_key object_key(uint32_t major, uint32_t minor, uint64_t inode,
				     enum object_name name);

#endif

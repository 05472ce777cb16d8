/* SPDX-License-Identifier: MIT */
#ifndef LIB_DEVICES_H
#define LIB_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include "account/object.h"
#include "source.h"

/*
 * Which devices are a tmpfs, from mountinfo. Device numbers are the same in all mount namespaces,
 * but a namespace lists only its own mounts: those of a process are looked at when one of its
 * mappings is on a device not seen before. Belongs to one walk; all zero at first.
 */
struct devices {
	struct device {
		uint64_t number; /* major << 32 | minor */
		enum object_device kind;
	} * list; /* ascending */
	size_t n;
	size_t room;
	int read_own;	  /* the reader's mounts were read */
	int read_process; /* those of the present process were read */
	int error;	  /* negative errno: mounts could not be read for want of memory or files */
};

/* A new process comes into view. */
static inline void devices_next_process(struct devices *devices)
{
	devices->read_process = devices->error = 0;
}

/*
 * @process is the directory of the process whose mapping is looked at. After an error an answer of
 * "unknown" is none; the next look tries again.
 */
enum object_device devices_find(struct devices *devices, struct thpstat *source,
				const struct directory *process, uint32_t major, uint32_t minor);

void devices_free(struct devices *devices);

#endif

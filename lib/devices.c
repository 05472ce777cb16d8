/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "parse/mountinfo.h"

static struct device *search(const struct devices *devices, uint64_t number)
{
	size_t low = 0, high = devices->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (devices->list[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return devices->list + low;
}

static int insert(struct devices *devices, uint64_t number, enum object_device kind)
{
	if (devices->n == devices->room) {
		size_t room = devices->room ? devices->room * 2 : 64;
		struct device *list = reallocarray(devices->list, room, sizeof(*list));

		if (!list)
			return -ENOMEM;
		devices->list = list;
		devices->room = room;
	}

	struct device *at = search(devices, number);
	size_t after = (size_t)(devices->list + devices->n - at);

	if (after && at->number == number)
		return 0;
	memmove(at + 1, at, after * sizeof(*at));
	*at = (struct device){ number, kind };
	devices->n++;
	return 0;
}

/* Takes @text over. */
static int add_mounts(struct devices *devices, char *text, size_t length)
{
	const char *end = text + length;
	int error = 0;

	for (const char *p = text; p < end && !error;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *eol = newline ? newline : end;
		struct mountinfo mount;

		if (!mountinfo_line(p, eol, &mount))
			error = insert(devices, (uint64_t)mount.major << 32 | mount.minor,
				       mountinfo_is_shmem(&mount) ? OBJECT_DEVICE_SHMEM
								  : OBJECT_DEVICE_OTHER);
		p = eol + 1;
	}
	free(text);
	return error;
}

/* Whether the mounts of the reader or of a process were read: *done; not when it was our fault. */
static void read_mounts(struct devices *devices, struct thpstat *source,
			const struct directory *process, int *done)
{
	size_t length;
	char *text;
	int error = process ? tree_read_file_alloc(&source->tree, process, "mountinfo",
						   MOUNTINFO_LIMIT, &text, &length)
			    : source_read_mountinfo(source, &text, &length);

	if (!error)
		error = add_mounts(devices, text, length);
	devices->error = is_shortage(error) ? error : 0;
	*done = !devices->error;
}

enum object_device devices_find(struct devices *devices, struct thpstat *source,
				const struct directory *process, uint32_t major, uint32_t minor)
{
	uint64_t number = (uint64_t)major << 32 | minor;

	devices->error = 0;
	for (;;) {
		const struct device *found = devices->n ? search(devices, number) : NULL;

		if (found && found < devices->list + devices->n && found->number == number)
			return found->kind;
		if (!devices->read_own)
			read_mounts(devices, source, NULL, &devices->read_own);
		else if (!devices->read_process)
			read_mounts(devices, source, process, &devices->read_process);
		else
			return OBJECT_DEVICE_UNKNOWN;
		if (devices->error)
			return OBJECT_DEVICE_UNKNOWN;
	}
}

void devices_free(struct devices *devices)
{
	free(devices->list);
	*devices = (struct devices){ 0 };
}

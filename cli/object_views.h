/* SPDX-License-Identifier: MIT */
#ifndef CLI_OBJECT_VIEWS_H
#define CLI_OBJECT_VIEWS_H

#include <stdbool.h>
#include <stddef.h>

#include <thpstat/thpstat.h>

/* The object that a process maps several times, with the most resident bytes in such mappings. */
struct object_views {
	char *name; /* raw; NULL when nothing is mapped more than once */
	enum thpstat_class class_;
	size_t times;  /* so often the same part of it is mapped, where most often */
	size_t others; /* objects beside it that are mapped more than once */
};

/*
 * Look at the mappings of the process a walk stands on, those with resident pages of an object.
 * *ret is to be freed with object_views_free(). Returns 0 or a negative errno.
 */
int object_views_read(const struct thpstat_process *process, struct object_views *ret);

/* "/memfd:heap", @between and "3 times", for people; to be freed. */
char *object_views_text(const struct object_views *views, const char *between);

void object_views_free(struct object_views *views);

#endif

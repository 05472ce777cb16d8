/* SPDX-License-Identifier: MIT */
#ifndef THPSTAT_OBJECT_H
#define THPSTAT_OBJECT_H

#include <stdint.h>

#include <thpstat/common.h>
#include <thpstat/mapping.h>
#include <thpstat/process.h>
#include <thpstat/source.h>
#include <thpstat/usage.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of thpstat_object.flags. */
/* its mappings have several names: it may be more than one object */
#define THPSTAT_OBJECT_NAMES_DIFFER (1u << 0)
/* the class is a guess: whether its device is a tmpfs could not be found out */
#define THPSTAT_OBJECT_CLASS_UNSURE (1u << 1)

/**
 * struct thpstat_object - what is behind mappings of one process: a file, shared memory, hugetlb
 * @key: as in the mappings, see struct thpstat_mapping
 * @class_: what its pages are; never THPSTAT_CLASS_ANON
 * @flags: THPSTAT_OBJECT_ bits
 * @page_source: what was asked about its pages, with THPSTAT_PROCESS_WANT_PAGES
 * @name: of its first mapping, as the kernel prints it, raw
 * @usage: its figures (THPSTAT_OF_OBJECT): THPSTAT_MAPPINGS and THPSTAT_SIZE of its mappings, and
 *	its own pages, without the copies that the process made of them: THPSTAT_RESIDENT and
 *	THPSTAT_HUGE with each mapping counted, THPSTAT_RESIDENT_ONCE and THPSTAT_HUGE_ONCE with
 *	each page counted once, as limits where that is not known
 *
 * Memory with no object behind it, anonymous memory first of all, is in no object.
 *
 * Kernel source: /proc/PID/smaps, and /proc/PID/pagemap where that was wanted.
 */
struct thpstat_object {
	struct thpstat_object_key key;
	enum thpstat_class class_;
	unsigned int flags;
	enum thpstat_page_source page_source;
	const char *name;
	const struct thpstat_usage *usage;
};

/* A list of the objects of one process. */
struct thpstat_objects;

/**
 * thpstat_objects_open_process - find the objects of the process a walk stands on
 * @process: the item last yielded by thpstat_processes_next()
 * @want: 0 or THPSTAT_PROCESS_WANT_PAGES
 * @ret: the list; independent of the walk over processes from here on
 *
 * Reads all mappings of the process, now.
 *
 * Return: 0; as thpstat_mappings_open() and thpstat_mappings_next(): an incomplete list is none;
 * -EAGAIN when mappings moved while they were read, so that some were seen twice.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_objects_open_process(const struct thpstat_process *process,
							   unsigned int want,
							   struct thpstat_objects **ret);

/**
 * thpstat_objects_next - the next object
 * @list: the list
 * @ret: borrowed until the next call on @list
 *
 * Return: 1 for an item, 0 at the end.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_objects_next(struct thpstat_objects *list,
						   const struct thpstat_object **ret);

/**
 * thpstat_objects_close - give a list back
 * @list: may be NULL
 *
 * Return: NULL.
 */
THPSTAT_API struct thpstat_objects *thpstat_objects_close(struct thpstat_objects *list);

#ifdef __cplusplus
}
#endif
#endif

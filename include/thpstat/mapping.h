/* SPDX-License-Identifier: MIT */
#ifndef THPSTAT_MAPPING_H
#define THPSTAT_MAPPING_H

#include <stdint.h>

#include <thpstat/common.h>
#include <thpstat/process.h>
#include <thpstat/source.h>
#include <thpstat/usage.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum thpstat_class - what the pages of a mapping that are not its own private copies belong to
 * @THPSTAT_CLASS_ANON: no file behind it
 * @THPSTAT_CLASS_SHMEM: tmpfs, memfd, System V or shared anonymous memory
 * @THPSTAT_CLASS_FILE: page cache of an ordinary file, or device pages
 * @THPSTAT_CLASS_HUGETLB: hugetlb pages
 */
enum thpstat_class {
	THPSTAT_CLASS_ANON = 1,
	THPSTAT_CLASS_SHMEM = 2,
	THPSTAT_CLASS_FILE = 3,
	THPSTAT_CLASS_HUGETLB = 4,
	THPSTAT_CLASS_FORCE_INT = 0x7fffffff
};

/* Bits of thpstat_mapping.flags; from the permissions and VmFlags. */
#define THPSTAT_MAPPING_READ (1u << 0)
#define THPSTAT_MAPPING_WRITE (1u << 1)
#define THPSTAT_MAPPING_EXEC (1u << 2)
#define THPSTAT_MAPPING_SHARED (1u << 3)
/* VmFlags were printed; without it nothing is known of the bits below */
#define THPSTAT_MAPPING_HAS_VMFLAGS (1u << 4)
#define THPSTAT_MAPPING_HUGEPAGE_ADVISED (1u << 5) /* hg: madvise(MADV_HUGEPAGE) */
#define THPSTAT_MAPPING_NO_HUGEPAGE (1u << 6)	   /* nh: MADV_NOHUGEPAGE, MAP_STACK */
#define THPSTAT_MAPPING_HUGETLB (1u << 7)	   /* ht */
#define THPSTAT_MAPPING_LOCKED (1u << 8)	   /* lo */
#define THPSTAT_MAPPING_GROWS_DOWN (1u << 9)	   /* gd */
#define THPSTAT_MAPPING_PFNMAP (1u << 10)	   /* pf: frames without page accounting */
#define THPSTAT_MAPPING_MIXEDMAP (1u << 11)	   /* mm: may hold device pages */
#define THPSTAT_MAPPING_IO (1u << 12)		   /* io */
#define THPSTAT_MAPPING_MERGEABLE (1u << 13)	   /* mg: KSM may merge its pages */

/**
 * struct thpstat_object_key - tells the objects behind mappings of one process apart
 *
 * Opaque; compare with thpstat_object_compare(). (device, inode) alone is not enough: a System V
 * segment and a memfd may share them.
 */
struct thpstat_object_key {
	uint64_t opaque[3];
};

/**
 * struct thpstat_mapping - one mapping
 * @start: first address
 * @end: first address after it
 * @offset: of @start in the file behind it, bytes
 * @device_major: device of the file behind it
 * @device_minor: likewise
 * @inode: inode number of the file, 0 for none
 * @object: the object behind it; all zero when there is none
 * @class_: see enum thpstat_class; a guess where resident_file is absent as not proved
 * @flags: THPSTAT_MAPPING_ bits
 * @error: 0; -EBADMSG when figures of this record are malformed; or what ended the list within
 *	this record, of which figures may then be missing
 * @name: as the kernel prints it, raw, "" for none; a newline in it is printed as \012
 * @usage: its figures
 *
 * Kernel source: /proc/PID/smaps.
 */
struct thpstat_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint32_t device_major;
	uint32_t device_minor;
	uint64_t inode;
	struct thpstat_object_key object;
	enum thpstat_class class_;
	unsigned int flags;
	int error;
	const char *name;
	const struct thpstat_usage *usage;
};

/* An open walk over the mappings of one process. */
struct thpstat_mappings;

/**
 * thpstat_mappings_open - start a walk over the mappings of a process
 * @source: stays alive until the walk is closed
 * @pid: the process
 * @ret: the walk
 *
 * A main thread that ended while others live is read through one of those.
 *
 * Return: 0; -ESRCH no such process; -EACCES; -ENODATA when there is no smaps (a kernel thread, a
 * zombie, a tree without it); -ENOENT when the tree has no proc directory; -ENOMEM, -EMFILE.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_mappings_open(struct thpstat *source, int pid,
						    struct thpstat_mappings **ret);

/**
 * thpstat_mappings_open_process - start a walk over the mappings of the process a walk stands on
 * @process: the item last yielded by thpstat_processes_next()
 * @ret: the walk; independent of the walk over processes from here on
 *
 * The same process for certain, even if its pid was taken over meanwhile.
 *
 * Return: as thpstat_mappings_open().
 */
THPSTAT_API THPSTAT_CHECK int thpstat_mappings_open_process(const struct thpstat_process *process,
							    struct thpstat_mappings **ret);

/**
 * thpstat_mappings_next - the next mapping
 * @walk: the walk
 * @ret: borrowed until the next call on @walk
 *
 * Allocates nothing, except for a first look at the mounts of a container.
 *
 * Return: 1 for an item; 0 at the end of a complete list; -ESRCH when the process ended (or
 * executed another program) meanwhile, so that the list is not complete; -EBADMSG when the file
 * ends early; -EIO, -ENOMEM, -EMFILE.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_mappings_next(struct thpstat_mappings *walk,
						    const struct thpstat_mapping **ret);

/**
 * thpstat_mappings_close - end a walk
 * @walk: may be NULL
 *
 * Return: NULL.
 */
THPSTAT_API struct thpstat_mappings *thpstat_mappings_close(struct thpstat_mappings *walk);

/**
 * thpstat_object_compare - order two object keys of one process
 * @a: a key
 * @b: another
 *
 * Return: 0 when they name the same object, else below or above 0.
 */
THPSTAT_API int thpstat_object_compare(const struct thpstat_object_key *a,
				       const struct thpstat_object_key *b);

#ifdef __cplusplus
}
#endif
#endif

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

/**
 * enum thpstat_mapping_kind - what a mapping is to people
 * @THPSTAT_MAPPING_KIND_HEAP: the heap of brk(2): "[heap]", private, no file. What malloc() takes
 *by mmap(2), arenas of further threads among it, is anonymous
 * @THPSTAT_MAPPING_KIND_JAVA_HEAP: readable and writable, at least 2 MiB, and named "java_heap" or
 *	"java heap" by the JVM, as ZGC does. A heap without a name (G1, Parallel) is anonymous
 * @THPSTAT_MAPPING_KIND_MAIN_STACK: "[stack]", private, writable, no file
 * @THPSTAT_MAPPING_KIND_THREAD_STACK: private anonymous memory, readable and writable, directly
 *	above a guard: an inaccessible private anonymous mapping of at most 1 MiB and smaller than
 *	the stack, neither of them MAP_NORESERVE. Also what grows down, and what "[stack:TID]"
 *	(Linux 3.4 to 4.4) or a C library names so. A stack without a guard mapping is anonymous:
 *	guard size 0, or guards made by madvise(2) (glibc 2.42). Other memory with a guard directly
 *	below it looks the same, and so does a piece split off the main stack
 * @THPSTAT_MAPPING_KIND_TEXT: executable, of a file; or executable anonymous memory, not writable,
 *	beside executable mappings of a file or between two mappings of one: code that was copied
 *	off its file to get huge pages
 * @THPSTAT_MAPPING_KIND_JIT: other executable memory: anonymous, or a memfd or other shared memory
 *	without a path that is mapped shared. Code that was copied elsewhere, or a stack that is
 *	executable and not the main one, cannot be told from it
 * @THPSTAT_MAPPING_KIND_BINARY_DATA: private mapping of a file that has an executable mapping
 *	beside it in the list; and anonymous memory directly behind the writable one (bss), which
 *	cannot be told from other memory that was put there
 * @THPSTAT_MAPPING_KIND_SHARED_MEMORY: System V, shared anonymous and graphics memory, files of a
 *	tmpfs that are mapped shared; the class says whether the kernel made that certain
 * @THPSTAT_MAPPING_KIND_MEMFD: a memfd, neither executable nor hugetlb
 * @THPSTAT_MAPPING_KIND_HUGETLB: hugetlb pages that are none of the above
 * @THPSTAT_MAPPING_KIND_ANONYMOUS: other private memory without a file, also what is reserved and
 *	not accessible
 * @THPSTAT_MAPPING_KIND_FILE: other mappings of files
 * @THPSTAT_MAPPING_KIND_SPECIAL: made by the kernel or a driver: vdso, vvar, vsyscall, uprobes,
 *page frames of devices, files of no file system such as rings of perf and io_uring
 *
 * Decided from permissions, VmFlags, class, file, the mappings before and behind it, and the name,
 * but never from a name alone. What cannot be told is the plainer kind.
 */
enum thpstat_mapping_kind {
	THPSTAT_MAPPING_KIND_HEAP = 1,
	THPSTAT_MAPPING_KIND_JAVA_HEAP = 2,
	THPSTAT_MAPPING_KIND_MAIN_STACK = 3,
	THPSTAT_MAPPING_KIND_THREAD_STACK = 4,
	THPSTAT_MAPPING_KIND_TEXT = 5,
	THPSTAT_MAPPING_KIND_JIT = 6,
	THPSTAT_MAPPING_KIND_BINARY_DATA = 7,
	THPSTAT_MAPPING_KIND_SHARED_MEMORY = 8,
	THPSTAT_MAPPING_KIND_MEMFD = 9,
	THPSTAT_MAPPING_KIND_HUGETLB = 10,
	THPSTAT_MAPPING_KIND_ANONYMOUS = 11,
	THPSTAT_MAPPING_KIND_FILE = 12,
	THPSTAT_MAPPING_KIND_SPECIAL = 13,
	THPSTAT_MAPPING_KIND_FORCE_INT = 0x7fffffff
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
#define THPSTAT_MAPPING_NORESERVE (1u << 14)	   /* nr: MAP_NORESERVE */

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
 * @kind: see enum thpstat_mapping_kind
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
	enum thpstat_mapping_kind kind;
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

/**
 * thpstat_class_name - a word for a class
 * @class_: the class
 *
 * Return: static text such as "shmem"; "unknown" for a class this library does not know.
 */
THPSTAT_API const char *thpstat_class_name(enum thpstat_class class_);

/**
 * thpstat_mapping_kind_name - a word for a kind of mapping
 * @kind: the kind
 *
 * Return: static text such as "thread-stack"; "unknown" for a kind this library does not know.
 */
THPSTAT_API const char *thpstat_mapping_kind_name(enum thpstat_mapping_kind kind);

/**
 * thpstat_mapping_kind_from_name - find a kind of mapping
 * @name: as thpstat_mapping_kind_name() gives it
 * @ret: the kind
 *
 * Return: 0, or -EINVAL for a name this library does not know.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_mapping_kind_from_name(const char *name,
							     enum thpstat_mapping_kind *ret);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "account/kind.h"

/*
 * A guard is some pages. A reservation, of which pieces are put to use as a heap grows, is
 * PROT_NONE as well and lies below such pieces too, but is far larger. The widest guards known are
 * those that a JVM makes of four pages of 64 KiB.
 */
#define GUARD_MAX (UINT64_C(1) << 20)

/* ZGC maps its heap in pieces of this size, and no collector in smaller ones. */
#define JAVA_HEAP_MIN (UINT64_C(2) << 20)

/* What a name says, which is never enough. */
enum says {
	SAYS_NOTHING,	 /* no name, or one that its owner chose ("[anon:...]") */
	SAYS_BSS,	 /* "[anon:.bss]" of Android's linker */
	SAYS_STACK,	 /* of a thread: "[stack:TID]", or called so by the C library */
	SAYS_MAIN_STACK, /* "[stack]" */
	SAYS_HEAP,	 /* "[heap]" */
	SAYS_JAVA_HEAP,
	SAYS_KERNEL, /* "[vdso]" and the like */
	SAYS_MEMFD,
	SAYS_SHMEM,  /* shared memory without a path */
	SAYS_PATH,   /* of a file */
	SAYS_PSEUDO, /* a file of no file system: "anon_inode:[perf_event]", "socket:[1234]" */
};

static int begins(const char *name, size_t length, const char *prefix)
{
	return length >= strlen(prefix) && !memcmp(name, prefix, strlen(prefix));
}

static int has_java_heap(const char *name)
{
	return strstr(name, "java_heap") || strstr(name, "java heap") || strstr(name, "Java heap");
}

/* "[anon:NAME]" with a blank before NAME where glibc sets it. A program can write any NAME. */
static enum says owner_says(const char *name, size_t length)
{
	if (has_java_heap(name))
		return SAYS_JAVA_HEAP;
	if (strstr(name, ": pthread stack:") || strstr(name, ":stack_and_tls:"))
		return SAYS_STACK;
	return begins(name, length, "[anon:.bss]") ? SAYS_BSS : SAYS_NOTHING;
}

static enum says bracket_says(const char *name, size_t length)
{
	if (begins(name, length, "[anon:"))
		return owner_says(name, length);
	if (begins(name, length, "[anon_shmem:"))
		return has_java_heap(name) ? SAYS_JAVA_HEAP : SAYS_SHMEM;
	if (begins(name, length, "[heap]"))
		return SAYS_HEAP;
	if (begins(name, length, "[stack]"))
		return SAYS_MAIN_STACK;
	return begins(name, length, "[stack:") ? SAYS_STACK : SAYS_KERNEL;
}

static enum says name_says(const struct thpstat_mapping *mapping, size_t length)
{
	const char *name = mapping->name;

	if (!length)
		return SAYS_NOTHING;
	if (name[0] == '[')
		return bracket_says(name, length);
	/* "(unreachable)/..." is a path too */
	if (name[0] != '/' && name[0] != '(')
		return mapping->inode ? SAYS_PSEUDO : SAYS_NOTHING;
	if (begins(name, length, "/memfd:"))
		return has_java_heap(name) ? SAYS_JAVA_HEAP : SAYS_MEMFD;
	/* a tmpfs file with this path has the class too, and is called memory or file by its flag
	 */
	if (mapping->class_ == THPSTAT_CLASS_SHMEM &&
	    (begins(name, length, "/SYSV") || begins(name, length, "/dev/zero (deleted)") ||
	     begins(name, length, "/drm mm object")))
		return SAYS_SHMEM;
	return SAYS_PATH;
}

static int is_same(const struct kind_file *file, uint32_t major, uint32_t minor, uint64_t inode)
{
	return inode && file->inode == inode && file->major == major && file->minor == minor;
}

static int is_private(unsigned int flags)
{
	return !(flags & THPSTAT_MAPPING_SHARED);
}

/* Read and written, never executed. */
static int is_data(const struct thpstat_mapping *mapping)
{
	const unsigned int all =
		THPSTAT_MAPPING_READ | THPSTAT_MAPPING_WRITE | THPSTAT_MAPPING_EXEC;

	return (mapping->flags & all) == (THPSTAT_MAPPING_READ | THPSTAT_MAPPING_WRITE);
}

/* Is the mapping directly before a guard, with this one as its stack? */
static int is_above_guard(const struct kind_walk *walk, const struct thpstat_mapping *mapping)
{
	const unsigned int none = THPSTAT_MAPPING_READ | THPSTAT_MAPPING_WRITE |
				  THPSTAT_MAPPING_EXEC | THPSTAT_MAPPING_NORESERVE;

	return walk->anonymous && walk->end == mapping->start && !(walk->flags & none) &&
	       walk->size <= GUARD_MAX && mapping->end - mapping->start > walk->size &&
	       /* an arena of glibc lies above the rest of another one, both reserved like this */
	       !(mapping->flags & THPSTAT_MAPPING_NORESERVE);
}

/*
 * Code that was copied off the file it came from keeps its place: beside what is left of the code
 * of a binary, or between two mappings of one. Merely to lie beside a library means nothing: the
 * kernel puts new mappings right below the last ones.
 */
static int is_remapped_text(const struct kind_walk *walk, const struct thpstat_mapping *mapping,
			    const struct smaps_header *next)
{
	if (mapping->flags & THPSTAT_MAPPING_WRITE)
		return 0;
	if (walk->kind == THPSTAT_MAPPING_KIND_TEXT && walk->end == mapping->start)
		return 1;
	if (!next || !next->inode || !is_private(next->flags))
		return 0;
	if (next->flags & THPSTAT_MAPPING_EXEC && next->start == mapping->end)
		return 1;
	return is_private(walk->flags) &&
	       is_same(&walk->file, next->major, next->minor, next->inode);
}

static enum thpstat_mapping_kind anonymous_kind(const struct kind_walk *walk,
						const struct thpstat_mapping *mapping,
						enum says says, const struct smaps_header *next)
{
	uint64_t size = mapping->end - mapping->start;

	if (says == SAYS_MAIN_STACK && mapping->flags & THPSTAT_MAPPING_WRITE)
		return THPSTAT_MAPPING_KIND_MAIN_STACK;
	if (mapping->flags & THPSTAT_MAPPING_GROWS_DOWN)
		return THPSTAT_MAPPING_KIND_THREAD_STACK;
	if (says == SAYS_HEAP)
		return THPSTAT_MAPPING_KIND_HEAP;
	if (mapping->flags & THPSTAT_MAPPING_EXEC)
		return is_remapped_text(walk, mapping, next) ? THPSTAT_MAPPING_KIND_TEXT
							     : THPSTAT_MAPPING_KIND_JIT;
	if (!is_data(mapping))
		return THPSTAT_MAPPING_KIND_ANONYMOUS;
	if (says == SAYS_JAVA_HEAP && size >= JAVA_HEAP_MIN)
		return THPSTAT_MAPPING_KIND_JAVA_HEAP;
	if (says == SAYS_STACK)
		return THPSTAT_MAPPING_KIND_THREAD_STACK;
	if (mapping->name[0] && says != SAYS_BSS) /* its owner says that it is something else */
		return THPSTAT_MAPPING_KIND_ANONYMOUS;
	if (walk->kind == THPSTAT_MAPPING_KIND_BINARY_DATA && walk->end == mapping->start &&
	    walk->flags & THPSTAT_MAPPING_WRITE && walk->file.inode)
		return THPSTAT_MAPPING_KIND_BINARY_DATA;
	return is_above_guard(walk, mapping) ? THPSTAT_MAPPING_KIND_THREAD_STACK
					     : THPSTAT_MAPPING_KIND_ANONYMOUS;
}

/* Is the file one that this process executes, going by what is mapped around this mapping? */
static int is_of_binary(const struct kind_walk *walk, const struct thpstat_mapping *mapping,
			const struct smaps_header *next)
{
	const struct kind_file file = { mapping->device_major, mapping->device_minor,
					mapping->inode };

	if (!is_private(mapping->flags))
		return 0;
	if (is_same(&walk->binary, file.major, file.minor, file.inode))
		return 1;
	return next && next->flags & THPSTAT_MAPPING_EXEC && is_private(next->flags) &&
	       is_same(&file, next->major, next->minor, next->inode);
}

static enum thpstat_mapping_kind file_kind(const struct kind_walk *walk,
					   const struct thpstat_mapping *mapping, enum says says,
					   const struct smaps_header *next)
{
	int private_ = is_private(mapping->flags);
	int has_path = says == SAYS_PATH;

	/* a loader maps privately: code that is shared memory has another view to be written by */
	if (mapping->flags & THPSTAT_MAPPING_EXEC)
		return private_ || has_path ? THPSTAT_MAPPING_KIND_TEXT : THPSTAT_MAPPING_KIND_JIT;
	if (says == SAYS_JAVA_HEAP && is_data(mapping) &&
	    mapping->end - mapping->start >= JAVA_HEAP_MIN)
		return THPSTAT_MAPPING_KIND_JAVA_HEAP;
	if (mapping->class_ == THPSTAT_CLASS_HUGETLB)
		return THPSTAT_MAPPING_KIND_HUGETLB;
	if (is_of_binary(walk, mapping, next))
		return THPSTAT_MAPPING_KIND_BINARY_DATA;
	if (begins(mapping->name, strlen(mapping->name), "/memfd:"))
		return THPSTAT_MAPPING_KIND_MEMFD;
	/* a file of a tmpfs that is mapped privately is read like any other file */
	if (mapping->class_ == THPSTAT_CLASS_SHMEM && !(private_ && has_path))
		return THPSTAT_MAPPING_KIND_SHARED_MEMORY;
	return THPSTAT_MAPPING_KIND_FILE;
}

static int is_special(const struct thpstat_mapping *mapping, enum says says)
{
	if (mapping->flags & (THPSTAT_MAPPING_PFNMAP | THPSTAT_MAPPING_IO))
		return 1;
	if (mapping->class_ == THPSTAT_CLASS_HUGETLB)
		return 0;
	if (says == SAYS_PSEUDO)
		return 1;
	/* only the kernel puts a name in brackets on what has no file */
	if (!mapping->inode && says == SAYS_KERNEL)
		return 1;
	return !mapping->inode && !mapping->name[0] && mapping->class_ == THPSTAT_CLASS_FILE;
}

static enum thpstat_mapping_kind decide(const struct kind_walk *walk,
					const struct thpstat_mapping *mapping, enum says says,
					const struct smaps_header *next)
{
	if (is_special(mapping, says))
		return THPSTAT_MAPPING_KIND_SPECIAL;
	/* WSL1 prints paths without an inode; the first System V segment has inode 0 */
	if (mapping->inode || says == SAYS_PATH || says == SAYS_SHMEM ||
	    mapping->class_ == THPSTAT_CLASS_HUGETLB)
		return file_kind(walk, mapping, says, next);
	return anonymous_kind(walk, mapping, says, next);
}

/* Which binary do the mappings from here on belong to? */
static struct kind_file binary_behind(const struct kind_walk *walk,
				      const struct thpstat_mapping *mapping,
				      enum thpstat_mapping_kind kind)
{
	const struct kind_file file = { mapping->device_major, mapping->device_minor,
					mapping->inode };

	if (!mapping->inode) /* remapped code, between mappings of the file it was copied from */
		return kind == THPSTAT_MAPPING_KIND_TEXT && !walk->binary.inode ? walk->file
										: walk->binary;
	if (kind == THPSTAT_MAPPING_KIND_TEXT ||
	    is_same(&walk->binary, file.major, file.minor, file.inode))
		return file;
	return (struct kind_file){ 0 };
}

enum thpstat_mapping_kind kind_of(struct kind_walk *walk, const struct thpstat_mapping *mapping,
				  size_t name_length, const struct smaps_header *next)
{
	enum says says = name_says(mapping, name_length);
	enum thpstat_mapping_kind kind = decide(walk, mapping, says, next);

	walk->binary = binary_behind(walk, mapping, kind);
	walk->end = mapping->end;
	walk->size = mapping->end - mapping->start;
	walk->flags = mapping->flags;
	walk->anonymous = !mapping->inode && is_private(mapping->flags) &&
			  (says == SAYS_NOTHING || says == SAYS_STACK);
	walk->kind = kind;
	walk->file =
		(struct kind_file){ mapping->device_major, mapping->device_minor, mapping->inode };
	return kind;
}

static const char *const names[] = {
	[THPSTAT_MAPPING_KIND_HEAP] = "heap",
	[THPSTAT_MAPPING_KIND_JAVA_HEAP] = "java-heap",
	[THPSTAT_MAPPING_KIND_MAIN_STACK] = "main-stack",
	[THPSTAT_MAPPING_KIND_THREAD_STACK] = "thread-stack",
	[THPSTAT_MAPPING_KIND_TEXT] = "text",
	[THPSTAT_MAPPING_KIND_JIT] = "jit",
	[THPSTAT_MAPPING_KIND_BINARY_DATA] = "binary-data",
	[THPSTAT_MAPPING_KIND_SHARED_MEMORY] = "shared-memory",
	[THPSTAT_MAPPING_KIND_MEMFD] = "memfd",
	[THPSTAT_MAPPING_KIND_HUGETLB] = "hugetlb",
	[THPSTAT_MAPPING_KIND_ANONYMOUS] = "anonymous",
	[THPSTAT_MAPPING_KIND_FILE] = "file",
	[THPSTAT_MAPPING_KIND_SPECIAL] = "special",
};

#define N_NAMES (sizeof(names) / sizeof(names[0]))

const char *thpstat_mapping_kind_name(enum thpstat_mapping_kind kind)
{
	return (unsigned int)kind < N_NAMES && names[kind] ? names[kind] : "unknown";
}

int thpstat_mapping_kind_from_name(const char *name, enum thpstat_mapping_kind *ret)
{
	if (!name || !ret)
		return -EINVAL;
	for (unsigned int i = 1; i < N_NAMES; i++)
		if (!strcmp(names[i], name)) {
			*ret = (enum thpstat_mapping_kind)i;
			return 0;
		}
	return -EINVAL;
}

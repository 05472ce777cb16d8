/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "account/object.h"

static int begins(const char *name, size_t length, const char *prefix)
{
	return length >= strlen(prefix) && !memcmp(name, prefix, strlen(prefix));
}

/* "/SYSV" and the key in eight hex digits; a file of another mount may be called like this too. */
static int is_sysv(const char *name, size_t length)
{
	if (!begins(name, length, "/SYSV") || length < 13)
		return 0;
	for (size_t i = 5; i < 13; i++)
		if (!((name[i] >= '0' && name[i] <= '9') || (name[i] >= 'a' && name[i] <= 'f')))
			return 0;
	return length == 13 || name[13] == ' ';
}

enum object_name object_name(const char *name, size_t length, uint64_t inode)
{
	/* the first System V segment has id 0, and so inode 0 */
	if (is_sysv(name, length))
		return OBJECT_NAME_SYSV;
	if (!inode)
		return OBJECT_NAME_NONE;
	if (begins(name, length, "/memfd:") || begins(name, length, "/dev/zero (deleted)") ||
	    begins(name, length, "[anon_shmem:") || begins(name, length, "/drm mm object"))
		return OBJECT_NAME_SHMEM;
	return OBJECT_NAME_FILE;
}

enum thpstat_class object_class(enum object_name name, enum object_device device,
				unsigned int flags, const struct thpstat_usage *usage, int *sure)
{
	*sure = 1;
	if (flags & THPSTAT_MAPPING_HUGETLB || usage_or_zero(usage, THPSTAT_SHARED_HUGETLB) ||
	    usage_or_zero(usage, THPSTAT_PRIVATE_HUGETLB))
		return THPSTAT_CLASS_HUGETLB;
	/* what the kernel counted in the mapping cannot be mistaken */
	if (usage_or_zero(usage, THPSTAT_SHMEM_PMD_MAPPED))
		return THPSTAT_CLASS_SHMEM;
	if (usage_or_zero(usage, THPSTAT_FILE_PMD_MAPPED))
		return THPSTAT_CLASS_FILE;
	if (name == OBJECT_NAME_NONE)
		return usage_or_zero(usage, THPSTAT_RSS) > usage_or_zero(usage, THPSTAT_ANONYMOUS)
			       ? THPSTAT_CLASS_FILE /* vdso, device pages */
			       : THPSTAT_CLASS_ANON;
	if (device == OBJECT_DEVICE_SHMEM)
		return THPSTAT_CLASS_SHMEM;
	if (device == OBJECT_DEVICE_OTHER)
		return THPSTAT_CLASS_FILE;
	/* the internal mount is in nobody's mountinfo: its names tell */
	if (name != OBJECT_NAME_FILE)
		return THPSTAT_CLASS_SHMEM;
	*sure = 0;
	return THPSTAT_CLASS_FILE;
}

struct thpstat_object_key object_key(uint32_t major, uint32_t minor, uint64_t inode,
				     enum object_name name)
{
	if (name == OBJECT_NAME_NONE)
		return (struct thpstat_object_key){ { 0 } };
	return (struct thpstat_object_key){ { (uint64_t)major << 32 | minor, inode,
					      name == OBJECT_NAME_SYSV ? 2 : 1 } };
}

int thpstat_object_compare(const struct thpstat_object_key *a, const struct thpstat_object_key *b)
{
	for (size_t i = 0; i < sizeof(a->opaque) / sizeof(a->opaque[0]); i++)
		if (a->opaque[i] != b->opaque[i])
			return a->opaque[i] < b->opaque[i] ? -1 : 1;
	return 0;
}

const char *thpstat_class_name(enum thpstat_class class_)
{
	switch (class_) {
	case THPSTAT_CLASS_ANON:
		return "anon";
	case THPSTAT_CLASS_SHMEM:
		return "shmem";
	case THPSTAT_CLASS_FILE:
		return "file";
	case THPSTAT_CLASS_HUGETLB:
		return "hugetlb";
	default:
		return "unknown";
	}
}

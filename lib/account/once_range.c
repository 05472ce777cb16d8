/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "account/once_range.h"

/* FNV-1a; equal names have equal hashes, and that is all that is asked of it. */
static uint32_t hash(const char *name, size_t length)
{
	uint32_t value = 2166136261u;

	for (size_t i = 0; i < length; i++)
		value = (value ^ (unsigned char)name[i]) * 16777619u;
	return value;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

uint64_t once_resident_of(const struct thpstat_usage *usage)
{
	if (!usage_has(usage, THPSTAT_RSS) || !usage_has(usage, THPSTAT_ANONYMOUS))
		return 0;
	return less(usage_value(usage, THPSTAT_RSS), usage_value(usage, THPSTAT_ANONYMOUS));
}

int once_range_of(const struct thpstat_mapping *mapping, size_t name_length, struct once_range *ret)
{
	const struct thpstat_usage *usage = mapping->usage;
	uint64_t anonymous = usage_or_zero(usage, THPSTAT_ANONYMOUS);
	int is_hugetlb = mapping->class_ == THPSTAT_CLASS_HUGETLB;
	int private_hugetlb = is_hugetlb && !(mapping->flags & THPSTAT_MAPPING_SHARED);

	*ret = (struct once_range){
		.object = mapping->object,
		.start = mapping->offset,
		.address = mapping->start,
		.class_ = mapping->class_,
		.private_hugetlb = private_hugetlb,
		.has_copies = private_hugetlb || anonymous,
	};
	if (is_hugetlb) {
		ret->resident = ret->huge = usage_or_zero(usage, THPSTAT_HUGETLB);
	} else {
		ret->resident = once_resident_of(usage);
		ret->floor = less(usage_or_zero(usage, THPSTAT_PSS), anonymous);
		/* a sum that does not fit is more than can be resident, and so proves nothing */
		if (__builtin_add_overflow(usage_or_zero(usage, THPSTAT_SHMEM_PMD_MAPPED),
					   usage_or_zero(usage, THPSTAT_FILE_PMD_MAPPED),
					   &ret->huge))
			ret->huge = UINT64_MAX;
	}
	if (ret->resident)
		ret->name = hash(mapping->name, name_length);
	if (__builtin_add_overflow(mapping->offset, mapping->end - mapping->start, &ret->end))
		return -EOVERFLOW;
	return 0;
}

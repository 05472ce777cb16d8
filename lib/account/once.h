/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_ONCE_H
#define LIB_ACCOUNT_ONCE_H

#include <stddef.h>
#include <stdint.h>

#include <thpstat/mapping.h>

/*
 * How many bytes of the objects behind the mappings of one process are resident (and on huge
 * pages) when each page counts once, as far as smaps can tell: smaps says how many pages of a
 * range are mapped, not which.
 *
 * A mapping that is resident from end to end leaves no doubt; nor does one whose part of the
 * object nobody else maps. Everything else gives an interval.
 */

/* A mapping of an object, with at least one page of the object resident in it. */
struct once_range {
	struct thpstat_object_key object;
	uint64_t start; /* in the object */
	uint64_t end;
	uint64_t resident; /* pages of the object: without private copies */
	uint64_t huge;
	uint64_t floor; /* distinct pages cannot be fewer than this: Pss less private copies */
	uint32_t name;	/* hash of the name */
	enum thpstat_class class_;
	int private_hugetlb; /* its pages may be copies of its own, and count as such */
};

struct once_interval {
	uint64_t min;
	uint64_t max;
};

#define ONCE_CLASSES (THPSTAT_CLASS_HUGETLB + 1)

struct once_sum {
	struct once_interval resident[ONCE_CLASSES];
	struct once_interval huge[ONCE_CLASSES];
	int broken; /* a figure is larger than its mapping: nothing can be concluded */
};

/* A piece of an object that is resident from end to end, with the length of all before it. */
struct once_span {
	uint64_t start;
	uint64_t end;
	uint64_t before;
};

/*
 * Sorts @ranges. @scratch has room for as many spans. Adds to the intervals of *sum, which the
 * caller has set to what needs no such reckoning.
 */
void once_account(struct once_range *ranges, size_t n, struct once_span *scratch,
		  struct once_sum *sum);

#endif

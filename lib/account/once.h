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
	uint64_t floor;	  /* distinct pages cannot be fewer than this: Pss less private copies */
	uint64_t address; /* where it is mapped */
	uint32_t name;	  /* hash of the name */
	enum thpstat_class class_;
	int private_hugetlb; /* its pages may be copies of its own, and count as such */
	int has_copies;	     /* there are, or may be, copies among the pages of the mapping */
	/* for a once_pages_fn, bytes found: */
	uint64_t seen;	    /* pages of the object */
	uint64_t seen_huge; /* of those, huge ones */
	uint64_t copies;
};

/* What a closer look at an object found, each page once. */
struct once_pages {
	uint64_t resident;
	uint64_t huge;
	int has_huge; /* 0: nothing was found out about huge ones */
};

/*
 * Takes a closer look at mappings of one object, of which smaps leaves open how many pages they
 * have in common. 0, or anything else when it cannot tell.
 */
typedef int once_pages_fn(void *userdata, struct once_range *ranges, size_t n,
			  struct once_pages *ret);

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
 * caller has set to what needs no such reckoning. @look_fn may be NULL; else it is asked about
 * objects that remain open, but for those of which it is not certain that they are one.
 */
void once_account(struct once_range *ranges, size_t n, struct once_span *scratch,
		  once_pages_fn *look_fn, void *userdata, struct once_sum *sum);

#endif

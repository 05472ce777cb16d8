/* SPDX-License-Identifier: MIT */
#include "account/footprint.h"

/*
 * The once figures of a class: resident, and huge (0: all of it is) with the kernel's field that
 * it comes from.
 */
static const struct {
	enum thpstat_class class_;
	enum thpstat_metric resident;
	enum thpstat_metric huge;
	enum thpstat_metric field;
} classes[] = {
	{ THPSTAT_CLASS_ANON, THPSTAT_ANON_ONCE, THPSTAT_ANON_HUGE_ONCE, THPSTAT_ANON_HUGE_PAGES },
	{ THPSTAT_CLASS_SHMEM, THPSTAT_SHMEM_ONCE, THPSTAT_SHMEM_HUGE_ONCE,
	  THPSTAT_SHMEM_PMD_MAPPED },
	{ THPSTAT_CLASS_FILE, THPSTAT_FILE_ONCE, THPSTAT_FILE_HUGE_ONCE, THPSTAT_FILE_PMD_MAPPED },
	{ THPSTAT_CLASS_HUGETLB, THPSTAT_HUGETLB_ONCE, (enum thpstat_metric)0, THPSTAT_HUGETLB },
};

#define N_CLASSES (sizeof(classes) / sizeof(classes[0]))

/* Given when the interval is a point. */
static void set_if_proved(struct thpstat_usage *usage, enum thpstat_metric metric,
			  struct once_interval interval)
{
	if (interval.min == interval.max)
		usage_set(usage, metric, interval.min, THPSTAT_METHOD_EXACT);
	else
		usage_absent(usage, metric, THPSTAT_REASON_NOT_PROVED);
}

static void set_interval(struct thpstat_usage *usage, enum thpstat_metric metric,
			 enum thpstat_metric low, enum thpstat_metric high,
			 struct once_interval interval)
{
	enum thpstat_method method =
		interval.min == interval.max ? THPSTAT_METHOD_EXACT : THPSTAT_METHOD_BOUND;

	usage_set(usage, low, interval.min, method);
	usage_set(usage, high, interval.max, method);
	set_if_proved(usage, metric, interval);
}

static void set_counted_again(struct thpstat_usage *usage)
{
	enum thpstat_reason reason = thpstat_usage_reason(usage, THPSTAT_RESIDENT_ONCE);

	if (!reason)
		reason = thpstat_usage_reason(usage, THPSTAT_RESIDENT);
	if (!reason &&
	    usage_value(usage, THPSTAT_RESIDENT_ONCE) > usage_value(usage, THPSTAT_RESIDENT))
		reason = THPSTAT_REASON_BROKEN;
	if (reason)
		usage_absent(usage, THPSTAT_COUNTED_AGAIN, reason);
	else
		usage_set(usage, THPSTAT_COUNTED_AGAIN,
			  usage_value(usage, THPSTAT_RESIDENT) -
				  usage_value(usage, THPSTAT_RESIDENT_ONCE),
			  THPSTAT_METHOD_EXACT);
}

static int accumulate(struct once_interval *total, struct once_interval part)
{
	return __builtin_add_overflow(total->min, part.min, &total->min) ||
	       __builtin_add_overflow(total->max, part.max, &total->max) || part.max == UINT64_MAX;
}

/* The sum over the classes; 0 when it proves nothing, with the figures made absent. */
static int set_total(struct thpstat_usage *usage, const struct once_sum *sum)
{
	struct once_interval resident = { 0, 0 }, huge = { 0, 0 };
	int overflow = 0;

	for (unsigned int i = 0; i < N_CLASSES; i++) {
		overflow |= accumulate(&resident, sum->resident[classes[i].class_]);
		overflow |= accumulate(&huge, sum->huge[classes[i].class_]);
	}
	if (sum->broken || overflow) {
		footprint_once_absent(usage, sum->broken ? THPSTAT_REASON_BROKEN
							 : THPSTAT_REASON_OVERFLOW);
		return 0;
	}
	set_interval(usage, THPSTAT_RESIDENT_ONCE, THPSTAT_RESIDENT_ONCE_MIN,
		     THPSTAT_RESIDENT_ONCE_MAX, resident);
	set_interval(usage, THPSTAT_HUGE_ONCE, THPSTAT_HUGE_ONCE_MIN, THPSTAT_HUGE_ONCE_MAX, huge);
	return 1;
}

void footprint_object(struct thpstat_usage *usage, const struct once_sum *sum)
{
	if (set_total(usage, sum))
		set_counted_again(usage);
}

void footprint_once(struct thpstat_usage *usage, const struct once_sum *sum)
{
	if (!set_total(usage, sum))
		return;
	for (unsigned int i = 0; i < N_CLASSES; i++) {
		enum thpstat_reason reason = usage_why_not_complete(usage, classes[i].field);

		set_if_proved(usage, classes[i].resident, sum->resident[classes[i].class_]);
		if (classes[i].huge)
			set_if_proved(usage, classes[i].huge, sum->huge[classes[i].class_]);
		if (!reason)
			continue;
		if (classes[i].huge)
			usage_absent(usage, classes[i].huge, reason);
		usage_absent(usage, THPSTAT_HUGE_ONCE, reason);
		usage_absent(usage, THPSTAT_HUGE_ONCE_MIN, reason);
		usage_absent(usage, THPSTAT_HUGE_ONCE_MAX, reason);
	}

	struct once_interval hugetlb = sum->resident[THPSTAT_CLASS_HUGETLB];

	usage_set(usage, THPSTAT_HUGETLB_ONCE_MAX, hugetlb.max,
		  hugetlb.min == hugetlb.max ? THPSTAT_METHOD_EXACT : THPSTAT_METHOD_BOUND);
	set_counted_again(usage);
}

void footprint_once_absent(struct thpstat_usage *usage, enum thpstat_reason reason)
{
	static const enum thpstat_metric others[] = {
		THPSTAT_RESIDENT_ONCE, THPSTAT_RESIDENT_ONCE_MIN, THPSTAT_RESIDENT_ONCE_MAX,
		THPSTAT_HUGE_ONCE,     THPSTAT_HUGE_ONCE_MIN,	  THPSTAT_HUGE_ONCE_MAX,
		THPSTAT_COUNTED_AGAIN, THPSTAT_HUGETLB_ONCE_MAX,
	};

	for (unsigned int i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		usage_absent(usage, others[i], reason);
	for (unsigned int i = 0; i < N_CLASSES; i++) {
		usage_absent(usage, classes[i].resident, reason);
		if (classes[i].huge)
			usage_absent(usage, classes[i].huge, reason);
	}
}

/*
 * No page mapped more than once, so no page counted more than once. From 1 GiB on, hugetlb mapped
 * twice may share a page table, which some kernels show as Private_Hugetlb.
 */
static int nothing_mapped_twice(const struct thpstat_usage *usage)
{
	static const enum thpstat_metric shared[] = { THPSTAT_SHARED_CLEAN, THPSTAT_SHARED_DIRTY,
						      THPSTAT_SHARED_HUGETLB };

	for (unsigned int i = 0; i < 3; i++)
		if (!usage_complete(usage, shared[i]) || usage_value(usage, shared[i]))
			return 0;
	return usage_complete(usage, THPSTAT_PRIVATE_HUGETLB) &&
	       usage_value(usage, THPSTAT_PRIVATE_HUGETLB) < UINT64_C(1) << 30 &&
	       !usage_or_zero(usage, THPSTAT_KSM);
}

static void copy(struct thpstat_usage *usage, enum thpstat_metric to, enum thpstat_metric from)
{
	if (usage_complete(usage, from))
		usage_set(usage, to, usage_value(usage, from), THPSTAT_METHOD_EXACT);
	else
		usage_absent(usage, to, thpstat_usage_reason(usage, from));
}

void footprint_once_from_rollup(struct thpstat_usage *usage, enum thpstat_reason reason)
{
	static const struct {
		enum thpstat_metric once, mapped;
	} equal[] = {
		{ THPSTAT_RESIDENT_ONCE, THPSTAT_RESIDENT },
		{ THPSTAT_RESIDENT_ONCE_MIN, THPSTAT_RESIDENT },
		{ THPSTAT_RESIDENT_ONCE_MAX, THPSTAT_RESIDENT },
		{ THPSTAT_HUGE_ONCE, THPSTAT_HUGE },
		{ THPSTAT_HUGE_ONCE_MIN, THPSTAT_HUGE },
		{ THPSTAT_HUGE_ONCE_MAX, THPSTAT_HUGE },
		{ THPSTAT_ANON_ONCE, THPSTAT_ANONYMOUS },
		{ THPSTAT_ANON_HUGE_ONCE, THPSTAT_ANON_HUGE_PAGES },
		{ THPSTAT_SHMEM_ONCE, THPSTAT_RESIDENT_SHMEM },
		{ THPSTAT_SHMEM_HUGE_ONCE, THPSTAT_SHMEM_PMD_MAPPED },
		{ THPSTAT_FILE_ONCE, THPSTAT_RESIDENT_FILE },
		{ THPSTAT_FILE_HUGE_ONCE, THPSTAT_FILE_PMD_MAPPED },
		{ THPSTAT_HUGETLB_ONCE, THPSTAT_HUGETLB },
		{ THPSTAT_HUGETLB_ONCE_MAX, THPSTAT_HUGETLB },
	};

	if (nothing_mapped_twice(usage)) {
		for (unsigned int i = 0; i < sizeof(equal) / sizeof(equal[0]); i++)
			copy(usage, equal[i].once, equal[i].mapped);
		set_counted_again(usage);
		return;
	}
	footprint_once_absent(usage, reason);
	/* as mapped is never below once, which is all that a footprint needs */
	copy(usage, THPSTAT_HUGETLB_ONCE_MAX, THPSTAT_HUGETLB);
	if (!usage_has(usage, THPSTAT_HUGETLB))
		return;
	if (usage_value(usage, THPSTAT_HUGETLB))
		usage->method[THPSTAT_HUGETLB_ONCE_MAX] = THPSTAT_METHOD_BOUND;
	else
		usage_set(usage, THPSTAT_HUGETLB_ONCE, 0, THPSTAT_METHOD_EXACT);
}

void footprint_total(struct thpstat_usage *usage)
{
	static const enum thpstat_metric parts[] = { THPSTAT_PSS, THPSTAT_HUGETLB_ONCE_MAX,
						     THPSTAT_VM_PTE, THPSTAT_VM_PMD };

	/* upper levels of the page tables: a figure of their own before Linux 4.15 only */
	usage_sum(usage, THPSTAT_FOOTPRINT, parts, usage_has(usage, THPSTAT_VM_PMD) ? 4 : 3);
	if (!usage_has(usage, THPSTAT_FOOTPRINT))
		return;
	if (thpstat_usage_method(usage, THPSTAT_PSS) != THPSTAT_METHOD_EXACT)
		usage->method[THPSTAT_FOOTPRINT] = THPSTAT_METHOD_ESTIMATE;
	else if (usage_value(usage, THPSTAT_HUGETLB_ONCE_MAX))
		usage->method[THPSTAT_FOOTPRINT] = THPSTAT_METHOD_BOUND; /* who shares is unknown */
}

/* SPDX-License-Identifier: MIT */
#include "account/coverage.h"

void coverage_as_mapped(struct thpstat_usage *usage)
{
	static const enum thpstat_metric hugetlb[] = { THPSTAT_SHARED_HUGETLB,
						       THPSTAT_PRIVATE_HUGETLB };
	static const enum thpstat_metric huge[] = { THPSTAT_ANON_HUGE_PAGES,
						    THPSTAT_SHMEM_PMD_MAPPED,
						    THPSTAT_FILE_PMD_MAPPED, THPSTAT_HUGETLB };
	static const enum thpstat_metric resident[] = { THPSTAT_RSS, THPSTAT_HUGETLB };

	usage_sum(usage, THPSTAT_HUGETLB, hugetlb, 2);
	usage_sum(usage, THPSTAT_HUGE, huge, 4);
	usage_sum(usage, THPSTAT_RESIDENT, resident, 2);
}

static void split_absent(struct thpstat_usage *usage, enum thpstat_reason reason)
{
	usage_absent(usage, THPSTAT_RESIDENT_SHMEM, reason);
	usage_absent(usage, THPSTAT_RESIDENT_FILE, reason);
}

/* What is resident and not anonymous; 0 when that is not known, with both parts made absent. */
static int not_anonymous(struct thpstat_usage *usage, uint64_t *ret)
{
	static const enum thpstat_metric parts[] = { THPSTAT_RSS, THPSTAT_ANONYMOUS };

	for (unsigned int i = 0; i < 2; i++)
		if (!usage_complete(usage, parts[i])) {
			split_absent(usage, usage_why_not_complete(usage, parts[i]));
			return 0;
		}
	if (usage_value(usage, THPSTAT_ANONYMOUS) > usage_value(usage, THPSTAT_RSS)) {
		split_absent(usage, THPSTAT_REASON_BROKEN);
		return 0;
	}
	*ret = usage_value(usage, THPSTAT_RSS) - usage_value(usage, THPSTAT_ANONYMOUS);
	return 1;
}

void coverage_split_mapping(struct thpstat_usage *usage, enum thpstat_class class_)
{
	uint64_t bytes;

	if (!not_anonymous(usage, &bytes))
		return;

	int shmem = class_ == THPSTAT_CLASS_SHMEM;

	usage_set(usage, THPSTAT_RESIDENT_SHMEM, shmem ? bytes : 0, THPSTAT_METHOD_EXACT);
	usage_set(usage, THPSTAT_RESIDENT_FILE, shmem ? 0 : bytes, THPSTAT_METHOD_EXACT);
}

void coverage_split_process(struct thpstat_usage *usage, uint64_t shmem)
{
	uint64_t bytes;

	if (!not_anonymous(usage, &bytes))
		return;
	if (shmem > bytes || usage_or_zero(usage, THPSTAT_SHMEM_PMD_MAPPED) > shmem ||
	    usage_or_zero(usage, THPSTAT_FILE_PMD_MAPPED) > bytes - shmem) {
		split_absent(usage, THPSTAT_REASON_DIFFERENT_MOMENTS);
		return;
	}
	usage_set(usage, THPSTAT_RESIDENT_SHMEM, shmem, THPSTAT_METHOD_EXACT);
	usage_set(usage, THPSTAT_RESIDENT_FILE, bytes - shmem, THPSTAT_METHOD_EXACT);
}

/* SPDX-License-Identifier: MIT */
#include "account/pool.h"

/* One figure of the pool: pages in bytes. */
static void set(struct thpstat_usage *usage, enum thpstat_metric metric, uint64_t pages,
		uint64_t page_size, enum thpstat_reason reason)
{
	uint64_t bytes;

	if (!reason && __builtin_mul_overflow(pages, page_size, &bytes))
		reason = THPSTAT_REASON_OVERFLOW;
	if (reason)
		usage_absent(usage, metric, reason);
	else
		usage_set(usage, metric, bytes, THPSTAT_METHOD_EXACT);
}

/* A count of pages, and whether it can be true: no part of a pool is larger than the pool. */
static enum thpstat_reason part(const struct thpstat_usage *usage, enum thpstat_metric metric,
				enum thpstat_reason of_total, uint64_t total, uint64_t *ret)
{
	enum thpstat_reason reason = thpstat_usage_reason(usage, metric);

	*ret = usage_or_zero(usage, metric);
	if (reason || of_total)
		return reason ? reason : of_total;
	return *ret > total ? THPSTAT_REASON_BROKEN : THPSTAT_REASON_NONE;
}

void pool_account(struct thpstat_usage *usage, uint64_t page_size)
{
	enum thpstat_reason of_total = thpstat_usage_reason(usage, THPSTAT_NR_HUGEPAGES);
	uint64_t total = usage_or_zero(usage, THPSTAT_NR_HUGEPAGES), free, reserved;
	enum thpstat_reason of_free = part(usage, THPSTAT_FREE_HUGEPAGES, of_total, total, &free);
	enum thpstat_reason of_reserved =
		part(usage, THPSTAT_RESV_HUGEPAGES, of_total, total, &reserved);
	enum thpstat_reason of_both = of_free ? of_free : of_reserved;

	/* a page that is promised is free */
	if (!of_both && reserved > free)
		of_both = of_reserved = THPSTAT_REASON_BROKEN;
	set(usage, THPSTAT_POOL_TOTAL, total, page_size, of_total);
	set(usage, THPSTAT_POOL_FREE, free, page_size, of_free);
	set(usage, THPSTAT_POOL_IN_USE, total - free, page_size, of_free);
	set(usage, THPSTAT_POOL_RESERVED, reserved, page_size, of_reserved);
	set(usage, THPSTAT_POOL_PROMISED, total - free + reserved, page_size, of_both);
	set(usage, THPSTAT_POOL_AVAILABLE, free - reserved, page_size, of_both);
}

/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_POOL_H
#define LIB_ACCOUNT_POOL_H

#include "account/usage.h"

/*
 * Bytes of a hugetlb pool in use, promised and available, from its page counts. A counter above
 * the pool is broken, and so is what would follow from it; the pool itself stands.
 */
void pool_account(struct thpstat_usage *usage, uint64_t page_size);

#endif

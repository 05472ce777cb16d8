/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_ONCE_RANGE_H
#define LIB_ACCOUNT_ONCE_RANGE_H

#include <stddef.h>

#include "account/once.h"
#include "account/usage.h"

/* What is resident and not anonymous, hugetlb apart; 0 when that is not known. */
uint64_t once_resident_of(const struct thpstat_usage *usage);

/*
 * What a mapping shows of the object behind it, if there is one. 0; -EOVERFLOW when its end in the
 * object does not fit, so that nothing can be concluded.
 */
int once_range_of(const struct thpstat_mapping *mapping, size_t name_length,
		  struct once_range *ret);

#endif

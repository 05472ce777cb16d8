/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_COVERAGE_H
#define LIB_ACCOUNT_COVERAGE_H

#include <thpstat/mapping.h>

#include "account/usage.h"

/* hugetlb, huge and resident, each mapping counted, from the kernel's figures in the record. */
void coverage_as_mapped(struct thpstat_usage *usage);

/* Splits what is resident and not anonymous into shared memory and files; of one mapping. */
void coverage_split_mapping(struct thpstat_usage *usage, enum thpstat_class class_);

/*
 * The same for a process, where @shmem is its resident shared memory. Figures of smaps and of
 * status are of different moments: when they contradict each other both parts are absent.
 */
void coverage_split_process(struct thpstat_usage *usage, uint64_t shmem);

#endif

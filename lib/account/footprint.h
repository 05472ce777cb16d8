/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_FOOTPRINT_H
#define LIB_ACCOUNT_FOOTPRINT_H

#include "account/once.h"
#include "account/usage.h"

/*
 * Figures that count each page once, from what the mappings of a process said. Huge ones are there
 * for the classes whose field this kernel has.
 */
void footprint_once(struct thpstat_usage *usage, const struct once_sum *sum);

/* The once figures of one object, whose as-mapped figures are there. */
void footprint_object(struct thpstat_usage *usage, const struct once_sum *sum);

/*
 * Those of a process from smaps_rollup alone, which proves it only when nothing is mapped twice;
 * otherwise the figures are absent, for @reason.
 */
void footprint_once_from_rollup(struct thpstat_usage *usage, enum thpstat_reason reason);

/* Every figure that counts pages once is absent for this reason. */
void footprint_once_absent(struct thpstat_usage *usage, enum thpstat_reason reason);

/* What the process costs: Pss, hugetlb, page tables. Comes after the once figures. */
void footprint_total(struct thpstat_usage *usage);

#endif

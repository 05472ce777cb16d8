/* SPDX-License-Identifier: MIT */
#ifndef TEST_ONCE_COMPARE_H
#define TEST_ONCE_COMPARE_H

#include <thpstat/thpstat.h>

/*
 * Each page once: the library's interval holds the truth by page tables, is nowhere looser than
 * the plain interval of once_rule(), and a figure called exact is the truth. With a look at the
 * pages nothing is left open: the resident figure is the truth, whatever the look is by, and the
 * huge one where the kernel can tell it. @directory as for
 * assert_equals_kernel(); NULL means the process. Skips the test where the kernel has no
 * PAGEMAP_SCAN.
 */
void assert_once_is_true(struct thpstat *source, int pid, const char *directory);

#endif

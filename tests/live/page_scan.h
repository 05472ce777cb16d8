/* SPDX-License-Identifier: MIT */
#ifndef TEST_PAGE_SCAN_H
#define TEST_PAGE_SCAN_H

#include <stdbool.h>

/*
 * Whether this program, and the library in it, has the PAGEMAP_SCAN ioctl. Without, it gets what
 * kernels before 6.7 answer.
 */
void page_scan_allow(bool allowed);

/* Called once, before the next scan; NULL for nothing. */
void page_scan_before(void (*event)(void));

#endif

/* SPDX-License-Identifier: MIT */
#ifndef LIB_ACCOUNT_PAGE_BITMAP_H
#define LIB_ACCOUNT_PAGE_BITMAP_H

#include <stdint.h>

/* Which pages of a stretch of up to 16384 (64 MiB of the usual ones) were seen: each counts once.
 */
#define PAGE_BITMAP_SIZE 16384

struct page_bitmap {
	uint64_t words[PAGE_BITMAP_SIZE / 64];
};

void page_bitmap_clear(struct page_bitmap *set);

/* Adds @n pages from @first on; all are below PAGE_BITMAP_SIZE. */
void page_bitmap_add(struct page_bitmap *set, unsigned int first, unsigned int n);

/* How many pages were added, each once. */
unsigned int page_bitmap_count(const struct page_bitmap *set);

#endif

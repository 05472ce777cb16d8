/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "account/page_bitmap.h"

void page_bitmap_clear(struct page_bitmap *set)
{
	memset(set, 0, sizeof(*set));
}

void page_bitmap_add(struct page_bitmap *set, unsigned int first, unsigned int n)
{
	while (n) {
		unsigned int bit = first % 64;
		unsigned int some = n < 64 - bit ? n : 64 - bit;

		set->words[first / 64] |= (UINT64_MAX >> (64 - some)) << bit;
		first += some;
		n -= some;
	}
}

unsigned int page_bitmap_count(const struct page_bitmap *set)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < PAGE_BITMAP_SIZE / 64; i++)
		n += (unsigned int)__builtin_popcountll(set->words[i]);
	return n;
}

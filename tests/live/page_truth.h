/* SPDX-License-Identifier: MIT */
#ifndef TEST_PAGE_TRUTH_H
#define TEST_PAGE_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What the page tables themselves say, by the PAGEMAP_SCAN ioctl (Linux 6.7), else by the bits of
 * pagemap. Depends on nothing of thpstat: it is what thpstat is measured against.
 */

/**
 * struct page_truth - bytes of one address range
 * @present: mapped pages in memory, zero pages not counted
 * @huge: of those, mapped by a huge page table entry (or hugetlb)
 * @file: of those present, pages of an object (file, shmem, shared hugetlb)
 * @zero: zero pages
 * @knows_huge: 0 when only pagemap could be read: then @huge is not known
 */
struct page_truth {
	uint64_t present;
	uint64_t huge;
	uint64_t file;
	uint64_t zero;
	int knows_huge;
};

/* Return: a pagemap descriptor of "self", of a pid or of "PID/task/TID"; or a negative errno. */
int page_truth_open(const char *process);

/* Measures [start, end). Return: 0 or a negative errno. */
int page_truth_measure(int pagemap, uint64_t start, uint64_t end, struct page_truth *ret);

/*
 * Pages of a process, each once. What makes two of them the same page is told in two ways: by page
 * frame, which root may see, and by place: pages of an object by their offset in it, others by
 * their address. Without KSM both say the same.
 */
struct page_set;

struct page_set *page_set_new(void);
struct page_set *page_set_free(struct page_set *set);

/* One mapping; @object is a number above 0 that its object alone has, 0 for none. */
struct page_set_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t object;
};

/* Adds the pages present in a mapping, zero pages left out. Return: 0 or a negative errno. */
int page_set_add(struct page_set *set, int pagemap, const struct page_set_mapping *mapping);

/* Were page frames to be seen? */
bool page_set_has_frames(const struct page_set *set);

/* Bytes of all pages of the set, each once; or of those that are huge in some place. */
struct page_set_bytes {
	uint64_t resident;
	uint64_t huge;
};

struct page_set_bytes page_set_by_frame(struct page_set *set);
struct page_set_bytes page_set_by_place(struct page_set *set);

#endif

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

/**
 * struct page_set - page frames of a process, each once
 */
struct page_set;

struct page_set *page_set_new(void);
struct page_set *page_set_free(struct page_set *set);

/*
 * Adds the pages present in [start, end), zero pages left out.
 *
 * Return: 0; -EPERM when page frames may not be seen; another negative errno.
 */
int page_set_add(struct page_set *set, int pagemap, uint64_t start, uint64_t end);

/* Bytes of all pages of the set, each frame once; or of those that are huge in some place. */
uint64_t page_set_bytes(struct page_set *set);
uint64_t page_set_huge_bytes(struct page_set *set);

#endif

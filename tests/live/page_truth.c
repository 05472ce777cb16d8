/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "page_truth.h"

/* From linux/fs.h of Linux 6.7, which headers of a distribution may lack. */
struct scan_region {
	uint64_t start;
	uint64_t end;
	uint64_t categories;
};

struct scan_arguments {
	uint64_t size;
	uint64_t flags;
	uint64_t start;
	uint64_t end;
	uint64_t walk_end;
	uint64_t vector;
	uint64_t vector_length;
	uint64_t max_pages;
	uint64_t category_inverted;
	uint64_t category_mask;
	uint64_t category_anyof_mask;
	uint64_t return_mask;
};

#define SCAN _IOWR('f', 16, struct scan_arguments)
#define SCAN_FILE (1u << 2)
#define SCAN_PRESENT (1u << 3)
#define SCAN_ZERO (1u << 5)
#define SCAN_HUGE (1u << 6)

#define PAGEMAP_FRAME ((UINT64_C(1) << 55) - 1)
#define PAGEMAP_FILE (UINT64_C(1) << 61)
#define PAGEMAP_PRESENT (UINT64_C(1) << 63)

#define VECTOR_LENGTH 128

typedef int (*region_fn)(void *userdata, const struct scan_region *region);

struct page {
	uint64_t frame;	 /* 0: not to be seen */
	uint64_t object; /* 0: none, then @at is an address */
	uint64_t at;
	bool huge;
};

struct page_set {
	struct page *pages;
	size_t n;
	size_t capacity;
	/* the mapping that is being added */
	const struct page_set_mapping *mapping;
	int pagemap;
};

int page_truth_open(const char *process)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/pagemap", process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static uint64_t page_size(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Calls @each for every run of present pages. */
static int scan(int pagemap, uint64_t start, uint64_t end, region_fn each, void *userdata)
{
	/* the kernel fills it; set all the same for valgrind, which does not know the ioctl */
	struct scan_region vector[VECTOR_LENGTH] = { { 0 } };
	struct scan_arguments arguments = {
		.size = sizeof(arguments),
		.start = start,
		.end = end,
		.vector = (uintptr_t)vector,
		.vector_length = VECTOR_LENGTH,
		.category_mask = SCAN_PRESENT,
		.return_mask = SCAN_PRESENT | SCAN_HUGE | SCAN_FILE | SCAN_ZERO,
	};

	while (arguments.start < end) {
		int n = ioctl(pagemap, SCAN, &arguments);

		if (n < 0)
			return -errno;
		for (int i = 0; i < n; i++) {
			int error = each(userdata, &vector[i]);

			if (error < 0)
				return error;
		}
		arguments.start = arguments.walk_end;
	}
	return 0;
}

static int add_region(void *userdata, const struct scan_region *region)
{
	struct page_truth *truth = userdata;
	uint64_t bytes = region->end - region->start;

	if (region->categories & SCAN_ZERO) {
		truth->zero += bytes;
		return 0;
	}
	truth->present += bytes;
	if (region->categories & SCAN_HUGE)
		truth->huge += bytes;
	if (region->categories & SCAN_FILE)
		truth->file += bytes;
	return 0;
}

/* Without the ioctl. Zero pages look like any other page here. */
static int measure_by_bits(int pagemap, uint64_t start, uint64_t end, struct page_truth *truth)
{
	for (uint64_t at = start; at < end; at += page_size()) {
		uint64_t entry;

		if (pread(pagemap, &entry, sizeof(entry),
			  (off_t)(at / page_size() * sizeof(entry))) != sizeof(entry))
			return errno != 0 ? -errno : -EIO;
		if (!(entry & PAGEMAP_PRESENT))
			continue;
		truth->present += page_size();
		if (entry & PAGEMAP_FILE)
			truth->file += page_size();
	}
	return 0;
}

int page_truth_measure(int pagemap, uint64_t start, uint64_t end, struct page_truth *ret)
{
	struct page_truth truth = { .knows_huge = 1 };
	int error = scan(pagemap, start, end, add_region, &truth);

	if (error == -ENOTTY || error == -EINVAL) {
		truth = (struct page_truth){ 0 };
		error = measure_by_bits(pagemap, start, end, &truth);
	}
	if (error < 0)
		return error;
	*ret = truth;
	return 0;
}

struct page_set *page_set_new(void)
{
	return calloc(1, sizeof(struct page_set));
}

struct page_set *page_set_free(struct page_set *set)
{
	if (set != NULL)
		free(set->pages);
	free(set);
	return NULL;
}

static int add_page(struct page_set *set, const struct page *page)
{
	if (set->n == set->capacity) {
		size_t capacity = set->capacity != 0 ? 2 * set->capacity : 1024;
		struct page *pages = realloc(set->pages, capacity * sizeof(*pages));

		if (pages == NULL)
			return -ENOMEM;
		set->pages = pages;
		set->capacity = capacity;
	}
	set->pages[set->n++] = *page;
	return 0;
}

static int add_pages(void *userdata, const struct scan_region *region)
{
	struct page_set *set = userdata;
	const struct page_set_mapping *mapping = set->mapping;
	bool of_object = (region->categories & SCAN_FILE) && mapping->object != 0;

	if (region->categories & SCAN_ZERO)
		return 0;
	for (uint64_t at = region->start; at < region->end; at += page_size()) {
		uint64_t entry;
		struct page page;
		int error;

		if (pread(set->pagemap, &entry, sizeof(entry),
			  (off_t)(at / page_size() * sizeof(entry))) != sizeof(entry))
			return errno != 0 ? -errno : -EIO;
		if (!(entry & PAGEMAP_PRESENT))
			return -EAGAIN;
		page = (struct page){
			.frame = entry & PAGEMAP_FRAME,
			.object = of_object ? mapping->object : 0,
			.at = of_object ? mapping->offset + (at - mapping->start) : at,
			.huge = (region->categories & SCAN_HUGE) != 0,
		};
		error = add_page(set, &page);
		if (error < 0)
			return error;
	}
	return 0;
}

int page_set_add(struct page_set *set, int pagemap, const struct page_set_mapping *mapping)
{
	set->mapping = mapping;
	set->pagemap = pagemap;
	return scan(pagemap, mapping->start, mapping->end, add_pages, set);
}

bool page_set_has_frames(const struct page_set *set)
{
	return set->n > 0 && set->pages[0].frame != 0;
}

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_frames(const void *a, const void *b)
{
	const struct page *left = a, *right = b;

	return order(left->frame, right->frame);
}

static int compare_places(const void *a, const void *b)
{
	const struct page *left = a, *right = b;

	return left->object != right->object ? order(left->object, right->object)
					     : order(left->at, right->at);
}

/* Neighbours that compare equal are one page. */
static struct page_set_bytes count(struct page_set *set,
				   int (*compare)(const void *a, const void *b))
{
	struct page_set_bytes bytes = { 0, 0 };
	size_t i = 0;

	if (set->n > 0)
		qsort(set->pages, set->n, sizeof(set->pages[0]), compare);
	while (i < set->n) {
		const struct page *first = &set->pages[i];
		bool huge = false;

		for (; i < set->n && compare(first, &set->pages[i]) == 0; i++)
			huge = huge || set->pages[i].huge;
		bytes.resident += page_size();
		bytes.huge += huge ? page_size() : 0;
	}
	return bytes;
}

struct page_set_bytes page_set_by_frame(struct page_set *set)
{
	return count(set, compare_frames);
}

struct page_set_bytes page_set_by_place(struct page_set *set)
{
	return count(set, compare_places);
}

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

struct frame {
	uint64_t number;
	int huge;
};

struct page_set {
	struct frame *frames;
	size_t n;
	size_t capacity;
	int pagemap; /* of the range that is being added */
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
		free(set->frames);
	free(set);
	return NULL;
}

static int add_frame(struct page_set *set, uint64_t number, int huge)
{
	if (set->n == set->capacity) {
		size_t capacity = set->capacity != 0 ? 2 * set->capacity : 1024;
		struct frame *frames = realloc(set->frames, capacity * sizeof(*frames));

		if (frames == NULL)
			return -ENOMEM;
		set->frames = frames;
		set->capacity = capacity;
	}
	set->frames[set->n++] = (struct frame){ .number = number, .huge = huge };
	return 0;
}

static int add_frames(void *userdata, const struct scan_region *region)
{
	struct page_set *set = userdata;
	uint64_t entries[512];
	uint64_t at = region->start;

	if (region->categories & SCAN_ZERO)
		return 0;
	while (at < region->end) {
		size_t wanted = (region->end - at) / page_size();
		ssize_t got;

		if (wanted > sizeof(entries) / sizeof(entries[0]))
			wanted = sizeof(entries) / sizeof(entries[0]);
		got = pread(set->pagemap, entries, wanted * sizeof(entries[0]),
			    (off_t)(at / page_size() * sizeof(entries[0])));
		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		for (size_t i = 0; i < (size_t)got / sizeof(entries[0]); i++) {
			uint64_t number = entries[i] & PAGEMAP_FRAME;
			int error;

			if (!(entries[i] & PAGEMAP_PRESENT))
				return -EAGAIN;
			if (number == 0)
				return -EPERM;
			error = add_frame(set, number, (region->categories & SCAN_HUGE) != 0);
			if (error < 0)
				return error;
		}
		at += (uint64_t)got / sizeof(entries[0]) * page_size();
	}
	return 0;
}

int page_set_add(struct page_set *set, int pagemap, uint64_t start, uint64_t end)
{
	set->pagemap = pagemap;
	return scan(pagemap, start, end, add_frames, set);
}

static int compare_frames(const void *a, const void *b)
{
	const struct frame *left = a, *right = b;

	return (left->number > right->number) - (left->number < right->number);
}

static uint64_t count_bytes(struct page_set *set, int huge_only)
{
	uint64_t pages = 0;
	size_t i = 0;

	qsort(set->frames, set->n, sizeof(set->frames[0]), compare_frames);
	while (i < set->n) {
		uint64_t number = set->frames[i].number;
		int huge = 0;

		for (; i < set->n && set->frames[i].number == number; i++)
			huge |= set->frames[i].huge;
		if (huge || !huge_only)
			pages++;
	}
	return pages * page_size();
}

uint64_t page_set_bytes(struct page_set *set)
{
	return count_bytes(set, 0);
}

uint64_t page_set_huge_bytes(struct page_set *set)
{
	return count_bytes(set, 1);
}

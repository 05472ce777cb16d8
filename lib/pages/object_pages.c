/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "pages/object_pages.h"

/* A stretch of an object, as one of its mappings shows it. */
struct look {
	struct object_pages *pages;
	struct once_range *range;
	uint64_t stretch; /* offset in the object */
};

static void add_run(void *userdata, uint64_t start, uint64_t end, unsigned int bits)
{
	const struct look *look = userdata;
	struct object_pages *pages = look->pages;
	struct once_range *range = look->range;
	uint64_t size = pages->pagemap.page_size;
	uint64_t offset = range->start + (start - range->address) - look->stretch;

	/* where all pages are the object's, kernels before 6.11 may not say so of huge ones */
	if (range->has_copies && !(bits & PAGEMAP_FILE)) {
		range->copies += end - start;
		return;
	}
	range->seen += end - start;
	page_bitmap_add(&pages->resident, (unsigned int)(offset / size),
			(unsigned int)((end - start) / size));
	if (!(bits & PAGEMAP_HUGE))
		return;
	range->seen_huge += end - start;
	page_bitmap_add(&pages->huge, (unsigned int)(offset / size),
			(unsigned int)((end - start) / size));
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The part of a stretch that a range maps. */
static int look_at(struct object_pages *pages, struct once_range *range, uint64_t stretch,
		   uint64_t stretch_end)
{
	uint64_t start = max(range->start, stretch), end = min(range->end, stretch_end);
	struct look look = { pages, range, stretch };

	if (start >= end)
		return 0;
	return pagemap_read(&pages->pagemap, range->address + (start - range->start),
			    range->address + (end - range->start), add_run, &look);
}

/* Are these the pages that smaps told of? */
static int as_told(const struct object_pages *pages, const struct once_range *range)
{
	uint64_t resident = range->seen, huge = range->seen_huge;

	/* pages of hugetlb are all huge, and copies of them count as much */
	if (range->class_ == THPSTAT_CLASS_HUGETLB)
		return resident + range->copies == range->resident;
	return resident == range->resident && (!pages->pagemap.has_scan || huge == range->huge);
}

/* Pages of hugetlb that a process wrote to in a private mapping are no longer the object's. */
static uint64_t own_copies(const struct once_range *ranges, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (ranges[i].class_ == THPSTAT_CLASS_HUGETLB)
			sum += ranges[i].copies;
	return sum;
}

int object_pages_settle(void *userdata, struct once_range *ranges, size_t n, struct once_pages *ret)
{
	struct object_pages *pages = userdata;
	uint64_t size = pages->pagemap.page_size;
	uint64_t length = min(PAGEMAP_PIECE, PAGE_BITMAP_SIZE * size);
	uint64_t end = 0;

	*ret = (struct once_pages){ 0 };
	for (size_t i = 0; i < n; i++) {
		end = max(end, ranges[i].end);
		ranges[i].seen = ranges[i].seen_huge = ranges[i].copies = 0;
		if (ranges[i].start % size || ranges[i].end % size || ranges[i].address % size)
			return -EINVAL;
	}
	for (uint64_t stretch = ranges[0].start; stretch < end; stretch += length) {
		page_bitmap_clear(&pages->resident);
		page_bitmap_clear(&pages->huge);
		for (size_t i = 0; i < n; i++) {
			int error = look_at(pages, &ranges[i], stretch, stretch + length);

			if (error)
				return error;
		}
		ret->resident += page_bitmap_count(&pages->resident) * size;
		ret->huge += page_bitmap_count(&pages->huge) * size;
	}
	ret->has_huge = pages->pagemap.has_scan;
	for (size_t i = 0; i < n; i++) {
		if (as_told(pages, &ranges[i]))
			continue;
		/* huge pages beside copies: the entries of old kernels do not tell them apart */
		if (!pages->pagemap.has_scan && ranges[i].has_copies && ranges[i].huge)
			return -ENODATA;
		pages->changed = 1;
		return -EAGAIN;
	}
	ret->resident += own_copies(ranges, n);
	if (ranges[0].class_ == THPSTAT_CLASS_HUGETLB) {
		ret->huge = ret->resident;
		ret->has_huge = 1;
	}
	pages->settled = 1;
	return 0;
}

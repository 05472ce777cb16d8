/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "account/once.h"

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Sums never wrap: a sum that does not fit is as high as can be, and so no proof of anything. */
static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static int compare(const void *left, const void *right)
{
	const struct once_range *a = left, *b = right;
	int order = thpstat_object_compare(&a->object, &b->object);

	if (order)
		return order;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* Which figure of a range is reckoned: the resident or the huge bytes. */
typedef uint64_t figure_fn(const struct once_range *range);

static uint64_t resident(const struct once_range *range)
{
	return range->resident;
}

static uint64_t huge(const struct once_range *range)
{
	return range->huge;
}

/* The union of those ranges over which the figure is complete, as ascending spans. */
static size_t complete_spans(const struct once_range *ranges, size_t n, figure_fn *figure,
			     struct once_span *spans)
{
	size_t n_spans = 0;
	uint64_t before = 0;

	for (size_t i = 0; i < n; i++) {
		const struct once_range *range = &ranges[i];

		if (figure(range) != range->end - range->start)
			continue;
		if (n_spans && range->start <= spans[n_spans - 1].end) {
			struct once_span *last = &spans[n_spans - 1];

			last->end = max(last->end, range->end);
			continue;
		}
		if (n_spans)
			before += spans[n_spans - 1].end - spans[n_spans - 1].start;
		spans[n_spans++] = (struct once_span){ range->start, range->end, before };
	}
	return n_spans;
}

/* Length of the spans below @offset. */
static uint64_t length_below(const struct once_span *spans, size_t n, uint64_t offset)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (spans[middle].start < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return 0;

	const struct once_span *span = &spans[low - 1];

	return span->before + min(offset, span->end) - span->start;
}

/* Bytes of [start, end) outside of all spans. */
static uint64_t outside(const struct once_span *spans, size_t n, uint64_t start, uint64_t end)
{
	uint64_t inside = length_below(spans, n, end) - length_below(spans, n, start);

	return end - start - inside;
}

/*
 * One figure of a group of ranges that overlap one another. Pages in the complete spans are
 * certain. What a range has outside of them is at least what cannot be inside; ranges that
 * overlap outside may hold the same pages or others.
 */
static struct once_interval overlapping(const struct once_range *ranges, size_t n,
					figure_fn *figure, struct once_span *spans)
{
	size_t n_spans = complete_spans(ranges, n, figure, spans);
	uint64_t certain = length_below(spans, n_spans, UINT64_MAX);
	struct once_interval all = { certain, certain };
	struct once_interval part = { 0, 0 }; /* ranges that overlap outside of the spans */
	uint64_t part_length = 0;	      /* what they cover there */
	uint64_t reach = 0;		      /* end of what any range so far covers */
	uint64_t largest = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		const struct once_range *range = &ranges[i];
		uint64_t value = figure(range);
		uint64_t length = range->end - range->start;

		largest = max(largest, value);
		sum = add(sum, value);
		if (!value || value == length)
			continue;

		uint64_t free = outside(spans, n_spans, range->start, range->end);

		/* it must not come between two others that overlap outside */
		if (!free)
			continue;

		uint64_t covered = length - free;
		uint64_t low = value > covered ? value - covered : 0;
		uint64_t high = min(value, free);
		uint64_t from = max(range->start, min(reach, range->end));

		if (from > range->start && outside(spans, n_spans, range->start, from)) {
			part.min = max(part.min, low);
			part.max = add(part.max, high);
		} else {
			all.min = add(all.min, part.min);
			all.max = add(all.max, min(part.max, part_length));
			part = (struct once_interval){ low, high };
			part_length = 0;
		}
		part_length += outside(spans, n_spans, from, range->end);
		reach = max(reach, range->end);
	}
	all.min = add(all.min, part.min);
	all.max = add(all.max, min(part.max, part_length));
	all.min = max(all.min, largest);
	all.max = min(all.max, sum);
	return all;
}

static void add_interval(struct once_interval *sum, struct once_interval part)
{
	sum->min = add(sum->min, part.min);
	sum->max = add(sum->max, part.max);
}

/* Who takes a closer look, if anybody. */
struct once_look {
	once_pages_fn *pages;
	void *userdata;
};

static int is_open(const struct once_interval *interval)
{
	return interval->min != interval->max;
}

static void look_closer(const struct once_look *look, struct once_range *ranges, size_t n,
			struct once_interval *resident_pages, struct once_interval *huge_pages)
{
	struct once_pages found;

	if (!look->pages || look->pages(look->userdata, ranges, n, &found))
		return;
	*resident_pages = (struct once_interval){ found.resident, found.resident };
	if (found.has_huge)
		*huge_pages = (struct once_interval){ found.huge, found.huge };
	huge_pages->max = min(huge_pages->max, found.resident);
}

/*
 * A group: ranges of one object, each overlapping one before it. When it is not certain that it is
 * one object (names differ, or the pages may be private), its pages may as well all be distinct.
 */
static void account_group(struct once_range *ranges, size_t n, struct once_span *spans,
			  const struct once_look *look, struct once_sum *sum)
{
	enum thpstat_class class_ = ranges[0].class_;
	struct once_interval pages = { ranges[0].resident, ranges[0].resident };
	struct once_interval huge_pages = { ranges[0].huge, ranges[0].huge };

	if (n > 1) {
		uint64_t floor = 0, all = 0, all_huge = 0;
		int may_be_several = 0, may_be_copies = 0;

		for (size_t i = 0; i < n; i++) {
			floor = add(floor, ranges[i].floor);
			all = add(all, ranges[i].resident);
			all_huge = add(all_huge, ranges[i].huge);
			may_be_several |= ranges[i].name != ranges[0].name;
			may_be_copies |= ranges[i].private_hugetlb;
			if (ranges[i].class_ == THPSTAT_CLASS_SHMEM)
				class_ = THPSTAT_CLASS_SHMEM;
		}
		pages = overlapping(ranges, n, resident, spans);
		huge_pages = overlapping(ranges, n, huge, spans);
		if (may_be_several || may_be_copies) {
			pages.max = all;
			huge_pages.max = all_huge;
		}
		/* a floor above the roof would be a Pss of another moment: no use made of it */
		if (floor <= pages.max)
			pages.min = max(pages.min, floor);
		huge_pages.max = min(huge_pages.max, pages.max);
		if (!may_be_several && (is_open(&pages) || is_open(&huge_pages)))
			look_closer(look, ranges, n, &pages, &huge_pages);
	}
	add_interval(&sum->resident[class_], pages);
	add_interval(&sum->huge[class_], huge_pages);
}

void once_account(struct once_range *ranges, size_t n, struct once_span *scratch,
		  once_pages_fn *look_fn, void *userdata, struct once_sum *sum)
{
	const struct once_look look = { look_fn, userdata };

	for (size_t i = 0; i < n; i++) {
		const struct once_range *range = &ranges[i];

		if (range->end <= range->start || range->resident > range->end - range->start ||
		    range->huge > range->resident)
			sum->broken = 1;
	}
	if (sum->broken)
		return;
	if (n)
		qsort(ranges, n, sizeof(*ranges), compare);

	for (size_t first = 0, next; first < n; first = next) {
		uint64_t reach = ranges[first].end;

		for (next = first + 1; next < n; next++) {
			if (thpstat_object_compare(&ranges[next].object, &ranges[first].object) ||
			    ranges[next].start >= reach)
				break;
			reach = max(reach, ranges[next].end);
		}
		account_group(&ranges[first], next - first, scratch, &look, sum);
	}
}

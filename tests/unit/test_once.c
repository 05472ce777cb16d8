/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "account/once.h"
#include "unit.h"

/* Small objects, so that every way in which their pages may lie can be gone through. */
#define PAGE UINT64_C(4096)
#define PAGES 12
#define RANGES 6

/* A range in pages. */
struct view {
	unsigned int start, end, resident, huge;
	unsigned int name;
	int private_hugetlb;
};

struct bounds {
	uint64_t min, max;
};

static struct once_range range_of(const struct view *view, uint64_t object, uint64_t floor,
				  enum thpstat_class class_)
{
	return (struct once_range){
		.object = { { 1, object, 1 } },
		.start = view->start * PAGE,
		.end = view->end * PAGE,
		.resident = view->resident * PAGE,
		.huge = view->huge * PAGE,
		.floor = floor,
		.name = view->name,
		.class_ = class_,
		.private_hugetlb = view->private_hugetlb,
	};
}

static void account(struct once_range *ranges, size_t n, struct once_sum *sum)
{
	/* not more room than was promised to be enough */
	struct once_span *scratch = malloc(n ? n * sizeof(*scratch) : 1);

	assert_non_null(scratch);
	*sum = (struct once_sum){ .broken = 0 };
	once_account(ranges, n, scratch, NULL, NULL, sum);
	free(scratch);
}

/* The bits of pages @start to @end - 1. */
static unsigned int page_bits(unsigned int start, unsigned int end)
{
	return ((1u << end) - 1) & ~((1u << start) - 1);
}

/*
 * The fewest and the most distinct pages over every way to place @figures[i] pages in range i: all
 * unions that can be reached, range by range.
 */
static struct bounds enumerate(const struct view *views, size_t n, const unsigned int *figures)
{
	static unsigned char reached[1 << PAGES], next[1 << PAGES];
	struct bounds bounds = { PAGES, 0 };

	memset(reached, 0, sizeof(reached));
	reached[0] = 1;
	for (size_t i = 0; i < n; i++) {
		unsigned int range = page_bits(views[i].start, views[i].end);

		memset(next, 0, sizeof(next));
		/* all subsets of the range with as many pages */
		for (unsigned int pages = range;; pages = (pages - 1) & range) {
			if ((unsigned int)__builtin_popcount(pages) == figures[i])
				for (unsigned int u = 0; u < 1u << PAGES; u++)
					if (reached[u])
						next[u | pages] = 1;
			if (!pages)
				break;
		}
		memcpy(reached, next, sizeof(reached));
	}
	for (unsigned int u = 0; u < 1u << PAGES; u++) {
		uint64_t pages = (uint64_t)__builtin_popcount(u);

		if (!reached[u])
			continue;
		bounds.min = pages < bounds.min ? pages : bounds.min;
		bounds.max = pages > bounds.max ? pages : bounds.max;
	}
	return bounds;
}

/* Which ranges belong together: each overlaps another of its group. */
static size_t find_groups(const struct view *views, size_t n, size_t *group)
{
	size_t n_groups = 0;

	for (size_t i = 0; i < n; i++)
		group[i] = i;
	for (size_t round = 0; round < n; round++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				if (views[i].start < views[j].end &&
				    views[j].start < views[i].end && group[j] > group[i])
					group[j] = group[i];
	for (size_t i = 0; i < n; i++)
		n_groups += group[i] == i;
	return n_groups;
}

/*
 * The bound that smaps must never give less than: for each group [max(largest, sum of floors),
 * min(sum, union of the ranges)].
 */
static struct bounds promised(const struct view *views, size_t n, const unsigned int *figures,
			      const uint64_t *floors)
{
	struct bounds bounds = { 0, 0 };
	size_t group[RANGES];

	find_groups(views, n, group);
	for (size_t g = 0; g < n; g++) {
		uint64_t largest = 0, sum = 0, floor = 0;
		unsigned int pages = 0;

		for (size_t i = 0; i < n; i++) {
			if (group[i] != g)
				continue;
			largest = figures[i] > largest ? figures[i] : largest;
			sum += figures[i];
			floor += floors ? floors[i] : 0;
			pages |= page_bits(views[i].start, views[i].end);
		}

		uint64_t cover = (uint64_t)__builtin_popcount(pages) * PAGE;

		sum *= PAGE;
		largest *= PAGE;
		bounds.min += floor > largest ? floor : largest;
		bounds.max += cover < sum ? cover : sum;
	}
	return bounds;
}

/*
 * Is there no doubt? Each range that is not resident from end to end either overlaps nobody, or
 * lies where others are resident from end to end.
 */
static int no_doubt(const struct view *views, size_t n, const unsigned int *figures)
{
	unsigned int complete = 0;

	for (size_t i = 0; i < n; i++)
		if (figures[i] == views[i].end - views[i].start)
			complete |= page_bits(views[i].start, views[i].end);
	for (size_t i = 0; i < n; i++) {
		unsigned int pages = page_bits(views[i].start, views[i].end);

		if (!figures[i] || !(pages & ~complete))
			continue;
		for (size_t j = 0; j < n; j++)
			if (j != i && figures[j] && page_bits(views[j].start, views[j].end) & pages)
				return 0;
	}
	return 1;
}

static void describe(const struct view *views, size_t n, char *text, size_t size)
{
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < n && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, " [%u,%u):%u/%u",
					   views[i].start, views[i].end, views[i].resident,
					   views[i].huge);
}

static void random_view(uint64_t *seed, unsigned int pages, struct view *view)
{
	unsigned int length;

	view->start = random_below(seed, pages);
	view->end = view->start + 1 + random_below(seed, pages - view->start);
	length = view->end - view->start;
	/* a third is complete, some have a single page: that is where the reasoning is */
	switch (random_below(seed, 6)) {
	case 0:
	case 1:
		view->resident = length;
		break;
	case 2:
		view->resident = 1;
		break;
	default:
		view->resident = 1 + random_below(seed, length);
	}
	view->huge =
		random_below(seed, 2) ? random_below(seed, view->resident + 1) : view->resident;
	view->name = 7;
	view->private_hugetlb = 0;
}

static struct bounds bounds_of(struct once_interval interval)
{
	return (struct bounds){ interval.min, interval.max };
}

/* One figure of one set of ranges. */
static void tally_interval(struct tally *tally, const struct view *views, size_t n,
			   const unsigned int *figures, const struct once_interval found,
			   const char *what)
{
	struct bounds truth = enumerate(views, n, figures);
	struct bounds promise = promised(views, n, figures, NULL);
	struct bounds interval = bounds_of(found);
	char text[256];

	describe(views, n, text, sizeof(text));
	tally_holds(tally, interval.min <= truth.min * PAGE && truth.max * PAGE <= interval.max,
		    "%s [%llu,%llu] hold [%llu,%llu]:%s", what,
		    (unsigned long long)(interval.min / PAGE),
		    (unsigned long long)(interval.max / PAGE), (unsigned long long)truth.min,
		    (unsigned long long)truth.max, text);
	tally_holds(tally, interval.min >= promise.min && interval.max <= promise.max,
		    "%s [%llu,%llu] not looser than [%llu,%llu]:%s", what,
		    (unsigned long long)(interval.min / PAGE),
		    (unsigned long long)(interval.max / PAGE),
		    (unsigned long long)(promise.min / PAGE),
		    (unsigned long long)(promise.max / PAGE), text);
	if (no_doubt(views, n, figures))
		tally_holds(tally, interval.min == interval.max, "%s is proved:%s", what, text);
}

/* Every placement of the pages is within the interval. */
static void test_all_placements(void **state)
{
	struct tally tally = { .subject = "all placements" };
	uint64_t seed = UINT64_C(0x1234567);

	(void)state;
	for (unsigned int round = 0; round < 6000; round++) {
		struct once_range ranges[RANGES];
		struct view views[RANGES];
		unsigned int resident[RANGES], huge[RANGES];
		size_t n = 1 + random_below(&seed, RANGES);
		unsigned int pages = 2 + random_below(&seed, PAGES - 1);
		struct once_sum sum;

		for (size_t i = 0; i < n; i++) {
			random_view(&seed, pages, &views[i]);
			ranges[i] = range_of(&views[i], 1, 0, THPSTAT_CLASS_SHMEM);
			resident[i] = views[i].resident;
			huge[i] = views[i].huge;
		}
		account(ranges, n, &sum);
		assert_false(sum.broken);
		tally_interval(&tally, views, n, resident, sum.resident[THPSTAT_CLASS_SHMEM],
			       "resident");
		tally_interval(&tally, views, n, huge, sum.huge[THPSTAT_CLASS_SHMEM], "huge");
	}
	tally_finish(&tally, 4 * 6000);
}

/*
 * With Pss: pages are placed, other processes map some of them too, and the kernel's figures follow
 * from that. The truth is known, and within the interval; the floor is made use of.
 */
static void test_with_pss(void **state)
{
	struct tally tally = { .subject = "with Pss" };
	uint64_t seed = UINT64_C(0xfeedface);

	(void)state;
	for (unsigned int round = 0; round < 20000; round++) {
		unsigned int placed[RANGES], resident[RANGES], users[PAGES] = { 0 };
		uint64_t floors[RANGES], truth;
		struct once_range ranges[RANGES];
		struct view views[RANGES];
		size_t n = 1 + random_below(&seed, RANGES);
		unsigned int all = 0;
		struct once_sum sum;
		char text[256];

		for (unsigned int p = 0; p < PAGES; p++)
			users[p] = random_below(&seed, 3) ? 0 : random_below(&seed, 4);
		for (size_t i = 0; i < n; i++) {
			random_view(&seed, PAGES, &views[i]);
			placed[i] = 0;
			while ((unsigned int)__builtin_popcount(placed[i]) < views[i].resident)
				placed[i] |=
					1u << (views[i].start +
					       random_below(&seed, views[i].end - views[i].start));
			for (unsigned int p = 0; p < PAGES; p++)
				users[p] += placed[i] >> p & 1;
			all |= placed[i];
		}
		for (size_t i = 0; i < n; i++) {
			uint64_t pss = 0;

			/* fractions of a byte, and then whole kilobytes, as the kernel has it */
			for (unsigned int p = 0; p < PAGES; p++)
				if (placed[i] >> p & 1)
					pss += (PAGE << 12) / users[p];
			floors[i] = (pss >> 12) / 1024 * 1024;
			ranges[i] = range_of(&views[i], 1, floors[i], THPSTAT_CLASS_FILE);
			resident[i] = views[i].resident;
		}
		truth = (uint64_t)__builtin_popcount(all) * PAGE;
		account(ranges, n, &sum);
		assert_false(sum.broken);

		struct bounds found = bounds_of(sum.resident[THPSTAT_CLASS_FILE]);
		struct bounds promise = promised(views, n, resident, floors);

		describe(views, n, text, sizeof(text));
		tally_holds(&tally, found.min <= truth && truth <= found.max,
			    "[%llu,%llu] holds %llu:%s", (unsigned long long)found.min,
			    (unsigned long long)found.max, (unsigned long long)truth, text);
		tally_holds(&tally, found.min >= promise.min && found.max <= promise.max,
			    "[%llu,%llu] not looser than [%llu,%llu]:%s",
			    (unsigned long long)found.min, (unsigned long long)found.max,
			    (unsigned long long)promise.min, (unsigned long long)promise.max, text);
	}
	tally_finish(&tally, 2 * 20000);
}

/* Where it is not certain that ranges show one object, all their pages may be distinct. */
static void test_doubtful_identity(void **state)
{
	struct tally tally = { .subject = "doubtful identity" };
	uint64_t seed = UINT64_C(0xabcdef);

	(void)state;
	for (unsigned int round = 0; round < 4000; round++) {
		struct once_range ranges[RANGES];
		unsigned int resident[RANGES], huge[RANGES];
		struct view views[RANGES];
		uint64_t most = 0, most_huge = 0;
		size_t n = 2 + random_below(&seed, 3);
		struct once_sum sum;
		char text[256];

		for (size_t i = 0; i < n; i++) {
			random_view(&seed, 8, &views[i]);
			views[i].name = (unsigned int)(round % 2 ? i : 7);
			views[i].private_hugetlb = !(round % 2);
			ranges[i] = range_of(&views[i], 1, 0, THPSTAT_CLASS_HUGETLB);
			resident[i] = views[i].resident;
			huge[i] = views[i].huge;
			most += views[i].resident;
			most_huge += views[i].huge;
		}
		account(ranges, n, &sum);
		describe(views, n, text, sizeof(text));

		struct bounds found = bounds_of(sum.resident[THPSTAT_CLASS_HUGETLB]);
		struct bounds found_huge = bounds_of(sum.huge[THPSTAT_CLASS_HUGETLB]);

		tally_holds(&tally,
			    found.min <= enumerate(views, n, resident).min * PAGE &&
				    found.max == most * PAGE,
			    "resident may be %llu, is at most %llu:%s", (unsigned long long)most,
			    (unsigned long long)(found.max / PAGE), text);
		tally_holds(&tally,
			    found_huge.min <= enumerate(views, n, huge).min * PAGE &&
				    found_huge.max == most_huge * PAGE,
			    "huge may be %llu, is at most %llu:%s", (unsigned long long)most_huge,
			    (unsigned long long)(found_huge.max / PAGE), text);
	}
	tally_finish(&tally, 2 * 4000);
}

/* By hand: what a reader would expect of each. */
static void test_examples(void **state)
{
	static const struct {
		const char *what;
		size_t n;
		struct view views[4];
		uint64_t min, max, huge_min, huge_max; /* pages */
	} rows[] = {
		{ "nothing", 0, { { 0 } }, 0, 0, 0, 0 },
		{ "one, part of it", 1, { { 0, 12, 5, 2, 7, 0 } }, 5, 5, 2, 2 },
		{ "side by side", 2, { { 0, 4, 2, 2, 7, 0 }, { 4, 8, 3, 0, 7, 0 } }, 5, 5, 2, 2 },
		{ "three complete views",
		  3,
		  { { 0, 12, 12, 12, 7, 0 }, { 0, 12, 12, 12, 7, 0 }, { 0, 12, 12, 0, 7, 0 } },
		  12,
		  12,
		  12,
		  12 },
		{ "one complete view settles it",
		  2,
		  { { 0, 12, 12, 8, 7, 0 }, { 0, 12, 3, 3, 7, 0 } },
		  12,
		  12,
		  8,
		  11 },
		/* equal figures prove nothing: two views, each half touched */
		{ "two halves", 2, { { 0, 8, 4, 0, 7, 0 }, { 0, 8, 4, 0, 7, 0 } }, 4, 8, 0, 0 },
		{ "more than half twice",
		  2,
		  { { 0, 8, 6, 6, 7, 0 }, { 0, 8, 6, 6, 7, 0 } },
		  6,
		  8,
		  6,
		  8 },
		{ "a complete view of one half",
		  2,
		  { { 0, 8, 5, 0, 7, 0 }, { 0, 4, 4, 0, 7, 0 } },
		  5,
		  8,
		  0,
		  0 },
		{ "other names", 2, { { 0, 8, 8, 8, 7, 0 }, { 0, 8, 8, 8, 8, 0 } }, 8, 16, 8, 16 },
		{ "private hugetlb",
		  2,
		  { { 0, 8, 8, 8, 7, 1 }, { 0, 8, 8, 8, 7, 0 } },
		  8,
		  16,
		  8,
		  16 },
		/* a partial view that lies within a complete one says nothing of two others */
		{ "a partial view inside of a complete one",
		  4,
		  { { 0, 10, 3, 0, 7, 0 },
		    { 2, 4, 2, 0, 7, 0 },
		    { 2, 4, 1, 0, 7, 0 },
		    { 5, 8, 2, 0, 7, 0 } },
		  4,
		  7,
		  0,
		  0 },
	};
	struct tally tally = { .subject = "examples" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct once_range ranges[4];
		struct once_sum sum;

		for (size_t j = 0; j < rows[i].n; j++)
			ranges[j] = range_of(&rows[i].views[j], 1, 0, THPSTAT_CLASS_SHMEM);
		account(ranges, rows[i].n, &sum);

		struct bounds found = bounds_of(sum.resident[THPSTAT_CLASS_SHMEM]);
		struct bounds huge = bounds_of(sum.huge[THPSTAT_CLASS_SHMEM]);

		tally_holds(&tally, found.min <= rows[i].min * PAGE && !found.min == !rows[i].n,
			    "lowest of %s", rows[i].what);
		tally_equal(&tally, found.max / PAGE, rows[i].max, "highest of %s", rows[i].what);
		tally_holds(&tally, huge.min <= rows[i].huge_min * PAGE, "lowest huge of %s",
			    rows[i].what);
		tally_equal(&tally, huge.max / PAGE, rows[i].huge_max, "highest huge of %s",
			    rows[i].what);
		if (rows[i].min == rows[i].max)
			tally_equal(&tally, found.min, rows[i].min * PAGE, "proof of %s",
				    rows[i].what);
	}
	tally_finish(&tally, 4 * ARRAY_SIZE(rows) + 5);
}

/* Objects, classes and what was in the sum before are kept apart. */
static void test_objects_apart(void **state)
{
	static const struct view full = { 0, 4, 4, 4, 7, 0 }, half = { 0, 4, 2, 0, 7, 0 };
	struct once_range ranges[] = {
		range_of(&full, 1, 0, THPSTAT_CLASS_SHMEM),
		range_of(&half, 9, 0, THPSTAT_CLASS_FILE),
		range_of(&full, 1, 0, THPSTAT_CLASS_SHMEM),
		range_of(&full, 2, 0, THPSTAT_CLASS_SHMEM),
		range_of(&half, 8, 0, THPSTAT_CLASS_FILE),
		range_of(&full, 3, 0, THPSTAT_CLASS_HUGETLB),
		/* shared memory that one mapping showed to be such */
		range_of(&half, 5, 0, THPSTAT_CLASS_FILE),
		range_of(&full, 5, 0, THPSTAT_CLASS_SHMEM),
	};
	struct once_span scratch[ARRAY_SIZE(ranges)];
	struct once_sum sum = { .broken = 0 };

	(void)state;
	sum.resident[THPSTAT_CLASS_ANON] = (struct once_interval){ 5, 6 };
	sum.resident[THPSTAT_CLASS_FILE] = (struct once_interval){ PAGE, 2 * PAGE };
	once_account(ranges, ARRAY_SIZE(ranges), scratch, NULL, NULL, &sum);
	assert_true(sum.resident[THPSTAT_CLASS_ANON].min == 5);
	assert_true(sum.resident[THPSTAT_CLASS_ANON].max == 6);
	assert_true(sum.resident[THPSTAT_CLASS_SHMEM].min == 12 * PAGE);
	assert_true(sum.resident[THPSTAT_CLASS_SHMEM].max == 12 * PAGE);
	assert_true(sum.resident[THPSTAT_CLASS_FILE].min == 5 * PAGE);
	assert_true(sum.resident[THPSTAT_CLASS_FILE].max == 6 * PAGE);
	assert_true(sum.resident[THPSTAT_CLASS_HUGETLB].min == 4 * PAGE);
	assert_true(sum.resident[THPSTAT_CLASS_HUGETLB].max == 4 * PAGE);
	assert_true(sum.huge[THPSTAT_CLASS_SHMEM].max == 12 * PAGE);
	assert_true(sum.huge[THPSTAT_CLASS_FILE].max == 0);
}

/* Says what it is told to say, and of how many objects it was asked. */
struct looker {
	struct once_pages says;
	int result;
	unsigned int asked;
};

static int look(void *userdata, struct once_range *ranges, size_t n, struct once_pages *ret)
{
	struct looker *looker = userdata;

	looker->asked++;
	assert_true(n > 1);
	for (size_t i = 1; i < n; i++)
		assert_int_equal(thpstat_object_compare(&ranges[0].object, &ranges[i].object), 0);
	*ret = looker->says;
	return looker->result;
}

/* A closer look is taken at what is open, and at nothing else; what it finds is the figure. */
static void test_closer_look(void **state)
{
	static const struct view full = { 0, 4, 4, 4, 7, 0 }, half = { 0, 4, 2, 1, 7, 0 },
				 other_name = { 0, 4, 2, 1, 8, 0 }, own = { 0, 4, 2, 2, 7, 1 };
	static const struct {
		const char *what;
		const struct view *views[2];
		enum thpstat_class class_;
		struct looker looker;
		unsigned int asked;
		struct once_interval resident, huge;
	} rows[] = {
		{ "nothing open",
		  { &full, &full },
		  THPSTAT_CLASS_SHMEM,
		  { { 1, 1, 1 }, 0, 0 },
		  0,
		  { 4, 4 },
		  { 4, 4 } },
		{ "open",
		  { &half, &half },
		  THPSTAT_CLASS_SHMEM,
		  { { 3, 1, 1 }, 0, 0 },
		  1,
		  { 3, 3 },
		  { 1, 1 } },
		{ "open, huge pages not told",
		  { &half, &half },
		  THPSTAT_CLASS_SHMEM,
		  { { 3, 0, 0 }, 0, 0 },
		  1,
		  { 3, 3 },
		  { 1, 2 } },
		{ "no answer",
		  { &half, &half },
		  THPSTAT_CLASS_SHMEM,
		  { { 3, 1, 1 }, -EAGAIN, 0 },
		  1,
		  { 2, 4 },
		  { 1, 2 } },
		{ "perhaps two objects",
		  { &half, &other_name },
		  THPSTAT_CLASS_SHMEM,
		  { { 3, 1, 1 }, 0, 0 },
		  0,
		  { 2, 4 },
		  { 1, 2 } },
		{ "perhaps copies",
		  { &own, &own },
		  THPSTAT_CLASS_HUGETLB,
		  { { 4, 4, 1 }, 0, 0 },
		  1,
		  { 4, 4 },
		  { 4, 4 } },
	};
	struct tally tally = { .subject = "closer look" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		enum thpstat_class class_ = rows[i].class_;
		struct once_range ranges[] = {
			range_of(rows[i].views[0], 1, 0, class_),
			range_of(rows[i].views[1], 1, 0, class_),
		};
		struct looker looker = rows[i].looker;
		struct once_span scratch[2];
		struct once_sum sum = { .broken = 0 };

		looker.says.resident *= PAGE;
		looker.says.huge *= PAGE;
		once_account(ranges, 2, scratch, look, &looker, &sum);
		tally_equal(&tally, looker.asked, rows[i].asked, "%s: asked", rows[i].what);
		tally_equal(&tally, sum.resident[class_].min, rows[i].resident.min * PAGE,
			    "%s: resident, least", rows[i].what);
		tally_equal(&tally, sum.resident[class_].max, rows[i].resident.max * PAGE,
			    "%s: resident, most", rows[i].what);
		tally_equal(&tally, sum.huge[class_].min, rows[i].huge.min * PAGE,
			    "%s: huge, least", rows[i].what);
		tally_equal(&tally, sum.huge[class_].max, rows[i].huge.max * PAGE, "%s: huge, most",
			    rows[i].what);
	}
	tally_finish(&tally, 5 * ARRAY_SIZE(rows));
}

/* Figures that contradict their mapping prove nothing; the sum is left alone. */
static void test_broken(void **state)
{
	static const struct {
		const char *what;
		struct once_range range;
	} rows[] = {
		{ "no length", { .start = 5, .end = 5, .resident = 0 } },
		{ "a negative length", { .start = 6, .end = 5, .resident = 0 } },
		{ "more pages than room", { .start = 0, .end = 4096, .resident = 4097 } },
		{ "more huge pages than pages",
		  { .start = 0, .end = 8192, .resident = 1, .huge = 2 } },
		{ "as much as there is", { .start = 1, .end = 0, .resident = UINT64_MAX } },
	};
	struct tally tally = { .subject = "broken" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int first = 0; first < 2; first++) {
			static const struct view full = { 0, 4, 4, 4, 7, 0 };
			struct once_range ranges[2];
			struct once_sum sum;

			ranges[first] = rows[i].range;
			ranges[!first] = range_of(&full, 1, 0, THPSTAT_CLASS_SHMEM);
			account(ranges, 2, &sum);
			tally_holds(&tally, sum.broken, "%s is seen", rows[i].what);
			tally_holds(&tally, !sum.resident[THPSTAT_CLASS_SHMEM].max,
				    "%s adds nothing", rows[i].what);
		}
	tally_finish(&tally, 4 * ARRAY_SIZE(rows));
}

/* Ranges as large as numbers can be: nothing wraps. */
static void test_large(void **state)
{
	struct once_range ranges[] = {
		{ .object = { { 1, 1, 1 } },
		  .start = 0,
		  .end = UINT64_MAX,
		  .resident = UINT64_MAX },
		{ .object = { { 1, 1, 1 } },
		  .start = 0,
		  .end = UINT64_MAX,
		  .resident = UINT64_MAX,
		  .floor = UINT64_MAX },
		{ .object = { { 1, 1, 1 } },
		  .start = 1,
		  .end = UINT64_MAX,
		  .resident = 5,
		  .floor = UINT64_MAX },
		{ .object = { { 1, 2, 1 } },
		  .start = 0,
		  .end = UINT64_MAX,
		  .resident = UINT64_MAX - 1 },
		{ .object = { { 1, 2, 1 } },
		  .start = 7,
		  .end = UINT64_MAX,
		  .resident = UINT64_MAX - 9 },
	};
	struct once_sum sum;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		ranges[i].class_ = THPSTAT_CLASS_SHMEM;
	account(ranges, ARRAY_SIZE(ranges), &sum);
	assert_false(sum.broken);
	assert_true(sum.resident[THPSTAT_CLASS_SHMEM].min == UINT64_MAX);
	assert_true(sum.resident[THPSTAT_CLASS_SHMEM].max == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),      cmocka_unit_test(test_all_placements),
		cmocka_unit_test(test_with_pss),      cmocka_unit_test(test_doubtful_identity),
		cmocka_unit_test(test_objects_apart), cmocka_unit_test(test_broken),
		cmocka_unit_test(test_large),	      cmocka_unit_test(test_closer_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

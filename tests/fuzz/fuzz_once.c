/* SPDX-License-Identifier: MIT */
/*
 * Pages that count once. An input whose first byte is even describes processes that there can be:
 * mappings of objects, and which page of the object each of them has in memory; so it is known how
 * many distinct pages there are, and the interval has to hold that. With an odd first byte the
 * ranges are just numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "account/once.h"
#include "fuzz.h"

#define RANGES_MAX 12
#define OBJECTS 3
#define PAGES 24 /* of an object */

struct mapping {
	unsigned int object;
	unsigned int first; /* page of the object */
	unsigned int n;
	uint32_t resident; /* bit i: page first + i */
	uint32_t huge;
	unsigned int copy; /* which of several objects that cannot be told apart */
};

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct once_sum account(const struct once_range *ranges, size_t n)
{
	/* exactly as much room as is asked for */
	struct once_range *copy =
		(struct once_range *)fuzz_copy((const char *)ranges, n * sizeof(*ranges));
	struct once_span *scratch = fuzz_memory(n, sizeof(*scratch));
	struct once_sum sum = { 0 };

	once_account(copy, n, scratch, NULL, NULL, &sum);
	free(scratch);
	free(copy);
	return sum;
}

static struct once_interval total(const struct once_interval *classes)
{
	struct once_interval sum = { 0, 0 };

	for (unsigned int i = 0; i < ONCE_CLASSES; i++) {
		sum.min = add(sum.min, classes[i].min);
		sum.max = add(sum.max, classes[i].max);
	}
	return sum;
}

/* Holds for any ranges. */
static void hold_bounds(const struct once_sum *sum, const struct once_range *ranges, size_t n)
{
	struct once_interval resident = total(sum->resident), huge = total(sum->huge);
	uint64_t largest = 0, largest_huge = 0, all = 0, all_huge = 0;

	if (sum->broken)
		return;
	for (size_t i = 0; i < n; i++) {
		largest = most(largest, ranges[i].resident);
		largest_huge = most(largest_huge, ranges[i].huge);
		all = add(all, ranges[i].resident);
		all_huge = add(all_huge, ranges[i].huge);
	}
	for (unsigned int i = 0; i < ONCE_CLASSES; i++) {
		fuzz_require(sum->resident[i].min <= sum->resident[i].max, "class %u", i);
		fuzz_require(sum->huge[i].min <= sum->huge[i].max, "class %u", i);
	}
	fuzz_require(resident.min >= largest && resident.max <= all, "resident");
	fuzz_require(huge.min >= largest_huge && huge.max <= all_huge, "huge");
	fuzz_require(huge.max <= resident.max, "more huge than resident");
}

static void hold_any_order(const struct once_sum *sum, const struct once_range *ranges, size_t n,
			   uint64_t *seed)
{
	struct once_range *copy = fuzz_memory(n, sizeof(*copy));
	struct once_sum other;

	if (n)
		memcpy(copy, ranges, n * sizeof(*copy));
	for (size_t i = n; i > 1; i--) {
		size_t j = fuzz_below(seed, i);
		struct once_range range = copy[j];

		copy[j] = copy[i - 1];
		copy[i - 1] = range;
	}
	other = account(copy, n);
	fuzz_require(other.broken == sum->broken, "in another order");
	fuzz_require(!memcmp(other.resident, sum->resident, sizeof(sum->resident)) &&
			     !memcmp(other.huge, sum->huge, sizeof(sum->huge)),
		     "in another order");
	free(copy);
}

/* Numbers as they come, near the limits more often than not. */
static uint64_t any_number(struct fuzz_input *input)
{
	uint64_t number = fuzz_number(input);
	uint8_t how = fuzz_byte(input);

	if (how & 1)
		number >>= how >> 2;
	return how & 2 ? ~number : number;
}

static size_t any_ranges(struct fuzz_input *input, struct once_range *ranges)
{
	size_t n = 0;

	while (n < RANGES_MAX && input->p < input->end) {
		struct once_range *range = &ranges[n++];
		uint8_t how = fuzz_byte(input);

		*range = (struct once_range){
			.object = { { how & 1, how >> 1 & 1, 1 } },
			.start = any_number(input),
			.end = any_number(input),
			.resident = any_number(input),
			.huge = any_number(input),
			.floor = any_number(input),
			.name = how >> 2 & 1,
			/* an object is either shared memory or not */
			.class_ = how & 1 ? THPSTAT_CLASS_SHMEM : THPSTAT_CLASS_FILE,
			.private_hugetlb = how >> 3 & 1,
		};
		if (how & 0x10) { /* large, but not broken */
			range->end = most(range->end, range->start);
			range->resident = least(range->resident, range->end - range->start);
			range->huge = least(range->huge, range->resident);
		}
	}
	return n;
}

/* Do two mappings have this page of an object, and the same one? */
static bool share(const struct mapping *a, const struct mapping *b)
{
	return a->object == b->object && a->copy == b->copy;
}

static bool has(const struct mapping *mapping, uint32_t pages, unsigned int page)
{
	return page >= mapping->first && page < mapping->first + mapping->n &&
	       pages >> (page - mapping->first) & 1;
}

/* Distinct pages, and for each mapping its part of them in 1/720720 of a page. */
static unsigned int count(const struct mapping *mappings, size_t n, bool huge, uint64_t *parts)
{
	unsigned int distinct = 0;

	for (size_t i = 0; i < n; i++) {
		parts[i] = 0;
		for (unsigned int page = 0; page < PAGES; page++) {
			unsigned int mapped = 0, before = 0;

			if (!has(&mappings[i], huge ? mappings[i].huge : mappings[i].resident,
				 page))
				continue;
			for (size_t j = 0; j < n; j++) {
				bool same =
					share(&mappings[i], &mappings[j]) &&
					has(&mappings[j],
					    huge ? mappings[j].huge : mappings[j].resident, page);

				mapped += same;
				before += same && j < i;
			}
			distinct += !before;
			parts[i] += 720720 / mapped; /* divides by all of 1 to 12 and more */
		}
	}
	return distinct;
}

/* A group as the library has it: ranges of an object, each overlapping one before it. */
static unsigned int group_of(const struct once_range *ranges, size_t n, unsigned int *groups)
{
	unsigned int n_groups = 0;
	bool changed = true;

	for (size_t i = 0; i < n; i++)
		groups[i] = (unsigned int)i;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				if (!thpstat_object_compare(&ranges[i].object, &ranges[j].object) &&
				    ranges[i].start < ranges[j].end &&
				    ranges[j].start < ranges[i].end && groups[i] < groups[j]) {
					groups[j] = groups[i];
					changed = true;
				}
	}
	for (size_t i = 0; i < n; i++)
		n_groups += groups[i] == i;
	return n_groups;
}

/* No interval is looser than what each group gives at a glance. */
static void hold_tight(const struct once_sum *sum, const struct once_range *ranges, size_t n,
		       uint64_t page_size)
{
	struct once_interval resident = total(sum->resident);
	unsigned int groups[RANGES_MAX];
	uint64_t low = 0, high = 0;

	if (!n || !group_of(ranges, n, groups))
		return;
	for (unsigned int group = 0; group < n; group++) {
		uint64_t largest = 0, floor = 0, all = 0, pages = 0;
		const struct once_range *first = NULL;
		bool distinct = false, alone = true;

		for (size_t i = 0; i < n; i++) {
			if (groups[i] != group)
				continue;
			alone = !first;
			first = first ? first : &ranges[i];
			distinct |= ranges[i].private_hugetlb || ranges[i].name != first->name;
			largest = most(largest, ranges[i].resident);
			floor = add(floor, ranges[i].floor);
			all = add(all, ranges[i].resident);
		}
		if (!first)
			continue;
		for (uint64_t page = 0; page < PAGES; page++)
			for (size_t i = 0; i < n; i++)
				if (groups[i] == group && ranges[i].start <= page * page_size &&
				    page * page_size < ranges[i].end) {
					pages++;
					break;
				}
		high += distinct && !alone ? all : least(all, pages * page_size);
		low += alone ? largest : most(largest, floor);
	}
	fuzz_require(resident.min >= low, "%llu, and %llu is clear",
		     (unsigned long long)resident.min, (unsigned long long)low);
	fuzz_require(resident.max <= high, "%llu, and %llu is clear",
		     (unsigned long long)resident.max, (unsigned long long)high);
}

static void take_mapping(struct fuzz_input *input, bool names_tell, struct mapping *mapping,
			 struct once_range *range)
{
	uint8_t how = fuzz_byte(input), where = fuzz_byte(input), length = fuzz_byte(input);
	uint8_t fill = fuzz_byte(input);
	uint32_t mask;

	mapping->object = how % OBJECTS;
	mapping->first = where % PAGES;
	mapping->n = 1 + length % (PAGES - mapping->first);
	mask = (UINT32_C(1) << mapping->n) - 1;
	mapping->resident = (uint32_t)fuzz_byte(input) << 16 | (uint32_t)fuzz_byte(input) << 8 |
			    fuzz_byte(input);
	if (fill & 1) /* resident from end to end is what proves most */
		mapping->resident = mask;
	mapping->resident &= mask;
	mapping->huge = mapping->resident & ((fill & 2) ? mask : (uint32_t)fuzz_byte(input) << 5);
	*range = (struct once_range){
		.object = { { mapping->object, 7, 1 } },
		.name = how >> 2 & how >> 3 & 1,
		.class_ = mapping->object == 0	 ? THPSTAT_CLASS_SHMEM
			  : mapping->object == 1 ? THPSTAT_CLASS_FILE
						 : THPSTAT_CLASS_HUGETLB,
		.private_hugetlb = mapping->object == 2 && how & 0x40,
	};
	/* other names may be other objects, and private pages copies */
	mapping->copy = names_tell ? range->name : 0;
	if (range->private_hugetlb && how & 0x20)
		mapping->copy = 2 + where;
}

static void hold_truth(struct fuzz_input *input, uint64_t page_size, bool names_tell)
{
	struct mapping mappings[RANGES_MAX];
	struct once_range ranges[RANGES_MAX];
	uint64_t parts[RANGES_MAX], parts_huge[RANGES_MAX];
	uint64_t seed = fuzz_seed(input->p, (size_t)(input->end - input->p));
	uint64_t resident, huge;
	struct once_interval all, all_huge;
	struct once_sum sum;
	size_t n = 0;

	while (n < RANGES_MAX && input->p < input->end) {
		take_mapping(input, names_tell, &mappings[n], &ranges[n]);
		n += mappings[n].resident != 0;
	}
	resident = count(mappings, n, false, parts) * page_size;
	huge = count(mappings, n, true, parts_huge) * page_size;
	for (size_t i = 0; i < n; i++) {
		const struct mapping *mapping = &mappings[i];

		ranges[i].start = mapping->first * page_size;
		ranges[i].end = (mapping->first + mapping->n) * page_size;
		ranges[i].resident = (uint64_t)__builtin_popcount(mapping->resident) * page_size;
		ranges[i].huge = (uint64_t)__builtin_popcount(mapping->huge) * page_size;
		/* there is no Pss of hugetlb */
		if (ranges[i].class_ != THPSTAT_CLASS_HUGETLB)
			ranges[i].floor = parts[i] * page_size / 720720;
	}
	sum = account(ranges, n);
	all = total(sum.resident);
	all_huge = total(sum.huge);
	fuzz_require(!sum.broken, "broken");
	fuzz_require(all.min <= resident && resident <= all.max, "%llu is not in [%llu, %llu]",
		     (unsigned long long)resident, (unsigned long long)all.min,
		     (unsigned long long)all.max);
	fuzz_require(all_huge.min <= huge && huge <= all_huge.max,
		     "huge: %llu is not in [%llu, %llu]", (unsigned long long)huge,
		     (unsigned long long)all_huge.min, (unsigned long long)all_huge.max);
	hold_bounds(&sum, ranges, n);
	hold_tight(&sum, ranges, n, page_size);
	hold_any_order(&sum, ranges, n, &seed);
}

static void hold_any(struct fuzz_input *input)
{
	struct once_range ranges[RANGES_MAX];
	uint64_t seed = fuzz_seed(input->p, (size_t)(input->end - input->p));
	size_t n = any_ranges(input, ranges);
	struct once_sum sum = account(ranges, n);

	hold_bounds(&sum, ranges, n);
	hold_any_order(&sum, ranges, n, &seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = { data, data + size };
	uint8_t how = fuzz_byte(&input);

	if (how & 1)
		hold_any(&input);
	else
		hold_truth(&input, UINT64_C(1) << (how >> 1) % 31, how & 0x80);
	return 0;
}

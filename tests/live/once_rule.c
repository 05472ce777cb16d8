/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "once_rule.h"

static uint64_t field(const struct kernel_record *record, const char *key)
{
	uint64_t value;

	kernel_field(record->fields, record->fields_length, key, &value);
	return value;
}

static uint64_t hugetlb(const struct kernel_record *record)
{
	return field(record, "Shared_Hugetlb") + field(record, "Private_Hugetlb");
}

/* Pages of the object in this mapping, or of hugetlb. */
static uint64_t resident(const struct kernel_record *record)
{
	return field(record, "Rss") - field(record, "Anonymous") + hugetlb(record);
}

static uint64_t proportional(const struct kernel_record *record)
{
	uint64_t pss = field(record, "Pss"), anonymous = field(record, "Anonymous");

	return pss > anonymous ? pss - anonymous : 0;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* On the kernel's internal mounts a number alone is not an object. */
static int kind_of_name(const struct kernel_record *record)
{
	if (begins(record->name, "/SYSV"))
		return 1;
	if (begins(record->name, "/memfd:"))
		return 2;
	if (begins(record->name, "/dev/zero"))
		return 3;
	return 0;
}

/* The first System V segment of an IPC namespace has the inode number 0, as if it were no file. */
static bool has_object(const struct kernel_record *record)
{
	return record->inode != 0 || record->name[0] == '/';
}

bool once_same_object(const struct kernel_record *a, const struct kernel_record *b)
{
	return has_object(a) && has_object(b) && a->inode == b->inode && a->major == b->major &&
	       a->minor == b->minor && kind_of_name(a) == kind_of_name(b);
}

static uint64_t file_end(const struct kernel_record *record)
{
	return record->offset + (record->end - record->start);
}

static int compare_offsets(const void *a, const void *b)
{
	const struct kernel_record *left = *(const struct kernel_record *const *)a;
	const struct kernel_record *right = *(const struct kernel_record *const *)b;

	return (left->offset > right->offset) - (left->offset < right->offset);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The mappings of one object, by offset: group by group. */
static void add_object(const struct kernel_record **list, size_t n, struct once_interval *sum)
{
	size_t i = 0;

	qsort(list, n, sizeof(*list), compare_offsets);
	while (i < n) {
		uint64_t start = list[i]->offset, end = start;
		uint64_t largest = 0, shares = 0, total = 0;

		do {
			largest = larger(largest, resident(list[i]));
			shares += proportional(list[i]);
			total += resident(list[i]);
			end = larger(end, file_end(list[i]));
			i++;
		} while (i < n && list[i]->offset < end);
		sum->min += larger(largest, shares);
		sum->max += smaller(total, end - start);
	}
}

struct once_interval once_rule(const struct kernel_records *records)
{
	const struct kernel_record **list = calloc(records->n + 1, sizeof(*list));
	bool *done = calloc(records->n + 1, sizeof(*done));
	struct once_interval sum = { 0, 0 };

	for (size_t i = 0; list != NULL && done != NULL && i < records->n; i++) {
		const struct kernel_record *record = &records->list[i];
		size_t n = 0;

		sum.min += field(record, "Anonymous");
		sum.max += field(record, "Anonymous");
		if (done[i])
			continue;
		/* empty mappings prove and disprove nothing */
		for (size_t j = i; j < records->n; j++) {
			if (j != i && !once_same_object(record, &records->list[j]))
				continue;
			done[j] = true;
			if (resident(&records->list[j]) > 0)
				list[n++] = &records->list[j];
		}
		add_object(list, n, &sum);
	}
	free(list);
	free(done);
	return sum;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/object.h>

#include "account/footprint.h"
#include "account/once_range.h"
#include "pages/object_pages.h"
#include "process_walk.h"

/* A mapping of an object. */
struct member {
	struct once_range range;
	uint64_t size;
	size_t name; /* where it begins in the names */
	int class_unsure;
};

struct thpstat_objects {
	struct thpstat_object view;
	struct thpstat_usage usage;
	struct member *members;
	size_t n_members;
	size_t room;
	size_t next; /* member that the next object begins with */
	char *names; /* one after the other, each with its NUL */
	size_t names_length;
	size_t names_room;
	uint64_t page_size;	   /* the smallest of any mapping; 0: none says */
	struct once_range *ranges; /* of one object; room for all */
	struct once_span *spans;
	struct object_pages pages;
};

static int grow(void **items, size_t *room, size_t needed, size_t size)
{
	size_t more = *room ? *room : 64;

	while (more < needed)
		more *= 2;
	if (more == *room)
		return 0;

	void *grown = reallocarray(*items, more, size);

	if (!grown)
		return -ENOMEM;
	*items = grown;
	*room = more;
	return 0;
}

/* Neighbours mostly have the same name, which is kept once then. */
static int keep_name(struct thpstat_objects *list, const char *name, size_t *ret)
{
	size_t size = strlen(name) + 1;

	if (list->n_members) {
		size_t last = list->members[list->n_members - 1].name;

		if (!strcmp(list->names + last, name)) {
			*ret = last;
			return 0;
		}
	}
	if (grow((void **)&list->names, &list->names_room, list->names_length + size, 1))
		return -ENOMEM;
	memcpy(list->names + list->names_length, name, size);
	*ret = list->names_length;
	list->names_length += size;
	return 0;
}

static int add(struct thpstat_objects *list, const struct thpstat_mapping *mapping)
{
	static const struct thpstat_object_key none;
	uint64_t page_size = usage_or_zero(mapping->usage, THPSTAT_KERNEL_PAGE_SIZE);
	struct member member = { .size = mapping->end - mapping->start };

	if (page_size && (!list->page_size || page_size < list->page_size))
		list->page_size = page_size;
	if (!thpstat_object_compare(&mapping->object, &none))
		return 0;
	member.class_unsure = thpstat_usage_reason(mapping->usage, THPSTAT_RESIDENT_FILE) ==
			      THPSTAT_REASON_NOT_PROVED;
	if (once_range_of(mapping, strlen(mapping->name), &member.range))
		return -EBADMSG;
	if (keep_name(list, mapping->name, &member.name) ||
	    grow((void **)&list->members, &list->room, list->n_members + 1, sizeof(*list->members)))
		return -ENOMEM;
	list->members[list->n_members++] = member;
	return 0;
}

static int read_mappings(struct thpstat_objects *list, const struct thpstat_process *process)
{
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk;
	uint64_t previous_end = 0;
	int more = thpstat_mappings_open_process(process, &walk), error = 0;

	if (more)
		return more;
	while (!error && (more = thpstat_mappings_next(walk, &mapping)) == 1) {
		error = mapping->error ? mapping->error : add(list, mapping);
		/* a mapping that is seen twice would count twice */
		if (!error && mapping->start < previous_end)
			error = -EAGAIN;
		previous_end = mapping->end;
	}
	thpstat_mappings_close(walk);
	return error ? error : more;
}

static int compare(const void *left, const void *right)
{
	const struct member *a = left, *b = right;
	int order = thpstat_object_compare(&a->range.object, &b->range.object);

	if (!order)
		order = (a->range.address > b->range.address) -
			(a->range.address < b->range.address);
	return order;
}

int thpstat_objects_open_process(const struct thpstat_process *process, unsigned int want,
				 struct thpstat_objects **ret)
{
	if (!process || !ret || want & ~THPSTAT_PROCESS_WANT_PAGES)
		return -EINVAL;

	struct thpstat_objects *list = calloc(1, sizeof(*list));

	if (!list)
		return -ENOMEM;
	list->pages.pagemap.fd = -1;
	list->view.usage = &list->usage;

	int error = read_mappings(list, process);

	if (!error && list->n_members) {
		list->ranges = calloc(list->n_members, sizeof(*list->ranges));
		list->spans = calloc(list->n_members, sizeof(*list->spans));
		if (!list->ranges || !list->spans)
			error = -ENOMEM;
	}
	if (error) {
		thpstat_objects_close(list);
		return error;
	}
	if (list->n_members)
		qsort(list->members, list->n_members, sizeof(*list->members), compare);
	/* where it may not be read, the limits stay */
	if (want & THPSTAT_PROCESS_WANT_PAGES && list->page_size)
		(void)pagemap_open(&list->pages.pagemap, &process_walk_source(process)->tree,
				   &process_walk_subject(process)->memory, list->page_size);
	*ret = list;
	return 0;
}

/* Adds up what its mappings show; a sum that does not fit is absent. */
static void add_up(struct thpstat_objects *list, const struct member *members, size_t n)
{
	struct thpstat_usage *usage = &list->usage;
	uint64_t size = 0, resident = 0, huge = 0;
	int overflow = 0;

	for (size_t i = 0; i < n; i++) {
		const struct once_range *range = &members[i].range;

		overflow |= __builtin_add_overflow(size, members[i].size, &size) ||
			    __builtin_add_overflow(resident, range->resident, &resident) ||
			    __builtin_add_overflow(huge, range->huge, &huge);
		if (range->class_ == THPSTAT_CLASS_SHMEM)
			list->view.class_ = THPSTAT_CLASS_SHMEM;
		if (members[i].class_unsure)
			list->view.flags |= THPSTAT_OBJECT_CLASS_UNSURE;
		if (strcmp(list->names + members[i].name, list->view.name))
			list->view.flags |= THPSTAT_OBJECT_NAMES_DIFFER;
	}
	usage_set(usage, THPSTAT_MAPPINGS, n, THPSTAT_METHOD_EXACT);
	if (overflow) {
		usage_absent(usage, THPSTAT_SIZE, THPSTAT_REASON_OVERFLOW);
		usage_absent(usage, THPSTAT_RESIDENT, THPSTAT_REASON_OVERFLOW);
		usage_absent(usage, THPSTAT_HUGE, THPSTAT_REASON_OVERFLOW);
		return;
	}
	usage_set(usage, THPSTAT_SIZE, size, THPSTAT_METHOD_EXACT);
	usage_set(usage, THPSTAT_RESIDENT, resident, THPSTAT_METHOD_EXACT);
	usage_set(usage, THPSTAT_HUGE, huge, THPSTAT_METHOD_EXACT);
}

static void add_once(struct thpstat_objects *list, const struct member *members, size_t n)
{
	once_pages_fn *look = list->pages.pagemap.fd >= 0 ? object_pages_settle : NULL;
	struct once_sum sum = { .broken = 0 };
	size_t n_ranges = 0;

	for (size_t i = 0; i < n; i++)
		if (members[i].range.resident)
			list->ranges[n_ranges++] = members[i].range;
	list->pages.settled = 0;
	once_account(list->ranges, n_ranges, list->spans, look, &list->pages, &sum);
	footprint_object(&list->usage, &sum);
	if (list->pages.settled)
		list->view.page_source = list->pages.pagemap.has_scan
						 ? THPSTAT_PAGE_SOURCE_PAGEMAP_SCAN
						 : THPSTAT_PAGE_SOURCE_PAGEMAP;
}

int thpstat_objects_next(struct thpstat_objects *list, const struct thpstat_object **ret)
{
	if (!list || !ret)
		return -EINVAL;
	if (list->next == list->n_members)
		return 0;

	const struct member *first = &list->members[list->next];
	size_t n = 1;

	while (list->next + n < list->n_members &&
	       !thpstat_object_compare(&first[n].range.object, &first->range.object))
		n++;
	usage_clear(&list->usage);
	list->view.key = first->range.object;
	list->view.class_ = first->range.class_;
	list->view.flags = 0;
	list->view.page_source = THPSTAT_PAGE_SOURCE_NONE;
	list->view.name = list->names + first->name;
	add_up(list, first, n);
	add_once(list, first, n);
	list->next += n;
	*ret = &list->view;
	return 1;
}

struct thpstat_objects *thpstat_objects_close(struct thpstat_objects *list)
{
	if (!list)
		return NULL;
	pagemap_close(&list->pages.pagemap);
	free(list->members);
	free(list->names);
	free(list->ranges);
	free(list->spans);
	free(list);
	return NULL;
}

/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "object_views.h"
#include "safe_text.h"

/* A mapping of an object. */
struct view {
	struct thpstat_object_key object;
	uint64_t start; /* in the object */
	uint64_t end;
	uint64_t resident;
	enum thpstat_class class_;
	char *name;
};

struct views {
	struct view *items;
	size_t n;
	size_t capacity;
};

static uint64_t value_or_zero(const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	uint64_t value;

	return thpstat_usage_get(usage, metric, &value) ? 0 : value;
}

/* Pages of the object, private copies left out. */
static uint64_t resident_of_object(const struct thpstat_usage *usage)
{
	return value_or_zero(usage, THPSTAT_RESIDENT_SHMEM) +
	       value_or_zero(usage, THPSTAT_RESIDENT_FILE) + value_or_zero(usage, THPSTAT_HUGETLB);
}

static void add(struct views *views, const struct thpstat_mapping *mapping)
{
	static const struct thpstat_object_key none;
	uint64_t resident = resident_of_object(mapping->usage);
	uint64_t end = mapping->offset + (mapping->end - mapping->start);

	/* what is not resident is not counted again, however often it is mapped */
	if (!resident || !thpstat_object_compare(&mapping->object, &none) || end <= mapping->offset)
		return;
	views->items = memory_room(views->items, views->n, &views->capacity, sizeof(*views->items));
	views->items[views->n++] = (struct view){
		.object = mapping->object,
		.start = mapping->offset,
		.end = end,
		.resident = resident,
		.class_ = mapping->class_,
		.name = memory_copy(mapping->name),
	};
}

static int compare_views(const void *a, const void *b)
{
	const struct view *x = a, *y = b;
	int order = thpstat_object_compare(&x->object, &y->object);

	return order ? order : (x->start > y->start) - (x->start < y->start);
}

static int compare_offsets(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How many of the views, which are in the order of their starts, overlap at most. */
static size_t most_at_once(const struct view *views, size_t n)
{
	uint64_t *ends = memory_zeroed(n, sizeof(*ends));
	size_t ended = 0, most = 0;

	for (size_t i = 0; i < n; i++)
		ends[i] = views[i].end;
	qsort(ends, n, sizeof(*ends), compare_offsets);
	for (size_t i = 0; i < n; i++) {
		while (ends[ended] <= views[i].start)
			ended++;
		if (i + 1 - ended > most)
			most = i + 1 - ended;
	}
	free(ends);
	return most;
}

static void find_largest(const struct views *views, struct object_views *ret)
{
	const struct view *largest = NULL;
	uint64_t most_resident = 0;
	size_t n_objects = 0;

	for (size_t first = 0, next; first < views->n; first = next) {
		const struct view *view = &views->items[first];
		uint64_t resident = 0;
		size_t times;

		for (next = first; next < views->n; next++) {
			if (thpstat_object_compare(&view->object, &views->items[next].object))
				break;
			resident += views->items[next].resident;
		}
		times = most_at_once(view, next - first);
		if (times < 2)
			continue;
		n_objects++;
		if (resident <= most_resident)
			continue;
		most_resident = resident;
		largest = view;
		ret->times = times;
	}
	if (!largest)
		return;
	ret->name = memory_copy(largest->name);
	ret->class_ = largest->class_;
	ret->others = n_objects - 1;
}

int object_views_read(const struct thpstat_process *process, struct object_views *ret)
{
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk;
	struct views views = { 0 };
	int result;

	*ret = (struct object_views){ 0 };
	result = thpstat_mappings_open_process(process, &walk);
	if (result)
		return result;
	while ((result = thpstat_mappings_next(walk, &mapping)) > 0)
		add(&views, mapping);
	thpstat_mappings_close(walk);
	if (!result && views.n) {
		qsort(views.items, views.n, sizeof(*views.items), compare_views);
		find_largest(&views, ret);
	}
	for (size_t i = 0; i < views.n; i++)
		free(views.items[i].name);
	free(views.items);
	return result;
}

char *object_views_text(const struct object_views *views, const char *between)
{
	static const char deleted[] = " (deleted)";
	char *name = safe_text_for_terminal(views->name);
	size_t length = strlen(name);
	char *text;

	/* that is no news of a memfd: it never had a name in a directory */
	if (!strncmp(name, "/memfd:", strlen("/memfd:")) && length > strlen(deleted) &&
	    !strcmp(name + length - strlen(deleted), deleted))
		name[length - strlen(deleted)] = '\0';
	text = memory_format("%s%s %zu times", name, between, views->times);
	free(name);
	return text;
}

void object_views_free(struct object_views *views)
{
	free(views->name);
}

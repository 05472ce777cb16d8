/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdint.h>

#include "memory.h"
#include "message.h"
#include "object_list.h"
#include "stream.h"

#define USUAL_COLUMNS "size,mappings,resident,resident_once,huge_once,coverage_once,name"
#define USUAL_COLUMNS_OF_SEVERAL "pid," USUAL_COLUMNS

/* A process whose mappings move is read again, not forever. */
#define ATTEMPTS 3

int object_list_prepare(struct object_list *list, const struct session *session,
			const struct mapping_filter *filter)
{
	int status;

	*list = (struct object_list){
		.session = session,
		.filter = filter,
		.walk.want = THPSTAT_PROCESS_WANT_IDENTITY_ONLY,
	};
	status = process_walk_select(&list->walk, session);
	if (status)
		return status;
	status = listing_prepare(&list->listing, session, THPSTAT_OF_OBJECT,
				 list->walk.pids.n > 1 ? USUAL_COLUMNS_OF_SEVERAL : USUAL_COLUMNS);
	if (status)
		return status;
	/* not resident_once, which is absent where only its limits are known */
	listing_show_largest_first(&list->listing, "resident");
	listing_begin(&list->listing, "objects");
	return 0;
}

static void fill_method(const struct thpstat_object *object, struct cell *cell)
{
	enum thpstat_method method = thpstat_usage_method(object->usage, THPSTAT_RESIDENT_ONCE_MAX);

	cell_set_text(cell, method == THPSTAT_METHOD_NONE ? NULL : thpstat_method_name(method));
}

static void fill_identity(enum identity identity, int pid, const struct thpstat_object *object,
			  struct cell *cell)
{
	bool is_unsure = object->flags & THPSTAT_OBJECT_CLASS_UNSURE;

	switch (identity) {
	case IDENTITY_PID:
		cell_set_number(cell, CELL_COUNT, (uint64_t)pid);
		break;
	case IDENTITY_CLASS:
		cell_set_text(cell, is_unsure ? NULL : thpstat_class_name(object->class_));
		break;
	case IDENTITY_ONCE_METHOD:
		fill_method(object, cell);
		break;
	case IDENTITY_PAGE_SOURCE:
		cell_set_text(cell, object->page_source == THPSTAT_PAGE_SOURCE_NONE
					    ? NULL
					    : thpstat_page_source_name(object->page_source));
		break;
	case IDENTITY_NAMES_DIFFER:
		cell_set_number(cell, CELL_FLAG, !!(object->flags & THPSTAT_OBJECT_NAMES_DIFFER));
		break;
	case IDENTITY_NAME:
		cell_set_text(cell, *object->name ? object->name : NULL);
		break;
	default: /* of others */
		break;
	}
}

static void add_object(struct object_list *list, int pid, const struct thpstat_object *object)
{
	struct listing *listing = &list->listing;
	struct cell *row;
	uint64_t size;

	if (!thpstat_usage_get(object->usage, THPSTAT_SIZE, &size) && size < list->filter->min)
		return;
	row = report_add_row(listing->report);
	columns_fill(&listing->columns, object->usage, row);
	for (size_t i = 0; i < listing->columns.n; i++)
		if (listing->columns.items[i].kind == COLUMN_IDENTITY)
			fill_identity((enum identity)listing->columns.items[i].id, pid, object,
				      &row[i]);
}

static int open_objects(const struct object_list *list, const struct thpstat_process *process,
			struct thpstat_objects **ret)
{
	unsigned int want = list->session->options->exact ? THPSTAT_PROCESS_WANT_PAGES : 0;
	int error = -EAGAIN;

	for (int i = 0; i < ATTEMPTS && (error == -EAGAIN || error == -ESRCH); i++)
		error = thpstat_objects_open_process(process, want, ret);
	return error;
}

static void add_process(void *userdata, const struct thpstat_process *process)
{
	struct object_list *list = userdata;
	const struct thpstat_object *object;
	struct thpstat_objects *objects;
	int error;

	if (process->state == THPSTAT_PROCESS_KERNEL_THREAD ||
	    process->state == THPSTAT_PROCESS_ZOMBIE) {
		if (list->walk.asked == ASKED_PIDS)
			message("%d: a %s has no mappings", process->pid,
				thpstat_process_state_name(process->state));
		return;
	}
	if (process->error) /* told, and counted */
		return;
	error = open_objects(list, process, &objects);
	if (error == -ENOMEM)
		memory_exhausted();
	process_walk_outcome(&list->walk, list->session, process->pid, error, false, false);
	if (error)
		return;
	while (!stream_is_broken() && thpstat_objects_next(objects, &object) == 1)
		add_object(list, process->pid, object);
	thpstat_objects_close(objects);
}

static int print_json(const struct object_list *list)
{
	const struct thpstat_host *host;
	struct report *envelope, *completeness;
	int status = session_read_host(list->session, &host);

	if (status)
		return status;
	envelope = session_envelope(list->session, host);
	completeness = process_walk_report(&list->walk);
	report_print_json((const struct report *const[]){ envelope, completeness,
							  list->listing.report },
			  3);
	report_free(envelope);
	report_free(completeness);
	thpstat_host_free(host);
	return 0;
}

int object_list_print(struct object_list *list)
{
	int status = process_walk_run(&list->walk, list->session, add_process, list);

	if (status)
		return status;
	listing_sort(&list->listing);
	if (list->session->options->format == FORMAT_JSON)
		status = print_json(list);
	else
		listing_flush(&list->listing, SIZE_MAX);
	return status ? status : process_walk_status(&list->walk, list->session);
}

void object_list_free(struct object_list *list)
{
	process_walk_free(&list->walk);
	listing_free(&list->listing);
}

/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "process_list.h"
#include "user.h"

/* 79 columns on a terminal. */
#define USUAL_COLUMNS "pid,user,resident,pss,huge,coverage,comm"

/* procfs lists its processes in the order of their ids, the directory of a saved tree does not. */
static void choose_order_of_tree(struct process_list *list)
{
	struct listing *listing = &list->listing;

	list->is_tree = !thpstat_is_live(list->session->source) && list->walk.asked != ASKED_PIDS;
	if (list->is_tree)
		list->pid_column = listing_add_unseen(listing, columns_find(&listing->all, "pid",
									    strlen("pid")));
}

/* Files are opened for what is shown, and for nothing else. */
static void choose_files(struct process_list *list, bool whole)
{
	const struct options *options = list->session->options;
	const struct columns *columns = &list->listing.columns;
	bool as_is_cheap = options_are_json(options) && !whole && !options->exact &&
			   !options_name_columns(options);

	if (columns_have(columns, IDENTITY_CGROUP))
		list->walk.want |= THPSTAT_PROCESS_WANT_CGROUP;
	if (columns_have(columns, IDENTITY_START_TIME))
		list->walk.want |= THPSTAT_PROCESS_WANT_START_TIME;
	if (as_is_cheap)
		return;
	list->walk.n_metrics = columns_metrics(columns, &list->walk.metrics);
	if (!list->walk.n_metrics)
		list->walk.want |= THPSTAT_PROCESS_WANT_IDENTITY_ONLY;
}

int process_list_prepare(struct process_list *list, const struct session *session, bool whole)
{
	int status;

	*list = (struct process_list){ .session = session };
	status = listing_prepare(&list->listing, session, THPSTAT_OF_PROCESS, USUAL_COLUMNS);
	if (!status) {
		listing_show_largest_first(&list->listing, "resident");
		status = process_walk_select(&list->walk, session);
	}
	if (status)
		return status;
	choose_order_of_tree(list);
	choose_files(list, whole);
	listing_begin(&list->listing, "processes");
	list->listing.streams = !list->listing.is_sorted && !list->is_tree &&
				session->options->format != FORMAT_TABLE &&
				session->options->format != FORMAT_JSON;
	return 0;
}

static void fill_user(const struct session *session, const struct thpstat_process *process,
		      struct cell *cell)
{
	const char *name = session->own_host ? user_name(process->uid) : NULL;
	char number[16];

	snprintf(number, sizeof(number), "%u", process->uid);
	cell_set_text(cell, name || options_are_json(session->options) ? name : number);
}

static void fill_method(const struct thpstat_usage *usage, enum thpstat_metric metric,
			enum thpstat_metric otherwise, struct cell *cell)
{
	enum thpstat_method method = thpstat_usage_method(usage, metric);

	if (method == THPSTAT_METHOD_NONE)
		method = thpstat_usage_method(usage, otherwise);
	cell_set_text(cell, method == THPSTAT_METHOD_NONE ? NULL : thpstat_method_name(method));
}

static void fill_page_source(const struct thpstat_process *process, struct cell *cell)
{
	enum thpstat_page_source source = thpstat_process_page_source(process);

	cell_set_text(cell,
		      source == THPSTAT_PAGE_SOURCE_NONE ? NULL : thpstat_page_source_name(source));
}

static void fill_identity(const struct session *session, enum identity identity,
			  const struct thpstat_process *process, struct cell *cell)
{
	unsigned int known = process->known;

	switch (identity) {
	case IDENTITY_PID:
		cell_set_number(cell, CELL_COUNT, (uint64_t)process->pid);
		break;
	case IDENTITY_PPID:
		if (known & THPSTAT_PROCESS_KNOWS_PPID)
			cell_set_number(cell, CELL_COUNT, (uint64_t)process->ppid);
		break;
	case IDENTITY_UID:
		if (known & THPSTAT_PROCESS_KNOWS_UID)
			cell_set_number(cell, CELL_COUNT, process->uid);
		break;
	case IDENTITY_USER:
		if (known & THPSTAT_PROCESS_KNOWS_UID)
			fill_user(session, process, cell);
		break;
	case IDENTITY_COMM:
		cell_set_text(cell, process->comm);
		break;
	case IDENTITY_STATE:
		cell_set_text(cell, thpstat_process_state_name(process->state));
		break;
	case IDENTITY_ERROR:
		cell_set_text(cell, process->error ? message_of_error(process->error) : NULL);
		break;
	case IDENTITY_CGROUP:
		cell_set_text(cell, process->cgroup);
		break;
	case IDENTITY_START_TIME:
		if (known & THPSTAT_PROCESS_KNOWS_START_TIME)
			cell_set_number(cell, CELL_COUNT, process->start_time);
		break;
	case IDENTITY_INCONSISTENT:
		cell_set_number(cell, CELL_FLAG, !!(process->flags & THPSTAT_PROCESS_INCONSISTENT));
		break;
	case IDENTITY_CUT:
		cell_set_number(cell, CELL_FLAG, !!(process->flags & THPSTAT_PROCESS_CUT));
		break;
	case IDENTITY_ONCE_METHOD:
		fill_method(process->usage, THPSTAT_RESIDENT_ONCE, THPSTAT_RESIDENT_ONCE_MAX, cell);
		break;
	case IDENTITY_PAGE_SOURCE:
		fill_page_source(process, cell);
		break;
	case IDENTITY_FOOTPRINT_METHOD:
		fill_method(process->usage, THPSTAT_FOOTPRINT, THPSTAT_FOOTPRINT, cell);
		break;
	default: /* of mappings */
		break;
	}
}

static void add_process(void *userdata, const struct thpstat_process *process)
{
	struct process_list *list = userdata;
	const struct columns *columns = &list->listing.columns;
	bool has_memory = process->state != THPSTAT_PROCESS_KERNEL_THREAD &&
			  process->state != THPSTAT_PROCESS_ZOMBIE;
	struct cell *row;

	if (list->walk.asked == ASKED_ALL && !has_memory)
		return;
	row = report_add_row(list->listing.report);
	for (size_t i = 0; i < columns->n; i++) {
		const struct column *column = &columns->items[i];

		if (column->kind == COLUMN_IDENTITY)
			fill_identity(list->session, (enum identity)column->id, process, &row[i]);
		else
			column_fill(column, process->usage, &row[i]);
	}
	listing_row_done(&list->listing);
}

static int print_json(struct process_list *list)
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

int process_list_print(struct process_list *list, size_t limit)
{
	int status = process_walk_run(&list->walk, list->session, add_process, list);
	struct report *report = list->listing.report;
	size_t n_rows;

	if (status)
		return status;
	if (list->is_tree)
		report_sort(report, list->pid_column, false);
	listing_sort(&list->listing);
	n_rows = report->n_rows;
	if (list->session->options->format == FORMAT_JSON)
		status = print_json(list);
	else
		listing_flush(&list->listing, limit);
	if (status)
		return status;
	if (n_rows > limit)
		printf("... %zu more; thpstat ps shows all\n", n_rows - limit);
	return process_walk_status(&list->walk, list->session);
}

void process_list_free(struct process_list *list)
{
	process_walk_free(&list->walk);
	listing_free(&list->listing);
}

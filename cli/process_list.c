/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "process_list.h"
#include "progress.h"
#include "user.h"

/* 79 columns on a terminal. */
#define USUAL_COLUMNS "pid,user,resident,pss,huge,coverage,comm"

/* Rows that are kept before they are printed, where nothing has to be known of them all. */
#define BATCH 64

static bool is_json(const struct session *session)
{
	return session->options->format == FORMAT_JSON ||
	       session->options->format == FORMAT_JSON_LINES;
}

static int choose_columns(struct process_list *list)
{
	return session_columns(list->session, &list->all,
			       is_json(list->session) ? NULL : USUAL_COLUMNS, &list->columns);
}

/* A column to sort by is there in any case, if need be unseen. Returns its place. */
static size_t add_unseen(struct process_list *list, const struct column *column)
{
	struct column unseen = *column;

	unseen.shape.flags |= REPORT_HIDDEN;
	return columns_add(&list->columns, &unseen);
}

static int choose_order(struct process_list *list)
{
	const struct options *options = list->session->options;
	const char *name = options->sort;
	const struct column *column;

	if (!name) {
		/* people look for the large ones */
		column = columns_find(&list->columns, "resident", strlen("resident"));
		list->is_sorted = list->descending = options->format == FORMAT_TABLE && column;
		if (list->is_sorted)
			list->sort_column = columns_add(&list->columns, column);
		return 0;
	}
	list->is_sorted = true;
	list->descending = *name == '-';
	name += list->descending;
	column = columns_find(&list->all, name, strlen(name));
	if (!column) {
		message("unknown column '%s' to sort by; --list-columns shows all", name);
		return STATUS_USAGE;
	}
	list->sort_column = add_unseen(list, column);
	return 0;
}

/* procfs lists its processes in the order of their ids, the directory of a saved tree does not. */
static void choose_order_of_tree(struct process_list *list)
{
	list->is_tree = !thpstat_is_live(list->session->source) && list->walk.asked != ASKED_PIDS;
	if (list->is_tree)
		list->pid_column = add_unseen(list, columns_find(&list->all, "pid", strlen("pid")));
}

/* Files are opened for what is shown, and for nothing else. */
static void choose_files(struct process_list *list, bool whole)
{
	const struct options *options = list->session->options;
	bool as_is_cheap = is_json(list->session) && !whole && !options->exact &&
			   !options_name_columns(options);

	if (columns_have(&list->columns, IDENTITY_CGROUP))
		list->walk.want |= THPSTAT_PROCESS_WANT_CGROUP;
	if (columns_have(&list->columns, IDENTITY_START_TIME))
		list->walk.want |= THPSTAT_PROCESS_WANT_START_TIME;
	if (as_is_cheap)
		return;
	list->walk.n_metrics = columns_metrics(&list->columns, &list->walk.metrics);
	if (!list->walk.n_metrics)
		list->walk.want |= THPSTAT_PROCESS_WANT_IDENTITY_ONLY;
}

int process_list_prepare(struct process_list *list, const struct session *session, bool whole)
{
	int status;

	*list = (struct process_list){
		.session = session,
		.all = columns_of(THPSTAT_OF_PROCESS),
		.style = options_table_style(session->options),
	};
	status = choose_columns(list);
	if (!status)
		status = choose_order(list);
	if (!status)
		status = process_walk_select(&list->walk, session);
	if (status)
		return status;
	choose_order_of_tree(list);
	choose_files(list, whole);
	list->report = columns_report(&list->columns, "processes");
	list->streams = !list->is_sorted && !list->is_tree &&
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
	cell_set_text(cell, name || is_json(session) ? name : number);
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
	}
}

static void print_rows(struct process_list *list, size_t limit)
{
	progress_hide();
	if (list->session->options->format == FORMAT_JSON_LINES)
		report_print_json_lines(list->report);
	else
		report_print_table(list->report, &list->style, limit);
}

static void add_process(void *userdata, const struct thpstat_process *process)
{
	struct process_list *list = userdata;
	bool has_memory = process->state != THPSTAT_PROCESS_KERNEL_THREAD &&
			  process->state != THPSTAT_PROCESS_ZOMBIE;
	struct cell *row;

	if (list->walk.asked == ASKED_ALL && !has_memory)
		return;
	row = report_add_row(list->report);
	for (size_t i = 0; i < list->columns.n; i++) {
		const struct column *column = &list->columns.items[i];

		if (column->kind == COLUMN_IDENTITY)
			fill_identity(list->session, (enum identity)column->id, process, &row[i]);
		else
			column_fill(column, process->usage, &row[i]);
	}
	if (!list->streams || list->report->n_rows < BATCH)
		return;
	print_rows(list, SIZE_MAX);
	report_clear(list->report);
	list->style.headings = false;
}

static struct report *completeness_report(const struct thpstat_completeness *seen)
{
	const struct {
		const char *name;
		uint64_t n;
	} counts[] = {
		{ "read", seen->read },
		{ "forbidden", seen->forbidden },
		{ "vanished", seen->vanished },
		{ "cut", seen->cut },
		{ "kernel_threads", seen->kernel_threads },
		{ "zombies", seen->zombies },
	};
	size_t n = sizeof(counts) / sizeof(counts[0]);
	struct report *report = report_new("completeness", n);
	struct cell *row = report_add_row(report);

	report->single = true;
	for (size_t i = 0; i < n; i++) {
		report->columns[i] = (struct report_column){ counts[i].name, CELL_COUNT, 0 };
		cell_set_number(&row[i], CELL_COUNT, counts[i].n);
	}
	return report;
}

static int print_json(struct process_list *list)
{
	const struct thpstat_host *host;
	struct report *envelope, *completeness;
	int status = session_read_host(list->session, &host);

	if (status)
		return status;
	envelope = session_envelope(list->session, host);
	completeness = completeness_report(&list->walk.completeness);
	report_print_json((const struct report *const[]){ envelope, completeness, list->report },
			  3);
	report_free(envelope);
	report_free(completeness);
	thpstat_host_free(host);
	return 0;
}

int process_list_print(struct process_list *list, size_t limit)
{
	int status = process_walk_run(&list->walk, list->session, add_process, list);

	if (status)
		return status;
	if (list->is_tree)
		report_sort(list->report, list->pid_column, false);
	if (list->is_sorted)
		report_sort(list->report, list->sort_column, list->descending);
	if (list->session->options->format == FORMAT_JSON)
		status = print_json(list);
	else
		print_rows(list, limit);
	if (status)
		return status;
	if (list->report->n_rows > limit)
		printf("... %zu more; thpstat ps shows all\n", list->report->n_rows - limit);
	return process_walk_status(&list->walk, list->session);
}

void process_list_free(struct process_list *list)
{
	process_walk_free(&list->walk);
	columns_free(&list->all);
	columns_free(&list->columns);
	report_free(list->report);
}

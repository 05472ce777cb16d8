/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mapping_cells.h"
#include "mapping_list.h"
#include "memory.h"
#include "message.h"
#include "stream.h"

#define USUAL_COLUMNS "start,size,resident,huge,coverage,kind,perms,name"
#define USUAL_COLUMNS_OF_SEVERAL "pid," USUAL_COLUMNS
#define USUAL_COLUMNS_OF_KINDS "kind,mappings,size,resident,huge,coverage"

/* A process that executes another program just when it is opened is opened again, not forever. */
#define ATTEMPTS 3

/* What was met among the mappings of one process. */
struct pass {
	uint64_t known; /* metrics that some record has, by their place in smaps_metrics */
	uint64_t lacking;
	bool is_malformed;
	bool has_mappings;
};

static void list_smaps_metrics(struct mapping_list *list)
{
	enum thpstat_metric metric = (enum thpstat_metric)0;

	list->smaps_metrics = memory_zeroed(64, sizeof(*list->smaps_metrics));
	while ((metric = thpstat_metric_next(metric))) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metric);

		/* derived ones are made of those that are read */
		if (info->subjects & THPSTAT_OF_MAPPING && *info->kernel_files &&
		    list->n_smaps_metrics < 64)
			list->smaps_metrics[list->n_smaps_metrics++] = metric;
	}
}

int mapping_list_prepare(struct mapping_list *list, const struct session *session,
			 const struct mapping_filter *filter)
{
	const struct options *options = session->options;
	bool several;
	int status;

	*list = (struct mapping_list){
		.session = session,
		.filter = filter,
		.walk.want = THPSTAT_PROCESS_WANT_IDENTITY_ONLY,
	};
	list_smaps_metrics(list);
	status = process_walk_select(&list->walk, session);
	if (status)
		return status;
	several = list->walk.pids.n > 1;
	status = listing_prepare(&list->listing, session, options_subject(options),
				 options->by == BY_KIND ? USUAL_COLUMNS_OF_KINDS
				 : several		? USUAL_COLUMNS_OF_SEVERAL
							: USUAL_COLUMNS);
	if (status)
		return status;
	if (options->by == BY_KIND)
		listing_show_largest_first(&list->listing, "resident");
	listing_begin(&list->listing, options->by == BY_KIND ? "kinds" : "mappings");
	list->listing.streams = !list->listing.is_sorted && options->format != FORMAT_TABLE;
	return 0;
}

/* Does a record lack what others have? That is how the whole process is judged in ps. */
static void note_figures(const struct mapping_list *list, struct pass *pass,
			 const struct thpstat_mapping *mapping)
{
	for (size_t i = 0; i < list->n_smaps_metrics; i++) {
		switch (thpstat_usage_reason(mapping->usage, list->smaps_metrics[i])) {
		case THPSTAT_REASON_NONE:
			pass->known |= UINT64_C(1) << i;
			break;
		case THPSTAT_REASON_NOT_OFFERED:
			pass->lacking |= UINT64_C(1) << i;
			break;
		default:
			pass->is_malformed = true;
		}
	}
	pass->is_malformed |= mapping->error == -EBADMSG;
	pass->has_mappings = true;
}

static void add_to_kind(struct kind_sum *sum, const struct thpstat_usage *usage, uint64_t mappings)
{
	if (!sum->usage && thpstat_usage_new(&sum->usage))
		memory_exhausted();
	sum->mappings += mappings;
	if (thpstat_usage_add(sum->usage, usage)) /* both are there */
		abort();
}

/* The sums of a process become part of all, unless it was not read to its end. */
static void take_kinds(struct mapping_list *list, bool is_whole)
{
	for (size_t i = 0; i < MAPPING_KINDS_MAX; i++) {
		struct kind_sum *part = &list->kinds_of_process[i];

		if (part->usage && is_whole)
			add_to_kind(&list->kinds[i], part->usage, part->mappings);
		thpstat_usage_free(part->usage);
		*part = (struct kind_sum){ 0 };
	}
}

static void add_mapping(struct mapping_list *list, int pid, const struct thpstat_mapping *mapping)
{
	struct listing *listing = &list->listing;

	if (!mapping_filter_passes(list->filter, mapping))
		return;
	if (list->session->options->by == BY_KIND) {
		add_to_kind(
			&list->kinds_of_process[(unsigned int)mapping->kind % MAPPING_KINDS_MAX],
			mapping->usage, 1);
		return;
	}
	mapping_cells_fill(&listing->columns, pid, mapping, report_add_row(listing->report));
	listing_row_done(listing);
}

/* 0, or why the list of the process is not complete. */
static int read_mappings(struct mapping_list *list, const struct thpstat_process *process,
			 struct pass *pass)
{
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *mappings;
	int result = thpstat_mappings_open_process(process, &mappings);

	if (result)
		return result;
	while (!stream_is_broken() && (result = thpstat_mappings_next(mappings, &mapping)) == 1) {
		note_figures(list, pass, mapping);
		add_mapping(list, process->pid, mapping);
	}
	thpstat_mappings_close(mappings);
	return result < 0 ? result : 0;
}

static void add_process(void *userdata, const struct thpstat_process *process)
{
	struct mapping_list *list = userdata;
	struct pass pass = { 0 };
	int error = -ESRCH;

	if (process->state == THPSTAT_PROCESS_KERNEL_THREAD ||
	    process->state == THPSTAT_PROCESS_ZOMBIE) {
		if (list->walk.asked == ASKED_PIDS)
			message("%d: a %s has no mappings", process->pid,
				thpstat_process_state_name(process->state));
		return;
	}
	if (process->error) /* told, and counted */
		return;
	for (int i = 0; i < ATTEMPTS && error == -ESRCH && !pass.has_mappings; i++)
		error = read_mappings(list, process, &pass);
	take_kinds(list, !error);
	if (error == -ENOMEM)
		memory_exhausted();
	if (!error && !pass.has_mappings && !stream_is_broken())
		error = -ENODATA;
	process_walk_outcome(&list->walk, list->session, process->pid, error,
			     pass.is_malformed || pass.known & pass.lacking,
			     pass.has_mappings && list->session->options->by != BY_KIND);
}

static void add_kinds(struct mapping_list *list)
{
	struct listing *listing = &list->listing;

	for (unsigned int kind = 0; kind < MAPPING_KINDS_MAX; kind++) {
		const struct kind_sum *sum = &list->kinds[kind];
		struct cell *row;

		if (!sum->usage)
			continue;
		row = report_add_row(listing->report);
		columns_fill(&listing->columns, sum->usage, row);
		for (size_t i = 0; i < listing->columns.n; i++) {
			const struct column *column = &listing->columns.items[i];

			if (column->kind != COLUMN_IDENTITY)
				continue;
			if (column->id == IDENTITY_KIND)
				cell_set_text(&row[i], thpstat_mapping_kind_name(
							       (enum thpstat_mapping_kind)kind));
			else
				cell_set_number(&row[i], CELL_COUNT, sum->mappings);
		}
	}
}

/* What stands before the mappings in JSON. */
static int begin_json(const struct mapping_list *list)
{
	const struct thpstat_host *host;
	struct report *envelope;
	int status = session_read_host(list->session, &host);

	if (status)
		return status;
	envelope = session_envelope(list->session, host);
	report_json_begin(envelope, list->listing.report);
	report_free(envelope);
	thpstat_host_free(host);
	return 0;
}

static void end_json(const struct mapping_list *list)
{
	struct report *completeness = process_walk_report(&list->walk);

	report_json_end(list->listing.n_before, completeness);
	report_free(completeness);
}

int mapping_list_print(struct mapping_list *list)
{
	bool is_json = list->session->options->format == FORMAT_JSON;
	int status = is_json ? begin_json(list) : 0;

	if (status)
		return status;
	status = process_walk_run(&list->walk, list->session, add_process, list);
	add_kinds(list);
	listing_sort(&list->listing);
	if (!list->listing.n_before || list->listing.report->n_rows)
		listing_flush(&list->listing, SIZE_MAX);
	if (is_json)
		end_json(list);
	return status ? status : process_walk_status(&list->walk, list->session);
}

void mapping_list_free(struct mapping_list *list)
{
	take_kinds(list, false);
	for (size_t i = 0; i < MAPPING_KINDS_MAX; i++)
		thpstat_usage_free(list->kinds[i].usage);
	free(list->smaps_metrics);
	process_walk_free(&list->walk);
	listing_free(&list->listing);
}

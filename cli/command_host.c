/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "command.h"
#include "host_view.h"
#include "message.h"
#include "session.h"

/* A list of records: some cells of its own, then all metrics of a subject. */
struct records {
	struct report *report;
	struct columns columns;
	size_t n_own;
};

static struct records records_new(const char *name, const struct report_column *own, size_t n_own,
				  struct columns columns)
{
	struct records records = {
		.report = report_new(name, n_own + columns.n),
		.columns = columns,
		.n_own = n_own,
	};

	records.report->explained = columns.n;
	for (size_t i = 0; i < n_own; i++)
		records.report->columns[i] = own[i];
	for (size_t i = 0; i < columns.n; i++)
		records.report->columns[n_own + i] = columns.items[i].shape;
	return records;
}

static struct cell *records_add(struct records *records, const struct thpstat_usage *usage)
{
	struct cell *row = report_add_row(records->report);

	columns_fill(&records->columns, usage, &row[records->n_own]);
	return row;
}

static struct report *records_end(struct records *records)
{
	columns_free(&records->columns);
	return records->report;
}

/* Takes @columns over. */
static struct report *host_record(const struct thpstat_host *host, struct columns columns)
{
	struct records records = records_new("host", NULL, 0, columns);

	records.report->single = true;
	records_add(&records, host->usage);
	return records_end(&records);
}

static struct report *settings(const struct thpstat_host *host)
{
	static const struct report_column own[] = {
		{ "knob", CELL_TEXT, 0 },     { "value", CELL_TEXT, 0 },
		{ "choices", CELL_WORDS, 0 }, { "page_size", CELL_BYTES, 0 },
		{ "error", CELL_TEXT, 0 },
	};
	struct report *report = report_new("settings", sizeof(own) / sizeof(own[0]));

	memcpy(report->columns, own, sizeof(own));
	for (size_t i = 0; i < host->n_policies; i++) {
		const struct thpstat_policy *policy = &host->policies[i];
		struct cell *row = report_add_row(report);

		cell_set_text(&row[0], policy->knob);
		cell_set_text(&row[1], policy->value);
		cell_set_words(&row[2], policy->choices);
		if (policy->page_size)
			cell_set_number(&row[3], CELL_BYTES, policy->page_size);
		cell_set_text(&row[4], policy->error ? message_of_error(policy->error) : NULL);
	}
	return report;
}

static struct report *page_sizes(const struct thpstat_host *host)
{
	static const struct report_column own[] = { { "size", CELL_BYTES, 0 } };
	struct records records =
		records_new("page_sizes", own, 1, columns_of(THPSTAT_OF_PAGE_SIZE));

	for (size_t i = 0; i < host->n_page_sizes; i++)
		cell_set_number(records_add(&records, host->page_sizes[i].usage), CELL_BYTES,
				host->page_sizes[i].bytes);
	return records_end(&records);
}

static struct report *nodes(const struct thpstat_host *host)
{
	static const struct report_column own[] = { { "node", CELL_COUNT, 0 } };
	struct records records = records_new("nodes", own, 1, columns_of(THPSTAT_OF_NODE));

	for (size_t i = 0; i < host->n_nodes; i++)
		cell_set_number(records_add(&records, host->nodes[i].usage), CELL_COUNT,
				host->nodes[i].number);
	return records_end(&records);
}

static struct report *node_page_sizes(const struct thpstat_host *host)
{
	static const struct report_column own[] = { { "node", CELL_COUNT, 0 },
						    { "size", CELL_BYTES, 0 } };
	struct records records =
		records_new("node_page_sizes", own, 2, columns_of(THPSTAT_OF_PAGE_SIZE));

	for (size_t i = 0; i < host->n_nodes; i++)
		for (size_t j = 0; j < host->nodes[i].n_page_sizes; j++) {
			const struct thpstat_page_size *size = &host->nodes[i].page_sizes[j];
			struct cell *row = records_add(&records, size->usage);

			cell_set_number(&row[0], CELL_COUNT, host->nodes[i].number);
			cell_set_number(&row[1], CELL_BYTES, size->bytes);
		}
	return records_end(&records);
}

static void print_json(const struct session *session, const struct thpstat_host *host,
		       struct columns columns)
{
	struct report *reports[] = {
		session_envelope(session, host),
		host_record(host, columns),
		settings(host),
		page_sizes(host),
		nodes(host),
		node_page_sizes(host),
	};
	size_t n = sizeof(reports) / sizeof(reports[0]);

	report_print_json((const struct report *const *)reports, n);
	for (size_t i = 0; i < n; i++)
		report_free(reports[i]);
}

/* One row of figures of the host. */
static void print_row(const struct session *session, const struct thpstat_host *host,
		      struct columns columns)
{
	const struct table_style style = options_table_style(session->options);
	struct report *report = host_record(host, columns);

	if (session->options->format == FORMAT_JSON_LINES)
		report_print_json_lines(report);
	else
		report_print_table(report, &style, SIZE_MAX);
	report_free(report);
}

static int print_host(const struct session *session)
{
	const struct options *options = session->options;
	struct columns all = columns_of(THPSTAT_OF_HOST), columns;
	const struct thpstat_host *host;
	int status = session_columns(session, &all, NULL, &columns);

	columns_free(&all);
	if (status)
		return status;
	status = session_read_host(session, &host);
	if (status) {
		columns_free(&columns);
		return status;
	}
	if (options->format == FORMAT_JSON) {
		print_json(session, host, columns);
	} else if (options->format != FORMAT_TABLE || options_name_columns(options)) {
		print_row(session, host, columns);
	} else {
		columns_free(&columns);
		host_view_print(session, host);
	}
	thpstat_host_free(host);
	return STATUS_READ;
}

static int run(const struct options *options)
{
	struct session session;
	int status = session_open(&session, options);

	if (!status)
		status = print_host(&session);
	session_close(&session);
	return status;
}

const struct command command_host = {
	.name = "host",
	.usage = "[options]",
	.summary = "settings, pools, sizes and counters of the host",
	.text = "Reads meminfo, vmstat, buddyinfo and the settings below /sys, no process. With\n"
		"-o, -r, -P or --json-lines it is one row of figures; --json also has the\n"
		"settings, the page sizes and the nodes.\n",
	.options = OPTIONS_GENERAL | OPTIONS_SOURCE | OPTIONS_OUTPUT,
	.subject = THPSTAT_OF_HOST,
	.run = run,
};

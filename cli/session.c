/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "message.h"
#include "session.h"

static void tell_problem(void *userdata, const struct thpstat_problem *problem)
{
	(void)userdata;
	if (problem->line)
		message("%s:%llu: %s (%s)", problem->path, (unsigned long long)problem->line,
			problem->text, message_of_error(problem->error));
	else
		message("%s: %s (%s)", problem->path, problem->text,
			message_of_error(problem->error));
}

/* The directory that cannot be there, as far as can be seen from here. */
static const char *culprit(const struct options *options)
{
	const char *const named[] = { options->root, options->proc, options->sys,
				      options->cgroup_root };
	struct stat status;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (named[i] && (stat(named[i], &status) || !S_ISDIR(status.st_mode)))
			return named[i];
	return options->root;
}

int session_open(struct session *session, const struct options *options)
{
	const struct thpstat_open_options where = {
		.size = sizeof(where),
		.root = options->root,
		.proc = options->proc,
		.sys = options->sys,
		.cgroup = options->cgroup_root,
		.on_problem = options->verbose ? tell_problem : NULL,
	};
	int error;

	*session = (struct session){ .options = options };
	error = thpstat_open(&where, &session->source);
	if (error) {
		const char *directory = culprit(options);

		message("cannot open %s: %s", directory ? directory : "/proc", strerror(-error));
		return STATUS_FAILED;
	}
	session->own_host = !options->root && !options->proc && thpstat_is_live(session->source);
	return 0;
}

int session_read_host(const struct session *session, const struct thpstat_host **ret)
{
	int error = thpstat_host_read(session->source, ret);

	if (!error)
		return 0;
	message("cannot read the host: %s", message_of_error(error));
	return STATUS_FAILED;
}

void session_close(struct session *session)
{
	session->source = thpstat_close(session->source);
}

enum {
	ENVELOPE_VERSION,
	ENVELOPE_SCHEMA,
	ENVELOPE_SOURCE,
	ENVELOPE_SYSROOT,
	ENVELOPE_KERNEL,
	ENVELOPE_PAGE_SIZE,
	ENVELOPE_PMD_SIZE,
	ENVELOPE_TIME,
};

static void fill_size(struct cell *cell, const struct thpstat_usage *usage,
		      enum thpstat_metric metric)
{
	uint64_t bytes;

	if (!thpstat_usage_get(usage, metric, &bytes))
		cell_set_number(cell, CELL_BYTES, bytes);
}

/* Of the running kernel the time is now; when a tree was taken it does not say. */
static void fill_time(struct cell *cell)
{
	char text[sizeof("2026-01-31T12:00:00Z") + 8];
	time_t now = time(NULL);
	struct tm utc;

	if (gmtime_r(&now, &utc) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc))
		cell_set_text(cell, text);
}

struct report *session_envelope(const struct session *session, const struct thpstat_host *host)
{
	static const struct report_column shape[] = {
		[ENVELOPE_VERSION] = { "version", CELL_TEXT, 0 },
		[ENVELOPE_SCHEMA] = { "schema", CELL_COUNT, 0 },
		[ENVELOPE_SOURCE] = { "source", CELL_TEXT, 0 },
		[ENVELOPE_SYSROOT] = { "sysroot", CELL_TEXT, 0 },
		[ENVELOPE_KERNEL] = { "kernel", CELL_TEXT, 0 },
		[ENVELOPE_PAGE_SIZE] = { "page_size", CELL_BYTES, 0 },
		[ENVELOPE_PMD_SIZE] = { "pmd_size", CELL_BYTES, 0 },
		[ENVELOPE_TIME] = { "time", CELL_TEXT, 0 },
	};
	struct report *report = report_new("thpstat", sizeof(shape) / sizeof(shape[0]));
	bool live = thpstat_is_live(session->source);
	struct cell *row;

	report->single = true;
	memcpy(report->columns, shape, sizeof(shape));
	row = report_add_row(report);
	cell_set_text(&row[ENVELOPE_VERSION], thpstat_version());
	cell_set_number(&row[ENVELOPE_SCHEMA], CELL_COUNT, 1);
	cell_set_text(&row[ENVELOPE_SOURCE], live ? "live" : "tree");
	cell_set_text(&row[ENVELOPE_SYSROOT], session->options->root);
	cell_set_text(&row[ENVELOPE_KERNEL], thpstat_kernel(session->source));
	fill_size(&row[ENVELOPE_PAGE_SIZE], host->usage, THPSTAT_PAGE_SIZE);
	fill_size(&row[ENVELOPE_PMD_SIZE], host->usage, THPSTAT_HPAGE_PMD_SIZE);
	if (live)
		fill_time(&row[ENVELOPE_TIME]);
	return report;
}

int session_columns(const struct session *session, const struct columns *all, const char *usual,
		    struct columns *ret)
{
	const struct options *options = session->options;
	int status = 0;

	*ret = (struct columns){ 0 };
	if (usual && !options->output_all)
		status = columns_apply(ret, all, usual);
	else
		for (size_t i = 0; i < all->n; i++)
			columns_add(ret, &all->items[i]);
	for (size_t i = 0; !status && i < options->outputs.n; i++)
		status = columns_apply(ret, all, options->outputs.items[i]);
	if (status)
		columns_free(ret);
	return status;
}

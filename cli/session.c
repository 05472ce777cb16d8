/* SPDX-License-Identifier: MIT */
#include <errno.h>
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

/* Say which directory it was, as far as can be seen from here. */
static void tell_not_opened(const struct session *session, int error)
{
	const struct options *options = session->options;
	/* what was unpacked is there */
	const char *const named[] = { session->archive ? NULL : options->root, options->proc,
				      options->sys, options->cgroup_root };
	bool is_missing = error == -ENOENT || error == -ENOTDIR;
	struct stat status;

	for (size_t i = 0; is_missing && i < sizeof(named) / sizeof(named[0]); i++) {
		if (!named[i])
			continue;
		errno = 0;
		if (!stat(named[i], &status) && S_ISDIR(status.st_mode))
			continue;
		message("cannot open %s: %s", named[i], strerror(errno ? errno : ENOTDIR));
		return;
	}
	if (options->root && error == -ENOENT)
		message("cannot open %s: no proc, sys or sys/fs/cgroup in it", options->root);
	else
		message("cannot open %s: %s", options->root ? options->root : "/proc",
			strerror(-error));
}

/* A file is an archive of a tree. */
static int open_archive(struct session *session)
{
	const char *file = session->options->root;
	struct stat status;
	int result;

	session->root = file;
	if (!file || stat(file, &status) || !S_ISREG(status.st_mode))
		return 0;
	result = sysroot_archive_open(file, &session->archive);
	if (!result)
		session->root = sysroot_archive_root(session->archive);
	return result;
}

static int open_source(struct session *session, thpstat_file_fn on_file, void *userdata)
{
	const struct options *options = session->options;
	const struct thpstat_open_options where = {
		.size = sizeof(where),
		.root = session->root,
		.proc = options->proc,
		.sys = options->sys,
		.cgroup = options->cgroup_root,
		.on_problem = options->verbose ? tell_problem : NULL,
		.userdata = userdata,
		.on_file = on_file,
	};
	int error = thpstat_open(&where, &session->source);

	if (error) {
		tell_not_opened(session, error);
		return STATUS_FAILED;
	}
	session->own_host = !options->root && !options->proc && thpstat_is_live(session->source);
	return 0;
}

int session_open_told(struct session *session, const struct options *options,
		      thpstat_file_fn on_file, void *userdata)
{
	int status;

	*session = (struct session){ .options = options };
	status = open_archive(session);
	return status ? status : open_source(session, on_file, userdata);
}

int session_open(struct session *session, const struct options *options)
{
	return session_open_told(session, options, NULL, NULL);
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
	session->archive = sysroot_archive_close(session->archive);
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

void session_time(char text[SESSION_TIME_SIZE])
{
	time_t now = time(NULL);
	struct tm utc;

	if (!gmtime_r(&now, &utc) || !strftime(text, SESSION_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc))
		text[0] = '\0';
}

/* Of the running kernel the time is now; when a tree was taken it does not say. */
static void fill_time(struct cell *cell)
{
	char text[SESSION_TIME_SIZE];

	session_time(text);
	if (*text)
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

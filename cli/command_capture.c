/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "capture_manifest.h"
#include "capture_writer.h"
#include "column.h"
#include "command.h"
#include "message.h"
#include "process_walk.h"
#include "session.h"

struct job {
	struct session session;
	struct process_walk walk;
	struct capture capture;
	const struct thpstat_host *host;
};

static int failed(const struct job *job, int error)
{
	message("cannot write %s: %s", job->session.options->target, strerror(-error));
	return STATUS_FAILED;
}

/*
 * Ask for all that any command would. The walk asks for mappings last; where it did not come to
 * that, others still would try.
 */
static void read_rest(const struct capture *capture, const struct thpstat_process *process)
{
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *mappings;
	const char *arguments;
	size_t size;

	/* what comes out of it was told to the capture */
	if (thpstat_process_command_line(process, &arguments, &size))
		size = 0;
	if (capture_has_read(capture, "smaps") || thpstat_mappings_open_process(process, &mappings))
		return;
	while (thpstat_mappings_next(mappings, &mapping) == 1)
		;
	thpstat_mappings_close(mappings);
}

static void capture_process(void *userdata, const struct thpstat_process *process)
{
	struct job *job = userdata;

	read_rest(&job->capture, process);
	capture_write_process(&job->capture);
	job->walk.stopped = job->capture.error;
}

static int compare_pids(const void *left, const void *right)
{
	const int *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* A process has one place, however often it is asked for. */
static void drop_duplicates(struct pid_list *pids)
{
	size_t n = 0;

	if (pids->n)
		qsort(pids->items, pids->n, sizeof(*pids->items), compare_pids);
	for (size_t i = 0; i < pids->n; i++)
		if (!n || pids->items[n - 1] != pids->items[i])
			pids->items[n++] = pids->items[i];
	pids->n = n;
}

/* Read everything, and write it as it comes. Returns an exit status; what failed was told. */
static int capture_all(struct job *job)
{
	struct capture *capture = &job->capture;
	struct columns all = columns_of(THPSTAT_OF_PROCESS);
	int status = process_walk_select(&job->walk, &job->session);

	drop_duplicates(&job->walk.pids);
	capture->stage = CAPTURE_HOST;
	if (!status)
		status = session_read_host(&job->session, &job->host);
	capture->stage = CAPTURE_PROCESSES;
	job->walk.want = THPSTAT_PROCESS_WANT_CGROUP | THPSTAT_PROCESS_WANT_START_TIME;
	job->walk.n_metrics = columns_metrics(&all, &job->walk.metrics);
	columns_free(&all);
	if (!status)
		/* a host without processes has a directory of them all the same */
		capture->error = capture->writer->add_directory(capture->writer, "proc");
	if (!status && !capture->error)
		status = process_walk_run(&job->walk, &job->session, capture_process, job);
	return status;
}

static void write_manifest(struct job *job)
{
	struct capture *capture = &job->capture;
	char *manifest = capture_manifest(&job->session, capture, &job->walk, job->host);

	capture->error = capture->writer->add_file(capture->writer, "manifest.json", manifest,
						   strlen(manifest));
	free(manifest);
}

/* What was read becomes the target. @status says whether it was. Returns the exit status. */
static int finish(struct job *job, int status)
{
	struct capture *capture = &job->capture;
	struct capture_writer *writer = capture->writer;

	if (!status && !capture->error)
		capture_write_host(capture);
	if (!status && !capture->error)
		write_manifest(job);
	if (!status && !capture->error) {
		status = process_walk_status(&job->walk, &job->session);
		if (status != STATUS_FAILED)
			capture->error = writer->finish(writer);
		if (status != STATUS_FAILED && !capture->error)
			return status;
	}
	writer->discard(writer);
	return capture->error ? failed(job, capture->error) : status;
}

static bool has_suffix(const char *text, const char *suffix)
{
	size_t length = strlen(text);

	return length > strlen(suffix) && !strcmp(text + length - strlen(suffix), suffix);
}

static int open_writer(struct job *job, const char *target)
{
	bool is_archive = has_suffix(target, ".tar.gz") || has_suffix(target, ".tgz");
	int error = is_archive ? capture_writer_archive(target, &job->capture.writer)
			       : capture_writer_directory(target, &job->capture.writer);

	return error ? failed(job, error) : 0;
}

static int run(const struct options *options)
{
	struct job job = { 0 };
	int status;

	if (!options->target)
		return message_usage("capture: where to?");
	if (options->anonymise)
		job.capture.anonymiser = anonymiser_new();
	status = session_open_told(&job.session, options, capture_take, &job.capture);
	if (!status)
		status = open_writer(&job, options->target);
	if (!status)
		status = finish(&job, capture_all(&job));
	thpstat_host_free(job.host);
	process_walk_free(&job.walk);
	session_close(&job.session);
	capture_free(&job.capture);
	return status;
}

const struct command command_capture = {
	.name = "capture",
	.usage = "[options] TARGET [PID...]",
	.summary = "save what is read, to be read elsewhere",
	.text = "Reads the host and each process as all other commands together do, and saves\n"
		"just the files that this reads: every command gives the same answer again with\n"
		"--sysroot TARGET. TARGET is a directory that is empty or not there yet, or a\n"
		"file NAME.tar.gz or NAME.tgz that is not there yet; it appears when it is whole,\n"
		"and for its owner only. Environments of processes are never read. errors.tsv in\n"
		"it says what could not be read, manifest.json what was captured and what was\n"
		"left out. Look what is in it before you give it away: command lines may hold\n"
		"secrets. --anonymise replaces them, and all names.\n",
	.options = OPTIONS_GENERAL | OPTIONS_SOURCE | OPTIONS_PROCESSES | OPTIONS_CAPTURE,
	.subject = THPSTAT_OF_PROCESS,
	.run = run,
};

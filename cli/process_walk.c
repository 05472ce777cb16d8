/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "message.h"
#include "process_walk.h"
#include "progress.h"
#include "stream.h"
#include "user.h"

/* Turn the users that were named into numbers. */
static int add_users(struct selection *selection, const struct session *session)
{
	const struct text_list *users = &session->options->users;

	for (size_t i = 0; i < users->n; i++) {
		const char *name = users->items[i];
		unsigned long long number;
		uint32_t uid;
		int error;

		/* the highest number means nobody in system calls */
		if (options_parse_number(name, strlen(name), UINT32_MAX - 1, &number)) {
			selection_add_uid(selection, (uint32_t)number);
			continue;
		}
		if (!session->own_host)
			return message_usage("user '%s': only numbers are known here", name);
		error = user_find(name, &uid);
		if (error == -ENOENT)
			return message_usage("unknown user '%s'", name);
		if (error) {
			message("user '%s': %s", name, strerror(-error));
			return STATUS_FAILED;
		}
		selection_add_uid(selection, uid);
	}
	return 0;
}

static int search(struct process_walk *walk, const struct session *session,
		  const struct selection *selection)
{
	int error;

	if (!selection_needs_search(selection)) {
		walk->asked = selection->pids.n ? ASKED_PIDS : ASKED_ALL;
		for (size_t i = 0; i < selection->pids.n; i++)
			pid_list_add(&walk->pids, selection->pids.items[i]);
		return 0;
	}
	walk->asked = ASKED_MATCHING;
	error = selection_search(selection, session->source, session->own_host, &walk->pids);
	if (!error)
		return 0;
	message("cannot look through the processes: %s",
		error == -ENOENT ? "there is no proc directory" : strerror(-error));
	return STATUS_FAILED;
}

int process_walk_select(struct process_walk *walk, const struct session *session)
{
	struct selection selection = session->options->selection;
	int status = add_users(&selection, session);

	if (session->options->exact)
		walk->want |= THPSTAT_PROCESS_WANT_PAGES;
	if (!status)
		status = search(walk, session, &selection);
	/* all else in it belongs to the options */
	free(selection.uids);
	return status;
}

/* What helps against "permission denied", if something does. */
static const char *remedy(const struct session *session)
{
	return session->own_host && geteuid() != 0 ? " (root or CAP_PERFMON helps)" : "";
}

static void tell_error(const struct session *session, int pid, int error, bool is_cut)
{
	if (error)
		message("%d: %s%s", pid, message_of_error(error),
			error == -EACCES ? remedy(session) : "");
	else if (is_cut)
		message("%d: not all of its figures could be read", pid);
}

void process_walk_outcome(struct process_walk *walk, const struct session *session, int pid,
			  int error, bool is_cut, bool is_partly_out)
{
	if (error == -ESRCH)
		walk->changed.vanished++;
	else if (error == -EACCES)
		walk->changed.forbidden++;
	else if (error || is_cut)
		walk->changed.cut++;
	if (error == -ESRCH && is_partly_out) {
		if (walk->asked == ASKED_PIDS || !session->options->quiet)
			message("%d: ended while it was read, what is shown of it is not all", pid);
	} else if (walk->asked == ASKED_PIDS) {
		tell_error(session, pid, error, is_cut);
	}
}

/* What became of those that at first could be read. */
static void correct(struct thpstat_completeness *seen, const struct thpstat_completeness *changed)
{
	seen->read -= changed->vanished + changed->forbidden + changed->cut;
	seen->vanished += changed->vanished;
	seen->forbidden += changed->forbidden;
	seen->cut += changed->cut;
}

/* Every process has a directory with its number. */
static size_t count_processes(const void *userdata)
{
	const struct options *options = ((const struct session *)userdata)->options;
	const char *root = ((const struct session *)userdata)->root;
	char *path = options->proc ? memory_copy(options->proc)
				   : memory_format("%s/proc", root ? root : "");
	DIR *stream = opendir(path);
	const struct dirent *entry;
	size_t n = 0;

	while (stream && (entry = readdir(stream)))
		n += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
	if (stream)
		closedir(stream);
	free(path);
	return n;
}

int process_walk_run(struct process_walk *walk, const struct session *session,
		     void (*visit)(void *userdata, const struct thpstat_process *process),
		     void *userdata)
{
	static const int nobody;
	const struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = walk->asked == ASKED_ALL ? NULL
			: walk->pids.n		 ? walk->pids.items
						 : &nobody,
		.n_pids = walk->pids.n,
		.metrics = walk->metrics,
		.n_metrics = walk->n_metrics,
		.want = walk->want,
	};
	const struct thpstat_process *process;
	struct thpstat_processes *processes;
	int result = thpstat_processes_open(session->source, &options, &processes);

	if (result) {
		message("cannot look at processes: %s",
			result == -ENOENT ? "there is no proc directory" : strerror(-result));
		return STATUS_FAILED;
	}
	progress_begin(session->options->quiet, walk->asked == ASKED_ALL ? 0 : walk->pids.n,
		       count_processes, session);
	while (!walk->stopped && !stream_is_broken() &&
	       (result = thpstat_processes_next(processes, &process)) > 0) {
		if (walk->asked == ASKED_PIDS)
			tell_error(session, process->pid, process->error,
				   process->flags & THPSTAT_PROCESS_CUT);
		if (process->state != THPSTAT_PROCESS_GONE)
			visit(userdata, process);
		progress_step();
	}
	progress_end();
	walk->completeness = *thpstat_processes_completeness(processes);
	correct(&walk->completeness, &walk->changed);
	thpstat_processes_close(processes);
	if (result >= 0)
		return 0;
	message("the walk over the processes failed: %s", strerror(-result));
	return STATUS_FAILED;
}

int process_walk_status(const struct process_walk *walk, const struct session *session)
{
	const struct thpstat_completeness *seen = &walk->completeness;
	unsigned long long forbidden = seen->forbidden, cut = seen->cut;
	unsigned long long with_memory = seen->read + forbidden + cut;

	/* what was read is of no use to anybody; that alone is to be told, at the end */
	if (!stream_flush())
		return STATUS_FAILED;
	if (walk->asked != ASKED_ALL && !with_memory && !seen->kernel_threads && !seen->zombies) {
		/* of pids each one was told of already */
		if (walk->asked == ASKED_MATCHING)
			message("no process matches");
		return STATUS_FAILED;
	}
	if (walk->asked != ASKED_PIDS && forbidden && !session->options->quiet)
		message("%llu of %llu processes not readable: permission denied%s", forbidden,
			with_memory, remedy(session));
	if (walk->asked != ASKED_PIDS && cut && !session->options->quiet)
		message("%llu of %llu processes not read whole: malformed, ends early or failed",
			cut, with_memory);
	if (walk->asked == ASKED_ALL && !session->options->strict)
		return STATUS_READ;
	if (walk->asked == ASKED_PIDS && seen->vanished)
		return STATUS_PARTLY;
	return forbidden || cut ? STATUS_PARTLY : STATUS_READ;
}

struct report *process_walk_report(const struct process_walk *walk)
{
	const struct thpstat_completeness *seen = &walk->completeness;
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

void process_walk_free(struct process_walk *walk)
{
	free(walk->pids.items);
	free(walk->metrics);
}

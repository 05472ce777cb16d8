/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "column.h"
#include "command.h"
#include "host_policy.h"
#include "message.h"
#include "process_list.h"
#include "process_look.h"
#include "process_walk.h"
#include "progress.h"
#include "session.h"

struct looks {
	const struct session *session;
	char *policies;
	bool some; /* was one printed? */
};

static void print_look(void *userdata, const struct thpstat_process *process)
{
	struct looks *looks = userdata;

	progress_hide();
	if (looks->some)
		printf("\n");
	looks->some = true;
	process_look_print(looks->session, process, looks->policies);
}

/* One look after the other, for people: all figures there are. */
static int look_at_each(const struct session *session, struct process_walk *walk)
{
	struct looks looks = { .session = session };
	struct columns all = columns_of(THPSTAT_OF_PROCESS);
	const struct thpstat_host *host;
	int status = session_read_host(session, &host);

	if (!status) {
		looks.policies = host_policy_words(session, host);
		thpstat_host_free(host);
		walk->want |= THPSTAT_PROCESS_WANT_CGROUP;
		walk->n_metrics = columns_metrics(&all, &walk->metrics);
		status = process_walk_run(walk, session, print_look, &looks);
	}
	if (!status)
		status = process_walk_status(walk, session);
	columns_free(&all);
	free(looks.policies);
	return status;
}

static int print_looks(const struct session *session)
{
	struct process_walk walk = { 0 };
	int status = process_walk_select(&walk, session);

	if (!status)
		status = look_at_each(session, &walk);
	process_walk_free(&walk);
	return status;
}

static int print_list(const struct session *session)
{
	struct process_list list;
	int status = process_list_prepare(&list, session, true);

	if (!status)
		status = process_list_print(&list, SIZE_MAX);
	process_list_free(&list);
	return status;
}

static int run(const struct options *options)
{
	struct session session;
	bool is_list =
		options->format != FORMAT_TABLE || options_name_columns(options) || options->sort;
	int status;

	if (!options_select(options))
		return message_usage("pid: which process?");
	status = session_open(&session, options);
	if (!status)
		status = is_list ? print_list(&session) : print_looks(&session);
	session_close(&session);
	return status;
}

const struct command command_pid = {
	.name = "pid",
	.usage = "[options] PID...",
	.summary = "a close look at some processes",
	.text = "Reads smaps and smaps_rollup: what is huge by class of memory, with each page\n"
		"counted once, and what RSS counts more than once. With -J, --json-lines, -r,\n"
		"-P, -o or --sort it is one row per process as in ps; JSON has all figures then.\n",
	.options = OPTIONS_GENERAL | OPTIONS_SOURCE | OPTIONS_OUTPUT | OPTIONS_PROCESSES |
		   OPTIONS_ORDER | OPTIONS_EXACT,
	.subject = THPSTAT_OF_PROCESS,
	.run = run,
};

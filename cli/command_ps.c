/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include "command.h"
#include "process_list.h"
#include "session.h"

static int run(const struct options *options)
{
	struct process_list list = { 0 };
	struct session session;
	int status = session_open(&session, options);

	if (!status)
		status = process_list_prepare(&list, &session, false);
	if (!status)
		status = process_list_print(&list, SIZE_MAX);
	process_list_free(&list);
	session_close(&session);
	return status;
}

const struct command command_ps = {
	.name = "ps",
	.usage = "[options] [PID...]",
	.summary = "every process that has memory, or those selected",
	.text = "Reads status and smaps_rollup of each process. Columns that count each page\n"
		"once (RESIDENT_ONCE and the like) make it read smaps, which costs more; in JSON\n"
		"without -o they are known only where nothing is mapped twice. In tables the\n"
		"largest come first; other formats keep the order in which the processes were\n"
		"found, unless --sort is given.\n",
	.options = OPTIONS_GENERAL | OPTIONS_SOURCE | OPTIONS_OUTPUT | OPTIONS_PROCESSES |
		   OPTIONS_ORDER | OPTIONS_EXACT,
	.subject = THPSTAT_OF_PROCESS,
	.run = run,
};

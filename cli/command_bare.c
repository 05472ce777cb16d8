/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include "command.h"
#include "host_view.h"
#include "process_list.h"
#include "session.h"
#include "terminal.h"

/* Print the host above the list. *limit becomes the rows that the terminal then has room for. */
static int print_host(const struct session *session, size_t *limit)
{
	const struct thpstat_host *host;
	size_t columns, lines, above;
	int status = session_read_host(session, &host);

	if (status)
		return status;
	above = host_view_print_lines(session, host);
	thpstat_host_free(host);
	/* headings, "... more", what could not be read, and the prompt after it all */
	above += 4;
	if (terminal_size(&columns, &lines))
		*limit = lines > above ? lines - above : 1;
	return 0;
}

static int run(const struct options *options)
{
	struct process_list list = { 0 };
	struct session session;
	size_t limit = SIZE_MAX;
	int status = session_open(&session, options);

	if (!status)
		status = process_list_prepare(&list, &session, false);
	if (!status && options->format == FORMAT_TABLE)
		status = print_host(&session, &limit);
	if (!status)
		status = process_list_print(&list, limit);
	process_list_free(&list);
	session_close(&session);
	return status;
}

const struct command command_bare = {
	.options = OPTIONS_GENERAL | OPTIONS_SOURCE | OPTIONS_OUTPUT | OPTIONS_PROCESSES |
		   OPTIONS_ORDER | OPTIONS_EXACT,
	.subject = THPSTAT_OF_PROCESS,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "column.h"
#include "command.h"
#include "help.h"
#include "message.h"
#include "memory.h"
#include "options.h"
#include "stream.h"

const struct command *const commands[] = {
	&command_pid,
	&command_ps,
	&command_maps,
	&command_host,
	&command_capture,
	&command_help,
};
const unsigned int n_commands = sizeof(commands) / sizeof(commands[0]);

const struct command *command_find(const char *name)
{
	for (unsigned int i = 0; i < n_commands; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int list_columns(const struct options *options)
{
	const struct table_style style = options_table_style(options);
	struct columns columns = columns_of(options_subject(options));
	struct report *report = columns_describe(&columns);

	if (options->format == FORMAT_TABLE)
		columns_explain(&columns);
	else if (options->format == FORMAT_JSON)
		report_print_json((const struct report *const[]){ report }, 1);
	else if (options->format == FORMAT_JSON_LINES)
		report_print_json_lines(report);
	else
		report_print_table(report, &style, report->n_rows);
	report_free(report);
	columns_free(&columns);
	return STATUS_READ;
}

static int run(const struct options *options)
{
	if (options->help) {
		help_print(options->topic ? options->topic : options->command);
		return STATUS_READ;
	}
	if (options->version) {
		printf("thpstat %s\n", thpstat_version());
		return STATUS_READ;
	}
	if (options->list_columns)
		return list_columns(options);
	return options->command->run(options);
}

int main(int argc, char **argv)
{
	struct options options;
	int status;

	stream_prepare();
	/* for the width and the kind of characters only: numbers are the same everywhere */
	errno = 0;
	if (!setlocale(LC_CTYPE, "") && errno == ENOMEM)
		memory_exhausted();
	status = options_parse(&options, argc, argv);
	if (!status)
		status = run(&options);
	options_free(&options);
	return stream_finish(status);
}

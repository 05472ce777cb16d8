/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "help.h"
#include "message.h"
#include "options.h"

static void print_end(void)
{
	printf("\n"
	       "Exit status:\n"
	       "   0  read\n"
	       "   1  failed, nothing matched, or all processes asked for are gone\n"
	       "   2  wrong usage\n"
	       "  64  something asked for by PID or name was read in part only; with --strict\n"
	       "      also when a look at every process was not complete\n"
	       "\n"
	       "Examples:\n"
	       "  thpstat                        the host and its processes\n"
	       "  thpstat 4330                   a close look at one process\n"
	       "  thpstat ps --name java -o pid,resident_once,huge_once,coverage_once\n"
	       "  thpstat ps -J | jq '.processes[] | select(.coverage > 0.5) | .pid'\n"
	       "  thpstat capture host.tar.gz    save it all, to be looked at elsewhere by\n"
	       "  thpstat --sysroot host.tar.gz host\n"
	       "  thpstat --proc /host/proc --sys /host/sys --cgroup /host/sys/fs/cgroup ps\n"
	       "\n"
	       "Manual pages:\n"
	       "  thpstat(1), one for each command such as thpstat-ps(1), and thpstat-metrics(7)\n"
	       "  for each figure and its formula\n");
}

static void print_program(void)
{
	printf("Usage: thpstat [options] [COMMAND] [options] [PID...]\n"
	       "\n"
	       "Huge page memory of processes and of the host: how much is huge, what is really\n"
	       "used, and how sure each figure is.\n"
	       "\n"
	       "Commands (none: the host, then ps as far as a terminal has room):\n"
	       "  PID...                    the same as pid PID...\n");
	for (unsigned int i = 0; i < n_commands; i++) {
		int width = printf("  %-4s %-20s", commands[i]->name, commands[i]->usage);

		if (width > 27)
			printf("\n%27s", "");
		printf(" %s\n", commands[i]->summary);
	}
}

static void print_command(const struct command *command)
{
	printf("Usage: thpstat %s %s\n\n%s", command->name, command->usage, command->text);
}

void help_print(const struct command *command)
{
	if (command->name)
		print_command(command);
	else
		print_program();
	options_print_help(command->options);
	print_end();
}

static int run(const struct options *options)
{
	help_print(options->topic ? options->topic : &command_bare);
	return STATUS_READ;
}

const struct command command_help = {
	.name = "help",
	.usage = "[COMMAND]",
	.summary = "this help, or that of a command",
	.text = "The same as --help.\n",
	.options = OPTIONS_GENERAL,
	.run = run,
};

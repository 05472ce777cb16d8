/* SPDX-License-Identifier: MIT */
/*
 * thpstat itself, as it is installed: every allocation, its own reads and opens fail once, and
 * whatever it writes to fails.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "command.h"
#include "json_partly.h"
#include "small_tree.h"
#include "support/files.h"
#include "support/tally.h"

enum {
	STATUS_READ = 0,
	STATUS_FAILED = 1,
	STATUS_PARTLY = 64,
};

/* Some of each kind: with all of them there would be thousands of allocations. */
#define MAPS_COLUMNS "start,kind,notes,name,resident,coverage"
#define COLUMNS                                                                                    \
	"pid,comm,cgroup,start_time,state,error,rss,pss,resident_shmem,resident_once,shmem_once,"  \
	"footprint,vm_pte,coverage,coverage_once"

static char *scratch, *root;

struct command {
	const char *name;
	const char *arguments[COMMAND_ARGUMENTS]; /* behind --sysroot and -v */
	bool is_json;
	bool all; /* looks at every process: what fails for one of them leaves status 0 */
};

struct fault {
	enum inject_kind kind;
	int error;
	bool harmless;
	const char *name;
};

static const struct fault faults[] = {
	{ INJECT_ALLOCATION, ENOMEM, false, "allocation fails" },
	{ INJECT_READ, INJECT_SHORT, true, "read gives one byte" },
	{ INJECT_READ, EINTR, true, "read is interrupted" },
	{ INJECT_READ, EIO, false, "read gives EIO" },
	{ INJECT_READ, ESRCH, false, "read gives ESRCH" },
	{ INJECT_OPEN, EMFILE, false, "open gives EMFILE" },
	{ INJECT_OPEN, EACCES, false, "open gives EACCES" },
	{ INJECT_LIST, EIO, false, "listing gives EIO" },
};

#define N_FAULTS (sizeof(faults) / sizeof(faults[0]))

static void fill_arguments(const struct command *command, const char *arguments[])
{
	size_t n = 0;

	arguments[n++] = "--sysroot";
	arguments[n++] = root;
	arguments[n++] = "-v";
	for (size_t i = 0; command->arguments[i]; i++)
		arguments[n++] = command->arguments[i];
	arguments[n] = NULL;
}

static bool is_same(const struct outcome *a, const struct outcome *b)
{
	return a->status == b->status && !strcmp(a->err, b->err) && a->out_size == b->out_size &&
	       !memcmp(a->out, b->out, a->out_size);
}

/* A message is a line that begins with the name of the program. */
static bool has_message(const struct outcome *outcome)
{
	return outcome->err_lines && !strncmp(outcome->err, "thpstat: ", strlen("thpstat: "));
}

static void hold(struct tally *tally, const struct command *command, const struct fault *fault,
		 const struct outcome *wanted, const struct outcome *found, const char *what)
{
	bool is_told = found->err_lines > wanted->err_lines && has_message(found);

	if (fault->harmless) {
		tally_holds(tally, is_same(wanted, found), "%s: as without (status %d): %s", what,
			    found->status, found->err);
		return;
	}
	tally_holds(tally,
		    found->status == wanted->status || found->status == STATUS_FAILED ||
			    found->status == STATUS_PARTLY,
		    "%s: status %d: %s", what, found->status, found->err);
	tally_holds(tally, found->status == wanted->status || is_told, "%s: status %d, and why?",
		    what, found->status);
	if (is_same(wanted, found) || found->status == STATUS_FAILED)
		return;
	/* what is different is told of; of what ends in this moment nobody needs to hear */
	tally_holds(tally, is_told || fault->error == ESRCH, "%s: another answer, and why?", what);
	tally_holds(tally,
		    fault->kind != INJECT_ALLOCATION || found->status == STATUS_PARTLY ||
			    command->all,
		    "%s: out of memory and status %d", what, found->status);
	if (command->is_json)
		json_hold_partly(tally, wanted->out, found->out, is_told || fault->error == ESRCH,
				 what);
}

static void sweep(struct tally *tally, const struct command *command,
		  const struct command_server *server, const struct fault *fault,
		  const struct outcome *wanted)
{
	struct outcome found;
	unsigned long at = 0;
	bool fired;

	do {
		char what[160];

		at++;
		found = command_run(server, (struct inject){ fault->kind, at, fault->error });
		snprintf(what, sizeof(what), "%s, %s, number %lu", command->name, fault->name, at);
		fired = found.fired;
		if (fired)
			hold(tally, command, fault, wanted, &found, what);
		else
			tally_holds(tally, is_same(wanted, &found), "%s: no fault", what);
		outcome_free(&found);
	} while (fired);
	print_message("# %s: %s: %lu points\n", command->name, fault->name, at - 1);
}

static void test_command(void **state)
{
	const struct command *command = *state;
	const char *arguments[COMMAND_ARGUMENTS + 1];
	struct tally tally = { .subject = command->name };
	struct command_server server;
	struct outcome wanted;

	fill_arguments(command, arguments);
	server = command_serve(arguments, SINK_MEMORY, 0);
	wanted = command_run(&server, (struct inject){ .at = 0 });

	if (wanted.status != STATUS_READ || wanted.err_lines)
		fail_msg("%s: status %d: %s", command->name, wanted.status, wanted.err);
	for (size_t i = 0; i < N_FAULTS; i++)
		sweep(&tally, command, &server, &faults[i], &wanted);
	outcome_free(&wanted);
	command_end(&server);
	tally_finish(&tally, 200);
}

static void hold_failed(struct tally *tally, const char *const *arguments, const char *what)
{
	static const enum sink sinks[] = { SINK_FULL, SINK_BROKEN, SINK_CLOSED };

	for (size_t i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++) {
		struct outcome found = command_run_once(arguments, sinks[i], 0);

		tally_equal(tally, (uint64_t)found.status, STATUS_FAILED, "%s to sink %zu: status",
			    what, i);
		tally_equal(tally, found.err_lines, 1, "%s to sink %zu: lines", what, i);
		tally_holds(tally, has_message(&found), "%s to sink %zu: %s", what, i, found.err);
		outcome_free(&found);
	}
}

/* Where stdout cannot be written, the answer was not given. */
static void test_output(void **state)
{
	static const char *const commands[][3] = {
		{ "-n" },   { "pid", "451", "470" }, { "ps", "451" }, { "ps" },
		{ "host" }, { "maps", "451" },
	};
	static const char *const formats[] = { "--bytes", "--json",  "--json-lines",
					       "--raw",	  "--pairs", "--list-columns" };
	static const char *const others[] = { "help", "--help", "--version" };
	struct tally tally = { .subject = "output" };

	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		for (size_t j = 0; j < sizeof(formats) / sizeof(formats[0]); j++) {
			const char *const *command = commands[i];
			const char *arguments[] = { "--sysroot", root,	     formats[j], command[0],
						    command[1],	 command[2], NULL };
			char *what = format_text("%s %s", command[0], formats[j]);

			hold_failed(&tally, arguments, what);
			free(what);
		}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		hold_failed(&tally, (const char *const[]){ others[i], NULL }, others[i]);
	print_message("# output: %u points\n", tally.compared / 3);
	tally_finish(&tally, 3 * 3 * (6 * 6 + 3));
}

static int make_tree(void **state)
{
	const char *captures = getenv("THPSTAT_CAPTURES");

	(void)state;
	if (!captures)
		return -1;
	root = small_tree_make(captures, SMALL_TREE, &scratch);
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	if (scratch)
		scratch_remove(scratch);
	free(root);
	return 0;
}

int main(void)
{
	static struct command commands[] = {
		{ "pid", { "pid", "451", "470" }, false, false },
		{ "pid -J", { "pid", "-J", "-o", COLUMNS, "451", "470" }, true, false },
		{ "ps", { "ps", "1", "2", "451", "461", "462" }, false, false },
		{ "ps -J", { "ps", "-J", "-o", COLUMNS, "1", "451", "462" }, true, false },
		{ "maps", { "maps", "451", "470" }, false, false },
		{ "maps -J", { "maps", "-J", "-o", MAPS_COLUMNS, "451" }, true, false },
		{ "maps --by kind -J", { "maps", "--by", "kind", "-J", "451" }, true, false },
		{ "host", { "host" }, false, true },
		{ "host -J", { "host", "-J" }, true, true },
	};
	struct CMUnitTest tests[sizeof(commands) / sizeof(commands[0]) + 1];
	size_t n = 0;

	for (; n < sizeof(commands) / sizeof(commands[0]); n++)
		tests[n] = (struct CMUnitTest){
			.name = commands[n].name,
			.test_func = test_command,
			.initial_state = &commands[n],
		};
	tests[n] = (struct CMUnitTest)cmocka_unit_test(test_output);
	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}

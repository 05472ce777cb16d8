/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "command.h"
#include "inject_preload.h"

static int memory_file(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

/* -1 on failure. */
static int open_sink(enum sink sink, int memory)
{
	int ends[2];

	switch (sink) {
	case SINK_FULL:
		return open("/dev/full", O_WRONLY);
	case SINK_BROKEN:
		if (pipe(ends))
			return -1;
		close(ends[0]);
		return ends[1];
	default:
		return memory;
	}
}

static void set_environment(int requests, int ends)
{
	char text[32];

	snprintf(text, sizeof(text), "%d %d", requests, ends);
	setenv(INJECT_PIPES, text, 1);
	setenv("LD_PRELOAD", INJECT_LIBRARY, 1);
	setenv("LC_ALL", "C", 1);
	setenv("COLUMNS", "80", 1);
}

/* In the child. */
__attribute__((noreturn)) static void execute(const struct command_server *server, int requests,
					      int ends, const char *const *arguments,
					      enum sink sink, size_t file_size)
{
	char *copies[COMMAND_ARGUMENTS + 2] = { strdup(THPSTAT_PROGRAM) };
	int out = open_sink(sink, server->out), nothing = open("/dev/null", O_RDONLY);

	for (size_t i = 0; i < COMMAND_ARGUMENTS && arguments[i]; i++)
		copies[i + 1] = strdup(arguments[i]);
	if (out < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 || dup2(server->err, STDERR_FILENO) < 0)
		_exit(126);
	close(nothing);
	if (sink == SINK_CLOSED)
		close(STDOUT_FILENO);
	if (file_size) {
		const struct rlimit limit = { file_size, file_size };

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
	}
	set_environment(requests, ends);
	execv(THPSTAT_PROGRAM, copies);
	_exit(127);
}

struct command_server command_serve(const char *const *arguments, enum sink sink, size_t file_size)
{
	struct command_server server = {
		.out = memory_file("stdout"),
		.err = memory_file("stderr"),
	};
	int requests[2], ends[2];

	assert_int_equal(pipe(requests), 0);
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	server.pid = fork();
	if (!server.pid) {
		close(requests[1]);
		close(ends[0]);
		execute(&server, requests[0], ends[1], arguments, sink, file_size);
	}
	assert_true(server.pid > 0);
	close(requests[0]);
	close(ends[1]);
	server.requests = requests[1];
	server.ends = ends[0];
	return server;
}

/* What was written since it was emptied. */
static char *text_of(int fd, size_t *ret_size)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = malloc((size_t)size + 1);

	assert_non_null(text);
	assert_int_equal(pread(fd, text, (size_t)size, 0), size);
	text[size] = '\0';
	*ret_size = (size_t)size;
	return text;
}

static void make_empty(int fd)
{
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
}

static size_t lines_in(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

struct outcome command_run(const struct command_server *server, struct inject inject)
{
	struct outcome outcome;
	struct inject_end end;
	size_t size;

	make_empty(server->out);
	make_empty(server->err);
	assert_int_equal(write(server->requests, &inject, sizeof(inject)), sizeof(inject));
	assert_int_equal(read(server->ends, &end, sizeof(end)), sizeof(end));
	outcome.status =
		WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 128 + WTERMSIG(end.status);
	outcome.fired = end.fired;
	outcome.out = text_of(server->out, &outcome.out_size);
	outcome.err = text_of(server->err, &size);
	outcome.err_lines = lines_in(outcome.err);
	return outcome;
}

void command_end(struct command_server *server)
{
	int status;

	close(server->requests);
	close(server->ends);
	close(server->out);
	close(server->err);
	assert_int_equal(waitpid(server->pid, &status, 0), server->pid);
	assert_int_equal(status, 0);
}

struct outcome command_run_once(const char *const *arguments, enum sink sink, size_t file_size)
{
	struct command_server server = command_serve(arguments, sink, file_size);
	struct outcome outcome = command_run(&server, (struct inject){ .at = 0 });

	command_end(&server);
	return outcome;
}

void outcome_free(struct outcome *outcome)
{
	free(outcome->out);
	free(outcome->err);
}

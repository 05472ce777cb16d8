/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define SKIPPED "# skipped: "
#define REASON_SIZE 512

/* Prints one line of cmocka's output as a TAP reader wants it. */
static void pass_line(const char *line, char *reason)
{
	unsigned int number;
	int name_at = 0;

	if (strncmp(line, SKIPPED, strlen(SKIPPED)) == 0) {
		snprintf(reason, REASON_SIZE, "%s", line + strlen(SKIPPED));
		reason[strcspn(reason, "\n")] = '\0';
		return;
	}
	if (sscanf(line, "not ok %u # SKIP %n", &number, &name_at) == 1 && name_at > 0) {
		const char *name = line + name_at;

		printf("ok %u - %.*s # SKIP %s\n", number, (int)strcspn(name, "\n"), name,
		       reason[0] != '\0' ? reason : "no reason given");
		reason[0] = '\0';
		return;
	}
	fputs(line, stdout);
}

static int exit_status(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return EXIT_FAILURE;
	if (WIFSIGNALED(status)) {
		printf("Bail out! ended by signal %d\n", WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	return WEXITSTATUS(status);
}

int tap_run_group(const char *name, const struct CMUnitTest *tests, size_t n_tests)
{
	pid_t parent = getpid();
	char reason[REASON_SIZE] = "";
	size_t line_size = 0;
	char *line = NULL;
	int output[2];
	FILE *from;
	pid_t pid;

	if (pipe2(output, O_CLOEXEC) < 0) {
		perror("pipe2");
		return EXIT_FAILURE;
	}
	fflush(stdout);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		return EXIT_FAILURE;
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(EXIT_FAILURE);
		dup2(output[1], STDOUT_FILENO);
		setvbuf(stdout, NULL, _IOLBF, 0);
		exit(_cmocka_run_group_tests(name, tests, n_tests, NULL, NULL) == 0 ? EXIT_SUCCESS
										    : EXIT_FAILURE);
	}
	close(output[1]);
	from = fdopen(output[0], "r");
	while (from != NULL && getline(&line, &line_size, from) > 0) {
		pass_line(line, reason);
		fflush(stdout);
	}
	free(line);
	if (from != NULL)
		fclose(from);
	return exit_status(pid);
}

void tap_skip(const char *format, ...)
{
	char reason[REASON_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	print_message(SKIPPED "%s\n", reason);
	skip();
	abort(); /* skip() jumps out of the test */
}

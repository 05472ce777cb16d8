/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "workload_process.h"

static void read_region(struct workload *workload, const char *line)
{
	struct workload_region *region = &workload->regions[workload->n_regions];
	struct page_truth *truth = &region->truth;

	assert_true(workload->n_regions < WORKLOAD_ITEMS_MAX);
	assert_int_equal(sscanf(line,
				"region %23s %" SCNx64 " %" SCNx64 " %" SCNu64 " %" SCNu64
				" %" SCNu64 " %" SCNu64 " %d",
				region->name, &region->start, &region->end, &truth->present,
				&truth->huge, &truth->file, &truth->zero, &truth->knows_huge),
			 8);
	workload->n_regions++;
}

static void read_value(struct workload *workload, const char *line)
{
	struct workload_value *value = &workload->values[workload->n_values];

	assert_true(workload->n_values < WORKLOAD_ITEMS_MAX);
	assert_int_equal(sscanf(line, "value %23s %" SCNu64, value->name, &value->number), 2);
	workload->n_values++;
}

static void read_reports(struct workload *workload)
{
	char line[256];

	workload->n_regions = 0;
	workload->n_values = 0;
	while (fgets(line, sizeof(line), workload->reports) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, "ready") == 0)
			return;
		if (strncmp(line, "skip ", 5) == 0)
			tap_skip("%s", line + 5);
		if (strncmp(line, "region ", 7) == 0)
			read_region(workload, line);
		else if (strncmp(line, "value ", 6) == 0)
			read_value(workload, line);
		else
			fail_msg("workload: %s", line);
	}
	fail_msg("the workload ended before it was ready");
}

static _Noreturn void run_program(pid_t parent, int input, int output, const char *scenario,
				  const char *argument)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	dup2(input, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	execl(WORKLOAD_PROGRAM, "workload", scenario, argument, (char *)NULL);
	perror(WORKLOAD_PROGRAM);
	_exit(EXIT_FAILURE);
}

void workload_start(struct workload *workload, const char *scenario, const char *argument)
{
	pid_t parent = getpid();
	int input[2], output[2];

	*workload = (struct workload){ 0 };
	assert_int_equal(pipe2(input, O_CLOEXEC), 0);
	assert_int_equal(pipe2(output, O_CLOEXEC), 0);
	fflush(NULL);
	workload->pid = fork();
	if (workload->pid == 0)
		run_program(parent, input[0], output[1], scenario, argument);
	close(input[0]);
	close(output[1]);
	assert_true(workload->pid > 0);
	workload->commands = input[1];
	workload->reports = fdopen(output[0], "r");
	assert_non_null(workload->reports);
	read_reports(workload);
}

void workload_command(struct workload *workload, const char *command)
{
	assert_true(dprintf(workload->commands, "%s\n", command) > 0);
	read_reports(workload);
}

void workload_end(struct workload *workload)
{
	if (workload->pid <= 0)
		return;
	kill(workload->pid, SIGKILL);
	waitpid(workload->pid, NULL, 0);
	if (workload->reports != NULL)
		fclose(workload->reports);
	close(workload->commands);
	*workload = (struct workload){ 0 };
}

const struct workload_region *workload_region(const struct workload *workload, const char *name)
{
	for (size_t i = 0; i < workload->n_regions; i++) {
		if (strcmp(workload->regions[i].name, name) == 0)
			return &workload->regions[i];
	}
	fail_msg("the workload reported no region %s", name);
	return NULL;
}

uint64_t workload_value(const struct workload *workload, const char *name)
{
	for (size_t i = 0; i < workload->n_values; i++) {
		if (strcmp(workload->values[i].name, name) == 0)
			return workload->values[i].number;
	}
	fail_msg("the workload reported no value %s", name);
	return 0;
}

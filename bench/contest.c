/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contest.h"

void give_up(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("bench: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs("\n", stderr);
	exit(EXIT_FAILURE);
}

double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double cpu_of_this(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static _Noreturn void become(const char *const argv[], int output, pid_t parent)
{
	char *own[8] = { NULL };

	for (size_t i = 0; argv[i] && i + 1 < sizeof(own) / sizeof(own[0]); i++)
		own[i] = strdup(argv[i]);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent && dup2(output, STDOUT_FILENO) >= 0)
		execvp(own[0], own);
	_exit(127);
}

/* With its standard output to @output; what it used comes back. */
static struct rusage run(const char *const argv[], int output)
{
	pid_t parent = getpid(), child = fork();
	struct rusage usage;
	int status;

	if (child < 0)
		give_up("fork: %s", strerror(errno));
	if (!child)
		become(argv, output, parent);
	while (wait4(child, &status, 0, &usage) < 0)
		if (errno != EINTR)
			give_up("wait4: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		give_up("%s failed", argv[0]);
	return usage;
}

struct sample run_command(const char *const argv[], unsigned int times)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct sample sum = { 0 };

	if (null < 0)
		give_up("/dev/null: %s", strerror(errno));
	fflush(stdout);
	while (times--) {
		double start = now();
		struct rusage usage = run(argv, null);

		sum.wall += now() - start;
		sum.cpu += seconds(usage.ru_utime) + seconds(usage.ru_stime);
		if (usage.ru_maxrss > sum.peak)
			sum.peak = usage.ru_maxrss;
	}
	close(null);
	return sum;
}

void run_shown(const char *const argv[])
{
	fflush(stdout);
	run(argv, STDOUT_FILENO);
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

double median(const double *values, size_t n)
{
	double sorted[ROUNDS];

	memcpy(sorted, values, n * sizeof(*values));
	qsort(sorted, n, sizeof(*sorted), compare);
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

void print_heading(const char *format, ...)
{
	va_list arguments;

	printf("\n");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n  %-44s %9s %6s %9s %6s %9s\n", "", "CPU ms", "x", "wall ms", "x", "peak KiB");
}

void print_contest(const struct contestant *contestants, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct sample *mine = contestants[i].samples, *first = contestants[0].samples;
		double cpu[ROUNDS], wall[ROUNDS], cpu_ratio[ROUNDS], wall_ratio[ROUNDS];
		long peak = 0;

		for (size_t round = 0; round < ROUNDS; round++) {
			cpu[round] = mine[round].cpu * 1e3;
			wall[round] = mine[round].wall * 1e3;
			cpu_ratio[round] = mine[round].cpu / first[round].cpu;
			wall_ratio[round] = mine[round].wall / first[round].wall;
			if (mine[round].peak > peak)
				peak = mine[round].peak;
		}
		printf("  %-44s %9.2f %6.2f %9.2f %6.2f", contestants[i].name, median(cpu, ROUNDS),
		       median(cpu_ratio, ROUNDS), median(wall, ROUNDS), median(wall_ratio, ROUNDS));
		if (peak)
			printf(" %9ld\n", peak);
		else
			printf(" %9s\n", "-");
		if (!i)
			continue;
		printf("    CPU, each round: ");
		for (size_t round = 0; round < ROUNDS; round++)
			printf(" %.2f", cpu_ratio[round]);
		printf("\n");
	}
	fflush(stdout);
}

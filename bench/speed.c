/* SPDX-License-Identifier: MIT */
/*
 * speed THPSTAT DIRECTORY - the whole table; see README.md
 *
 * DIRECTORY is where the other programs of this folder are.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "contest.h"
#include "population.h"

#define PROCESSES 400

struct entry {
	const char *name;
	const char *argv[4];
};

/* Never freed: there is little of it. */
__attribute__((format(printf, 1, 2))) static const char *text(const char *format, ...)
{
	va_list arguments;
	char *made;

	va_start(arguments, format);
	if (vasprintf(&made, format, arguments) < 0)
		give_up("no memory");
	va_end(arguments);
	return made;
}

/* Each of @entries in turn, @times times without a pause, and so in every round. */
static void hold(const struct entry *entries, size_t n, unsigned int times)
{
	struct contestant *contestants = calloc(n, sizeof(*contestants));

	if (!contestants)
		give_up("no memory");
	for (size_t i = 0; i < n; i++) {
		contestants[i].name = entries[i].name;
		run_command(entries[i].argv, 1); /* so that all find warm caches */
	}
	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < n; i++)
			contestants[i].samples[round] = run_command(entries[i].argv, times);
	print_contest(contestants, n);
	free(contestants);
}

static size_t mappings_of(pid_t pid)
{
	const char *path = text("/proc/%d/maps", (int)pid);
	FILE *stream = fopen(path, "re");
	size_t n = 0;
	int c;

	if (!stream)
		give_up("%s: %s", path, strerror(errno));
	while ((c = getc(stream)) != EOF)
		n += c == '\n';
	fclose(stream);
	return n;
}

static void whole_host(const char *thpstat, const char *directory)
{
	const struct entry entries[] = {
		{ "bare reads: status, smaps_rollup", { text("%s/limit", directory), "host" } },
		{ "thpstat ps", { thpstat, "ps", "-q" } },
		{ "libproc2, all SMAP items", { text("%s/libproc2", directory) } },
	};

	population_start(PROCESSES, fill_usual);
	print_heading("whole host: %d idle processes with %zu mappings and 4 MiB touched, and all "
		      "others; 3 runs a round",
		      PROCESSES, mappings_of(population_first()));
	hold(entries, sizeof(entries) / sizeof(entries[0]), 3);
	population_end();
}

static void many_mappings(const char *directory)
{
	population_start(1, fill_many);

	pid_t pid = population_first();
	const char *process = text("%d", (int)pid);
	const struct entry entries[] = {
		{ "bare read: smaps",
		  { text("%s/limit", directory), "file", text("/proc/%s/smaps", process) } },
		{ "library, every mapping", { text("%s/walk", directory), process } },
	};
	const char *const parse[] = { text("%s/parse", directory), process, NULL };

	print_heading("one process with %zu mappings; 2 runs a round", mappings_of(pid));
	hold(entries, sizeof(entries) / sizeof(entries[0]), 2);
	run_shown(parse);
	population_end();
}

static void start_up(const char *thpstat)
{
	population_start(1, fill_nothing);

	pid_t pid = population_first();
	const char *process = text("%d", (int)pid);
	const struct entry entries[] = {
		{ "cat /proc/PID/smaps", { "cat", text("/proc/%s/smaps", process) } },
		{ "thpstat PID", { thpstat, process } },
		{ "thpstat -V", { thpstat, "-V" } },
	};

	print_heading("start-up: one process with %zu mappings; 40 runs a round", mappings_of(pid));
	hold(entries, sizeof(entries) / sizeof(entries[0]), 40);
	population_end();
}

int main(int argc, char **argv)
{
	struct utsname host;

	if (argc != 3)
		give_up("usage: speed THPSTAT DIRECTORY");
	uname(&host);
	printf("%s %s %s, %ld processors, built as %s. Medians of %d rounds; x is the median of "
	       "the ratios\nto the first line of the same round.\n",
	       host.sysname, host.release, host.machine, sysconf(_SC_NPROCESSORS_ONLN), BUILD_TYPE,
	       ROUNDS);
	whole_host(argv[1], argv[2]);
	many_mappings(argv[2]);
	start_up(argv[1]);
	return EXIT_SUCCESS;
}

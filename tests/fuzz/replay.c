/* SPDX-License-Identifier: MIT */
/*
 * Runs a target over files in place of libFuzzer: the seeds of a directory as a TAP test, one
 * process for each, so that one that ends with a signal does not hide those after it.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

/* A seed takes milliseconds; what takes longer hangs. */
#define SECONDS 60

static bool read_seed(const char *path, struct fuzz_buffer *seed)
{
	FILE *file = fopen(path, "re");
	char piece[4096];
	size_t size;

	if (!file)
		return false;
	while ((size = fread(piece, 1, sizeof(piece), file)) > 0)
		fuzz_append(seed, piece, size);

	bool whole = !ferror(file);

	fclose(file);
	return whole;
}

static int run(const char *path)
{
	struct fuzz_buffer seed = { 0 };
	uint8_t *exact;

	if (!read_seed(path, &seed)) {
		perror(path);
		return EXIT_FAILURE;
	}
	exact = (uint8_t *)fuzz_copy(seed.text, seed.size);
	alarm(SECONDS);
	LLVMFuzzerTestOneInput(exact, seed.size);
	free(exact);
	fuzz_buffer_free(&seed);
	return EXIT_SUCCESS;
}

static bool run_apart(const char *path, const char *name, int number)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		exit(run(path));
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("fork");
		exit(EXIT_FAILURE);
	}
	if (!status) {
		printf("ok %d - %s\n", number, name);
		return true;
	}
	printf("not ok %d - %s\n", number, name);
	if (WIFSIGNALED(status))
		printf("# ended by signal %d, %s\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
	return false;
}

static int is_seed(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	struct dirent **seeds;
	bool good = true;
	int n;

	if (argc != 2) {
		fprintf(stderr, "usage: %s DIRECTORY|FILE\n", argv[0]);
		return EXIT_FAILURE;
	}
	n = scandir(argv[1], &seeds, is_seed, alphasort);
	if (n < 0) /* one file, as it came from a fuzzer: without a process of its own */
		return run(argv[1]);
	if (!n) {
		fprintf(stderr, "%s: no seeds\n", argv[1]);
		return EXIT_FAILURE;
	}
	printf("1..%d\n", n);
	for (int i = 0; i < n; i++) {
		char *path = NULL;

		if (asprintf(&path, "%s/%s", argv[1], seeds[i]->d_name) < 0)
			return EXIT_FAILURE;
		good &= run_apart(path, seeds[i]->d_name, i + 1);
		free(path);
		free(seeds[i]);
	}
	free(seeds);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: MIT */
/*
 * The least that anybody can do: open what is to be known, read it to the end and look at nothing.
 *
 *	limit host		status and smaps_rollup of every process
 *	limit file PATH		one file
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[65536];

static int read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	do {
		n = read(fd, buffer, sizeof(buffer));
	} while (n > 0);
	close(fd);
	return n < 0 ? -1 : 0;
}

static int read_host(void)
{
	DIR *stream = opendir("/proc");
	const struct dirent *entry;
	char path[300];

	if (!stream)
		return -1;
	while ((entry = readdir(stream))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		/* kernel threads have no memory map, and processes may end: no failure of ours */
		snprintf(path, sizeof(path), "/proc/%s/status", entry->d_name);
		read_file(path);
		snprintf(path, sizeof(path), "/proc/%s/smaps_rollup", entry->d_name);
		read_file(path);
	}
	closedir(stream);
	return 0;
}

int main(int argc, char **argv)
{
	int failed;

	if (argc == 2 && !strcmp(argv[1], "host"))
		failed = read_host();
	else if (argc == 3 && !strcmp(argv[1], "file"))
		failed = read_file(argv[2]);
	else
		failed = -1;
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree_files.h"

#define THP "sys/kernel/mm/transparent_hugepage/"
#define POOL "sys/kernel/mm/hugepages/hugepages-2048kB/"
#define NODE "sys/devices/system/node/node0/"

static struct tree_file files[] = {
	{ 'a', "proc/1/status", NULL, 0 },
	{ 'b', "proc/1/smaps", NULL, 0 },
	{ 'c', "proc/1/smaps_rollup", NULL, 0 },
	{ 'd', "proc/1/stat", NULL, 0 },
	{ 'e', "proc/1/cgroup", NULL, 0 },
	{ 'f', "proc/1/cmdline", NULL, 0 },
	{ 'g', "proc/27/status", NULL, 0 },
	{ 'h', "proc/27/smaps", NULL, 0 },
	{ 'i', "proc/27/smaps_rollup", NULL, 0 },
	{ 'j', "proc/27/stat", NULL, 0 },
	{ 'k', "proc/27/cgroup", NULL, 0 },
	{ 'l', "proc/27/task/28/status", NULL, 0 },
	{ 'm', "proc/27/task/28/smaps", NULL, 0 },
	{ 'n', "proc/27/task/28/smaps_rollup", NULL, 0 },
	{ 'o', "proc/self/mountinfo", NULL, 0 },
	{ 'p', "proc/meminfo", NULL, 0 },
	{ 'q', "proc/vmstat", NULL, 0 },
	{ 'r', "proc/buddyinfo", NULL, 0 },
	{ 's', "proc/sys/kernel/osrelease", NULL, 0 },
	{ 't', "proc/version", NULL, 0 },
	{ 'A', THP "enabled", NULL, 0 },
	{ 'B', THP "shmem_enabled", NULL, 0 },
	{ 'C', THP "hpage_pmd_size", NULL, 0 },
	{ 'D', THP "khugepaged/defrag", NULL, 0 },
	{ 'E', THP "khugepaged/max_ptes_none", NULL, 0 },
	{ 'F', THP "hugepages-64kB/enabled", NULL, 0 },
	{ 'G', THP "hugepages-64kB/stats/nr_anon", NULL, 0 },
	{ 'H', POOL "nr_hugepages", NULL, 0 },
	{ 'I', POOL "free_hugepages", NULL, 0 },
	{ 'J', POOL "resv_hugepages", NULL, 0 },
	{ 'K', NODE "meminfo", NULL, 0 },
	{ 'L', NODE "hugepages/hugepages-2048kB/nr_hugepages", NULL, 0 },
	{ 'Z', "errors.tsv", NULL, 0 },
};

#define N_FILES (sizeof(files) / sizeof(files[0]))

static char root[64];
static int root_fd = -1;
static bool is_written[N_FILES];

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

/* A process that does nothing but wait for the end of this one. */
static void remove_at_end(void)
{
	int ends[2];
	char byte;

	fuzz_require(!pipe2(ends, O_CLOEXEC), "pipe: %s", strerror(errno));
	fflush(NULL);

	pid_t child = fork();

	fuzz_require(child >= 0, "fork: %s", strerror(errno));
	if (child) {
		close(ends[0]);
		return; /* the other end stays open until the last of us is gone */
	}
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	close(ends[1]);
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
		;
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	_exit(0);
}

static void make_directories(const char *path)
{
	char *copy = fuzz_text(path, strlen(path));

	for (char *slash = strchr(copy, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		fuzz_require(!mkdirat(root_fd, copy, 0700) || errno == EEXIST, "%s: %s", copy,
			     strerror(errno));
		*slash = '/';
	}
	free(copy);
}

static void make_root(void)
{
	const char *parent = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";

	snprintf(root, sizeof(root), "%s/thpstat-fuzz-XXXXXX", parent);
	fuzz_require(mkdtemp(root), "%s: %s", root, strerror(errno));
	remove_at_end();
	root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	fuzz_require(root_fd >= 0, "%s: %s", root, strerror(errno));
	for (size_t i = 0; i < N_FILES; i++)
		make_directories(files[i].path);
}

static struct tree_file *by_letter(char letter)
{
	for (size_t i = 0; i < N_FILES; i++)
		if (files[i].letter == letter)
			return &files[i];
	return NULL;
}

/* "@x\n" at the beginning of a line. */
static bool begins_file(const char *p, const char *end)
{
	return end - p >= 3 && p[0] == '@' && p[2] == '\n' && by_letter(p[1]);
}

static void split(const char *text, size_t size)
{
	const char *end = text + size;
	struct tree_file *file = NULL;

	for (size_t i = 0; i < N_FILES; i++)
		files[i].text = NULL;
	for (const char *p = text, *next; p < end; p = next) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));

		next = newline ? newline + 1 : end;
		if (begins_file(p, end)) {
			file = by_letter(p[1]);
			file->text = next;
			file->size = 0;
		} else if (file) {
			file->size = (size_t)(next - file->text);
		}
	}
}

static void write_file(size_t i)
{
	int fd = openat(root_fd, files[i].path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	fuzz_require(fd >= 0, "%s: %s", files[i].path, strerror(errno));
	fuzz_require(write(fd, files[i].text, files[i].size) == (ssize_t)files[i].size, "%s: %s",
		     files[i].path, strerror(errno));
	close(fd);
}

void tree_files_write(const uint8_t *data, size_t size)
{
	if (root_fd < 0)
		make_root();
	split((const char *)data, size);
	for (size_t i = 0; i < N_FILES; i++) {
		if (files[i].text)
			write_file(i);
		else if (is_written[i])
			fuzz_require(!unlinkat(root_fd, files[i].path, 0), "%s: %s", files[i].path,
				     strerror(errno));
		is_written[i] = files[i].text;
	}
}

const char *tree_files_root(void)
{
	return root;
}

const struct tree_file *tree_files_find(const char *path)
{
	for (size_t i = 0; i < N_FILES; i++)
		if (!strcmp(files[i].path, path) && files[i].text)
			return &files[i];
	return NULL;
}

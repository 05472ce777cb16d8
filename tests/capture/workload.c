/* SPDX-License-Identifier: MIT */
/*
 * A process that has memory of every kind under names of its own, and then stops itself, so that
 * its figures stay. Linked statically: what others map of a library would move its share.
 * Arguments: a word that is in all of its names, and a file to map.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <unistd.h>

#define MIB (1024 * 1024)

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static char *map(size_t size, int flags, int fd)
{
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (memory == MAP_FAILED)
		fail("mmap");
	return memory;
}

/* Three views of one object, as some collectors of garbage have. */
static void map_heap(const char *word)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "heap-%s", word);
	fd = memfd_create(name, 0);
	if (fd < 0 || ftruncate(fd, 8 * MIB))
		fail("memfd");
	for (int view = 0; view < 3; view++)
		memset(map(8 * MIB, MAP_SHARED, fd), 1, view ? 4 * MIB : 8 * MIB);
}

static void map_anonymous(const char *word)
{
	char *memory = map(8 * MIB, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	char name[64];

	madvise(memory, 8 * MIB, MADV_HUGEPAGE);
	memset(memory, 1, 6 * MIB);
	/* not every kernel knows names of anonymous memory */
	snprintf(name, sizeof(name), "arena-%s", word);
	prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, memory, 8 * MIB, name);
	memset(map(2 * MIB, MAP_SHARED | MAP_ANONYMOUS, -1), 1, MIB);
}

static void map_segment(void)
{
	int id = shmget(IPC_PRIVATE, 2 * MIB, IPC_CREAT | 0600);
	char *memory = id < 0 ? NULL : shmat(id, NULL, 0);

	if (!memory || memory == (char *)-1)
		return; /* forbidden in some containers */
	shmctl(id, IPC_RMID, NULL);
	memset(memory, 1, MIB);
}

static void map_file(const char *path)
{
	int fd = open(path, O_RDWR);

	if (fd < 0)
		fail(path);
	*map(MIB, MAP_SHARED, fd) = 1;
	if (map(MIB, MAP_PRIVATE, fd)[MIB / 2])
		fail("file");
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	prctl(PR_SET_NAME, argv[1]);
	map_heap(argv[1]);
	map_anonymous(argv[1]);
	map_segment();
	map_file(argv[2]);
	printf("ready\n");
	fflush(stdout);
	raise(SIGSTOP);
	return 0;
}

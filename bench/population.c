/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contest.h"
#include "population.h"

#define MAX 4096

static pid_t members[MAX];
static size_t n_members;

void population_end(void)
{
	for (size_t i = 0; i < n_members; i++)
		kill(members[i], SIGKILL);
	for (size_t i = 0; i < n_members; i++)
		while (waitpid(members[i], NULL, 0) < 0 && errno == EINTR)
			;
	n_members = 0;
}

static _Noreturn void live(pid_t parent, int ready, population_fill_fn fill)
{
	/* should the parent have ended before, nobody is told */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	fill();
	if (write(ready, "", 1) != 1)
		_exit(EXIT_FAILURE);
	close(ready);
	for (;;)
		pause();
}

void population_start(size_t n, population_fill_fn fill)
{
	static int registered;
	pid_t parent = getpid();
	int ready[2];
	char byte;

	if (!registered && atexit(population_end))
		give_up("no memory");
	registered = 1;
	if (n > MAX || pipe2(ready, O_CLOEXEC))
		give_up("%zu processes are too many", n);
	while (n_members < n) {
		pid_t child = fork();

		if (child < 0)
			give_up("fork: %s", strerror(errno));
		if (!child) {
			close(ready[0]);
			live(parent, ready[1], fill);
		}
		members[n_members++] = child;
	}
	close(ready[1]);
	/* a process that fails closes its end without a word */
	for (size_t i = 0; i < n; i++)
		if (read(ready[0], &byte, 1) != 1)
			give_up("a process to be looked at could not be made");
	close(ready[0]);
}

pid_t population_first(void)
{
	return members[0];
}

/* In a process to be looked at: no buffers and no handlers of its parent are touched. */
static void must(int holds)
{
	if (!holds)
		_exit(EXIT_FAILURE);
}

void fill_nothing(void)
{
}

void fill_usual(void)
{
	const size_t n = 64, size = 64 << 10;
	char *memory =
		mmap(NULL, n * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(memory != MAP_FAILED);
	/* neighbours with equal rights would be one mapping; small ones cannot become huge */
	for (size_t i = 0; i < n; i += 2)
		must(!mprotect(memory + i * size, size, PROT_READ | PROT_WRITE | PROT_EXEC));
	for (size_t i = 0; i < n * size; i += 4096)
		memory[i] = 1;
}

void fill_many(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 60000, longest = 5;
	int shared = memfd_create("bench", MFD_CLOEXEC);
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *memory = mmap(NULL, n * longest * page, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t touched = 0;

	must(shared >= 0 && !ftruncate(shared, (off_t)(longest * page)) && file >= 0 &&
	     memory != MAP_FAILED);
	for (size_t i = 0; i < n; i++) {
		size_t pages = 1 + i % longest;
		int fd = i % 4 == 1 ? shared : i % 4 == 3 ? file : -1;
		int rights = i % 4 == 2 ? PROT_READ : PROT_READ | PROT_WRITE;
		int flags = MAP_FIXED | (fd == shared ? MAP_SHARED : MAP_PRIVATE) |
			    (fd < 0 ? MAP_ANONYMOUS : 0);

		must(mmap(memory, pages * page, rights, flags, fd, 0) == memory);
		for (size_t at = 0; i % 4 < 2 && at < 1 + i % 3 && at < pages; at++)
			memory[at * page] = 1;
		if (i % 4 == 3)
			touched += *(volatile char *)memory;
		memory += pages * page;
	}
	(void)touched;
}

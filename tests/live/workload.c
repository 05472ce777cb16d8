/* SPDX-License-Identifier: MIT */
/*
 * workload SCENARIO [ARGUMENT] - memory of a known shape, and the truth about it
 *
 * Prints lines and waits until its input ends:
 *	region NAME START END PRESENT HUGE FILE ZERO KNOWS_HUGE	addresses in hex, bytes
 *	value NAME NUMBER
 *	skip REASON		this machine cannot do the scenario
 *	fail REASON
 *	ready
 * PRESENT and what follows it were measured from inside, see page_truth.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/magic.h>

#include "page_truth.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define READ_WRITE (PROT_READ | PROT_WRITE)

#define SEGMENT_SIZE (4 * MIB)

static volatile unsigned char sink;

static _Noreturn __attribute__((format(printf, 2, 3))) void stop(const char *word,
								 const char *format, ...)
{
	va_list arguments;

	printf("%s ", word);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	fflush(stdout);
	_exit(EXIT_FAILURE);
}

static _Noreturn void fail_errno(const char *what)
{
	stop("fail", "%s: %s", what, strerror(errno));
}

static size_t pmd_size(void)
{
	FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "re");
	size_t size = 0;

	if (file == NULL || fscanf(file, "%zu", &size) != 1 || size == 0)
		stop("skip", "this kernel has no transparent huge pages");
	fclose(file);
	return size;
}

/* Huge pages of this size must fit the sizes of the scenarios. */
static void need_small_pmd(void)
{
	if (pmd_size() > 2 * MIB)
		stop("skip", "a huge page of %zu MiB does not fit the scenario", pmd_size() / MIB);
}

/*
 * Maps @size bytes where huge pages can begin, with unmappable memory at both sides, so that it
 * never becomes one mapping with its neighbour.
 */
static unsigned char *map_apart(size_t size, int protection, int flags, int fd, size_t offset)
{
	size_t alignment = 2 * MIB;
	unsigned char *room, *at;

	room = mmap(NULL, size + 2 * alignment, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		fail_errno("mmap of room");
	at = room + (alignment - (uintptr_t)room % alignment);
	at = mmap(at, size, protection, flags | MAP_FIXED, fd, (off_t)offset);
	if (at == MAP_FAILED)
		fail_errno("mmap");
	return at;
}

static unsigned char *map_anonymous(size_t size)
{
	return map_apart(size, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int make_memfd(const char *name, size_t size, unsigned int flags)
{
	int fd = memfd_create(name, MFD_CLOEXEC | flags);

	if (fd < 0 || ftruncate(fd, (off_t)size) < 0)
		fail_errno("memfd_create");
	return fd;
}

static void advise_huge(void *at, size_t size)
{
	if (madvise(at, size, MADV_HUGEPAGE) < 0)
		fail_errno("madvise(MADV_HUGEPAGE)");
}

static void touch_by_read(const unsigned char *at, size_t size)
{
	for (size_t i = 0; i < size; i += 4 * KIB)
		sink = at[i];
}

static void report_value(const char *name, uint64_t value)
{
	printf("value %s %" PRIu64 "\n", name, value);
}

/* Through the thread's own file: the main thread may have ended. */
static struct page_truth measure(const void *at, size_t size)
{
	struct page_truth truth;
	char process[64];
	int pagemap, error;

	snprintf(process, sizeof(process), "%d/task/%ld", getpid(), syscall(SYS_gettid));
	pagemap = page_truth_open(process);
	if (pagemap < 0)
		stop("fail", "pagemap: %s", strerror(-pagemap));
	error = page_truth_measure(pagemap, (uintptr_t)at, (uintptr_t)at + size, &truth);
	if (error < 0)
		stop("fail", "pagemap: %s", strerror(-error));
	close(pagemap);
	return truth;
}

/* A range that is one mapping. */
static void report_region(const char *name, const void *at, size_t size)
{
	uint64_t start = (uintptr_t)at, end = start + size;
	struct page_truth truth = measure(at, size);

	printf("region %s %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	       " %d\n",
	       name, start, end, truth.present, truth.huge, truth.file, truth.zero,
	       truth.knows_huge);
}

static void scenario_anon_thp(const char *argument)
{
	unsigned char *at = map_anonymous(64 * MIB);

	(void)argument;
	need_small_pmd();
	advise_huge(at, 64 * MIB);
	memset(at, 1, 64 * MIB);
	report_region("anon", at, 64 * MIB);
}

static void scenario_shmem_three_times(const char *argument)
{
	static const char *const names[] = { "first", "second", "third" };
	int fd = make_memfd("heap", 64 * MIB, 0);
	unsigned char *views[3];

	(void)argument;
	need_small_pmd();
	for (size_t i = 0; i < 3; i++) {
		views[i] = map_apart(64 * MIB, READ_WRITE, MAP_SHARED, fd, 0);
		advise_huge(views[i], 64 * MIB);
	}
	memset(views[0], 1, 64 * MIB);
	for (size_t i = 1; i < 3; i++)
		touch_by_read(views[i], 64 * MIB);
	for (size_t i = 0; i < 3; i++)
		report_region(names[i], views[i], 64 * MIB);
}

/* Small pages first, huge ones behind them; each view has some of both, and none has all. */
static void scenario_partly_huge(const char *argument)
{
	int fd = make_memfd("heap", 8 * MIB, 0);
	unsigned char *first = map_apart(8 * MIB, READ_WRITE, MAP_SHARED, fd, 0);
	unsigned char *second = map_apart(8 * MIB, READ_WRITE, MAP_SHARED, fd, 0);

	(void)argument;
	need_small_pmd();
	memset(first, 1, 2 * MIB);
	advise_huge(second, 8 * MIB);
	memset(second + 1 * MIB, 2, 5 * MIB);
	memset(first + 4 * MIB, 3, 2 * MIB);
	report_region("first", first, 8 * MIB);
}

static uint64_t inode_of(int fd)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		fail_errno("fstat");
	return status.st_ino;
}

/* Where ids of segments begin at 0, and the segments go with the process. */
static void separate_segments(void)
{
	if (unshare(CLONE_NEWIPC) < 0)
		stop("skip", "no IPC namespace of its own: %s", strerror(errno));
}

static void *attach(int id)
{
	void *at = shmat(id, NULL, 0);

	if (at == (void *)-1)
		fail_errno("shmat");
	return at;
}

static int make_segment(void)
{
	int id = shmget(IPC_PRIVATE, SEGMENT_SIZE, IPC_CREAT | 0600);

	if (id < 0)
		fail_errno("shmget");
	return id;
}

static void remove_segment(int id)
{
	if (shmctl(id, IPC_RMID, NULL) < 0)
		fail_errno("shmctl");
}

/*
 * A segment and a memfd of one inode number. Both lie on the kernel's internal tmpfs, where a
 * segment has its id as inode number and a memfd the next of a counter. In a fresh IPC namespace
 * ids begin at 0, and rise by 32768 when a segment is removed and made anew: let the counter come
 * to the segment; when it has passed by, as numbers go to each CPU by the batch, take the next one.
 */
static void make_pair(int *ret_id, int *ret_fd)
{
	int id = make_segment();

	for (int tries = 0; tries < 400000; tries++) {
		int fd = make_memfd("heap", SEGMENT_SIZE, 0);
		uint64_t inode = inode_of(fd);

		if (inode == (uint64_t)id) {
			*ret_id = id;
			*ret_fd = fd;
			return;
		}
		close(fd);
		while (inode > (uint64_t)id) {
			remove_segment(id);
			id = make_segment();
		}
	}
	stop("skip", "no segment and memfd got one inode number");
}

static void scenario_segment_meets_memfd(const char *argument)
{
	unsigned char *segment, *view;
	cpu_set_t one;
	int id, fd;

	(void)argument;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	separate_segments();
	make_pair(&id, &fd);
	segment = attach(id);
	remove_segment(id);
	view = map_apart(SEGMENT_SIZE, READ_WRITE, MAP_SHARED, fd, 0);
	memset(segment, 1, SEGMENT_SIZE);
	memset(view, 2, SEGMENT_SIZE);
	report_value("inode", (uint64_t)id);
	report_region("segment", segment, SEGMENT_SIZE);
	report_region("memfd", view, SEGMENT_SIZE);
}

/* The first segment of a container: its id, and so its inode number, is 0. */
static void scenario_first_segment(const char *argument)
{
	unsigned char *views[2];
	int id;

	(void)argument;
	separate_segments();
	id = make_segment();
	for (size_t i = 0; i < 2; i++)
		views[i] = attach(id);
	remove_segment(id);
	for (size_t i = 0; i < 2; i++)
		memset(views[i], 1, SEGMENT_SIZE);
	report_value("inode", (uint64_t)id);
	report_region("first", views[0], SEGMENT_SIZE);
	report_region("second", views[1], SEGMENT_SIZE);
}

static void scenario_copy_beside_shared(const char *argument)
{
	int fd = make_memfd("heap", 16 * MIB, 0);
	unsigned char *shared = map_apart(16 * MIB, READ_WRITE, MAP_SHARED, fd, 0);
	unsigned char *private = map_apart(16 * MIB, READ_WRITE, MAP_PRIVATE, fd, 0);

	(void)argument;
	memset(shared, 1, 16 * MIB);
	memset(private, 2, 16 * MIB);
	report_region("shared", shared, 16 * MIB);
	report_region("private", private, 16 * MIB);
}

/* What the word "more" touches. */
static struct memory {
	unsigned char *start;
	size_t size;
} more;

/* Two views of 8 MiB: one touches the lower half, the other the half that @argument names. */
static void scenario_two_halves(const char *argument)
{
	bool same = argument != NULL && strcmp(argument, "same") == 0;
	int fd = make_memfd("heap", 8 * MIB, 0);
	unsigned char *first = map_apart(8 * MIB, READ_WRITE, MAP_SHARED, fd, 0);
	unsigned char *second = map_apart(8 * MIB, READ_WRITE, MAP_SHARED, fd, 0);

	memset(first, 1, 4 * MIB);
	memset(second + (same ? 0 : 4 * MIB), 2, 4 * MIB);
	report_region("first", first, 8 * MIB);
	report_region("second", second, 8 * MIB);
	more = (struct memory){ first, 8 * MIB };
}

static void scenario_hugetlb(const char *argument)
{
	static const char *const names[] = { "first", "second", "third" };
	unsigned char *private, *views[3];
	int fd;

	(void)argument;
	private =
		mmap(NULL, 16 * MIB, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (private == MAP_FAILED)
		fail_errno("mmap(MAP_HUGETLB)");
	memset(private, 1, 16 * MIB);
	report_region("private", private, 16 * MIB);
	fd = make_memfd("pool", 16 * MIB, MFD_HUGETLB);
	for (size_t i = 0; i < 3; i++) {
		views[i] = mmap(NULL, 16 * MIB, READ_WRITE, MAP_SHARED, fd, 0);
		if (views[i] == MAP_FAILED)
			fail_errno("mmap of a hugetlb memfd");
		if (i == 0)
			memset(views[i], 2, 16 * MIB);
		else
			touch_by_read(views[i], 16 * MIB);
	}
	for (size_t i = 0; i < 3; i++)
		report_region(names[i], views[i], 16 * MIB);
}

/* A file of 16 MiB in @directory that nothing of is in the page cache; -1 when it cannot be. */
static int make_cold_file(const char *directory)
{
	char path[PATH_MAX], block[64 * KIB];
	struct statfs system;
	int fd;

	snprintf(path, sizeof(path), "%s/thpstat-file-XXXXXX", directory);
	if (statfs(directory, &system) < 0 || system.f_type == TMPFS_MAGIC ||
	    system.f_type == RAMFS_MAGIC)
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -1;
	memset(block, 'x', sizeof(block));
	for (size_t i = 0; i < 16 * MIB; i += sizeof(block)) {
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block)) {
			unlink(path);
			close(fd);
			return -1;
		}
	}
	/* a mapping of a file that is open for writing gets no huge pages on some kernels */
	fsync(fd);
	close(fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	unlink(path);
	if (fd >= 0)
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return fd;
}

/*
 * File systems with large folios give huge ones to an aligned mapping that asked for them before
 * the first page was read.
 */
static void scenario_file_pmd(const char *argument)
{
	const char *const directories[] = { argument, getenv("TMPDIR"), ".", "/var/tmp", "/tmp" };

	need_small_pmd();
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		unsigned char *at;
		int fd;

		if (directories[i] == NULL)
			continue;
		fd = make_cold_file(directories[i]);
		if (fd < 0)
			continue;
		at = map_apart(16 * MIB, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		advise_huge(at, 16 * MIB);
		touch_by_read(at, 16 * MIB);
		if (measure(at, 16 * MIB).huge > 0) {
			report_region("file", at, 16 * MIB);
			return;
		}
		close(fd);
		munmap(at, 16 * MIB);
	}
	stop("skip", "no directory at hand whose file system makes huge pages of files");
}

static void *outlive_leader(void *at)
{
	char path[64], text[512];

	snprintf(path, sizeof(path), "/proc/%d/stat", getpid());
	for (;;) {
		FILE *file = fopen(path, "re");

		if (file == NULL || fgets(text, sizeof(text), file) == NULL)
			fail_errno(path);
		fclose(file);
		if (strstr(text, ") Z ") != NULL)
			break;
		usleep(1000);
	}
	report_value("thread", (uint64_t)syscall(SYS_gettid));
	report_region("anon", at, 16 * MIB);
	printf("ready\n");
	fflush(stdout);
	while (getchar() != EOF)
		;
	_exit(EXIT_SUCCESS);
}

static void scenario_leader_gone(const char *argument)
{
	unsigned char *at = map_anonymous(16 * MIB);
	pthread_t thread;

	(void)argument;
	need_small_pmd();
	advise_huge(at, 16 * MIB);
	memset(at, 1, 16 * MIB);
	errno = pthread_create(&thread, NULL, outlive_leader, at);
	if (errno != 0)
		fail_errno("pthread_create");
	pthread_exit(NULL);
}

static void scenario_zombie_child(const char *argument)
{
	siginfo_t information;
	pid_t child = fork();

	(void)argument;
	if (child < 0)
		fail_errno("fork");
	if (child == 0)
		_exit(EXIT_SUCCESS);
	/* it has ended and stays as it is */
	if (waitid(P_PID, (id_t)child, &information, WEXITED | WNOWAIT) < 0)
		fail_errno("waitid");
	report_value("child", (uint64_t)child);
}

/* Very many mappings, one touched page each: reading them takes a while. */
static void scenario_many_mappings(const char *argument)
{
	size_t n = argument != NULL ? strtoul(argument, NULL, 10) : 1000;
	unsigned char *at = map_anonymous(n * 8 * KIB);

	for (size_t i = 0; i < n; i++) {
		unsigned char *page = at + i * 8 * KIB;

		*page = 1;
		if (mprotect(page + 4 * KIB, 4 * KIB, PROT_NONE) < 0)
			fail_errno("mprotect");
	}
	report_value("present", measure(at, n * 8 * KIB).present);
}

/* One process after another under one pid. */
static void scenario_endless_exec(const char *argument)
{
	unsigned char *at = map_anonymous(4 * MIB);

	if (argument == NULL) {
		printf("ready\n");
		fflush(stdout);
	}
	memset(at, 1, 4 * MIB);
	scenario_many_mappings("200");
	execl("/proc/self/exe", "workload", "endless_exec", "again", (char *)NULL);
	fail_errno("exec");
}

static uint32_t random_state;

static uint32_t random_below(uint32_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % limit;
}

static void touch_some_pages(unsigned char *view, size_t n)
{
	/* of 4 pages: none, one, two, three, all; of 2 by a write: none, one, both */
	uint32_t share = random_below(5), written = random_below(3);

	for (size_t i = 0; i < n; i++) {
		unsigned char *page = view + i * 4 * KIB;

		if (random_below(4) >= share)
			continue;
		if (random_below(2) < written)
			*page = 1;
		else
			sink = *page;
	}
}

/* Two to five views of two objects, each over a part of it chosen by chance, touched by chance. */
static void scenario_random_views(const char *argument)
{
	int objects[2];
	size_t n;

	random_state = argument != NULL ? (uint32_t)strtoul(argument, NULL, 10) : 1;
	random_state = random_state * 2654435761u + 88172645u;
	for (size_t i = 0; i < 2; i++)
		objects[i] = make_memfd("views", 32 * 4 * KIB, 0);
	n = 2 + random_below(4);
	for (size_t i = 0; i < n; i++) {
		size_t whole = random_below(3) == 0;
		size_t offset = whole ? 0 : random_below(24);
		size_t pages = whole ? 32 : 1 + random_below((uint32_t)(32 - offset));
		int object = objects[random_below(4) == 0];
		int flags = random_below(4) == 0 ? MAP_PRIVATE : MAP_SHARED;
		unsigned char *view =
			map_apart(pages * 4 * KIB, READ_WRITE, flags, object, offset * 4 * KIB);

		touch_some_pages(view, pages);
	}
}

static const struct {
	const char *name;
	void (*run)(const char *argument);
} scenarios[] = {
	{ "anon_thp", scenario_anon_thp },
	{ "copy_beside_shared", scenario_copy_beside_shared },
	{ "endless_exec", scenario_endless_exec },
	{ "file_pmd", scenario_file_pmd },
	{ "first_segment", scenario_first_segment },
	{ "hugetlb", scenario_hugetlb },
	{ "leader_gone", scenario_leader_gone },
	{ "many_mappings", scenario_many_mappings },
	{ "partly_huge", scenario_partly_huge },
	{ "random_views", scenario_random_views },
	{ "segment_meets_memfd", scenario_segment_meets_memfd },
	{ "shmem_three_times", scenario_shmem_three_times },
	{ "two_halves", scenario_two_halves },
	{ "zombie_child", scenario_zombie_child },
};

/*
 * Ends when the input ends; the word "exec" makes it another program under the same pid, "more" has
 * it touch what a scenario left for that.
 */
static void wait_for_end(void)
{
	char word[32];

	while (fgets(word, sizeof(word), stdin) != NULL) {
		if (strcmp(word, "more\n") == 0) {
			memset(more.start, 3, more.size);
			printf("ready\n");
			fflush(stdout);
		} else if (strcmp(word, "exec\n") == 0) {
			execl("/proc/self/exe", "workload", "zombie_child", (char *)NULL);
			fail_errno("exec");
		}
	}
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		if (strcmp(scenarios[i].name, name) != 0)
			continue;
		scenarios[i].run(argc > 2 ? argv[2] : NULL);
		printf("ready\n");
		fflush(stdout);
		wait_for_end();
		return EXIT_SUCCESS;
	}
	fprintf(stderr, "usage: workload SCENARIO [ARGUMENT]\n");
	return 2;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host_settings.h"
#include "tap.h"

#define CHANGES_MAX 16
#define VALUE_SIZE 64

struct change {
	char path[PATH_MAX];
	/* what it was; "" for a directory that was made */
	char value[VALUE_SIZE];
};

/* Shared with the watcher. An entry is complete before @n counts it. */
struct changes {
	_Atomic size_t n;
	struct change list[CHANGES_MAX];
};

static struct changes *changes;
static pid_t watcher;
static int lock = -1;

static int read_line(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return -errno;
	length = read(fd, text, size - 1);
	if (length < 0)
		length = -errno;
	close(fd);
	if (length < 0)
		return (int)length;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

int host_setting_read(const char *path, char *value, size_t size)
{
	char text[256];
	const char *from = text;
	char *bracket;
	int error = read_line(path, text, sizeof(text));

	if (error < 0)
		return error;
	bracket = strchr(text, '[');
	if (bracket != NULL) {
		from = bracket + 1;
		bracket[strcspn(bracket, "]")] = '\0';
	}
	if (strlen(from) >= size)
		return -EOVERFLOW;
	strcpy(value, from);
	return 0;
}

static int write_setting(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int error = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		error = -errno;
	close(fd);
	return error;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

/* Whoever uses the directory may be ending at this moment: a few seconds of grace. */
static bool remove_directory(const char *path)
{
	for (int i = 0; i < 100; i++) {
		if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0)
			return true;
		if (errno == ENOENT && access(path, F_OK) < 0)
			return true;
		usleep(50000);
	}
	return false;
}

static bool undo(const struct change *change)
{
	char now[VALUE_SIZE];

	if (change->value[0] == '\0')
		return remove_directory(change->path);
	return write_setting(change->path, change->value) == 0 &&
	       host_setting_read(change->path, now, sizeof(now)) == 0 &&
	       strcmp(now, change->value) == 0;
}

/*
 * The watcher: waits for its word, or for the death of its parent, and undoes. All signals are
 * blocked since before the fork; @ready is closed when nothing that ends the parent, or all of its
 * process group, can end the watcher with it.
 */
static _Noreturn void watch(pid_t parent, int ready)
{
	bool good = true;
	sigset_t awaited;

	setsid();
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGUSR1);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	prctl(PR_SET_NAME, "host_settings");
	close(ready);
	while (getppid() == parent && sigwaitinfo(&awaited, NULL) < 0)
		;
	for (size_t i = atomic_load(&changes->n); i > 0; i--)
		good &= undo(&changes->list[i - 1]);
	_exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void take_lock(void)
{
	lock = open("/sys/kernel/mm/transparent_hugepage", O_RDONLY | O_CLOEXEC);
	if (lock < 0)
		lock = open("/proc/sys/vm", O_RDONLY | O_CLOEXEC);
	if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) < 0) {
		print_message("# waiting for another live test of this host\n");
		flock(lock, LOCK_EX);
	}
}

void host_settings_hold(void)
{
	pid_t parent = getpid();
	sigset_t all, before;
	int ready[2];
	char byte;

	if (watcher != 0)
		return;
	changes = mmap(NULL, sizeof(*changes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	assert_ptr_not_equal(changes, MAP_FAILED);
	take_lock();
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	fflush(NULL);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	watcher = fork();
	if (watcher == 0) {
		close(ready[0]);
		watch(parent, ready[1]);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_true(watcher > 0);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
}

static void note(const char *path, const char *value)
{
	size_t n = atomic_load(&changes->n);

	assert_true(n < CHANGES_MAX);
	assert_true(strlen(path) < PATH_MAX && strlen(value) < VALUE_SIZE);
	strcpy(changes->list[n].path, path);
	strcpy(changes->list[n].value, value);
	atomic_store(&changes->n, n + 1);
}

void host_settings_restore(void)
{
	int status = 0;

	if (watcher == 0)
		return;
	kill(watcher, SIGUSR1);
	while (waitpid(watcher, &status, 0) < 0 && errno == EINTR)
		;
	watcher = 0;
	munmap(changes, sizeof(*changes));
	changes = NULL;
	if (lock >= 0)
		close(lock);
	lock = -1;
	if (status != 0)
		fail_msg("settings of the host could not be put back");
}

int host_settings_teardown(void **state)
{
	(void)state;
	host_settings_restore();
	return 0;
}

void host_setting_require(const char *path, const char *value)
{
	char before[VALUE_SIZE], now[VALUE_SIZE];
	int error;

	host_settings_hold();
	error = host_setting_read(path, before, sizeof(before));
	if (error < 0)
		tap_skip("%s cannot be read: %s", path, strerror(-error));
	if (strcmp(before, value) == 0)
		return;
	if (access(path, W_OK) < 0)
		tap_skip("%s cannot be set: %s", path, strerror(errno));
	note(path, before);
	error = write_setting(path, value);
	if (error < 0)
		tap_skip("%s cannot be set to %s: %s", path, value, strerror(-error));
	assert_int_equal(host_setting_read(path, now, sizeof(now)), 0);
	assert_string_equal(now, value);
}

uint64_t host_meminfo(const char *key)
{
	FILE *file = fopen("/proc/meminfo", "re");
	size_t length = strlen(key);
	char line[256];
	uint64_t value = 0;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, key, length) == 0 && line[length] == ':')
			value = strtoull(line + length + 1, NULL, 10);
	}
	if (file != NULL)
		fclose(file);
	return value;
}

void host_compact_memory(void)
{
	int error = write_setting("/proc/sys/vm/compact_memory", "1");

	if (error < 0)
		print_message("# memory not compacted: %s\n", strerror(-error));
}

void host_hugetlb_require(uint64_t bytes)
{
	uint64_t page = host_meminfo("Hugepagesize") * 1024;
	char before[VALUE_SIZE], value[VALUE_SIZE];
	uint64_t wanted;
	int error;

	host_settings_hold();
	if (page == 0)
		tap_skip("this kernel has no hugetlb pages");
	if (bytes % page != 0)
		tap_skip("hugetlb pages of %" PRIu64 " bytes do not fit the test", page);
	error = host_setting_read(HOST_NR_HUGEPAGES, before, sizeof(before));
	if (error < 0)
		tap_skip("%s cannot be read: %s", HOST_NR_HUGEPAGES, strerror(-error));
	if (access(HOST_NR_HUGEPAGES, W_OK) < 0)
		tap_skip("%s cannot be set: %s", HOST_NR_HUGEPAGES, strerror(errno));
	note(HOST_NR_HUGEPAGES, before);
	wanted = strtoull(before, NULL, 10) + bytes / page;
	snprintf(value, sizeof(value), "%" PRIu64, wanted);
	for (int i = 0; i < 2 && host_meminfo("HugePages_Total") < wanted; i++) {
		if (i > 0)
			host_compact_memory();
		error = write_setting(HOST_NR_HUGEPAGES, value);
		if (error < 0)
			tap_skip("%s cannot be set to %s: %s", HOST_NR_HUGEPAGES, value,
				 strerror(-error));
	}
	if (host_meminfo("HugePages_Total") < wanted)
		fail_msg("asked for %" PRIu64 " hugetlb pages, got %" PRIu64 "; MemFree %" PRIu64
			 " kB",
			 wanted, host_meminfo("HugePages_Total"), host_meminfo("MemFree"));
}

/* Noted before it is there; by its random name it is nobody else's. */
const char *host_directory_make(void)
{
	const char *base = getenv("TMPDIR");
	char path[PATH_MAX];
	uint64_t number;

	host_settings_hold();
	assert_int_equal(getrandom(&number, sizeof(number), 0), sizeof(number));
	snprintf(path, sizeof(path), "%s/thpstat-live-%016" PRIx64, base != NULL ? base : "/tmp",
		 number);
	note(path, "");
	if (mkdir(path, 0700) < 0) {
		atomic_fetch_sub(&changes->n, 1);
		fail_msg("%s: %s", path, strerror(errno));
	}
	return changes->list[atomic_load(&changes->n) - 1].path;
}

/* SPDX-License-Identifier: MIT */
/*
 * Nobody is lost: of every process that a walk meets it says what became of it, also for a reader
 * who may read little, and while processes come and go.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <thpstat/thpstat.h>

#include "tap.h"

#define NOBODY 65534
#define SECONDS 4
#define PIDS_MAX 65536
#define TEXT_SIZE 256

/* What a series of walks found; shared with the process that walks. */
struct outcome {
	/* the first thing that is wrong; "" for nothing */
	char wrong[TEXT_SIZE];
	uint64_t walks;
	/* the walks before and after which the directory listed the same */
	uint64_t still_walks;
	/* sums over all walks */
	struct thpstat_completeness sum;
};

struct pid_list {
	int pids[PIDS_MAX];
	size_t n;
};

static pid_t spawner;
static struct outcome *outcome;

static int set_up(void **state)
{
	(void)state;
	outcome = mmap(NULL, sizeof(*outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	return outcome == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (spawner > 0) {
		kill(-spawner, SIGKILL);
		waitpid(spawner, NULL, 0);
	}
	spawner = 0;
	munmap(outcome, sizeof(*outcome));
	return 0;
}

static int compare_pids(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* The directories with a number for a name, sorted. */
static bool list_pids(struct pid_list *list)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	list->n = 0;
	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		if (isdigit((unsigned char)entry->d_name[0]) && list->n < PIDS_MAX)
			list->pids[list->n++] = (int)strtol(entry->d_name, NULL, 10);
	}
	if (directory != NULL)
		closedir(directory);
	qsort(list->pids, list->n, sizeof(list->pids[0]), compare_pids);
	return directory != NULL;
}

static bool contains(const struct pid_list *list, int pid)
{
	return bsearch(&pid, list->pids, list->n, sizeof(pid), compare_pids) != NULL;
}

__attribute__((format(printf, 1, 2))) static bool wrong(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (outcome->wrong[0] == '\0')
		vsnprintf(outcome->wrong, TEXT_SIZE, format, arguments);
	va_end(arguments);
	return false;
}

static uint64_t total(const struct thpstat_completeness *c)
{
	return c->read + c->forbidden + c->vanished + c->cut + c->kernel_threads + c->zombies;
}

static void add(struct thpstat_completeness *sum, const struct thpstat_completeness *part)
{
	sum->read += part->read;
	sum->forbidden += part->forbidden;
	sum->vanished += part->vanished;
	sum->cut += part->cut;
	sum->kernel_threads += part->kernel_threads;
	sum->zombies += part->zombies;
}

/* The counter that an item belongs to, by its state, error and flags. */
static const uint64_t *counter_of(const struct thpstat_process *process,
				  const struct thpstat_completeness *c)
{
	switch (process->state) {
	case THPSTAT_PROCESS_KERNEL_THREAD:
		return &c->kernel_threads;
	case THPSTAT_PROCESS_ZOMBIE:
		return &c->zombies;
	case THPSTAT_PROCESS_GONE:
		return &c->vanished;
	case THPSTAT_PROCESS_FORBIDDEN:
		return &c->forbidden;
	case THPSTAT_PROCESS_RUNNING:
	case THPSTAT_PROCESS_LEADER_GONE:
		return process->error == 0 && !(process->flags & THPSTAT_PROCESS_CUT) ? &c->read
										      : &c->cut;
	default:
		return NULL;
	}
}

/* Each item raises the counter of its state by one, and no other. */
static bool check_item(const struct thpstat_process *process,
		       const struct thpstat_completeness *before,
		       const struct thpstat_completeness *now)
{
	const uint64_t *was = counter_of(process, before), *is = counter_of(process, now);

	if (was == NULL)
		return wrong("pid %d: state %d", process->pid, (int)process->state);
	if (total(now) != total(before) + 1 || *is != *was + 1)
		return wrong("pid %d: state %s, error %d: not counted as such", process->pid,
			     thpstat_process_state_name(process->state), process->error);
	return true;
}

static bool walk_through(struct thpstat_processes *walk, struct pid_list *seen)
{
	const struct thpstat_completeness *now = thpstat_processes_completeness(walk);
	struct thpstat_completeness before = *now;
	const struct thpstat_process *process;
	int result;

	seen->n = 0;
	while ((result = thpstat_processes_next(walk, &process)) == 1) {
		if (seen->n > 0 && seen->pids[seen->n - 1] >= process->pid)
			return wrong("pid %d is not above the one before", process->pid);
		if (seen->n == PIDS_MAX)
			return wrong("too many processes");
		seen->pids[seen->n++] = process->pid;
		if (!check_item(process, &before, now))
			return false;
		before = *now;
	}
	if (result < 0)
		return wrong("the walk ended with %s", strerror(-result));
	if (total(now) != seen->n)
		return wrong("%zu items, %llu counted", seen->n, (unsigned long long)total(now));
	add(&outcome->sum, now);
	return true;
}

/* Who was listed before and after was met; who was not listed at all was not. */
static bool check_against_lists(const struct pid_list *before, const struct pid_list *seen,
				const struct pid_list *after)
{
	for (size_t i = 0; i < before->n; i++) {
		if (contains(after, before->pids[i]) && !contains(seen, before->pids[i]))
			return wrong("pid %d was never met", before->pids[i]);
	}
	if (before->n != after->n ||
	    memcmp(before->pids, after->pids, before->n * sizeof(before->pids[0])) != 0)
		return true;
	outcome->still_walks++;
	if (seen->n == before->n)
		return true;
	/* someone may have come and gone between the two lists */
	for (size_t i = 0; i < seen->n; i++) {
		if (contains(before, seen->pids[i]))
			continue;
		if (kill(seen->pids[i], 0) == 0)
			return wrong("pid %d is not in the directory", seen->pids[i]);
	}
	outcome->still_walks--;
	return true;
}

static bool walk_once(struct thpstat *source, const struct thpstat_process_options *options)
{
	static struct pid_list before, seen, after;
	struct thpstat_processes *walk;
	bool good;
	int error;

	if (!list_pids(&before))
		return wrong("/proc: %s", strerror(errno));
	error = thpstat_processes_open(source, options, &walk);
	if (error < 0)
		return wrong("cannot walk: %s", strerror(-error));
	good = walk_through(walk, &seen);
	thpstat_processes_close(walk);
	if (!good || !list_pids(&after))
		return false;
	outcome->walks++;
	return check_against_lists(&before, &seen, &after);
}

/* By turns cheap figures and those that need the whole of smaps. */
static void walk_for_seconds(void)
{
	static const enum thpstat_metric once[] = { THPSTAT_RSS, THPSTAT_RESIDENT_ONCE };
	struct thpstat_process_options options = { .size = sizeof(options) };
	struct thpstat *source;
	time_t end = time(NULL) + SECONDS;
	int error = thpstat_open(NULL, &source);

	if (error < 0) {
		wrong("cannot open: %s", strerror(-error));
		return;
	}
	while (time(NULL) < end) {
		bool with_once = outcome->walks % 2 == 1;

		options.metrics = with_once ? once : NULL;
		options.n_metrics = with_once ? 2 : 0;
		if (!walk_once(source, &options))
			break;
	}
	thpstat_close(source);
}

/* Children that live from nothing to a few milliseconds, without end. */
static _Noreturn void spawn_for_ever(pid_t parent)
{
	unsigned int turn = 0, alive = 0;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	for (;;) {
		pid_t pid = fork();

		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			usleep(turn % 8 * 500);
			_exit(EXIT_SUCCESS);
		}
		if (pid > 0)
			alive++;
		while (alive > 0 && waitpid(-1, NULL, alive < 32 ? WNOHANG : 0) > 0)
			alive--;
		turn++;
	}
}

static void start_spawner(void)
{
	pid_t parent = getpid();

	fflush(NULL);
	spawner = fork();
	if (spawner == 0)
		spawn_for_ever(parent);
	assert_true(spawner > 0);
	setpgid(spawner, spawner);
}

static void check_outcome(void)
{
	const struct thpstat_completeness *sum = &outcome->sum;

	print_message("# %llu walks (%llu while nobody came or went): read %llu, forbidden %llu, "
		      "vanished %llu, cut %llu, kernel threads %llu, zombies %llu\n",
		      (unsigned long long)outcome->walks, (unsigned long long)outcome->still_walks,
		      (unsigned long long)sum->read, (unsigned long long)sum->forbidden,
		      (unsigned long long)sum->vanished, (unsigned long long)sum->cut,
		      (unsigned long long)sum->kernel_threads, (unsigned long long)sum->zombies);
	if (outcome->wrong[0] != '\0')
		fail_msg("%s", outcome->wrong);
	assert_true(outcome->walks > 0);
	assert_true(sum->read > 0);
	assert_int_equal(sum->cut, 0);
}

static void as_ourselves(void **state)
{
	(void)state;
	walk_for_seconds();
	check_outcome();
	if (geteuid() == 0)
		assert_true(outcome->sum.kernel_threads > 0);
}

static void while_children_die(void **state)
{
	(void)state;
	start_spawner();
	walk_for_seconds();
	check_outcome();
	assert_true(outcome->sum.vanished > 0);
}

/* The rest of this test is another user, who cannot come back. */
static void walk_as_nobody(void)
{
	pid_t pid;
	int status;

	if (geteuid() != 0)
		tap_skip("only root can become somebody else");
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
		    setresuid(NOBODY, NOBODY, NOBODY) < 0)
			_exit(EXIT_FAILURE);
		/* its own memory it may read */
		prctl(PR_SET_DUMPABLE, 1);
		walk_for_seconds();
		_exit(EXIT_SUCCESS);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	check_outcome();
	assert_true(outcome->sum.forbidden > 0);
	assert_true(outcome->sum.kernel_threads > 0);
	/* one of each walk is the walker */
	assert_true(outcome->sum.read >= outcome->walks);
}

static void as_nobody(void **state)
{
	(void)state;
	walk_as_nobody();
}

static void as_nobody_while_children_die(void **state)
{
	(void)state;
	start_spawner();
	walk_as_nobody();
	assert_true(outcome->sum.vanished > 0);
}

#define SLEEPERS 5
#define NAMESPACE_WALKS 20

/* The first process of a PID namespace: five sleepers, one zombie, and a proc that has no others.
 */
static _Noreturn void walk_in_namespace(void)
{
	struct thpstat *source;
	siginfo_t information;
	int error;

	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
		wrong("cannot mount proc: %s", strerror(errno));
	for (unsigned int i = 0; i <= SLEEPERS; i++) {
		pid_t pid = fork();

		if (pid == 0 && i < SLEEPERS)
			pause();
		if (pid == 0)
			_exit(EXIT_SUCCESS);
	}
	waitid(P_ALL, 0, &information, WEXITED | WNOWAIT);
	error = thpstat_open(NULL, &source);
	if (error < 0)
		wrong("cannot open: %s", strerror(-error));
	for (unsigned int i = 0; error == 0 && i < NAMESPACE_WALKS; i++)
		walk_once(source, NULL);
	thpstat_close(source);
	/* and with it everybody in the namespace */
	_exit(EXIT_SUCCESS);
}

/* Where nobody else can come or go: as many items as directories, in every walk. */
static void as_many_as_listed(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	if (geteuid() != 0)
		tap_skip("only root can have a PID namespace of its own");
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		pid_t first;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWPID | CLONE_NEWNS) < 0)
			_exit(errno);
		first = fork();
		if (first == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			walk_in_namespace();
		}
		_exit(first > 0 && waitpid(first, &status, 0) == first ? status : EIO);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EPERM)
		tap_skip("no PID namespace here: %s", strerror(EPERM));
	assert_int_equal(status, 0);
	check_outcome();
	assert_int_equal(outcome->walks, NAMESPACE_WALKS);
	assert_int_equal(outcome->still_walks, NAMESPACE_WALKS);
	assert_int_equal(outcome->sum.read, NAMESPACE_WALKS * (1 + SLEEPERS));
	assert_int_equal(outcome->sum.zombies, NAMESPACE_WALKS);
	assert_int_equal(total(&outcome->sum), NAMESPACE_WALKS * (2 + SLEEPERS));
}

/* Asked for by number, each pid is one item, also one that nobody has. */
static void pids_asked_for(void **state)
{
	pid_t gone = fork();
	int pids[] = { getpid(), 0, getpid() };
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = pids,
		.n_pids = 3,
	};
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	struct thpstat *source;

	(void)state;
	if (gone == 0)
		_exit(EXIT_SUCCESS);
	assert_int_equal(waitpid(gone, NULL, 0), gone);
	pids[1] = gone;
	assert_int_equal(thpstat_open(NULL, &source), 0);
	assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(thpstat_processes_next(walk, &process), 1);
		assert_int_equal(process->pid, pids[i]);
		assert_int_equal(process->state,
				 i == 1 ? THPSTAT_PROCESS_GONE : THPSTAT_PROCESS_RUNNING);
		assert_int_equal(process->error, i == 1 ? -ESRCH : 0);
	}
	assert_int_equal(thpstat_processes_next(walk, &process), 0);
	assert_int_equal(thpstat_processes_completeness(walk)->read, 2);
	assert_int_equal(thpstat_processes_completeness(walk)->vanished, 1);
	thpstat_processes_close(walk);
	thpstat_close(source);
}

#define walk_test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		walk_test(as_ourselves),      walk_test(while_children_die),
		walk_test(as_nobody),	      walk_test(as_nobody_while_children_die),
		walk_test(as_many_as_listed), walk_test(pids_asked_for),
	};

	return tap_run(tests);
}

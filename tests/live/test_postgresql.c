/* SPDX-License-Identifier: MIT */
/*
 * A real PostgreSQL: whether its shared memory is on hugetlb pages is to be seen in HugetlbPages of
 * the postmaster, and nowhere else; huge_pages=try falls back without a word.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thpstat/thpstat.h>

#include "host_settings.h"
#include "kernel_compare.h"
#include "once_compare.h"
#include "tap.h"

#define SHARED_BUFFERS (UINT64_C(128) << 20)
#define ARGUMENTS_MAX 32

static struct thpstat *source;
static pid_t postmaster;
/* where the programs lie, and a directory of the server's own */
static char programs[PATH_MAX], directory[PATH_MAX];
static uid_t server_uid;
static gid_t server_gid;

static int set_up(void **state)
{
	(void)state;
	host_settings_hold();
	return thpstat_open(NULL, &source);
}

/* By the immediate way out when the fast one takes long; its children follow it. */
static void stop_server(void)
{
	if (postmaster <= 0)
		return;
	kill(postmaster, SIGINT);
	for (int i = 0; i < 400 && waitpid(postmaster, NULL, WNOHANG) == 0; i++) {
		usleep(50000);
		if (i == 200)
			kill(postmaster, SIGQUIT);
	}
	postmaster = 0;
}

static int tear_down(void **state)
{
	(void)state;
	stop_server();
	source = thpstat_close(source);
	host_settings_restore();
	return 0;
}

/* The server refuses to be root. */
static void choose_user(void)
{
	const char *const names[] = { "postgres", "nobody" };

	server_uid = geteuid();
	server_gid = getegid();
	for (size_t i = 0; geteuid() == 0 && server_uid == 0 && i < 2; i++) {
		const struct passwd *user = getpwnam(names[i]);

		if (user == NULL)
			continue;
		server_uid = user->pw_uid;
		server_gid = user->pw_gid;
	}
	if (server_uid == 0)
		tap_skip("no user for a server that refuses to be root");
}

static void require_server(void)
{
	glob_t found;

	programs[0] = '\0';
	if (glob("/usr/lib/postgresql/*/bin/postgres", 0, NULL, &found) == 0) {
		const char *last = found.gl_pathv[found.gl_pathc - 1];

		snprintf(programs, sizeof(programs), "%.*s", (int)(strrchr(last, '/') - last),
			 last);
	}
	globfree(&found);
	if (programs[0] == '\0')
		tap_skip("no PostgreSQL server here");
	choose_user();
}

/*
 * Shared memory of its own, which goes with its last process: a server that is killed leaves
 * segments behind otherwise.
 */
static bool separate_shared_memory(void)
{
	return unshare(CLONE_NEWIPC | CLONE_NEWNS) == 0 &&
	       mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") == 0;
}

static bool become_server_user(void)
{
	return setgroups(0, NULL) == 0 && setresgid(server_gid, server_gid, server_gid) == 0 &&
	       setresuid(server_uid, server_uid, server_uid) == 0;
}

/*
 * Becomes one of the server's programs, with output to a file; ends with this test. The signal of
 * death is asked for after the change of user, which forgets it.
 */
static _Noreturn void run_program(pid_t parent, const char *name, const char *const *arguments,
				  const char *output)
{
	char program[PATH_MAX + 16];
	const char *list[ARGUMENTS_MAX] = { name };
	size_t n = 1;
	int fd;

	if (geteuid() == 0 && !(separate_shared_memory() && become_server_user()))
		_exit(EXIT_FAILURE);
	prctl(PR_SET_PDEATHSIG, SIGQUIT);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || chdir("/") < 0)
		_exit(EXIT_FAILURE);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	while (n < ARGUMENTS_MAX - 1 && *arguments != NULL)
		list[n++] = *arguments++;
	snprintf(program, sizeof(program), "%s/%s", programs, name);
	execv(program, (char *const *)(uintptr_t)list);
	_exit(EXIT_FAILURE);
}

static pid_t start_program(const char *name, const char *const *arguments, const char *output)
{
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		run_program(parent, name, arguments, output);
	assert_true(pid > 0);
	return pid;
}

/* The output of a program, as comments of the test. */
static void show(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[512];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		print_message("# %.*s\n", (int)strcspn(line, "\n"), line);
	if (file != NULL)
		fclose(file);
}

static void make_cluster(void)
{
	char data[PATH_MAX + 16], output[PATH_MAX + 16];
	const char *const arguments[] = { "-D",	       data,	     "-A",	 "trust",
					  "-U",	       "test",	     "--locale", "C",
					  "--no-sync", "--encoding", "UTF8",	 NULL };
	int status;

	snprintf(directory, sizeof(directory), "%s", host_directory_make());
	assert_int_equal(chown(directory, server_uid, server_gid), 0);
	snprintf(data, sizeof(data), "%s/data", directory);
	snprintf(output, sizeof(output), "%s/initdb.log", directory);
	assert_int_equal(waitpid(start_program("initdb", arguments, output), &status, 0) > 0, 1);
	if (status != 0) {
		show(output);
		fail_msg("initdb failed");
	}
}

/* What the server is started with; the last says what it does about huge pages. */
#define SERVER_ARGUMENTS(data, huge_pages)                                                         \
	"-D", data, "-k", directory, "-c", "listen_addresses=", "-c", "shared_buffers=128MB",      \
		"-c", "autovacuum=off", "-c", huge_pages

/* Asks the server itself how much hugetlb memory it is going to want. */
static uint64_t hugetlb_wanted(void)
{
	char data[PATH_MAX + 16], output[PATH_MAX + 16], line[64] = "";
	const char *const arguments[] = { SERVER_ARGUMENTS(data, "huge_pages=on"), "-C",
					  "shared_memory_size_in_huge_pages", NULL };
	uint64_t pages;
	FILE *file;

	snprintf(data, sizeof(data), "%s/data", directory);
	snprintf(output, sizeof(output), "%s/wanted.log", directory);
	waitpid(start_program("postgres", arguments, output), NULL, 0);
	file = fopen(output, "re");
	assert_non_null(file);
	pages = fgets(line, sizeof(line), file) != NULL ? strtoull(line, NULL, 10) : 0;
	fclose(file);
	if (pages == 0)
		tap_skip("this PostgreSQL does not tell how many huge pages it wants");
	return pages * host_meminfo("Hugepagesize") * 1024;
}

/* The last line of its pid file says "ready" then. */
static bool is_ready(const char *data)
{
	char path[PATH_MAX + 32], line[PATH_MAX];
	bool ready = false;
	FILE *file;

	snprintf(path, sizeof(path), "%s/postmaster.pid", data);
	file = fopen(path, "re");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		ready = strncmp(line, "ready", 5) == 0;
	if (file != NULL)
		fclose(file);
	return ready;
}

static void start_server(const char *huge_pages)
{
	char data[PATH_MAX + 16], output[PATH_MAX + 16];
	const char *const arguments[] = { SERVER_ARGUMENTS(data, huge_pages), NULL };

	snprintf(data, sizeof(data), "%s/data", directory);
	snprintf(output, sizeof(output), "%s/server.log", directory);
	postmaster = start_program("postgres", arguments, output);
	for (int i = 0; i < 1200 && !is_ready(data); i++) {
		if (waitpid(postmaster, NULL, WNOHANG) != 0) {
			postmaster = 0;
			break;
		}
		usleep(50000);
	}
	if (!is_ready(data)) {
		show(output);
		fail_msg("the server does not start");
	}
}

static uint64_t hugetlb_pages_of_postmaster(void)
{
	struct process_view view = process_view_open(source, postmaster);
	uint64_t pages = figure(view.process->usage, THPSTAT_HUGETLB_PAGES);

	assert_string_equal(view.process->comm, "postgres");
	assert_int_equal(view.process->uid, server_uid);
	print_message("# hugetlb_pages %" PRIu64 ", hugetlb_once %" PRIu64 ", rss_shmem %" PRIu64
		      "\n",
		      pages, figure(view.process->usage, THPSTAT_HUGETLB_ONCE),
		      figure(view.process->usage, THPSTAT_RSS_SHMEM));
	assert_int_equal(figure(view.process->usage, THPSTAT_HUGETLB_ONCE), pages);
	process_view_close(&view);
	return pages;
}

static void check_server(void)
{
	char process[16];

	snprintf(process, sizeof(process), "%d", postmaster);
	assert_equals_kernel(source, postmaster, process);
	assert_once_is_true(source, postmaster, process);
}

static void huge_pages_on(void **state)
{
	uint64_t wanted, used;

	(void)state;
	require_server();
	make_cluster();
	wanted = hugetlb_wanted();
	assert_true(wanted > SHARED_BUFFERS);
	host_hugetlb_require(wanted);
	start_server("huge_pages=on");
	used = hugetlb_pages_of_postmaster();
	assert_true(used > 0 && used <= wanted);
	check_server();
}

static void huge_pages_off(void **state)
{
	(void)state;
	require_server();
	make_cluster();
	start_server("huge_pages=off");
	assert_int_equal(hugetlb_pages_of_postmaster(), 0);
	check_server();
}

/* With an empty pool the server starts all the same, on small pages. */
static void huge_pages_tried_in_vain(void **state)
{
	(void)state;
	require_server();
	host_setting_require(HOST_NR_HUGEPAGES, "0");
	make_cluster();
	start_server("huge_pages=try");
	assert_int_equal(hugetlb_pages_of_postmaster(), 0);
}

#define server_test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		server_test(huge_pages_on),
		server_test(huge_pages_off),
		server_test(huge_pages_tried_in_vain),
	};

	return tap_run(tests);
}

/* SPDX-License-Identifier: MIT */
/*
 * What the library tells of its reading makes a tree with the same answers, also where reading does
 * not go well: a process that ends under the reader, one that is forbidden, directories that are
 * empty.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <thpstat/thpstat.h>

/* More mappings than one read of smaps brings. */
#define MAPPINGS 400

/* What was told last of one file or directory. */
struct told {
	const char *end; /* of its path */
	int error;
	uint64_t bytes;
	unsigned int times;
	pid_t victim; /* killed as soon as the first bytes are told; 0 for none */
};

static void tell(void *userdata, const struct thpstat_file_piece *piece)
{
	struct told *told = userdata;
	size_t length = strlen(piece->path), end = strlen(told->end);

	if (length < end || strcmp(piece->path + length - end, told->end))
		return;
	told->error = piece->error;
	told->bytes += piece->size;
	told->times++;
	if (!piece->size || !told->victim)
		return;
	/* not waited for: of a process that is quite gone the kernel would tell */
	kill(told->victim, SIGKILL);
	waitid(P_PID, (id_t)told->victim, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
	told->victim = 0;
}

static pid_t start_process(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (int i = 0; i < MAPPINGS; i++) /* neighbours do not become one */
		if (mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0) == MAP_FAILED)
			_exit(1);
	for (;;)
		pause();
}

static struct thpstat *open_source(const char *root, struct told *told)
{
	const struct thpstat_open_options options = {
		.size = sizeof(options),
		.root = root,
		.userdata = told,
		.on_file = tell,
	};
	struct thpstat *source;

	assert_int_equal(thpstat_open(&options, &source), 0);
	return source;
}

/* The kernel lets smaps end early, without an error: what was told has to be taken back. */
static void test_ends_under_the_reader(void **state)
{
	struct told told = { .end = "/smaps", .victim = start_process() };
	const pid_t pid = told.victim;
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk;
	struct thpstat *source;
	int result;

	(void)state;
	assert_true(pid > 0);
	usleep(100000); /* until it has its mappings */
	source = open_source(NULL, &told);
	assert_int_equal(thpstat_mappings_open(source, pid, &walk), 0);
	while ((result = thpstat_mappings_next(walk, &mapping)) == 1)
		;
	assert_int_equal(result, -ESRCH);
	assert_true(told.bytes > 0);
	assert_int_equal(told.error, -ESRCH);
	waitpid(pid, NULL, 0);
	assert_null(thpstat_mappings_close(walk));
	assert_null(thpstat_close(source));
}

/* Live it is maps that fails first; a tree asks for smaps only. */
static void look_at_forbidden(pid_t pid, struct told *told)
{
	struct thpstat *source = open_source(NULL, told);
	struct thpstat_mappings *walk;

	assert_int_equal(thpstat_mappings_open(source, pid, &walk), -EACCES);
	assert_int_equal(told->error, -EACCES);
	assert_int_equal(told->times, 1);
	assert_null(thpstat_close(source));
}

static void test_forbidden(void **state)
{
	struct told told = { .end = "/smaps" };
	pid_t pid;

	(void)state;
	if (geteuid() != 0) /* the one that everybody sees and few may read */
		pid = 1;
	else
		pid = start_process();
	assert_true(pid > 0);
	if (geteuid() == 0)
		assert_int_equal(seteuid(65534), 0);
	look_at_forbidden(pid, &told);
	if (pid == 1)
		return;
	assert_int_equal(seteuid(0), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void make(char *buffer, size_t size, const char *root, const char *path)
{
	assert_true((size_t)snprintf(buffer, size, "%s/%s", root, path) < size);
	assert_int_equal(mkdir(buffer, 0700), 0);
}

/* A directory without files says something too: there are settings, there is a process. */
static void test_directories(void **state)
{
	static const char *const directories[] = {
		"proc",	      "proc/12",       "sys",
		"sys/kernel", "sys/kernel/mm", "sys/kernel/mm/transparent_hugepage",
	};
	enum { N = sizeof(directories) / sizeof(directories[0]) };
	char root[] = "/tmp/thpstat-told-XXXXXX", paths[N][128];
	struct told thp = { .end = "sys/kernel/mm/transparent_hugepage/" };
	struct told of_process = { .end = "proc/12/" };
	const struct thpstat_process *process;
	const struct thpstat_host *host;
	struct thpstat_processes *walk;
	struct thpstat *source;

	(void)state;
	assert_non_null(mkdtemp(root));
	for (int i = 0; i < N; i++)
		make(paths[i], sizeof(paths[i]), root, directories[i]);
	source = open_source(root, &thp);
	assert_int_equal(thpstat_host_read(source, &host), 0);
	assert_string_equal(host->thp_directory, "transparent_hugepage");
	assert_int_equal(thp.times, 1);
	assert_int_equal(thp.error, 0);
	assert_null(thpstat_host_free(host));
	assert_null(thpstat_close(source));

	source = open_source(root, &of_process);
	assert_int_equal(thpstat_processes_open(source, NULL, &walk), 0);
	assert_int_equal(thpstat_processes_next(walk, &process), 1);
	assert_int_equal(of_process.times, 1);
	assert_null(thpstat_processes_close(walk));
	assert_null(thpstat_close(source));
	for (int i = N; i--;)
		rmdir(paths[i]);
	rmdir(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_under_the_reader),
		cmocka_unit_test(test_forbidden),
		cmocka_unit_test(test_directories),
	};

	return cmocka_run_group_tests_name("told", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The guard itself: whatever ends a test that changed the host, the host is as before. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host_settings.h"
#include "tap.h"

#define PATH_FILE_SIZE 256

static char before_enabled[64], before_defrag[64], before_pool[64];

static int remember(void **state)
{
	(void)state;
	host_settings_hold();
	host_setting_read(HOST_THP_ENABLED, before_enabled, sizeof(before_enabled));
	host_setting_read(HOST_THP_DEFRAG, before_defrag, sizeof(before_defrag));
	host_setting_read(HOST_NR_HUGEPAGES, before_pool, sizeof(before_pool));
	return 0;
}

static void assert_setting(const char *path, const char *value)
{
	char now[64];

	assert_int_equal(host_setting_read(path, now, sizeof(now)), 0);
	assert_string_equal(now, value);
}

static void assert_as_before(void)
{
	assert_setting(HOST_THP_ENABLED, before_enabled);
	assert_setting(HOST_THP_DEFRAG, before_defrag);
	assert_setting(HOST_NR_HUGEPAGES, before_pool);
}

/* Each is set to something that it is not. */
static void change_everything(void)
{
	host_setting_require(HOST_THP_ENABLED,
			     strcmp(before_enabled, "never") == 0 ? "madvise" : "never");
	host_setting_require(HOST_THP_DEFRAG,
			     strcmp(before_defrag, "defer") == 0 ? "madvise" : "defer");
	host_hugetlb_require(2 * host_meminfo("Hugepagesize") * 1024);
}

static void put_back_when_asked(void **state)
{
	char now[64];
	const char *directory;
	char path[PATH_FILE_SIZE];

	(void)state;
	change_everything();
	directory = host_directory_make();
	snprintf(path, sizeof(path), "%s/file", directory);
	fclose(fopen(path, "w"));
	assert_int_equal(host_setting_read(HOST_THP_ENABLED, now, sizeof(now)), 0);
	assert_string_not_equal(now, before_enabled);
	host_settings_restore();
	assert_as_before();
	assert_int_equal(access(path, F_OK), -1);
}

/* The newest change is undone first: what was there before the first is there in the end. */
static void put_back_after_two_changes_of_one(void **state)
{
	(void)state;
	host_setting_require(HOST_THP_ENABLED, "never");
	host_setting_require(HOST_THP_ENABLED, "always");
	host_setting_require(HOST_THP_ENABLED, "madvise");
	host_settings_restore();
	assert_as_before();
}

/* Changes the host in a process of its own and lets that end; returns when it and its watcher
 * have, which is when the pipe that both hold is closed. */
static void end_after_change(int signal_number)
{
	int held[2];
	char byte;
	pid_t pid;
	int status;

	assert_int_equal(pipe(held), 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		close(held[0]);
		change_everything();
		if (write(held[1], "c", 1) == 1 && signal_number > 0)
			kill(getpid(), signal_number);
		_exit(EXIT_SUCCESS);
	}
	close(held[1]);
	assert_int_equal(read(held[0], &byte, 1), 1);
	assert_int_equal(read(held[0], &byte, 1), 0);
	close(held[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, signal_number);
	assert_as_before();
}

static void put_back_after_death(void **state)
{
	static const int signals[] = { 0, SIGINT, SIGTERM, SIGALRM, SIGHUP, SIGKILL };

	(void)state;
	/* where it may not be set this skips before anything is forked */
	change_everything();
	host_settings_restore();
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		end_after_change(signals[i]);
}

/* A failed assertion leaves the test by longjmp and comes to its teardown. */
static void failing(void **state)
{
	(void)state;
	change_everything();
	assert_int_equal(0, 1);
}

static void put_back_after_assertion(void **state)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(failing, host_settings_teardown),
	};
	pid_t pid;
	int status;

	(void)state;
	change_everything();
	host_settings_restore();
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		/* its "not ok" is what is wanted, and not a result of this program */
		if (freopen("/dev/null", "w", stdout) == NULL ||
		    freopen("/dev/null", "w", stderr) == NULL)
			_exit(EXIT_SUCCESS);
		_exit(cmocka_run_group_tests(tests, NULL, NULL));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	assert_as_before();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(put_back_when_asked, remember,
						host_settings_teardown),
		cmocka_unit_test_setup_teardown(put_back_after_two_changes_of_one, remember,
						host_settings_teardown),
		cmocka_unit_test_setup_teardown(put_back_after_death, remember,
						host_settings_teardown),
		cmocka_unit_test_setup_teardown(put_back_after_assertion, remember,
						host_settings_teardown),
	};

	return tap_run(tests);
}

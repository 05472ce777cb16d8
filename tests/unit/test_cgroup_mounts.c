/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "made_tree.h"
#include "support/files.h"
#include "unit.h"

#define V2_MOUNT "36 25 0:31 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNT "40 36 0:33 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
#define CPU_MOUNT "41 36 0:34 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
#define UNIFIED_MOUNT "37 36 0:35 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
#define OTHER_MOUNT "30 1 253:3 / / rw - ext4 /dev/x rw\n"

static const struct {
	const char *what;
	const char *mountinfo; /* NULL: there is none */
	const char *made;      /* a directory of the cgroup directory, or NULL */
	const char *cgroup;
	const char *directory; /* NULL: cannot be known */
} rows[] = {
	{ "v2", OTHER_MOUNT V2_MOUNT, NULL, "0::/app.slice/x.service\n", "app.slice/x.service" },
	{ "v2, the root", V2_MOUNT, NULL, "0::/\n", "." },
	{ "v1", CPU_MOUNT V1_MOUNT, NULL, "9:memory:/docker/abc\n8:cpu:/other\n",
	  "memory/docker/abc" },
	{ "v1, the root", V1_MOUNT, NULL, "9:memory:/\n", "memory" },
	{ "hybrid", CPU_MOUNT V1_MOUNT UNIFIED_MOUNT, NULL, "9:memory:/a\n0::/b\n", "memory/a" },
	{ "hybrid without a memory hierarchy", CPU_MOUNT UNIFIED_MOUNT, NULL, "8:cpu:/a\n0::/b\n",
	  "unified/b" },
	{ "memory together with others",
	  "40 36 0:33 / /sys/fs/cgroup/cpu,memory rw - cgroup cgroup rw,cpu,memory\n", NULL,
	  "9:cpu,memory:/a\n", "cpu,memory/a" },
	{ "colons, blanks, escapes", V2_MOUNT, NULL, "0::/dbus-\\x2d:1.2 a b\n",
	  "dbus-\\x2d:1.2 a b" },
	/* a container: the mount shows a part of the hierarchy */
	{ "a mount of the own cgroup",
	  "40 36 0:33 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", NULL,
	  "9:memory:/docker/abc\n", "memory" },
	{ "below it", "40 36 0:33 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
	  NULL, "9:memory:/docker/abc/x\n", "memory/x" },
	{ "beside it",
	  "40 36 0:33 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", NULL,
	  "9:memory:/docker/abcd\n", NULL },
	{ "a namespace: a sibling", "36 25 0:31 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
	  NULL, "0::/../../sibling\n", "sibling" },
	{ "a namespace: the own one", "36 25 0:31 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
	  NULL, "0::/\n", NULL },
	{ "a namespace: outside of the mount", V2_MOUNT, NULL, "0::/../other\n", NULL },
	{ "the second mount shows it",
	  "40 36 0:33 /a /sys/fs/cgroup/memory/x rw - cgroup cgroup rw,memory\n" V1_MOUNT, NULL,
	  "9:memory:/b\n", "memory/b" },
	/* where the tree was taken, it was mounted elsewhere */
	{ "a mount below another root",
	  "36 25 0:31 / /host/sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", NULL, "0::/a\n", "a" },
	{ "a mount somewhere else", "36 25 0:31 / /mnt/cgroups rw - cgroup2 cgroup2 rw\n", NULL,
	  "0::/a\n", NULL },
	{ "a mount that is called alike", "36 25 0:31 / /sys/fs/cgroups rw - cgroup2 cgroup2 rw\n",
	  NULL, "0::/a\n", NULL },
	{ "a mount point that climbs",
	  "36 25 0:31 / /sys/fs/cgroup/../../x rw - cgroup2 cgroup2 rw\n", NULL, "0::/a\n", NULL },
	{ "an escaped mount point",
	  "40 36 0:33 / /sys/fs/cgroup/a\\040b rw - cgroup cgroup rw,memory\n", NULL,
	  "9:memory:/x\n", "a b/x" },
	{ "a mount without a source", "40 36 0:33 / /sys/fs/cgroup/memory rw - cgroup  rw,memory\n",
	  NULL, "9:memory:/x\n", "memory/x" },
	{ "no mounts of cgroups", OTHER_MOUNT, NULL, "0::/a\n", NULL },
	{ "an empty mountinfo", "", NULL, "0::/a\n", NULL },
	{ "no line in cgroup", V2_MOUNT, NULL, "8:cpu:/a\n", NULL },
	{ "an empty cgroup", V2_MOUNT, NULL, "", NULL },
	/* no mountinfo: where distributions have them */
	{ "usual v1", NULL, "memory", "9:memory:/a\n", "memory/a" },
	{ "usual v2", NULL, "a", "0::/a\n", "a" },
	{ "usual hybrid", NULL, "unified", "0::/a\n", "unified/a" },
	{ "usual, outside", NULL, "a", "0::/../a\n", NULL },
};

static void test_directories(void **state)
{
	struct tally tally = { .subject = "cgroup directories" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct thpstat_process_options options = {
			.size = sizeof(options),
			.pids = (int[]){ 5, 5 },
			.n_pids = 2,
			.want = THPSTAT_PROCESS_WANT_CGROUP,
		};
		const struct thpstat_process *process;
		struct thpstat_processes *walk;
		char *root = scratch_make();
		struct thpstat *source;

		made_tree_text(root, "sys/fs/cgroup/", "");
		if (rows[i].made) {
			char *made = format_text("sys/fs/cgroup/%s/", rows[i].made);

			made_tree_text(root, made, "");
			free(made);
		}
		if (rows[i].mountinfo)
			made_tree_text(root, "proc/self/mountinfo", rows[i].mountinfo);
		made_tree_text(root, "proc/5/cgroup", rows[i].cgroup);
		source = made_tree_open(root);
		assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
		for (int round = 0; round < 2; round++) {
			assert_int_equal(thpstat_processes_next(walk, &process), 1);
			tally_text(&tally, thpstat_process_cgroup_directory(process),
				   rows[i].directory, "%s", rows[i].what);
		}
		thpstat_processes_close(walk);

		/* what was not asked for is not known */
		options.want = 0;
		assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
		assert_int_equal(thpstat_processes_next(walk, &process), 1);
		assert_null(thpstat_process_cgroup_directory(process));
		assert_null(process->cgroup);
		thpstat_processes_close(walk);
		thpstat_close(source);
		scratch_remove(root);
	}
	tally_finish(&tally, 2 * ARRAY_SIZE(rows));
}

/* A path longer than any: no part of it is given. */
static void test_long_path(void **state)
{
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.want = THPSTAT_PROCESS_WANT_CGROUP,
	};
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	char *root = scratch_make(), text[20000] = "0::/";
	struct thpstat *source;

	(void)state;
	memset(text + 4, 'x', sizeof(text) - 4);
	made_tree_text(root, "proc/self/mountinfo", V2_MOUNT);
	for (size_t length = 8000; length < 8300; length++) {
		made_tree_add(root, "proc/5/cgroup", text, length);
		source = made_tree_open(root);
		assert_int_equal(thpstat_processes_open(source, &options, &walk), 0);
		assert_int_equal(thpstat_processes_next(walk, &process), 1);

		const char *directory = thpstat_process_cgroup_directory(process);

		assert_true(!process->cgroup || strlen(process->cgroup) == length - 3);
		assert_true(!directory || strlen(directory) == length - 4);
		thpstat_processes_close(walk);
		thpstat_close(source);
	}
	scratch_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_directories),
		cmocka_unit_test(test_long_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

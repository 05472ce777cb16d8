/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "parse/mountinfo.h"
#include "unit.h"

static const struct mountinfo_row {
	const char *line;
	int result;
	uint32_t major, minor;
	const char *root, *mount_point, *type, *options;
	int is_shmem;
} lines[] = {
	{ "25 30 0:23 / /sys rw,nosuid shared:7 - sysfs sysfs rw", 0, 0, 23, "/", "/sys", "sysfs",
	  "rw", 0 },
	{ "36 25 0:31 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot", 0,
	  0, 31, "/", "/sys/fs/cgroup", "cgroup2", "rw,nsdelegate,memory_recursiveprot", 0 },
	{ "40 36 0:33 /../.. /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory", 0, 0, 33,
	  "/../..", "/sys/fs/cgroup/memory", "cgroup", "rw,memory", 0 },
	{ "62 30 0:38 / /dev/shm rw - tmpfs tmpfs rw,size=4k,inode64", 0, 0, 38, "/", "/dev/shm",
	  "tmpfs", "rw,size=4k,inode64", 1 },
	{ "23 30 0:5 / /dev rw - devtmpfs udev rw,size=8145804k", 0, 0, 5, "/", "/dev", "devtmpfs",
	  "rw,size=8145804k", 1 },
	{ "1 1 0:2 / / rw - rootfs rootfs rw,size=8145804k,nr_inodes=2036451", 0, 0, 2, "/", "/",
	  "rootfs", "rw,size=8145804k,nr_inodes=2036451", 1 },
	{ "1 1 0:2 / / rw - rootfs rootfs rw", 0, 0, 2, "/", "/", "rootfs", "rw", 0 },
	{ "30 1 259:2 / / rw shared:1 - ext4 /dev/nvme0n1p2 rw", 0, 259, 2, "/", "/", "ext4", "rw",
	  0 },
	{ "9 1 0:44 /a\\040b /mnt/c\\134d rw - ramfs x rw", 0, 0, 44, "/a\\040b", "/mnt/c\\134d",
	  "ramfs", "rw", 0 },
	{ "9 1 0:44 / /m rw shared:1 master:2 propagate_from:3 unbindable - tmpfs t rw", 0, 0, 44,
	  "/", "/m", "tmpfs", "rw", 1 },
	{ "9 1 0:44 / /m rw - tmpfs t", 0, 0, 44, "/", "/m", "tmpfs", "", 1 },
	/* mount -t tmpfs "" /m: the source is empty, the blanks around it are there */
	{ "9 1 0:44 / /m rw - tmpfs  rw,size=8k", 0, 0, 44, "/", "/m", "tmpfs", "rw,size=8k", 1 },
	{ "9 1 0:44 / /m rw - cgroup  rw,memory", 0, 0, 44, "/", "/m", "cgroup", "rw,memory", 0 },
	{ "9 1 4294967295:4294967295 / /m rw - ext4 x rw", 0, UINT32_MAX, UINT32_MAX, "/", "/m",
	  "ext4", "rw", 0 },
	{ "9 1 4294967296:0 / /m rw - ext4 x rw", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9 1 0:4294967296 / /m rw - ext4 x rw", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9 1 0 / /m rw - ext4 x rw", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9 1 0:1x / /m rw - ext4 x rw", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9 1 a:b / /m rw - ext4 x rw", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9 1 0:44 / /m rw shared:1", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9 1 0:44 / /m rw - tmpfs", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9 1 0:44 / /m rw - tmpfs ", 0, 0, 44, "/", "/m", "tmpfs", "", 1 },
	{ "9 1 0:44 / /m rw -", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9 1 0:44 /", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9 1 0:44", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "9", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "-", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
	{ "- - - - - - - - -", -1, 0, 0, NULL, NULL, NULL, NULL, 0 },
};

static void tally_piece(struct tally *tally, const struct mountinfo_text *found, const char *wanted,
			const char *what, const char *line)
{
	char *text = strndup(found->p, found->length);

	assert_non_null(text);
	tally_text(tally, text, wanted, "%s of '%s'", what, line);
	free(text);
}

static void test_lines(void **state)
{
	struct tally tally = { .subject = "mountinfo" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const struct mountinfo_row *row = &lines[i];
		size_t length = strlen(row->line);
		char *line = malloc(length + 1); /* nothing readable behind it */
		struct mountinfo mount;

		assert_non_null(line);
		memcpy(line, row->line, length);

		int result = mountinfo_line(line, line + length, &mount);

		tally_equal(&tally, (uint64_t)result, (uint64_t)row->result, "result of '%s'",
			    row->line);
		if (!result && !row->result) {
			tally_equal(&tally, mount.major, row->major, "major of '%s'", row->line);
			tally_equal(&tally, mount.minor, row->minor, "minor of '%s'", row->line);
			tally_piece(&tally, &mount.root, row->root, "root", row->line);
			tally_piece(&tally, &mount.mount_point, row->mount_point, "mount point",
				    row->line);
			tally_piece(&tally, &mount.type, row->type, "type", row->line);
			tally_piece(&tally, &mount.super_options, row->options, "options",
				    row->line);
			tally_equal(&tally, (uint64_t)mountinfo_is_shmem(&mount),
				    (uint64_t)row->is_shmem, "is shmem '%s'", row->line);
		}
		free(line);
	}
	tally_finish(&tally, ARRAY_SIZE(lines) + 7 * 14);
}

static struct mountinfo_text text_of(const char *text)
{
	return (struct mountinfo_text){ text, strlen(text) };
}

static void test_options(void **state)
{
	static const struct {
		const char *options, *word;
		int has;
	} rows[] = {
		{ "rw,memory", "memory", 1 },
		{ "memory", "memory", 1 },
		{ "memory,rw", "memory", 1 },
		{ "rw,memory,x", "memory", 1 },
		{ "rw,cpu,cpuacct", "cpu", 1 },
		{ "rw,cpuacct", "cpu", 0 },
		{ "rw,memoryx", "memory", 0 },
		{ "rw,xmemory", "memory", 0 },
		{ "rw,name=memory", "memory", 0 },
		{ "rw", "memory", 0 },
		{ "", "memory", 0 },
		{ ",,", "memory", 0 },
		{ "rw,size=4k", "size=4k", 1 },
		{ "rw,size=4k", "size", 0 },
		{ "rw,,memory", "memory", 1 },
	};
	struct tally tally = { .subject = "options" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct mountinfo_text options = text_of(rows[i].options);

		tally_equal(&tally, (uint64_t)mountinfo_has_option(&options, rows[i].word),
			    (uint64_t)rows[i].has, "'%s' in '%s'", rows[i].word, rows[i].options);
	}
	tally_finish(&tally, ARRAY_SIZE(rows));
}

static void test_unescape(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		int result;
		const char *plain;
	} rows[] = {
		{ "/a", 8, 0, "/a" },
		{ "/a\\040b", 8, 0, "/a b" },
		{ "\\040\\011\\012\\134\\043", 8, 0, " \t\n\\#" },
		{ "\\377", 8, 0, "\377" },
		{ "\\400", 8, 0, "\\400" },
		{ "\\08", 8, 0, "\\08" },
		{ "a\\", 8, 0, "a\\" },
		{ "a\\1", 8, 0, "a\\1" },
		{ "a\\12", 8, 0, "a\\12" },
		{ "\\\\040", 8, 0, "\\ " },
		{ "", 1, 0, "" },
		{ "", 0, -1, NULL },
		{ "1234567", 8, 0, "1234567" },
		{ "12345678", 8, -1, NULL },
		{ "1234567\\040", 9, 0, "1234567 " },
		{ "1234567\\040", 8, -1, NULL },
	};
	struct tally tally = { .subject = "escapes" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct mountinfo_text text = text_of(rows[i].text);
		char *buffer = malloc(rows[i].size ? rows[i].size : 1);

		assert_non_null(buffer);

		int result = mountinfo_unescape(&text, buffer, rows[i].size);

		tally_equal(&tally, (uint64_t)result, (uint64_t)rows[i].result, "result of '%s'",
			    rows[i].text);
		if (!result)
			tally_text(&tally, buffer, rows[i].plain, "'%s'", rows[i].text);
		free(buffer);
	}
	tally_finish(&tally, ARRAY_SIZE(rows) + 13);
}

static void test_text_is(void **state)
{
	struct mountinfo_text text = { "cgroup2", 6 };

	(void)state;
	assert_true(mountinfo_text_is(&text, "cgroup"));
	assert_false(mountinfo_text_is(&text, "cgroup2"));
	assert_false(mountinfo_text_is(&text, "cgrou"));
	assert_false(mountinfo_text_is(&text, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_unescape),
		cmocka_unit_test(test_text_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

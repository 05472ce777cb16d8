/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "made_tree.h"
#include "support/files.h"
#include "tree/tree.h"
#include "unit.h"

/* Nothing here takes long; what waits for a writer that never comes shall not wait for long. */
#define PATIENCE 30

#define SECRET "secret\n"

/* A tree as a stranger may send it, beside a file and a directory that are none of its business. */
static char *scratch, *root;

static void make_link(const char *target, const char *name)
{
	char *path = format_text("%s/%s", root, name);

	assert_int_equal(symlink(target, path), 0);
	free(path);
}

static void make_socket(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_true(strlen(root) + strlen(name) + 2 < sizeof(address.sun_path));
	strcpy(address.sun_path, root);
	strcat(address.sun_path, "/");
	strcat(address.sun_path, name);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

static int make_hostile_tree(void **state)
{
	(void)state;
	alarm(PATIENCE);
	scratch = scratch_make();
	root = format_text("%s/tree", scratch);
	made_tree_text(scratch, "outside/secret", SECRET);
	made_tree_text(root, "proc/meminfo", "MemTotal: 1 kB\n");
	made_tree_text(root, "proc/empty", "");
	made_tree_text(root, "proc/42/status", "Name:\tx\n");
	made_tree_text(root, "proc/directory/", "");
	made_tree_text(root, "sys/kernel/mm/x", "5\n");
	made_tree_text(root, "errors.tsv",
		       "proc/42/smaps\tEACCES\nproc/43\tESRCH\nproc/meminfo\tEACCES\n");
	make_link("../../outside/secret", "proc/relative");
	make_link("../../outside", "proc/relative_directory");
	make_link("../outside", "outside_link");
	make_link("42", "proc/self");
	make_link("42/status", "proc/inside");
	make_link("loop", "proc/loop");
	make_link("nothing", "proc/dangling");
	make_link("/proc/self/status", "proc/42/absolute_proc");
	make_link("../../../outside/secret", "proc/42/cgroup");
	make_link("../../../outside", "proc/42/self");

	char *secret = format_text("%s/outside/secret", scratch);
	char *outside = format_text("%s/outside", scratch);
	char *fifo = format_text("%s/proc/fifo", root);
	char *zero = format_text("%s/proc/zero", root);

	make_link(secret, "proc/absolute");
	make_link(outside, "proc/99");
	assert_int_equal(mkfifo(fifo, 0644), 0);
	/* only root may, and then it must not be read */
	if (mknod(zero, S_IFCHR | 0644, makedev(1, 5)))
		made_tree_text(root, "proc/zero/", "");
	make_socket("proc/socket");
	free(secret);
	free(outside);
	free(fifo);
	free(zero);
	return 0;
}

static int remove_hostile_tree(void **state)
{
	(void)state;
	free(root);
	scratch_remove(scratch);
	return 0;
}

static void open_tree(struct tree *tree, int has_openat2)
{
	struct thpstat_open_options options = { .size = sizeof(options), .root = root };

	assert_int_equal(tree_open(tree, &options), 0);
	/* what this kernel has is tested; what it has not cannot be */
	tree->has_openat2 &= has_openat2;
}

static size_t open_files(void)
{
	DIR *stream = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(stream);
	while (readdir(stream))
		n++;
	closedir(stream);
	return n;
}

/*
 * What has to come of a name, with openat2 and without. -1 stands for any error but -ENOENT: the
 * two ways say it differently.
 */
static const struct file_row {
	const char *name;
	int error;
	const char *text;
} files[] = {
	{ "meminfo", 0, "MemTotal: 1 kB\n" },
	{ "empty", 0, "" },
	{ "42/status", 0, "Name:\tx\n" },
	{ "./meminfo", 0, "MemTotal: 1 kB\n" },
	/* the link of that name is followed, within the directory */
	{ "self/status", 0, "Name:\tx\n" },
	{ "absent", -ENOENT, NULL },
	{ "absent/status", -ENOENT, NULL },
	{ "42/absent", -ENOENT, NULL },
	{ "meminfo/x", -ENOTDIR, NULL },
	{ "42/smaps", -EACCES, NULL }, /* noted in errors.tsv */
	{ "43", -ESRCH, NULL },	       /* likewise */
	{ "relative", -1, NULL },
	{ "absolute", -1, NULL },
	{ "relative_directory/secret", -1, NULL },
	{ "99/secret", -1, NULL },
	/* not each link of that name leads to a process */
	{ "42/self/secret", -1, NULL },
	{ "42/cgroup", -1, NULL },
	{ "42/absolute_proc", -1, NULL },
	{ "..", -1, NULL },
	{ "../outside_link/secret", -1, NULL },
	{ "../../outside/secret", -1, NULL },
	{ "../sys/kernel/mm/x", -1, NULL },
	{ "42/../../../outside/secret", -1, NULL },
	{ "loop", -1, NULL },
	{ "directory", -EBADMSG, NULL },
	{ "fifo", -EBADMSG, NULL },
	{ "zero", -EBADMSG, NULL },
	{ "socket", -1, NULL },
};

static void tally_file(struct tally *tally, const struct tree *tree, const struct file_row *row,
		       const char *way)
{
	char buffer[4096] = "";
	size_t length = 0;
	int error = tree_read_file(tree, &tree->proc, row->name, buffer, sizeof(buffer), &length);

	if (row->error == -1)
		tally_holds(tally, error < 0 && error != -ENOENT, "%s %s: refused (it is %d)", way,
			    row->name, error);
	else
		tally_equal(tally, (uint64_t)-error, (uint64_t)-row->error, "%s %s: error", way,
			    row->name);
	tally_holds(tally, !strstr(buffer, "secret"), "%s %s: no secret", way, row->name);
	if (row->text)
		tally_text(tally, buffer, row->text, "%s %s: text", way, row->name);
}

static void test_files(void **state)
{
	struct tally tally = { .subject = "files" };
	size_t before = open_files();

	(void)state;
	for (int has_openat2 = 0; has_openat2 < 2; has_openat2++) {
		struct tree tree;

		open_tree(&tree, has_openat2);
		for (size_t i = 0; i < ARRAY_SIZE(files); i++)
			tally_file(&tally, &tree, &files[i],
				   tree.has_openat2 ? "openat2" : "components");
		tree_close(&tree);
	}
	tally_equal(&tally, open_files(), before, "files left open");
	tally_finish(&tally, 2 * 2 * ARRAY_SIZE(files));
}

static void test_directories(void **state)
{
	static const struct {
		const char *name;
		int error; /* as above */
	} rows[] = {
		{ "42", 0 },
		{ "directory", 0 },
		{ "self", 0 },
		{ ".", 0 },
		{ "absent", -ENOENT },
		{ "43", -ESRCH },
		{ "meminfo", -ENOTDIR },
		{ "fifo", -ENOTDIR },
		{ "zero", -1 },
		{ "99", -1 },
		{ "relative_directory", -1 },
		{ "..", -1 },
		{ "42/..", -1 },
		{ "../../outside", -1 },
		{ "loop", -1 },
	};
	struct tally tally = { .subject = "directories" };
	size_t before = open_files();

	(void)state;
	for (int way = 0; way < 4; way++) {
		struct tree tree;

		open_tree(&tree, way / 2);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			struct directory directory = { .fd = -1 };
			int error = tree_open_directory(&tree, &tree.proc, rows[i].name, way % 2,
							&directory);

			if (!strcmp(rows[i].name, "zero") && error == 0) {
				/* no right to make a device: it is a directory */
			} else if (!strcmp(rows[i].name, "42/..")) {
				/* stays inside, and is never asked for: either will do */
				tally_holds(&tally, error <= 0, "way %d: 42/..", way);
			} else if (rows[i].error == -1) {
				tally_holds(&tally, error < 0 && error != -ENOENT,
					    "way %d: %s refused (it is %d)", way, rows[i].name,
					    error);
			} else {
				tally_equal(&tally, (uint64_t)-error, (uint64_t)-rows[i].error,
					    "way %d: error of %s", way, rows[i].name);
			}
			if (!error)
				directory_close(&directory);
			tally_equal(&tally, (uint64_t)directory.fd, (uint64_t)-1,
				    "way %d: fd behind %s", way, rows[i].name);
		}
		tree_close(&tree);
	}
	tally_equal(&tally, open_files(), before, "files left open");
	tally_finish(&tally, 4 * 2 * ARRAY_SIZE(rows) - 4);
}

/* Names that are longer than a name can be, and deeper than a path. */
static void test_long_names(void **state)
{
	char name[300], path[5000];
	size_t before = open_files(), length;
	char *text;

	(void)state;
	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	for (size_t i = 0; i < sizeof(path); i += 2)
		memcpy(path + i, "a/", 2);
	path[sizeof(path) - 1] = '\0';
	for (int has_openat2 = 0; has_openat2 < 2; has_openat2++) {
		struct tree tree;

		open_tree(&tree, has_openat2);
		assert_int_equal(tree_read_file_alloc(&tree, &tree.proc, name, 100, &text, &length),
				 -ENAMETOOLONG);
		assert_true(tree_read_file_alloc(&tree, &tree.proc, path, 100, &text, &length) < 0);
		tree_close(&tree);
	}
	assert_int_equal(open_files(), before);
}

/* A FIFO that has a writer, and one that has data, are not read either. */
static void test_fifo_with_writer(void **state)
{
	char *path = format_text("%s/proc/fifo", root), buffer[16];
	int writer = open(path, O_RDWR | O_CLOEXEC);
	size_t length;

	(void)state;
	assert_true(writer >= 0);
	for (int round = 0; round < 2; round++) {
		for (int has_openat2 = 0; has_openat2 < 2; has_openat2++) {
			struct tree tree;

			open_tree(&tree, has_openat2);
			assert_int_equal(tree_read_file(&tree, &tree.proc, "fifo", buffer,
							sizeof(buffer), &length),
					 -EBADMSG);
			tree_close(&tree);
		}
		assert_int_equal(write(writer, "x\n", 2), 2);
	}
	close(writer);
	free(path);
}

static void test_sizes(void **state)
{
	static const size_t sizes[] = { 0, 1, 99, 100, 101, 16383, 16384, 65535, 65536, 200000 };
	static const size_t limits[] = { 100, 16383, 16384, 65535, 65536, 100000 };
	struct tally tally = { .subject = "sizes" };
	char *content = malloc(200000), *buffer = malloc(200001);
	struct tree tree;

	(void)state;
	assert_true(content && buffer);
	memset(content, 'x', 200000);
	open_tree(&tree, 1);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		size_t length = SIZE_MAX;
		char *text;

		made_tree_add(root, "proc/sized", content, sizes[i]);
		for (size_t j = 0; j < ARRAY_SIZE(limits); j++) {
			int fits = sizes[i] <= limits[j];
			int error = tree_read_file_alloc(&tree, &tree.proc, "sized", limits[j],
							 &text, &length);

			tally_equal(&tally, (uint64_t)-error, fits ? 0 : EFBIG,
				    "%zu bytes, limit %zu", sizes[i], limits[j]);
			if (error)
				continue;
			tally_equal(&tally, length, sizes[i], "length of %zu bytes", sizes[i]);
			tally_holds(&tally,
				    !memcmp(text, content, sizes[i]) && text[sizes[i]] == '\0',
				    "text of %zu bytes", sizes[i]);
			free(text);
		}
		for (size_t size = sizes[i]; size <= sizes[i] + 1; size++) {
			int fits = size > sizes[i];
			int error;

			if (!size)
				continue;
			error = tree_read_file(&tree, &tree.proc, "sized", buffer, size, &length);
			tally_equal(&tally, (uint64_t)-error, fits ? 0 : EFBIG,
				    "%zu bytes into %zu", sizes[i], size);
			if (!error)
				tally_holds(&tally,
					    length == sizes[i] && buffer[length] == '\0' &&
						    !memcmp(buffer, content, length),
					    "%zu bytes into %zu: text", sizes[i], size);
		}
	}
	tree_close(&tree);
	free(content);
	free(buffer);
	tally_finish(&tally, 100);
}

/* Each of the three may be missing; then its files are, and nothing else. */
static void test_missing_directories(void **state)
{
	static const struct {
		const char *made;
		int result, proc, sys, cgroup;
	} rows[] = {
		{ "proc/", 0, 1, 0, 0 },
		{ "sys/", 0, 0, 1, 0 },
		{ "sys/fs/cgroup/", 0, 0, 1, 1 },
		{ "sys/fs/", 0, 0, 1, 0 },
		{ "other/", -ENOENT, 0, 0, 0 },
		{ "proc", -ENOENT, 0, 0, 0 },
		{ "errors.tsv", -ENOENT, 0, 0, 0 },
	};
	struct tally tally = { .subject = "missing directories" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *made = scratch_make();
		struct thpstat_open_options options = { .size = sizeof(options), .root = made };
		struct directory directory;
		char buffer[16];
		struct tree tree;
		size_t length;

		made_tree_text(made, rows[i].made, "");

		int error = tree_open(&tree, &options);

		tally_equal(&tally, (uint64_t)-error, (uint64_t)-rows[i].result, "%s: result",
			    rows[i].made);
		if (!error) {
			tally_equal(&tally, tree.proc.fd >= 0, (uint64_t)rows[i].proc, "%s: proc",
				    rows[i].made);
			tally_equal(&tally, tree.sys.fd >= 0, (uint64_t)rows[i].sys, "%s: sys",
				    rows[i].made);
			tally_equal(&tally, tree.cgroup.fd >= 0, (uint64_t)rows[i].cgroup,
				    "%s: cgroup", rows[i].made);
			tally_holds(&tally, !tree.live, "%s: not live", rows[i].made);
			tally_equal(&tally,
				    (uint64_t)-tree_read_file(&tree, &tree.proc, "meminfo", buffer,
							      sizeof(buffer), &length),
				    ENOENT, "%s: a file", rows[i].made);
			tally_equal(&tally,
				    (uint64_t)-tree_open_directory(&tree, &tree.proc, "1", 0,
								   &directory),
				    ENOENT, "%s: a directory", rows[i].made);
			tree_close(&tree);
		}
		scratch_remove(made);
	}
	tally_finish(&tally, ARRAY_SIZE(rows) + 6 * 4);
}

static void test_overrides(void **state)
{
	struct tally tally = { .subject = "overrides" };
	char *file = format_text("%s/outside/secret", scratch);
	char *directory = format_text("%s/outside", scratch);
	char *absent = format_text("%s/absent", scratch);
	const struct {
		const char *what;
		struct thpstat_open_options options;
		int result;
	} rows[] = {
		{ "proc", { .root = root, .proc = directory }, 0 },
		{ "sys", { .root = root, .sys = directory }, 0 },
		{ "cgroup", { .root = root, .cgroup = directory }, 0 },
		{ "no proc", { .root = root, .proc = absent }, -ENOENT },
		{ "no sys", { .root = root, .sys = absent }, -ENOENT },
		{ "no cgroup", { .root = root, .cgroup = absent }, -ENOENT },
		{ "a file", { .root = root, .proc = file }, -ENOTDIR },
		{ "no root", { .root = absent }, -ENOENT },
		{ "proc alone, of the running system", { .proc = directory }, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char buffer[32] = "";
		struct tree tree;
		size_t length;
		int error = tree_open(&tree, &rows[i].options);

		tally_equal(&tally, (uint64_t)-error, (uint64_t)-rows[i].result, "%s",
			    rows[i].what);
		if (error)
			continue;
		if (rows[i].options.proc) {
			/* whoever names a directory wants what is in it */
			tally_equal(&tally,
				    (uint64_t)-tree_read_file(&tree, &tree.proc, "secret", buffer,
							      sizeof(buffer), &length),
				    0, "%s: file of it", rows[i].what);
			tally_text(&tally, buffer, SECRET, "%s: text of it", rows[i].what);
			tally_holds(&tally, !tree.live, "%s: not live", rows[i].what);
		}
		tree_close(&tree);
	}
	free(file);
	free(directory);
	free(absent);
	tally_finish(&tally, ARRAY_SIZE(rows) + 6);
}

struct told {
	char text[4096];
	unsigned int n;
};

static void note_problem(void *userdata, const struct thpstat_problem *problem)
{
	struct told *told = userdata;
	size_t length = strlen(told->text);

	snprintf(told->text + length, sizeof(told->text) - length, "%s:%d ", problem->path,
		 problem->error);
	told->n++;
}

/* What is not there is no problem; what could not be read is, under its own name. */
static void test_problems(void **state)
{
	static const char *const names[] = { "meminfo", "absent", "43", "directory", "42/smaps" };
	struct told told = { .n = 0 };
	struct thpstat_open_options options = {
		.size = sizeof(options),
		.root = root,
		.on_problem = note_problem,
		.userdata = &told,
	};
	char buffer[4096];
	struct tree tree;
	size_t length;
	char *text;

	(void)state;
	assert_int_equal(tree_open(&tree, &options), 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		(void)!tree_read_file(&tree, &tree.proc, names[i], buffer, sizeof(buffer), &length);
	assert_int_equal(tree_read_file_alloc(&tree, &tree.proc, "directory", 100000, &text,
					      &length),
			 -EBADMSG);
	tree_problem(&tree, &tree.sys, "kernel/mm/x", 3, -EIO, "said so");
	tree_close(&tree);
	assert_string_equal(told.text, "proc/directory:-74 proc/42/smaps:-13 proc/directory:-74 "
				       "sys/kernel/mm/x:-5 ");
}

static void test_numbers(void **state)
{
	static const char *const names[] = {
		"1/",		"2",   "10/", "2147483647/", "0/",	    "01/",
		"-1/",		"1x/", "x1/", "2147483648/", "4294967297/", "9999999999/",
		"99999999999/", "+1/", " 1/", "self/"
	};
	struct directory directory;
	struct tree tree;
	uint64_t sum = 0;
	int number, more;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *path = format_text("proc/numbers/%s", names[i]);

		made_tree_text(root, path, "");
		free(path);
	}
	open_tree(&tree, 1);
	assert_int_equal(tree_open_directory(&tree, &tree.proc, "numbers", 1, &directory), 0);

	DIR *stream = tree_list(&directory);

	assert_non_null(stream);
	while ((more = tree_next_number(stream, &number)) == 1) {
		sum += (uint64_t)number;
		n++;
	}
	assert_int_equal(more, 0);
	assert_int_equal(n, 4);
	assert_true(sum == UINT64_C(1) + 2 + 10 + 2147483647);
	closedir(stream);

	/* a stream of its own: another one begins at the beginning */
	stream = tree_list(&directory);
	assert_int_equal(tree_next_number(stream, &number), 1);
	closedir(stream);
	directory_close(&directory);
	tree_close(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),	   cmocka_unit_test(test_directories),
		cmocka_unit_test(test_long_names), cmocka_unit_test(test_fifo_with_writer),
		cmocka_unit_test(test_sizes),	   cmocka_unit_test(test_missing_directories),
		cmocka_unit_test(test_overrides),  cmocka_unit_test(test_problems),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, make_hostile_tree, remove_hostile_tree);
}

/* SPDX-License-Identifier: MIT */
/*
 * thpstat capture under faults: what it leaves behind is whole or not there, and that something is
 * missing in it is told.
 */
#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "command.h"
#include "small_tree.h"
#include "support/files.h"
#include "support/tally.h"

enum {
	STATUS_READ = 0,
	STATUS_FAILED = 1,
	STATUS_PARTLY = 64,
};

/* A directory of its own, so that everything in it comes from the command. */
static char *scratch, *root, *place;

struct target {
	const char *name;
	bool is_archive;
};

struct fault {
	enum inject_kind kind;
	int error;
	bool harmless;
	bool of_directory;
	bool of_archive;
	const char *name;
};

/*
 * What is read is the same for both, so an archive is spared most of it. libarchive does not
 * survive when there is no memory.
 */
static const struct fault faults[] = {
	{ INJECT_ALLOCATION, ENOMEM, false, true, false, "allocation fails" },
	{ INJECT_OWN_ALLOCATION, ENOMEM, false, false, true, "own allocation fails" },
	{ INJECT_READ, INJECT_SHORT, true, true, false, "read gives one byte" },
	{ INJECT_READ, EINTR, true, true, false, "read is interrupted" },
	{ INJECT_READ, EIO, false, true, false, "read gives EIO" },
	{ INJECT_READ, ESRCH, false, true, false, "read gives ESRCH" },
	{ INJECT_OPEN, EMFILE, false, true, true, "open gives EMFILE" },
	{ INJECT_OPEN, EACCES, false, true, false, "open gives EACCES" },
	{ INJECT_LIST, EIO, false, true, false, "listing gives EIO" },
};

/* The files of a tree, by their paths in it. */
struct tree {
	char **paths;
	size_t n;
};

static struct tree listed;
static size_t listed_prefix;

static int list_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)where;
	if (type != FTW_F)
		return 0;
	listed.paths = realloc(listed.paths, (listed.n + 1) * sizeof(*listed.paths));
	assert_non_null(listed.paths);
	listed.paths[listed.n++] = format_text("%s", path + listed_prefix);
	return 0;
}

static struct tree list(const char *directory)
{
	struct tree tree;

	listed = (struct tree){ NULL, 0 };
	listed_prefix = strlen(directory) + 1;
	assert_int_equal(nftw(directory, list_one, 16, FTW_PHYS), 0);
	tree = listed;
	return tree;
}

/* They tell of the reading, or stand for a process of which any will do. */
static bool may_differ(const char *path)
{
	return !strcmp(path, "manifest.json") || !strcmp(path, "errors.tsv") ||
	       !strcmp(path, "proc/self/smaps");
}

/* @told: by a message and the status. */
static void hold_trees(struct tally *tally, const char *wanted, const char *found,
		       const struct fault *fault, bool told, const char *what)
{
	struct tree tree = list(wanted), other = list(found);
	char *errors_path = format_text("%s/errors.tsv", found);
	char *errors = file_text(errors_path, NULL);

	tally_holds(tally, errors != NULL, "%s: has errors.tsv", what);
	tally_holds(tally, other.n <= tree.n, "%s: has %zu files, wanted %zu", what, other.n,
		    tree.n);
	for (size_t i = 0; errors && i < tree.n; i++) {
		char *path = format_text("%s/%s", wanted, tree.paths[i]);
		char *other_path = format_text("%s/%s", found, tree.paths[i]);
		size_t size, other_size;
		char *text = file_text(path, &size),
		     *other_text = file_text(other_path, &other_size);

		if (!other_text)
			tally_holds(tally,
				    !fault->harmless && (told || *errors || fault->error == ESRCH),
				    "%s: %s is not there and nobody is told", what, tree.paths[i]);
		else if (fault->harmless || !may_differ(tree.paths[i]))
			tally_holds(tally, size == other_size && !memcmp(text, other_text, size),
				    "%s: %s differs", what, tree.paths[i]);
		free(text);
		free(other_text);
		free(path);
		free(other_path);
	}
	free(errors);
	free(errors_path);
	names_free(tree.paths, tree.n);
	names_free(other.paths, other.n);
}

/* The same files; their times are those of the capture. All are below one directory. */
static void hold_archives(struct tally *tally, const char *wanted, const char *found,
			  const struct fault *fault, const char *what)
{
	char *one = scratch_make(), *two = scratch_make();
	char *tree = format_text("%s/tree", one), *other = format_text("%s/tree", two);

	scratch_unpack(one, wanted);
	scratch_unpack(two, found);
	hold_trees(tally, tree, other, fault, false, what);
	free(tree);
	free(other);
	scratch_remove(one);
	scratch_remove(two);
}

/* Nothing of it is left behind, not even under another name. */
static void hold_nothing(struct tally *tally, const char *what)
{
	size_t n;
	char **names = directory_names(place, "", &n);

	tally_equal(tally, n, 0, "%s: files left", what);
	for (size_t i = 0; i < n; i++)
		scratch_remove(format_text("%s/%s", place, names[i]));
	names_free(names, n);
}

static void hold(struct tally *tally, const struct target *target, const struct fault *fault,
		 const char *wanted, const struct outcome *found, const char *what)
{
	char *path = format_text("%s/%s", place, target->name);

	tally_holds(tally,
		    found->status == STATUS_READ ||
			    (!fault->harmless &&
			     (found->status == STATUS_FAILED || found->status == STATUS_PARTLY)),
		    "%s: status %d: %s", what, found->status, found->err);
	if (found->status == STATUS_FAILED) {
		tally_holds(tally, found->err_lines > 0, "%s: failed, and why?", what);
		hold_nothing(tally, what);
	} else if (target->is_archive) {
		/* out of memory and yet whole: it was of no consequence */
		if (found->status == STATUS_READ && fault->kind == INJECT_OWN_ALLOCATION)
			hold_archives(tally, wanted, path, fault, what);
		scratch_remove(format_text("%s", path));
	} else {
		hold_trees(tally, wanted, path, fault,
			   found->status == STATUS_PARTLY && found->err_lines, what);
		scratch_remove(format_text("%s", path));
	}
	if (found->status != STATUS_FAILED)
		hold_nothing(tally, what);
	free(path);
}

static void sweep(struct tally *tally, const struct target *target,
		  const struct command_server *server, const struct fault *fault,
		  const char *wanted)
{
	struct outcome found;
	unsigned long at = 0;
	bool fired;

	do {
		char what[160];

		at++;
		found = command_run(server, (struct inject){ fault->kind, at, fault->error });
		snprintf(what, sizeof(what), "%s, %s, number %lu", target->name, fault->name, at);
		fired = found.fired;
		hold(tally, target,
		     fired ? fault : &(struct fault){ .harmless = true, .name = "none" }, wanted,
		     &found, what);
		outcome_free(&found);
	} while (fired);
	print_message("# capture to %s: %s: %lu points\n", target->name, fault->name, at - 1);
}

static void test_target(void **state)
{
	const struct target *target = *state;
	char *path = format_text("%s/%s", place, target->name);
	char *wanted = format_text("%s/wanted-%s", scratch, target->name);
	const char *arguments[] = { "--sysroot", root, "capture", path, "451", "461", "462", NULL };
	struct command_server server = command_serve(arguments, SINK_MEMORY, 0);
	struct outcome plain = command_run(&server, (struct inject){ .at = 0 });
	struct tally tally = { .subject = target->name };

	if (plain.status != STATUS_READ || plain.err_lines)
		fail_msg("status %d: %s", plain.status, plain.err);
	outcome_free(&plain);
	assert_int_equal(rename(path, wanted), 0);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (target->is_archive ? faults[i].of_archive : faults[i].of_directory)
			sweep(&tally, target, &server, &faults[i], wanted);
	command_end(&server);
	free(wanted);
	free(path);
	tally_finish(&tally, 300);
}

/* No room on the device. */
static void test_full(void **state)
{
	static const char *const names[] = { "tree", "tree.tar.gz" };
	static const size_t sizes[] = { 4096, 9000 };
	struct tally tally = { .subject = "full" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (size_t j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++) {
			char *path = format_text("%s/%s", place, names[i]);
			const char *arguments[] = { "--sysroot", root, "capture", path, NULL };
			struct outcome found = command_run_once(arguments, SINK_MEMORY, sizes[j]);

			tally_equal(&tally, (uint64_t)found.status, STATUS_FAILED,
				    "%s, %zu bytes: status", names[i], sizes[j]);
			tally_holds(&tally, strstr(found.err, "thpstat: cannot write "),
				    "%s, %zu bytes: %s", names[i], sizes[j], found.err);
			hold_nothing(&tally, names[i]);
			outcome_free(&found);
			free(path);
		}
	tally_finish(&tally, 12);
}

static int make_tree(void **state)
{
	const char *captures = getenv("THPSTAT_CAPTURES");

	(void)state;
	if (!captures)
		return -1;
	/* captures are written through to the disk, which takes its time */
	if (!access("/dev/shm", W_OK))
		setenv("TMPDIR", "/dev/shm", 1);
	root = small_tree_make(captures, SMALL_TREE, &scratch);
	place = scratch_make();
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	if (scratch)
		scratch_remove(scratch);
	if (place)
		scratch_remove(place);
	free(root);
	return 0;
}

int main(void)
{
	static struct target directory = { "tree", false }, archive = { "tree.tar.gz", true };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_target, &directory),
		cmocka_unit_test_prestate(test_target, &archive),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}

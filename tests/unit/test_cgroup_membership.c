/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "parse/cgroup_membership.h"
#include "unit.h"

static const struct membership_row {
	const char *what;
	const char *text;
	size_t length;
	int version; /* 0: none */
	const char *path;
} memberships[] = {
	{ "v2", BYTES("0::/user.slice/user-1000.slice/session-1.scope\n"), 2,
	  "/user.slice/user-1000.slice/session-1.scope" },
	{ "v2 root", BYTES("0::/\n"), 2, "/" },
	{ "v2 without a newline", BYTES("0::/a"), 2, "/a" },
	{ "v1", BYTES("4:memory:/docker/abc\n1:name=systemd:/x\n"), 1, "/docker/abc" },
	{ "several controllers", BYTES("4:cpu,memory,pids:/a\n"), 1, "/a" },
	{ "hybrid, memory before the unified one", BYTES("9:memory:/v1\n0::/v2\n"), 1, "/v1" },
	{ "hybrid, memory behind the unified one", BYTES("0::/v2\n9:memory:/v1\n"), 1, "/v1" },
	{ "hybrid, memory is the last of many",
	  BYTES("13:hugetlb:/h\n12:cpu,cpuacct:/c\n0::/v2\n1:name=systemd:/s\n9:memory:/v1\n"), 1,
	  "/v1" },
	{ "hybrid without a memory hierarchy", BYTES("2:cpu:/c\n1:name=systemd:/s\n0::/v2\n"), 2,
	  "/v2" },
	{ "colons in the path", BYTES("4:memory:/system.slice:docker:abc\n"), 1,
	  "/system.slice:docker:abc" },
	{ "colons in a unified path", BYTES("0::/kubepods.slice:cri-containerd:0123\n"), 2,
	  "/kubepods.slice:cri-containerd:0123" },
	{ "escapes, blanks, a suffix", BYTES("0::/dbus-\\x2d:1.2\\x2d a b (deleted)\n"), 2,
	  "/dbus-\\x2d:1.2\\x2d a b (deleted)" },
	{ "outside of the namespace", BYTES("0::/../../sibling\n"), 2, "/../../sibling" },
	{ "names like memory", BYTES("4:memoryx:/a\n5:xmemory:/b\n6:name=memory:/c\n"), 0, NULL },
	{ "a unified line with another number", BYTES("10::/a\n"), 0, NULL },
	{ "a hierarchy without controllers", BYTES("3::/a\n"), 0, NULL },
	{ "line 0 with a controller", BYTES("0:cpu:/a\n"), 0, NULL },
	{ "the first of two unified lines", BYTES("0::/a\n0::/b\n"), 2, "/a" },
	{ "the first of two memory lines", BYTES("4:memory:/a\n5:memory:/b\n"), 1, "/a" },
	{ "an empty path", BYTES("0::\n"), 2, "" },
	{ "one colon", BYTES("0:/a\n"), 0, NULL },
	{ "no colon", BYTES("memory\n"), 0, NULL },
	{ "blank lines", BYTES("\n\n0::/a\n\n"), 2, "/a" },
	{ "a NUL ends it", BYTES("0::/a\n\0004:memory:/b\n"), 2, "/a" },
	{ "empty", BYTES(""), 0, NULL },
};

static void test_memberships(void **state)
{
	struct tally tally = { .subject = "cgroup" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(memberships); i++) {
		const struct membership_row *row = &memberships[i];
		struct cgroup_membership found = { .version = 0 };
		int result = cgroup_membership_parse(row->text, row->length, &found);
		char *path = result ? NULL : strndup(found.path, found.length);

		tally_equal(&tally, (uint64_t)result, row->version ? 0 : UINT64_MAX, "result of %s",
			    row->what);
		tally_equal(&tally, (uint64_t)found.version, (uint64_t)row->version,
			    "version of %s", row->what);
		tally_text(&tally, path, row->path, "path of %s", row->what);
		free(path);
	}
	tally_finish(&tally, 3 * ARRAY_SIZE(memberships));
}

static void test_path_below(void **state)
{
	static const struct {
		const char *path, *root, *below;
	} rows[] = {
		{ "/a/b", "/", "/a/b" },
		{ "/", "/", "" },
		{ "/a", "/a", "" },
		{ "/a/", "/a", "" },
		{ "/a/b", "/a", "/b" },
		{ "/a/b/c", "/a/b", "/c" },
		{ "/ab", "/a", NULL },
		{ "/a", "/ab", NULL },
		{ "/a", "/b", NULL },
		{ "/", "/a", NULL },
		{ "/../../sibling", "/../..", "/sibling" },
		{ "/../..", "/../..", "" },
		{ "/../../a/b", "/../..", "/a/b" },
		{ "/..", "/../..", NULL },
		{ "/", "/../..", NULL },
		{ "/own", "/../..", NULL },
		{ "/../../..", "/../..", NULL },
		{ "/../../../other", "/../..", NULL },
		{ "/..", "/", NULL },
		{ "/../a", "/", NULL },
		{ "/a/..", "/", NULL },
		{ "/a/../b", "/", NULL },
		{ "/a/..", "/a", NULL },
		{ "/..a", "/", "/..a" },
		{ "/a..", "/", "/a.." },
		{ "/...", "/", "/..." },
		{ "/a/.../b", "/", "/a/.../b" },
		{ "", "/", NULL },
		{ "a", "/", NULL },
		{ "", "", NULL },
		/* what comes out is joined to a directory: it must not be taken for an absolute
		   path */
		{ "//", "/", "" },
		{ "//a", "/", "/a" },
		{ "///a//b", "/", "/a//b" },
		{ "/a//b", "/a", "/b" },
		{ "/x.scope (deleted)", "/", "/x.scope (deleted)" },
	};
	struct tally tally = { .subject = "cgroup paths" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		tally_text(&tally, cgroup_path_below(rows[i].path, rows[i].root), rows[i].below,
			   "'%s' below '%s'", rows[i].path, rows[i].root);
	tally_finish(&tally, ARRAY_SIZE(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memberships),
		cmocka_unit_test(test_path_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

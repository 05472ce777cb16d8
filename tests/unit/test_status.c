/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "parse/status.h"
#include "unit.h"

static struct field_table table;

static int make_table(void **state)
{
	(void)state;
	field_table_add(&table, "VmSize", THPSTAT_VM_SIZE, 1);
	field_table_add(&table, "VmRSS", THPSTAT_VM_RSS, 1);
	field_table_add(&table, "HugetlbPages", THPSTAT_HUGETLB_PAGES, 1);
	field_table_add(&table, "THP_enabled", THPSTAT_THP_ENABLED, 0);
	field_table_add(&table, "Threads", THPSTAT_THREADS, 0);
	return 0;
}

/* A text in memory that ends where it ends. */
static void parse(const char *text, size_t length, struct figures *figures, struct status *status)
{
	char *copy = malloc(length ? length : 1);

	assert_non_null(copy);
	memcpy(copy, text, length);
	figures_clear(figures);
	status_parse(&table, copy, length, figures, status);
	free(copy);
}

static void test_names(void **state)
{
	static const struct {
		const char *text;
		const char *name; /* NULL: there is none */
	} rows[] = {
		{ "Name:\tcat\n", "cat" },
		{ "Name:\tcat", "cat" },
		{ "Name:\ta\\nb\n", "a\nb" },
		{ "Name:\ta\\\\b\n", "a\\b" },
		{ "Name:\ta\\\\nb\n", "a\\nb" },
		{ "Name:\ta\\\\\\nb\n", "a\\\nb" },
		{ "Name:\ta\\tb\n", "a\\tb" },
		{ "Name:\ta\\012b\n", "a\\012b" },
		{ "Name:\tend\\\n", "end\\" },
		{ "Name:\tend\\", "end\\" },
		{ "Name:\ta:b\n", "a:b" },
		{ "Name:\tVmRSS:  5 kB\n", "VmRSS:  5 kB" },
		{ "Name:\t  blanks  \n", "  blanks  " },
		{ "Name:\t\ttab\n", "\ttab" },
		{ "Name:\t(sd-pam)\n", "(sd-pam)" },
		{ "Name:\t\n", "" },
		{ "Name:\n", "" },
		{ "Name:", "" },
		{ "Name: cat\n", "cat" },
		{ "Name:\t\303\244\377\001\n", "\303\244\377\001" },
		{ "Name:\tkworker/R-xfs-a-name-longer-than-a-task-has\n",
		  "kworker/R-xfs-a-name-longer-than-a-task-has" },
		/* 70 letters: cut at what there is room for */
		{ "Name:\taaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
		  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
		{ "\nName:\tcat\n", "cat" },
		{ " Name:\tcat\n", NULL },
		{ "Namex:\tcat\n", NULL },
		{ "Name\tcat\n", NULL },
		{ "", NULL },
	};
	struct tally tally = { .subject = "names" };
	struct figures figures;
	struct status status;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		parse(rows[i].text, strlen(rows[i].text), &figures, &status);
		tally_equal(&tally, status.has_comm, rows[i].name != NULL, "is there one in '%s'",
			    rows[i].text);
		tally_text(&tally, status.comm, rows[i].name ? rows[i].name : "", "'%s'",
			   rows[i].text);
		tally_holds(&tally, !figures_has(&figures, THPSTAT_VM_RSS), "no figure in '%s'",
			    rows[i].text);
	}
	tally_finish(&tally, 3 * ARRAY_SIZE(rows));
}

static const char ordinary[] =
	"Name:\tapp\nUmask:\t0022\nState:\tR (running)\nTgid:\t4390\nPPid:\t3632\nTracerPid:\t0\n"
	"Uid:\t1000\t1001\t1002\t1003\nGid:\t5\t6\t7\t8\nGroups:\t \nKthread:\t0\n"
	"VmPeak:\t   51496 kB\nVmSize:\t   51495 kB\nVmRSS:\t   50520 kB\nHugetlbPages:\t       0 "
	"kB\n"
	"THP_enabled:\t1\nuntag_mask:\t0xffffffffffffffff\nThreads:\t3\nSigQ:\t1/96365\n";

/* The text with blank lines, with NULs behind it, in another order: it is the same. */
static void test_ordinary(void **state)
{
	static const char blank_lines[] =
		"\nName:\tapp\n\n\nState:\tR "
		"(running)\nPPid:\t3632\n\nUid:\t1000\t1001\t1002\t1003\n"
		"VmSize:\t   51495 kB\nVmRSS:\t   50520 kB\n\nHugetlbPages:\t       0 kB\n"
		"THP_enabled:\t1\nThreads:\t3\n\n";
	static const char backwards[] =
		"Threads:\t3\nTHP_enabled:\t1\nHugetlbPages:\t0 kB\nVmRSS:\t50520 "
		"kB\nVmSize:\t51495 kB\n"
		"Uid:\t1000\t1001\t1002\t1003\nPPid:\t3632\nState:\tR (running)\nName:\tapp";
	static const char padded[] =
		"Name:\tapp\nState:\tR (running)\nPPid:\t3632\nUid:\t1000\t1001\t1002\t1003\n"
		"VmSize:\t51495 kB\nVmRSS:\t50520 kB\nHugetlbPages:\t0 "
		"kB\nTHP_enabled:\t1\nThreads:\t3\n"
		"\0\0\0\nVmRSS:\t1 kB\nName:\tother\n";
	static const struct {
		const char *what;
		const char *text;
		size_t length;
	} rows[] = {
		{ "ordinary", BYTES(ordinary) },
		{ "blank lines", BYTES(blank_lines) },
		{ "backwards", BYTES(backwards) },
		{ "padded with NULs", BYTES(padded) },
	};
	struct tally tally = { .subject = "status" };
	struct figures figures;
	struct status status;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *what = rows[i].what;

		parse(rows[i].text, rows[i].length, &figures, &status);
		tally_text(&tally, status.comm, "app", "%s: name", what);
		tally_equal(&tally, (uint64_t)status.state, 'R', "%s: state", what);
		tally_holds(&tally, status.has_ppid && status.ppid == 3632, "%s: parent", what);
		tally_holds(&tally, status.has_euid && status.euid == 1001, "%s: effective uid",
			    what);
		tally_holds(&tally, !status.kernel_thread, "%s: no kernel thread", what);
		tally_equal(&tally, figures.value[THPSTAT_VM_SIZE], UINT64_C(51495) * 1024,
			    "%s: VmSize", what);
		tally_equal(&tally, figures.value[THPSTAT_VM_RSS], UINT64_C(50520) * 1024,
			    "%s: VmRSS", what);
		tally_holds(&tally,
			    figures_has(&figures, THPSTAT_HUGETLB_PAGES) &&
				    !figures.value[THPSTAT_HUGETLB_PAGES],
			    "%s: HugetlbPages is a measured 0", what);
		tally_equal(&tally, figures.value[THPSTAT_THP_ENABLED], 1, "%s: THP_enabled", what);
		tally_equal(&tally, figures.value[THPSTAT_THREADS], 3, "%s: Threads", what);
	}
	tally_finish(&tally, 40);
}

static void test_identity(void **state)
{
	static const struct {
		const char *text;
		char state;
		int ppid;     /* -1: not known */
		int64_t euid; /* -1: not known */
		int kernel_thread;
	} rows[] = {
		{ "State:\tZ (zombie)\n", 'Z', -1, -1, 0 },
		{ "State:\t\n", 0, -1, -1, 0 },
		{ "State:", 0, -1, -1, 0 },
		{ "PPid:\t0\n", 0, 0, -1, 0 },
		{ "PPid:\t2147483647\n", 0, 2147483647, -1, 0 },
		{ "PPid:\t2147483648\n", 0, -1, -1, 0 },
		{ "PPid:\t99999999999999999999999\n", 0, -1, -1, 0 },
		{ "PPid:\t-1\n", 0, -1, -1, 0 },
		{ "PPid:\t12 x\n", 0, -1, -1, 0 },
		{ "PPid:\t\n", 0, -1, -1, 0 },
		{ "Uid:\t0\t0\t0\t0\n", 0, -1, 0, 0 },
		{ "Uid:\t0\t4294967295\t0\t0\n", 0, -1, 4294967295, 0 },
		{ "Uid:\t0\t4294967296\t0\t0\n", 0, -1, -1, 0 },
		{ "Uid:\t0 5 0 0\n", 0, -1, 5, 0 },
		{ "Uid:\t0\n", 0, -1, -1, 0 },
		{ "Uid:\tx\t0\n", 0, -1, -1, 0 },
		{ "Uid:\n", 0, -1, -1, 0 },
		{ "Kthread:\t1\n", 0, -1, -1, 1 },
		{ "Kthread:\t0\n", 0, -1, -1, 0 },
		{ "Kthread:\t\n", 0, -1, -1, 0 },
		{ "Kthread:\t11\n", 0, -1, -1, 0 },
	};
	struct tally tally = { .subject = "identity" };
	struct figures figures;
	struct status status;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		parse(rows[i].text, strlen(rows[i].text), &figures, &status);
		tally_equal(&tally, (uint64_t)status.state, (uint64_t)rows[i].state,
			    "state of '%s'", rows[i].text);
		tally_equal(&tally, (uint64_t)(status.has_ppid ? status.ppid : -1),
			    (uint64_t)rows[i].ppid, "parent of '%s'", rows[i].text);
		tally_equal(&tally, (uint64_t)(status.has_euid ? (int64_t)status.euid : -1),
			    (uint64_t)rows[i].euid, "uid of '%s'", rows[i].text);
		tally_equal(&tally, status.kernel_thread, (uint64_t)rows[i].kernel_thread,
			    "kernel thread '%s'", rows[i].text);
	}
	tally_finish(&tally, 4 * ARRAY_SIZE(rows));
}

/* A file that ends early gives what was there, and nothing that was not. */
static void test_prefixes(void **state)
{
	struct tally tally = { .subject = "prefixes" };
	struct figures figures;
	struct status status;

	(void)state;
	for (size_t length = 0; length < sizeof(ordinary) - 1; length++) {
		parse(ordinary, length, &figures, &status);
		tally_holds(&tally,
			    !figures_has(&figures, THPSTAT_VM_RSS) ||
				    figures.value[THPSTAT_VM_RSS] == UINT64_C(50520) * 1024,
			    "VmRSS in the first %zu bytes", length);
	}
	tally_finish(&tally, 280);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_ordinary),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_prefixes),
	};

	return cmocka_run_group_tests(tests, make_table, NULL);
}

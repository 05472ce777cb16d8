/* SPDX-License-Identifier: MIT */
/*
 * Trees written down from public reports, one directory each, with an expected.json that says
 * what a tool has to find in them. See README.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cases/case.h"
#include "support/files.h"

/* The cases, and how many figures must at least be compared in each. */
static const struct case_row cases[] = {
	{ "001-glibc-decorated-names", 59 },
	{ "002-empty-name", 59 },
	{ "004-android-name-line", 53 },
	{ "005-escaped-newline-and-deleted", 59 },
	{ "007-qemu-user-empty-vmflags", 54 },
	{ "008-unknown-vmflags", 58 },
	{ "009-thpeligible-spellings", 165 },
	{ "010-kernel-2.6.32-fields", 46 },
	{ "012-wsl1-perms-and-bare-headers", 54 },
	{ "014-proposed-and-vendor-fields", 102 },
	{ "015-field-order-changed", 110 },
	{ "016-asan-sizes", 54 },
	{ "018-vhost-1g-hugetlb", 56 },
	{ "019-shared-hugetlb-prefix", 16 },
	{ "021-non-atomic-read", 55 },
	{ "023-mail-wrapped-header", 54 },
	{ "025-comm-with-parens-and-newline", 39 },
	{ "026-status-blank-lines", 10 },
	{ "027-kernel-thread", 70 },
	{ "028-zombie", 72 },
	{ "029-pss-unreadable", 39 },
	{ "032-jvm-stacks-shattered-thp", 54 },
	{ "034-zgc-container-cgroup-v1", 0 },
	{ "035-zgc-three-views", 75 },
	{ "036-memcached-thp", 55 },
	{ "038-file-thp-text", 57 },
	{ "039-code-remapped-anonymous", 56 },
	{ "041-shmem-thp-not-eligible", 63 },
	{ "042-fork-shared-thp-and-cow", 134 },
	{ "044-thp-disabled-by-prctl", 62 },
	{ "045-mthp-64k-invisible", 56 },
	{ "047-hugetlb-shared-by-backends", 195 },
	{ "048-nginx-shared-zone", 216 },
	{ "049-stockfish-nnue-shared", 54 },
	{ "052-arm64-64k-pages", 58 },
	{ "053-ppc64-16m-hugetlb", 57 },
	{ "055-mips64-16k-thpeligible-file", 53 },
	{ "057-meminfo-blank-lines", 4 },
	{ "058-ddwrt-meminfo-table", 5 },
	{ "060-rsvd-underflow", 15 },
	{ "061-pool-usage-formula", 7 },
	{ "063-default-size-1g", 8 },
	{ "064-two-pool-sizes", 6 },
	{ "066-openeuler-reliable-fields", 8 },
	{ "067-lxcfs-meminfo-mix", 6 },
	{ "068-node-meminfo-prefix-and-nuls", 15 },
	{ "070-thp-mode-selection", 9 },
	{ "071-thp-sysfs-missing", 5 },
	{ "072-khugepaged-max-ptes-none", 2 },
	{ "074-cgroup-path-with-colons", 12 },
	{ "075-cgroup-namespace-dotdot", 6 },
	{ "076-cgroup-hybrid", 3 },
	{ "078-limit-of-an-ancestor", 3 },
	{ "080-v1-mount-is-own-cgroup", 3 },
	{ "081-thp-deferred-split-charge", 3 },
	{ "082-memory-stat-key-sets", 9 },
	{ "083-hugetlb-cgroup-v2", 3 },
	{ "085-container-path-zoo", 34 },
	{ "086-rollup-versus-sum", 130 },
	{ "088-hugetlb-limit-zero-sigbus", 17 },
	{ "090-device-pages-in-rssfile", 11 },
};

/* @process: NULL at the top of a case with several processes */
static void check_key(struct case_run *run, struct process_run *process, const char *key,
		      const json_t *value)
{
	if (!check_process_key(run, process, key, value) &&
	    !check_mapping_key(run, process, key, value) &&
	    !check_cgroup_key(run, process, key, value) &&
	    !check_host_key(run, process, key, value))
		leave_out(run, key);
}

static void check_object(struct case_run *run, struct process_run *process, const json_t *object)
{
	const json_t *item;
	const char *key;

	json_object_foreach((json_t *)(uintptr_t)object, key, item) if (strcmp(key, "processes"))
		check_key(run, process, key, item);
}

static void check_case(void **state)
{
	struct case_run *run = *state;
	const json_t *list = json_object_get(run->expected, "processes"), *item;
	size_t i;

	if (list) {
		json_array_foreach(list, i, item) check_object(run, &run->processes[i], item);
		check_object(run, NULL, run->expected);
	} else {
		check_object(run, run->n_processes ? &run->processes[0] : NULL, run->expected);
	}
	tally_finish(&run->tally, run->row->minimum);
}

/* No directory without a row, and no reason for a key that no case has. */
static void check_tables(void **state)
{
	struct tally tally = { .subject = "tables" };
	const char *data = getenv("THPSTAT_CASES");
	char **names;
	size_t n, directories = 0;

	(void)state;
	names = directory_names(data, "", &n);
	for (size_t i = 0; i < n; i++) {
		char *path = format_text("%s/%s", data, names[i]);
		bool found = !directory_exists(path);

		directories += !found;
		for (size_t j = 0; j < ARRAY_SIZE(cases) && !found; j++)
			found = !strcmp(cases[j].name, names[i]);
		tally_holds(&tally, found, "%s has a row", names[i]);
		free(path);
	}
	names_free(names, n);
	tally_equal(&tally, directories, ARRAY_SIZE(cases), "number of cases");
	for (size_t i = 0; i < n_left_out; i++) {
		tally_holds(&tally, left_out[i].met, "key %s is met", left_out[i].key);
		print_message("# not compared: %s, %u times: %s\n", left_out[i].key,
			      left_out[i].met, left_out[i].reason);
	}
	tally_finish(&tally, ARRAY_SIZE(cases) + n_left_out);
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(cases) + 1];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		tests[i] = (struct CMUnitTest){
			.name = cases[i].name,
			.test_func = check_case,
			.setup_func = open_case,
			.teardown_func = close_case,
			/* cmocka hands it on as it is; nobody writes there */
			.initial_state = (void *)(uintptr_t)&cases[i],
		};
	tests[ARRAY_SIZE(cases)] = (struct CMUnitTest)cmocka_unit_test(check_tables);
	return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "account/object.h"
#include "figure_list.h"
#include "unit.h"

static void test_names(void **state)
{
	static const struct {
		const char *name;
		uint64_t inode;
		enum object_name kind;
	} rows[] = {
		{ "", 0, OBJECT_NAME_NONE },
		{ "[heap]", 0, OBJECT_NAME_NONE },
		{ "/memfd:x (deleted)", 0, OBJECT_NAME_NONE },
		{ "/memfd:x (deleted)", 42, OBJECT_NAME_SHMEM },
		{ "/memfd:", 42, OBJECT_NAME_SHMEM },
		{ "/memfd", 42, OBJECT_NAME_FILE },
		{ "/tmp/memfd:x", 42, OBJECT_NAME_FILE },
		{ "/dev/zero (deleted)", 42, OBJECT_NAME_SHMEM },
		{ "/dev/zero", 42, OBJECT_NAME_FILE },
		{ "[anon_shmem:x]", 42, OBJECT_NAME_SHMEM },
		{ "[anon:x]", 42, OBJECT_NAME_FILE },
		{ "/drm mm object (deleted)", 42, OBJECT_NAME_SHMEM },
		{ "/SYSV00000000 (deleted)", 1213, OBJECT_NAME_SYSV },
		{ "/SYSV0052e2c1 (deleted)", 1213, OBJECT_NAME_SYSV },
		{ "/SYSV0052e2c1", 1213, OBJECT_NAME_SYSV },
		{ "/SYSV0052e2c", 1213, OBJECT_NAME_FILE },
		{ "/SYSV0052e2c1x", 1213, OBJECT_NAME_FILE },
		{ "/SYSV0052e2cx", 1213, OBJECT_NAME_FILE },
		{ "/SYSV0052E2C1", 1213, OBJECT_NAME_FILE },
		{ "/SYSVtab", 1213, OBJECT_NAME_FILE },
		{ "/SYSV", 1213, OBJECT_NAME_FILE },
		{ "/tmp/SYSV00000000", 1213, OBJECT_NAME_FILE },
		{ "/bin/bash", 960637, OBJECT_NAME_FILE },
		{ "", 5, OBJECT_NAME_FILE },
	};
	struct tally tally = { .subject = "object names" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		tally_equal(&tally, object_name(rows[i].name, strlen(rows[i].name), rows[i].inode),
			    rows[i].kind, "'%s'", rows[i].name);
	/* the length counts, not a NUL */
	tally_equal(&tally, object_name("/memfd:x", 6, 42), OBJECT_NAME_FILE, "a shorter one");
	tally_finish(&tally, ARRAY_SIZE(rows) + 1);
}

static const struct {
	const char *what;
	enum object_name name;
	enum object_device device;
	unsigned int flags;
	struct figure_row figures[3];
	enum thpstat_class class_;
	int sure;
} classes[] = {
	{ "anonymous",
	  OBJECT_NAME_NONE,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { THPSTAT_RSS, 8, 0, 0 }, { THPSTAT_ANONYMOUS, 8, 0, 0 } },
	  THPSTAT_CLASS_ANON,
	  1 },
	{ "untouched",
	  OBJECT_NAME_NONE,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { 0, 0, 0, 0 } },
	  THPSTAT_CLASS_ANON,
	  1 },
	{ "vdso",
	  OBJECT_NAME_NONE,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { THPSTAT_RSS, 8, 0, 0 }, { THPSTAT_ANONYMOUS, 0, 0, 0 } },
	  THPSTAT_CLASS_FILE,
	  1 },
	{ "a file",
	  OBJECT_NAME_FILE,
	  OBJECT_DEVICE_OTHER,
	  0,
	  { { 0, 0, 0, 0 } },
	  THPSTAT_CLASS_FILE,
	  1 },
	{ "a file of a tmpfs",
	  OBJECT_NAME_FILE,
	  OBJECT_DEVICE_SHMEM,
	  0,
	  { { 0, 0, 0, 0 } },
	  THPSTAT_CLASS_SHMEM,
	  1 },
	{ "a file of an unknown device",
	  OBJECT_NAME_FILE,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { 0, 0, 0, 0 } },
	  THPSTAT_CLASS_FILE,
	  0 },
	{ "a memfd",
	  OBJECT_NAME_SHMEM,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { 0, 0, 0, 0 } },
	  THPSTAT_CLASS_SHMEM,
	  1 },
	{ "a System V segment",
	  OBJECT_NAME_SYSV,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { 0, 0, 0, 0 } },
	  THPSTAT_CLASS_SHMEM,
	  1 },
	{ "a file that is called like a memfd",
	  OBJECT_NAME_SHMEM,
	  OBJECT_DEVICE_OTHER,
	  0,
	  { { 0, 0, 0, 0 } },
	  THPSTAT_CLASS_FILE,
	  1 },
	/* figures settle what names leave open */
	{ "ShmemPmdMapped",
	  OBJECT_NAME_FILE,
	  OBJECT_DEVICE_OTHER,
	  0,
	  { { THPSTAT_SHMEM_PMD_MAPPED, 1, 0, 0 } },
	  THPSTAT_CLASS_SHMEM,
	  1 },
	{ "FilePmdMapped",
	  OBJECT_NAME_FILE,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { THPSTAT_FILE_PMD_MAPPED, 1, 0, 0 } },
	  THPSTAT_CLASS_FILE,
	  1 },
	{ "FilePmdMapped without a file",
	  OBJECT_NAME_NONE,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { THPSTAT_FILE_PMD_MAPPED, 1, 0, 0 } },
	  THPSTAT_CLASS_FILE,
	  1 },
	{ "hugetlb by flag",
	  OBJECT_NAME_SHMEM,
	  OBJECT_DEVICE_UNKNOWN,
	  THPSTAT_MAPPING_HUGETLB,
	  { { 0, 0, 0, 0 } },
	  THPSTAT_CLASS_HUGETLB,
	  1 },
	{ "hugetlb by Shared_Hugetlb",
	  OBJECT_NAME_SYSV,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { THPSTAT_SHARED_HUGETLB, 1, 0, 0 } },
	  THPSTAT_CLASS_HUGETLB,
	  1 },
	{ "hugetlb by Private_Hugetlb",
	  OBJECT_NAME_NONE,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { THPSTAT_PRIVATE_HUGETLB, 1, 0, 0 } },
	  THPSTAT_CLASS_HUGETLB,
	  1 },
	{ "no hugetlb",
	  OBJECT_NAME_NONE,
	  OBJECT_DEVICE_UNKNOWN,
	  0,
	  { { THPSTAT_SHARED_HUGETLB, 0, 0, 0 }, { THPSTAT_PRIVATE_HUGETLB, 0, 0, 0 } },
	  THPSTAT_CLASS_ANON,
	  1 },
};

static void test_classes(void **state)
{
	struct tally tally = { .subject = "classes" };
	struct thpstat_usage usage;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		int sure = -1;

		fill_record(&usage, classes[i].figures);
		tally_equal(&tally,
			    object_class(classes[i].name, classes[i].device, classes[i].flags,
					 &usage, &sure),
			    classes[i].class_, "class of %s", classes[i].what);
		tally_equal(&tally, (uint64_t)sure, (uint64_t)classes[i].sure, "is %s sure",
			    classes[i].what);
	}
	tally_finish(&tally, 2 * ARRAY_SIZE(classes));
}

static void test_keys(void **state)
{
	const struct thpstat_object_key keys[] = {
		object_key(0, 0, 0, OBJECT_NAME_NONE),
		object_key(0, 1, 42, OBJECT_NAME_SHMEM),
		object_key(0, 1, 42, OBJECT_NAME_SYSV),
		object_key(0, 1, 43, OBJECT_NAME_SHMEM),
		object_key(0, 2, 42, OBJECT_NAME_FILE),
		object_key(1, 0, 42, OBJECT_NAME_FILE),
		object_key(1, 1, 42, OBJECT_NAME_FILE),
		object_key(1, 1, 43, OBJECT_NAME_FILE),
		object_key(UINT32_MAX, UINT32_MAX, UINT64_MAX, OBJECT_NAME_FILE),
	};
	const struct thpstat_object_key none = object_key(8, 1, 0, OBJECT_NAME_NONE);
	const struct thpstat_object_key memfd = object_key(0, 1, 42, OBJECT_NAME_SHMEM);
	struct tally tally = { .subject = "keys" };

	(void)state;
	/* an order: total, and the same from both sides */
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		for (size_t j = 0; j < ARRAY_SIZE(keys); j++) {
			int a = thpstat_object_compare(&keys[i], &keys[j]);
			int b = thpstat_object_compare(&keys[j], &keys[i]);

			tally_equal(&tally, !a, i == j, "are %zu and %zu one", i, j);
			tally_holds(&tally, (a < 0) == (b > 0) && (a > 0) == (b < 0),
				    "%zu and %zu from both sides", i, j);
			for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
				tally_holds(&tally,
					    !(a < 0 &&
					      thpstat_object_compare(&keys[j], &keys[k]) < 0) ||
						    thpstat_object_compare(&keys[i], &keys[k]) < 0,
					    "order of %zu %zu %zu", i, j, k);
		}
	tally_holds(&tally,
		    !thpstat_object_compare(&keys[0], &none) && !none.opaque[0] &&
			    !none.opaque[1] && !none.opaque[2],
		    "no object is all zero");
	tally_holds(&tally, !thpstat_object_compare(&keys[1], &memfd), "the same again");
	tally_finish(&tally, 81 * 11 + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

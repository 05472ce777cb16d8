/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "account/kind.h"
#include "account/object.h"
#include "account/usage.h"
#include "unit.h"

#define HAS THPSTAT_MAPPING_HAS_VMFLAGS
#define STACK (HAS | THPSTAT_MAPPING_NO_HUGEPAGE) /* MAP_STACK from Linux 6.7 on */
#define NORESERVE (HAS | THPSTAT_MAPPING_NORESERVE)
#define DOWN (HAS | THPSTAT_MAPPING_GROWS_DOWN)
#define PFN (HAS | THPSTAT_MAPPING_PFNMAP | THPSTAT_MAPPING_IO)
#define HT (HAS | THPSTAT_MAPPING_HUGETLB)

#define ANON THPSTAT_CLASS_ANON
#define SHMEM THPSTAT_CLASS_SHMEM
#define FILE_ THPSTAT_CLASS_FILE
#define HUGE_ THPSTAT_CLASS_HUGETLB

/* A record of smaps: its header, the bits of VmFlags, its class, and the kind it has to have. */
struct record {
	const char *header; /* NULL ends the list */
	unsigned int flags;
	enum thpstat_class class_;
	const char *kind;
};

static struct smaps_header parsed(const struct record *record)
{
	struct smaps_header header;
	const char *end = record->header + strlen(record->header);

	assert_true(smaps_header(record->header, end, &header));
	return header;
}

static void tally_list(struct tally *tally, const char *what, const struct record *list)
{
	static const struct thpstat_usage nothing;
	struct kind_walk walk = { 0 };
	char name[256];

	for (const struct record *record = list; record->header; record++) {
		struct smaps_header header = parsed(record), next;
		struct thpstat_mapping mapping = {
			.start = header.start,
			.end = header.end,
			.offset = header.offset,
			.device_major = header.major,
			.device_minor = header.minor,
			.inode = header.inode,
			.class_ = record->class_,
			.flags = header.flags | record->flags,
			.usage = &nothing,
		};
		enum thpstat_mapping_kind kind, expected;

		memcpy(name, header.name, header.name_length);
		name[header.name_length] = '\0';
		mapping.name = name;
		if (record[1].header)
			next = parsed(record + 1);
		kind = kind_of(&walk, &mapping, header.name_length,
			       record[1].header ? &next : NULL);
		assert_int_equal(thpstat_mapping_kind_from_name(record->kind, &expected), 0);
		tally_equal(tally, kind, expected, "%s: %s: %s", what, record->header,
			    thpstat_mapping_kind_name(kind));
	}
}

static const struct record program[] = {
	{ "562fddad5000-562fddb04000 r--p 00000000 fe:00 247101 /usr/bin/bash", HAS, FILE_,
	  "binary-data" },
	{ "562fddb04000-562fddbc5000 r-xp 0002f000 fe:00 247101 /usr/bin/bash", HAS, FILE_,
	  "text" },
	{ "562fddbc5000-562fddbfd000 r--p 000f0000 fe:00 247101 /usr/bin/bash", HAS, FILE_,
	  "binary-data" },
	{ "562fddc01000-562fddc0a000 rw-p 0012b000 fe:00 247101 /usr/bin/bash", HAS, FILE_,
	  "binary-data" },
	{ "562fddc0a000-562fddc15000 rw-p 00000000 00:00 0", HAS, ANON, "binary-data" },
	{ "5630000a0000-563000138000 rw-p 00000000 00:00 0   [heap]", HAS, ANON, "heap" },
	{ "7f34c51b5000-7f34c5236000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "7f34c5236000-7f34c528d000 r--p 00000000 fe:00 91 /usr/lib/locale/C.utf8/LC_CTYPE", HAS,
	  FILE_, "file" },
	{ "7f34c54af000-7f34c54b6000 r--s 00000000 fe:00 92 /usr/lib/gconv/gconv-modules.cache",
	  HAS, FILE_, "file" },
	{ "7f34c54b9000-7f34c54bd000 r--p 00000000 00:00 0   [vvar]", PFN, ANON, "special" },
	{ "7f34c54bd000-7f34c54bf000 r--p 00000000 00:00 0   [vvar_vclock]", PFN, ANON, "special" },
	{ "7f34c54bf000-7f34c54c1000 r-xp 00000000 00:00 0   [vdso]", HAS, FILE_, "special" },
	{ "7ffcbdfee000-7ffcbe00f000 rw-p 00000000 00:00 0   [stack]", DOWN, ANON, "main-stack" },
	{ "7fffffffe000-7ffffffff000 --xp 00000000 00:00 0   [uprobes]", HAS, ANON, "special" },
	{ "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]", HAS, ANON,
	  "special" },
	{ 0 },
};

/* Two threads of glibc 2.36 on Linux 6.18, with the arenas of malloc between their stacks. */
static const struct record threads[] = {
	{ "7f2a10000000-7f2a10021000 rw-p 00000000 00:00 0", NORESERVE, ANON, "anonymous" },
	{ "7f2a10021000-7f2a14000000 ---p 00000000 00:00 0", NORESERVE, ANON, "anonymous" },
	{ "7f2a14000000-7f2a17ff0000 rw-p 00000000 00:00 0", NORESERVE, ANON, "anonymous" },
	{ "7f2a17ff0000-7f2a18000000 ---p 00000000 00:00 0", NORESERVE, ANON, "anonymous" },
	/* a small rest of one arena right below another one */
	{ "7f2a18000000-7f2a18021000 rw-p 00000000 00:00 0", NORESERVE, ANON, "anonymous" },
	{ "7f2a1c1ff000-7f2a1c200000 ---p 00000000 00:00 0", STACK, ANON, "anonymous" },
	{ "7f2a1c200000-7f2a1ca00000 rw-p 00000000 00:00 0", STACK, ANON, "thread-stack" },
	{ "7f2a1ca00000-7f2a1ca01000 ---p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "7f2a1ca01000-7f2a1d201000 rw-p 00000000 00:00 0", HAS, ANON, "thread-stack" },
	{ "7f2a1d201000-7f2a1d203000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ 0 },
};

/* The JVM protects the low end of the stack itself; its heap is committed above a reservation. */
static const struct record jvm[] = {
	{ "f0000000-f8000000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "f8000000-100000000 ---p 00000000 00:00 0", NORESERVE, ANON, "anonymous" },
	{ "100000000-100080000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "7f3b5c000000-7f3b5c270000 rwxp 00000000 00:00 0", HAS, ANON, "jit" },
	{ "7f3b5c270000-7f3b63000000 ---p 00000000 00:00 0", NORESERVE, ANON, "anonymous" },
	{ "7f3b80af0000-7f3b80af4000 ---p 00000000 00:00 0", STACK, ANON, "anonymous" },
	{ "7f3b80af4000-7f3b80bf0000 rw-p 00000000 00:00 0", STACK, ANON, "thread-stack" },
	{ "fffced200000-fffced204000 ---p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "fffced204000-fffced400000 rw-p 00000000 00:00 0", HAS, ANON, "thread-stack" },
	/* its guard is not made yet */
	{ "fffced400000-fffced600000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ 0 },
};

static const struct record guards[] = {
	/* not next to it */
	{ "10000000-10001000 ---p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "10002000-10802000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	/* larger than what it would guard */
	{ "11000000-11010000 ---p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "11010000-11020000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	/* one of 1 MiB, and one that is larger */
	{ "12000000-12100000 ---p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "12100000-12900000 rw-p 00000000 00:00 0", HAS, ANON, "thread-stack" },
	{ "13000000-13101000 ---p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "13101000-13901000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	/* a hole in a library */
	{ "14000000-14001000 ---p 00000000 08:01 7 /lib/x.so", HAS, FILE_, "file" },
	{ "14001000-14801000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	/* read only, shared, or with another purpose by its name */
	{ "15000000-15001000 ---p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "15001000-15801000 r--p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "16000000-16001000 ---p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "16001000-16801000 rw-s 00000000 00:01 9 /dev/zero (deleted)", HAS, SHMEM,
	  "shared-memory" },
	{ "17000000-17001000 ---p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "17001000-17801000 rw-p 00000000 00:00 0   [anon:scudo:primary]", HAS, ANON,
	  "anonymous" },
	/* kernels before 3.8 print no VmFlags */
	{ "18000000-18001000 ---p 00000000 00:00 0", 0, ANON, "anonymous" },
	{ "18001000-18801000 rw-p 00000000 00:00 0", 0, ANON, "thread-stack" },
	{ 0 },
};

static const struct record stacks[] = {
	{ "10000000-10800000 rw-p 00000000 00:00 0   [stack:1234]", HAS, ANON, "thread-stack" },
	{ "20000000-20800000 rw-p 00000000 00:00 0   [anon: glibc: pthread stack: 1234]", HAS, ANON,
	  "thread-stack" },
	{ "21000000-21001000 ---p 00000000 00:00 0   [anon:stack_and_tls:77]", HAS, ANON,
	  "anonymous" },
	{ "21001000-21101000 rw-p 00000000 00:00 0   [anon:stack_and_tls:77]", HAS, ANON,
	  "thread-stack" },
	{ "30000000-30021000 rw-p 00000000 00:00 0", DOWN, ANON, "thread-stack" },
	{ "5500802000-5501002000 rw-p 00000000 00:00 0   [stack]", HAS, ANON, "main-stack" },
	{ "7ffcbdfee000-7ffcbe00f000 rwxp 00000000 00:00 0   [stack]", DOWN, ANON, "main-stack" },
	/* a file can have any name but none without a slash */
	{ "7ffd00000000-7ffd00021000 rw-p 00000000 08:01 12 /tmp/[stack]", HAS, FILE_, "file" },
	{ "7ffd10000000-7ffd10021000 ---p 00000000 00:00 0   [stack]", HAS, ANON, "anonymous" },
	{ 0 },
};

static const struct record shared[] = {
	{ "10000000-10200000 rw-s 00000000 00:01 42 /memfd:x (deleted)", HAS, SHMEM, "memfd" },
	{ "11000000-11200000 rw-p 00000000 00:01 42 /memfd:x (deleted)", HAS, SHMEM, "memfd" },
	{ "12000000-12200000 rw-s 00000000 00:01 0 /SYSV00000000 (deleted)", HAS, SHMEM,
	  "shared-memory" },
	{ "13000000-13200000 rw-s 00000000 00:01 3 /SYSV0052e2c1 (deleted)", HAS, SHMEM,
	  "shared-memory" },
	{ "14000000-14200000 rw-s 00000000 00:01 4 /dev/zero (deleted)", HAS, SHMEM,
	  "shared-memory" },
	{ "15000000-15200000 rw-s 00000000 00:01 5 [anon_shmem:ring]", HAS, SHMEM,
	  "shared-memory" },
	{ "16000000-16200000 rw-s 00000000 00:19 6 /dev/shm/PostgreSQL.1", HAS, SHMEM,
	  "shared-memory" },
	{ "17000000-17200000 r--p 00000000 00:19 7 /tmp/data", HAS, SHMEM, "file" },
	{ "18000000-18200000 rw-s 00000000 08:01 8 /tmp/memfd:x", HAS, FILE_, "file" },
	{ "19000000-19200000 rw-s 00000000 00:05 9 /dev/nvidia0", PFN, FILE_, "special" },
	{ "1a000000-1a002000 rw-s 00000000 00:0e 10 anon_inode:[io_uring]", HAS, FILE_, "special" },
	{ "1b000000-1b400000 rw-s 00000000 00:08 11 socket:[1234]", HAS, FILE_, "special" },
	{ "1c000000-1c400000 rw-s 00000000 00:0f 12 /anon_hugepage (deleted)", HT, HUGE_,
	  "hugetlb" },
	{ "1d000000-1d400000 rw-p 00000000 00:0f 13 /anon_hugepage (deleted)", HT, HUGE_,
	  "hugetlb" },
	{ "1e000000-1e400000 rw-s 00000000 00:0f 14 /memfd:pool (deleted)", HT, HUGE_, "hugetlb" },
	{ "20000000-20400000 rw-s 00000000 00:0f 15 /SYSV00000001 (deleted)", HT, HUGE_,
	  "hugetlb" },
	{ 0 },
};

static const struct record java_heaps[] = {
	{ "40000000000-40001000000 rw-s 00000000 00:01 42 /memfd:java_heap (deleted)", HAS, SHMEM,
	  "java-heap" },
	{ "80000000000-80000200000 rw-s 00000000 00:0f 42 /memfd:java_heap (deleted)", HT, HUGE_,
	  "java-heap" },
	{ "90000000000-90010000000 rw-p 00000000 00:00 0   [anon:java heap]", HAS, ANON,
	  "java-heap" },
	/* too small, not writable, and a file that is called so */
	{ "100000000000-100000100000 rw-s 00000000 00:01 42 /memfd:java_heap (deleted)", HAS, SHMEM,
	  "memfd" },
	{ "110000000000-110010000000 ---p 00000000 00:00 0   [anon:java heap]", HAS, ANON,
	  "anonymous" },
	{ "120000000000-120010000000 rw-s 00000000 08:01 43 /var/tmp/java_heap", HAS, FILE_,
	  "file" },
	{ 0 },
};

static const struct record code[] = {
	/* a library of an older linker, with a hole, bss and something that was put behind it */
	{ "10000000-10100000 r-xp 00000000 08:01 5 /lib/a.so", HAS, FILE_, "text" },
	{ "10100000-10300000 ---p 00100000 08:01 5 /lib/a.so", HAS, FILE_, "binary-data" },
	{ "10300000-10301000 r--p 00100000 08:01 5 /lib/a.so", HAS, FILE_, "binary-data" },
	{ "10301000-10302000 rw-p 00101000 08:01 5 /lib/a.so", HAS, FILE_, "binary-data" },
	{ "10302000-10306000 rw-p 00000000 00:00 0   [anon:.bss]", HAS, ANON, "binary-data" },
	{ "10306000-10406000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	/* a data file, and one that is mapped like a library without code */
	{ "11000000-11010000 rw-p 00000000 08:01 6 /tmp/db", HAS, FILE_, "file" },
	{ "11010000-11020000 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	/* a library that was loaded from a memfd, and one from a tmpfs */
	{ "12000000-12010000 r-xp 00000000 00:01 7 /memfd:lib (deleted)", HAS, SHMEM, "text" },
	{ "12010000-12020000 rw-p 00010000 00:01 7 /memfd:lib (deleted)", HAS, SHMEM,
	  "binary-data" },
	{ "12100000-12110000 r-xp 00000000 00:19 8 /tmp/lib.so", HAS, SHMEM, "text" },
	/* a compiler that writes through another view */
	{ "13000000-13010000 r-xs 00000000 00:01 9 /memfd:doublemapper (deleted)", HAS, SHMEM,
	  "jit" },
	{ "14000000-14010000 rw-s 00000000 00:01 9 /memfd:doublemapper (deleted)", HAS, SHMEM,
	  "memfd" },
	/* relocations in text */
	{ "15000000-15010000 rwxp 00000000 08:01 10 /lib/old.so", HAS, FILE_, "text" },
	{ "16000000-16010000 rwxp 00000000 00:00 0", HAS, ANON, "jit" },
	{ "54c00000-56c00000 r-xp 00000000 00:00 0   [anon:dalvik-jit-code-cache]", HAS, ANON,
	  "jit" },
	/* right below a library, where the kernel puts things */
	{ "57000000-57010000 r-xp 00000000 00:00 0", HAS, ANON, "jit" },
	{ "57010000-57020000 r--p 00000000 08:01 11 /lib/b.so", HAS, FILE_, "binary-data" },
	{ "57020000-57030000 r-xp 00010000 08:01 11 /lib/b.so", HAS, FILE_, "text" },
	{ 0 },
};

static const struct record remapped[] = {
	/* between two mappings of the binary */
	{ "00200000-00300000 r--p 00000000 08:03 100 /usr/bin/server", HAS, FILE_, "file" },
	{ "00400000-0be00000 r-xp 00000000 00:00 0", HAS, ANON, "text" },
	{ "0c000000-0c300000 r-xp 0b900000 08:03 100 /usr/bin/server", HAS, FILE_, "text" },
	/* all of the code is gone from the file */
	{ "20000000-20100000 r--p 00000000 08:03 101 /usr/bin/other", HAS, FILE_, "file" },
	{ "20100000-20900000 r-xp 00000000 00:00 0", HAS, ANON, "text" },
	{ "20900000-20a00000 r--p 00900000 08:03 101 /usr/bin/other", HAS, FILE_, "binary-data" },
	{ "20a00000-20b00000 rw-p 00a00000 08:03 101 /usr/bin/other", HAS, FILE_, "binary-data" },
	/* the middle of it, in two pieces */
	{ "30000000-30100000 r-xp 00000000 08:03 102 /usr/bin/third", HAS, FILE_, "text" },
	{ "30200000-30300000 r-xp 00000000 08:03 102 /usr/bin/third", HAS, FILE_, "text" },
	{ "30300000-30400000 r-xp 00000000 00:00 0", HAS, ANON, "text" },
	{ "30400000-30600000 r-xp 00000000 00:00 0", HAS, ANON, "text" },
	{ "30600000-30700000 r-xp 00600000 08:03 102 /usr/bin/third", HAS, FILE_, "text" },
	/* writable code was not copied from a file */
	{ "30700000-30800000 rwxp 00000000 00:00 0", HAS, ANON, "jit" },
	/* its neighbours are of different files */
	{ "40000000-40100000 r--p 00000000 08:03 103 /tmp/a", HAS, FILE_, "file" },
	{ "40200000-40300000 r-xp 00000000 00:00 0", HAS, ANON, "jit" },
	{ "40400000-40500000 r--p 00000000 08:03 104 /tmp/b", HAS, FILE_, "file" },
	{ 0 },
};

static const struct record odd[] = {
	{ "7f5000000000-7f5000100000 r-x- 00000000 00:00 0 /bin/bash", 0, ANON, "text" },
	{ "7f5000200000-7f5000400000 rw-- 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "7f5000800000-7f5000810000 rw-- 00000000 00:00 0 [heap]", HAS, ANON, "heap" },
	{ "7f5100000000-7f5100010000 rw-p 00000000 00:00 0 [anon:]", HAS, ANON, "anonymous" },
	{ "7f5200000000-7f5200010000 rw-p 00000000 00:00 0 [", HAS, ANON, "special" },
	{ "7f5300000000-7f5300010000 rw-p 00000000 00:00 0 x", HAS, ANON, "anonymous" },
	{ "7f5400000000-7f5400010000 rw-p 00000000 00:2a 3 (unreachable)/a", HAS, FILE_, "file" },
	{ "7f5500000000-7f5500010000 r--p 00000000 00:00 0", HAS, FILE_, "special" },
	{ "0-0 rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ "fffffffffffff000-ffffffffffffffff rw-p 00000000 00:00 0", HAS, ANON, "anonymous" },
	{ 0 },
};

static const struct {
	const char *what;
	const struct record *list;
	size_t n;
} lists[] = {
	{ "a program", program, ARRAY_SIZE(program) - 1 },
	{ "threads", threads, ARRAY_SIZE(threads) - 1 },
	{ "a JVM", jvm, ARRAY_SIZE(jvm) - 1 },
	{ "guards", guards, ARRAY_SIZE(guards) - 1 },
	{ "stacks", stacks, ARRAY_SIZE(stacks) - 1 },
	{ "shared memory", shared, ARRAY_SIZE(shared) - 1 },
	{ "Java heaps", java_heaps, ARRAY_SIZE(java_heaps) - 1 },
	{ "code", code, ARRAY_SIZE(code) - 1 },
	{ "remapped code", remapped, ARRAY_SIZE(remapped) - 1 },
	{ "oddities", odd, ARRAY_SIZE(odd) - 1 },
};

static void test_kinds(void **state)
{
	struct tally tally = { .subject = "kinds" };
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		tally_list(&tally, lists[i].what, lists[i].list);
		n += lists[i].n;
	}
	tally_finish(&tally, n);
}

/* Whatever the mappings are, they have a kind. */
static void test_any(void **state)
{
	static const char *const some[] = { "",		"[heap]",
					    "[stack]",	"[anon:x]",
					    "/lib/a",	"/memfd:java_heap",
					    "[vdso]",	"/SYSV00000000",
					    "(",	"anon_inode:[perf]",
					    "/memfd:x", "[stack:1]" };
	static const struct thpstat_usage nothing;
	struct tally tally = { .subject = "any mappings" };
	struct kind_walk walk = { 0 };
	uint64_t random = 7;
	const size_t n = 20000;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct thpstat_mapping mapping = {
			.start = random_below(&random, 8) * UINT64_C(0x100000),
			.inode = random_below(&random, 3),
			.class_ = (enum thpstat_class)(1 + random_below(&random, 4)),
			.flags = random_below(&random, 1u << 15),
			.name = some[random_below(&random, ARRAY_SIZE(some))],
			.usage = &nothing,
		};
		const struct smaps_header next = {
			.start = mapping.start + 0x100000,
			.inode = random_below(&random, 3),
			.flags = random_below(&random, 16),
		};
		enum thpstat_mapping_kind kind;

		mapping.end = mapping.start + random_below(&random, 4) * UINT64_C(0x100000);
		kind = kind_of(&walk, &mapping, strlen(mapping.name),
			       random_below(&random, 8) ? &next : NULL);
		tally_equal(&tally,
			    kind >= THPSTAT_MAPPING_KIND_HEAP &&
				    kind <= THPSTAT_MAPPING_KIND_SPECIAL,
			    1, "mapping %zu", i);
	}
	tally_finish(&tally, n);
}

static void test_names(void **state)
{
	struct tally tally = { .subject = "names" };
	enum thpstat_mapping_kind kind = THPSTAT_MAPPING_KIND_HEAP;

	(void)state;
	for (int i = THPSTAT_MAPPING_KIND_HEAP; i <= THPSTAT_MAPPING_KIND_SPECIAL; i++) {
		const char *name = thpstat_mapping_kind_name((enum thpstat_mapping_kind)i);

		tally_equal(&tally, thpstat_mapping_kind_from_name(name, &kind), 0, "%s", name);
		tally_equal(&tally, kind, i, "%s", name);
		assert_null(strchr(name, ' '));
	}
	tally_finish(&tally, 26);
	assert_string_equal(thpstat_mapping_kind_name((enum thpstat_mapping_kind)0), "unknown");
	assert_string_equal(thpstat_mapping_kind_name((enum thpstat_mapping_kind)14), "unknown");
	assert_string_equal(thpstat_mapping_kind_name((enum thpstat_mapping_kind) - 1), "unknown");
	assert_int_equal(thpstat_mapping_kind_from_name("unknown", &kind), -EINVAL);
	assert_int_equal(thpstat_mapping_kind_from_name("", &kind), -EINVAL);
	assert_int_equal(thpstat_mapping_kind_from_name("Heap", &kind), -EINVAL);
	assert_int_equal(thpstat_mapping_kind_from_name(NULL, &kind), -EINVAL);
	assert_int_equal(thpstat_mapping_kind_from_name("heap", NULL), -EINVAL);
	assert_string_equal(thpstat_class_name(THPSTAT_CLASS_ANON), "anon");
	assert_string_equal(thpstat_class_name(THPSTAT_CLASS_SHMEM), "shmem");
	assert_string_equal(thpstat_class_name(THPSTAT_CLASS_FILE), "file");
	assert_string_equal(thpstat_class_name(THPSTAT_CLASS_HUGETLB), "hugetlb");
	assert_string_equal(thpstat_class_name((enum thpstat_class)0), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#ifndef THPSTAT_METRIC_H
#define THPSTAT_METRIC_H

#include <thpstat/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum thpstat_metric - every number this library knows
 *
 * Numbers are never changed and never used again. A program built against a newer header gets
 * -EINVAL from an older library for a metric that it does not know. Unit, kernel source and
 * meaning of each are in its struct thpstat_metric_info, see thpstat_metric_info().
 */
enum thpstat_metric {
	THPSTAT_SIZE = 1,
	THPSTAT_KERNEL_PAGE_SIZE = 2,
	THPSTAT_MMU_PAGE_SIZE = 3,
	THPSTAT_RSS = 4,
	THPSTAT_PSS = 5,
	THPSTAT_PSS_DIRTY = 6,
	THPSTAT_PSS_ANON = 7,
	THPSTAT_PSS_FILE = 8,
	THPSTAT_PSS_SHMEM = 9,
	THPSTAT_SHARED_CLEAN = 10,
	THPSTAT_SHARED_DIRTY = 11,
	THPSTAT_PRIVATE_CLEAN = 12,
	THPSTAT_PRIVATE_DIRTY = 13,
	THPSTAT_REFERENCED = 14,
	THPSTAT_ANONYMOUS = 15,
	THPSTAT_KSM = 16,
	THPSTAT_LAZY_FREE = 17,
	THPSTAT_ANON_HUGE_PAGES = 18,
	THPSTAT_SHMEM_PMD_MAPPED = 19,
	THPSTAT_FILE_PMD_MAPPED = 20,
	THPSTAT_SHARED_HUGETLB = 21,
	THPSTAT_PRIVATE_HUGETLB = 22,
	THPSTAT_SWAP = 23,
	THPSTAT_SWAP_PSS = 24,
	THPSTAT_LOCKED = 25,
	THPSTAT_THP_ELIGIBLE = 26,
	THPSTAT_VM_SIZE = 40,
	THPSTAT_VM_HWM = 41,
	THPSTAT_VM_RSS = 42,
	THPSTAT_RSS_ANON = 43,
	THPSTAT_RSS_FILE = 44,
	THPSTAT_RSS_SHMEM = 45,
	THPSTAT_VM_PTE = 46,
	THPSTAT_VM_PMD = 47,
	THPSTAT_VM_SWAP = 48,
	THPSTAT_HUGETLB_PAGES = 49,
	THPSTAT_THP_ENABLED = 50,
	THPSTAT_THREADS = 51,
	THPSTAT_HUGETLB = 70,
	THPSTAT_HUGE = 71,
	THPSTAT_RESIDENT = 72,
	THPSTAT_RESIDENT_SHMEM = 73,
	THPSTAT_RESIDENT_FILE = 74,
	THPSTAT_RESIDENT_ONCE = 80,
	THPSTAT_RESIDENT_ONCE_MIN = 81,
	THPSTAT_RESIDENT_ONCE_MAX = 82,
	THPSTAT_HUGE_ONCE = 83,
	THPSTAT_HUGE_ONCE_MIN = 84,
	THPSTAT_HUGE_ONCE_MAX = 85,
	THPSTAT_COUNTED_AGAIN = 86,
	THPSTAT_ANON_ONCE = 87,
	THPSTAT_SHMEM_ONCE = 88,
	THPSTAT_FILE_ONCE = 89,
	THPSTAT_HUGETLB_ONCE = 90,
	THPSTAT_HUGETLB_ONCE_MAX = 91,
	THPSTAT_ANON_HUGE_ONCE = 92,
	THPSTAT_SHMEM_HUGE_ONCE = 93,
	THPSTAT_FILE_HUGE_ONCE = 94,
	THPSTAT_FOOTPRINT = 95,
	THPSTAT_MAPPINGS = 96,
	THPSTAT_MEM_TOTAL = 120,
	THPSTAT_MEM_FREE = 121,
	THPSTAT_MEM_AVAILABLE = 122,
	THPSTAT_BUFFERS = 123,
	THPSTAT_CACHED = 124,
	THPSTAT_ANON_PAGES = 125,
	THPSTAT_MAPPED = 126,
	THPSTAT_SHMEM = 127,
	THPSTAT_PAGE_TABLES = 128,
	THPSTAT_SEC_PAGE_TABLES = 129,
	THPSTAT_SWAP_TOTAL = 130,
	THPSTAT_SWAP_FREE = 131,
	THPSTAT_COMMIT_LIMIT = 132,
	THPSTAT_COMMITTED_AS = 133,
	THPSTAT_SHMEM_HUGE_PAGES = 134,
	THPSTAT_FILE_HUGE_PAGES = 135,
	THPSTAT_HUGE_PAGES_TOTAL = 136,
	THPSTAT_HUGE_PAGES_FREE = 137,
	THPSTAT_HUGE_PAGES_RSVD = 138,
	THPSTAT_HUGE_PAGES_SURP = 139,
	THPSTAT_HUGEPAGESIZE = 140,
	THPSTAT_HUGETLB_TOTAL = 141,
	THPSTAT_DIRECT_MAP_4K = 142,
	THPSTAT_DIRECT_MAP_2M = 143,
	THPSTAT_DIRECT_MAP_1G = 144,
	THPSTAT_HUGETLB_OTHER_SIZES = 150,
	THPSTAT_PAGE_SIZE = 151,
	THPSTAT_FREE_PMD_BLOCKS = 152,
	THPSTAT_THP_FAULT_ALLOC = 160,
	THPSTAT_THP_FAULT_FALLBACK = 161,
	THPSTAT_THP_FAULT_FALLBACK_CHARGE = 162,
	THPSTAT_THP_COLLAPSE_ALLOC = 163,
	THPSTAT_THP_COLLAPSE_ALLOC_FAILED = 164,
	THPSTAT_THP_FILE_ALLOC = 165,
	THPSTAT_THP_FILE_FALLBACK = 166,
	THPSTAT_THP_FILE_FALLBACK_CHARGE = 167,
	THPSTAT_THP_FILE_MAPPED = 168,
	THPSTAT_THP_SPLIT_PAGE = 169,
	THPSTAT_THP_SPLIT_PAGE_FAILED = 170,
	THPSTAT_THP_DEFERRED_SPLIT_PAGE = 171,
	THPSTAT_THP_UNDERUSED_SPLIT_PAGE = 172,
	THPSTAT_THP_SPLIT_PMD = 173,
	THPSTAT_THP_SCAN_EXCEED_NONE_PTE = 174,
	THPSTAT_THP_SCAN_EXCEED_SWAP_PTE = 175,
	THPSTAT_THP_SCAN_EXCEED_SHARE_PTE = 176,
	THPSTAT_THP_ZERO_PAGE_ALLOC = 177,
	THPSTAT_THP_ZERO_PAGE_ALLOC_FAILED = 178,
	THPSTAT_THP_SWPOUT = 179,
	THPSTAT_THP_SWPOUT_FALLBACK = 180,
	THPSTAT_THP_MIGRATION_SUCCESS = 181,
	THPSTAT_THP_MIGRATION_FAIL = 182,
	THPSTAT_THP_MIGRATION_SPLIT = 183,
	THPSTAT_COMPACT_STALL = 184,
	THPSTAT_COMPACT_FAIL = 185,
	THPSTAT_COMPACT_SUCCESS = 186,
	THPSTAT_HTLB_BUDDY_ALLOC_SUCCESS = 187,
	THPSTAT_HTLB_BUDDY_ALLOC_FAIL = 188,
	THPSTAT_HPAGE_PMD_SIZE = 200,
	THPSTAT_USE_ZERO_PAGE = 201,
	THPSTAT_SHRINK_UNDERUSED = 202,
	THPSTAT_HUGETEXT_ENABLED = 203,
	THPSTAT_HUGETEXT_PAD_THRESHOLD = 204,
	THPSTAT_KHUGEPAGED_PAGES_TO_SCAN = 210,
	THPSTAT_KHUGEPAGED_SCAN_SLEEP_MILLISECS = 211,
	THPSTAT_KHUGEPAGED_ALLOC_SLEEP_MILLISECS = 212,
	THPSTAT_KHUGEPAGED_MAX_PTES_NONE = 213,
	THPSTAT_KHUGEPAGED_MAX_PTES_SWAP = 214,
	THPSTAT_KHUGEPAGED_MAX_PTES_SHARED = 215,
	THPSTAT_KHUGEPAGED_DEFRAG = 216,
	THPSTAT_KHUGEPAGED_PAGES_COLLAPSED = 217,
	THPSTAT_KHUGEPAGED_FULL_SCANS = 218,
	THPSTAT_NR_HUGEPAGES = 230,
	THPSTAT_NR_HUGEPAGES_MEMPOLICY = 231,
	THPSTAT_FREE_HUGEPAGES = 232,
	THPSTAT_RESV_HUGEPAGES = 233,
	THPSTAT_SURPLUS_HUGEPAGES = 234,
	THPSTAT_NR_OVERCOMMIT_HUGEPAGES = 235,
	THPSTAT_POOL_TOTAL = 236,
	THPSTAT_POOL_FREE = 237,
	THPSTAT_POOL_IN_USE = 238,
	THPSTAT_POOL_RESERVED = 239,
	THPSTAT_POOL_PROMISED = 240,
	THPSTAT_POOL_AVAILABLE = 241,
	THPSTAT_ANON_FAULT_ALLOC = 250,
	THPSTAT_ANON_FAULT_FALLBACK = 251,
	THPSTAT_ANON_FAULT_FALLBACK_CHARGE = 252,
	THPSTAT_ZSWPOUT = 253,
	THPSTAT_SWPIN = 254,
	THPSTAT_SWPIN_FALLBACK = 255,
	THPSTAT_SWPIN_FALLBACK_CHARGE = 256,
	THPSTAT_SWPOUT = 257,
	THPSTAT_SWPOUT_FALLBACK = 258,
	THPSTAT_SHMEM_ALLOC = 259,
	THPSTAT_SHMEM_FALLBACK = 260,
	THPSTAT_SHMEM_FALLBACK_CHARGE = 261,
	THPSTAT_SPLIT = 262,
	THPSTAT_SPLIT_FAILED = 263,
	THPSTAT_SPLIT_DEFERRED = 264,
	THPSTAT_NR_ANON = 265,
	THPSTAT_NR_ANON_PARTIALLY_MAPPED = 266,
	THPSTAT_COLLAPSE_ALLOC = 267,
	THPSTAT_COLLAPSE_ALLOC_FAILED = 268,
	THPSTAT_METRIC_FORCE_INT = 0x7fffffff
};

/**
 * enum thpstat_ratio - every ratio this library knows
 * @THPSTAT_COVERAGE: huge / resident, each mapping counted
 * @THPSTAT_COVERAGE_ANON: AnonHugePages / Anonymous
 * @THPSTAT_COVERAGE_SHMEM: ShmemPmdMapped / resident_shmem
 * @THPSTAT_COVERAGE_FILE: FilePmdMapped / resident_file
 * @THPSTAT_COVERAGE_ONCE: huge_once / resident_once
 * @THPSTAT_COVERAGE_ANON_ONCE: anon_huge_once / anon_once
 * @THPSTAT_COVERAGE_SHMEM_ONCE: shmem_huge_once / shmem_once
 * @THPSTAT_COVERAGE_FILE_ONCE: file_huge_once / file_once
 */
enum thpstat_ratio {
	THPSTAT_COVERAGE = 1,
	THPSTAT_COVERAGE_ANON = 2,
	THPSTAT_COVERAGE_SHMEM = 3,
	THPSTAT_COVERAGE_FILE = 4,
	THPSTAT_COVERAGE_ONCE = 5,
	THPSTAT_COVERAGE_ANON_ONCE = 6,
	THPSTAT_COVERAGE_SHMEM_ONCE = 7,
	THPSTAT_COVERAGE_FILE_ONCE = 8,
	THPSTAT_RATIO_FORCE_INT = 0x7fffffff
};

enum thpstat_unit {
	THPSTAT_BYTES = 1,
	THPSTAT_PAGES = 2, /* pages of the size the record speaks of */
	THPSTAT_EVENTS = 3,
	THPSTAT_FLAG = 4, /* 0 or 1 */
	THPSTAT_COUNT = 5,
	THPSTAT_MILLISECONDS = 6,
	THPSTAT_UNIT_FORCE_INT = 0x7fffffff
};

enum thpstat_kind {
	THPSTAT_GAUGE = 1,   /* goes up and down */
	THPSTAT_COUNTER = 2, /* since boot, only up */
	THPSTAT_KIND_FORCE_INT = 0x7fffffff
};

/* Which records can have a metric: bits of thpstat_metric_info.subjects. */
#define THPSTAT_OF_PROCESS (1u << 0)
#define THPSTAT_OF_MAPPING (1u << 1)
#define THPSTAT_OF_HOST (1u << 2)
#define THPSTAT_OF_NODE (1u << 3)
#define THPSTAT_OF_PAGE_SIZE (1u << 4)
#define THPSTAT_OF_OBJECT (1u << 5)

/**
 * struct thpstat_metric_info - what a metric is
 * @metric: its number
 * @unit: of the value
 * @kind: gauge or counter
 * @subjects: THPSTAT_OF_ bits
 * @addable: 1 when thpstat_usage_add() adds it up over processes
 * @name: the kernel's field in snake case; also the JSON key, and in capitals the column
 * @kernel_field: the key in the kernel's file, or the formula of a derived metric
 * @description: one line of English
 * @kernel_files: files it is read from, separated by blanks; "" for a derived metric
 */
struct thpstat_metric_info {
	enum thpstat_metric metric;
	enum thpstat_unit unit;
	enum thpstat_kind kind;
	unsigned int subjects;
	int addable;
	const char *name;
	const char *kernel_field;
	const char *description;
	const char *kernel_files;
};

/**
 * struct thpstat_ratio_info - what a ratio is
 * @ratio: its number
 * @numerator: metric above
 * @denominator: metric below
 * @name: JSON key, and in capitals the column
 * @description: one line of English
 */
struct thpstat_ratio_info {
	enum thpstat_ratio ratio;
	enum thpstat_metric numerator;
	enum thpstat_metric denominator;
	const char *name;
	const char *description;
};

/**
 * thpstat_metric_info - what a metric is
 * @metric: which
 *
 * Return: static; NULL for a metric this library does not know.
 */
THPSTAT_API const struct thpstat_metric_info *thpstat_metric_info(enum thpstat_metric metric);

/**
 * thpstat_metric_next - go through all metrics in the order of their numbers
 * @metric: the one before; 0 to start
 *
 * Return: the next one, 0 after the last.
 */
THPSTAT_API enum thpstat_metric thpstat_metric_next(enum thpstat_metric metric);

/**
 * thpstat_metric_from_name - find a metric
 * @name: as in thpstat_metric_info.name
 * @ret: the metric
 *
 * Return: 0, or -EINVAL for a name this library does not know.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_metric_from_name(const char *name, enum thpstat_metric *ret);

/**
 * thpstat_ratio_info - what a ratio is
 * @ratio: which; go up from 1 until NULL to see all
 *
 * Return: static; NULL for a ratio this library does not know.
 */
THPSTAT_API const struct thpstat_ratio_info *thpstat_ratio_info(enum thpstat_ratio ratio);

#ifdef __cplusplus
}
#endif
#endif

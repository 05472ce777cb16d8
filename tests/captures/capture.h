/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CAPTURES_CAPTURE_H
#define TESTS_CAPTURES_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include <thpstat/thpstat.h>

#include "support/process_figures.h"
#include "support/tally.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

struct tree {
	const char *name;
	unsigned int minimum; /* figures that must at least be compared */
};

enum region_kind { KIND_ANON, KIND_SHMEM, KIND_FILE, KIND_HUGETLB, KIND_STACK };

/* A region of truth.json. */
struct region {
	const char *case_;
	const char *name;
	int pid;
	enum region_kind kind;
	uint64_t start;
	uint64_t end;
	uint64_t resident;  /* present, less zero pages */
	uint64_t anonymous; /* hugetlb not meant */
	uint64_t swapped;
	uint64_t pss;
	uint64_t thp_pages;  /* pages of large folios, however they are mapped */
	uint64_t contiguous; /* aligned, contiguous units of the PMD size */
	bool huge_known;     /* what PAGEMAP_SCAN found, huge zero pages left out */
	uint64_t huge;
	bool expect_known; /* what the workload expects to be mapped by PMD */
	uint64_t expect;
};

/* The truth of one process. */
struct process_truth {
	int pid;
	struct mapping_list mappings;
	int mappings_error;
};

struct capture {
	const struct tree *tree;
	struct tally tally;
	char *scratch;
	char *root;
	struct thpstat *source;
	json_t *truth;
	uint64_t base_page;
	uint64_t pmd_size;
	bool thp_supported;
	bool exact_counters; /* status is exact from 6.12.39 and 6.16 on */
	struct region *regions;
	size_t n_regions;
	struct process_truth *processes;
	size_t n_processes;
	int zombie;
	int leader_gone;
};

/* A path below the tree, to be freed. */
char *tree_path(const struct capture *capture, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A file of a process, NULL when it is not there; to be freed. */
char *process_file(const struct capture *capture, int pid, const char *name);

/* Fill the capture from truth.json, and from the tree by the library. */
void read_truth(struct capture *capture);
void read_processes(struct capture *capture);

/* Fails the running test when there is no such process. */
const struct process_truth *process_of(const struct capture *capture, int pid);

bool overlaps(const struct mapping_record *record, const struct region *region);

/* Bytes of the region that are mapped by PMD as THP. */
uint64_t region_huge(const struct region *region);

struct keyed_metric {
	enum thpstat_metric metric;
	const char *key;
};

/* Every key of a file against its metric, and absence against absence. */
void check_keys(struct tally *tally, const struct thpstat_usage *usage, const char *text,
		const struct keyed_metric *keys, size_t n_keys, const char *file, int pid);

/* Figures that a walk over processes can only have by reading smaps. */
extern const enum thpstat_metric once_metrics[];
extern const size_t n_once_metrics;

/* A ratio is that of its two figures, and never above 1; where it is absent it is said why. */
void check_ratios(struct tally *tally, const struct thpstat_usage *usage, const char *what,
		  int pid);

/* The tests, by what they hold against each other; those of one process need its mappings. */
void check_regions(struct capture *capture);
void check_stacks(struct capture *capture, const struct process_truth *process);
void check_once(struct capture *capture, const struct process_truth *process);
void check_shmem(struct capture *capture, const struct process_truth *process);
void check_footprint(struct capture *capture, const struct process_truth *process);
void check_rollup(struct capture *capture, const struct process_truth *process);
void check_states(struct capture *capture);
void check_host(struct capture *capture);
void check_cgroups(struct capture *capture);

#endif

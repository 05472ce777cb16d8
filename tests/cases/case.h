/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CASES_CASE_H
#define TESTS_CASES_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include <thpstat/thpstat.h>

#include "support/process_figures.h"
#include "support/tally.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

struct case_row {
	const char *name;
	unsigned int minimum; /* figures that must at least be compared */
};

/* A key of expected.json that is not compared, why, and how often it was met. */
struct left_out {
	const char *key;
	const char *reason;
	unsigned int met;
};

struct process_run {
	int pid;
	struct mapping_list mappings;
	int mappings_error;
	bool has_rollup;
	struct one_process plain;      /* walked with default figures */
	struct one_process with_smaps; /* walked with once figures */
};

struct case_run {
	const struct case_row *row;
	struct tally tally;
	char *directory;
	json_t *expected;
	struct thpstat *source;
	const struct thpstat_host *host;
	struct process_run *processes;
	size_t n_processes;
};

/* Setup and teardown of a test: *state is a row, and becomes the run. */
int open_case(void **state);
int close_case(void **state);

/* A key of expected.json and the metric it speaks of. */
struct figure_key {
	const char *key;
	enum thpstat_metric metric;
};

/* The figures of smaps and smaps_rollup. */
extern const struct figure_key memory_keys[];
extern const size_t n_memory_keys;

const struct figure_key *find_figure(const struct figure_key *keys, size_t n, const char *key);

/* What the value of a key is in the unit of its metric; false for null. */
bool wanted_value(const json_t *value, enum thpstat_metric metric, uint64_t *ret);

/* A key that is not compared; one that is not in the table of those differs. */
void leave_out(struct case_run *run, const char *key);
extern struct left_out left_out[];
extern const size_t n_left_out;

bool has_no_memory(const struct process_run *process);

/* How a key is compared. */
struct key_check {
	const char *key;
	void (*check)(struct case_run *run, struct process_run *process, const json_t *value);
	bool by_pid; /* the value is an object with a pid as key */
};

/* False when the table has no such key, or when it is of one process and @process is NULL. */
bool check_by_table(struct case_run *run, struct process_run *process, const char *key,
		    const json_t *value, const struct key_check *table, size_t n);

/*
 * The keys, by what they are about; each returns false when it does not know the key. @process is
 * NULL at the top of a case with several processes.
 */
bool check_process_key(struct case_run *run, struct process_run *process, const char *key,
		       const json_t *value);
bool check_mapping_key(struct case_run *run, struct process_run *process, const char *key,
		       const json_t *value);
bool check_cgroup_key(struct case_run *run, struct process_run *process, const char *key,
		      const json_t *value);
bool check_host_key(struct case_run *run, struct process_run *process, const char *key,
		    const json_t *value);

/* The cgroup of a process, against its file read by hand. */
void check_cgroup(struct case_run *run, const struct process_run *process);

#endif

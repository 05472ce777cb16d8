/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAULTS_ANSWER_H
#define TESTS_FAULTS_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <thpstat/thpstat.h>

#include "support/tally.h"

/*
 * All that an operation answered, so that the answer with a fault can be held against that without.
 * It is kept in one piece of memory: the operations run while allocations are counted.
 */
#define ANSWER_ITEMS 512
#define ANSWER_ENTRIES 60000

/* What is no metric: above every one of them. */
enum answer_text {
	ANSWER_COMM = 1000,
	ANSWER_CGROUP,
	ANSWER_CGROUP_DIRECTORY,
	ANSWER_COMMAND_LINE,
	ANSWER_START_TIME,
	ANSWER_STATE,
	ANSWER_FLAGS,
	ANSWER_ADDRESS,
	ANSWER_OBJECT,
	ANSWER_CLASS,
	ANSWER_NAME,
	ANSWER_VALUE,
	ANSWER_CHOICES,
	ANSWER_KERNEL,
	ANSWER_COUNT,
};

struct answer {
	int error;	 /* of the operation; 0 when it came to its end */
	size_t problems; /* told to the callback */
	bool has_lists;	 /* whose items may be missing when there was a problem */
	size_t n_items;
	size_t n_entries;
	struct answer_item {
		uint64_t id;
		int error;
		bool told; /* that something is missing */
		size_t first;
	} items[ANSWER_ITEMS];
	struct answer_entry {
		unsigned int what;
		enum thpstat_reason reason; /* of a figure that is absent */
		bool present;
		uint64_t value;
	} entries[ANSWER_ENTRIES];
};

void answer_clear(struct answer *answer);
void answer_item(struct answer *answer, uint64_t id, int error, bool told);

/* Of the item last begun. */
void answer_usage(struct answer *answer, const struct thpstat_usage *usage);
void answer_number(struct answer *answer, unsigned int what, uint64_t value);
void answer_text(struct answer *answer, unsigned int what, const char *text); /* or NULL */
void answer_absent(struct answer *answer, unsigned int what);

/* The same in each point. */
void answer_hold_equal(struct tally *tally, const struct answer *wanted, const struct answer *found,
		       const char *what);

/*
 * Each figure is equal or absent, and what is absent is told of: by the error of the operation or
 * of the item, by a reason, or, where there is no room for one, by a problem. Items may be missing
 * before one with an error, which stands for the end of a list. @ended: the fault was that of a
 * process that ends, and nothing needs to be told of what was to be read after its figures.
 */
void answer_hold_partly(struct tally *tally, const struct answer *wanted,
			const struct answer *found, bool ended, const char *what);

#endif

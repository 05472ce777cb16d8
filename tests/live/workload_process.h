/* SPDX-License-Identifier: MIT */
#ifndef TEST_WORKLOAD_PROCESS_H
#define TEST_WORKLOAD_PROCESS_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "page_truth.h"

#define WORKLOAD_NAME_SIZE 24
#define WORKLOAD_ITEMS_MAX 8

struct workload_region {
	char name[WORKLOAD_NAME_SIZE];
	uint64_t start;
	uint64_t end;
	struct page_truth truth;
};

struct workload_value {
	char name[WORKLOAD_NAME_SIZE];
	uint64_t number;
};

/* A running workload program and what it reported, see workload.c. All zero: none runs. */
struct workload {
	pid_t pid;
	FILE *reports;
	int commands;
	struct workload_region regions[WORKLOAD_ITEMS_MAX];
	size_t n_regions;
	struct workload_value values[WORKLOAD_ITEMS_MAX];
	size_t n_values;
};

/*
 * Starts a scenario and returns when it is ready. Skips the test when the scenario cannot be on
 * this machine, fails it when the scenario fails. The program ends with the test.
 */
void workload_start(struct workload *workload, const char *scenario, const char *argument);

/* Gives a command and waits until the program is ready again. */
void workload_command(struct workload *workload, const char *command);

/* Kills it and takes its exit status. Nothing to do is fine. */
void workload_end(struct workload *workload);

const struct workload_region *workload_region(const struct workload *workload, const char *name);
uint64_t workload_value(const struct workload *workload, const char *name);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_CAPTURE_H
#define CLI_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <thpstat/thpstat.h>

#include "anonymise.h"
#include "capture_writer.h"

/* What is being read, and so whose files these are. */
enum capture_stage {
	CAPTURE_SEARCH,	   /* which processes are meant: nothing of them is kept */
	CAPTURE_HOST,	   /* the host: of whatever process is read for it, it becomes proc/self */
	CAPTURE_PROCESSES, /* the processes, one by one */
};

/* Readings of files that are not written yet. */
struct readings {
	struct reading *items;
	size_t n;
	size_t capacity;
};

/* What was left out for one reason. */
struct left_out {
	int error;
	uint64_t n;
};

/* A capture in the making: takes what the library reads, and writes it. */
struct capture {
	struct capture_writer *writer;
	struct anonymiser *anonymiser; /* NULL: everything is written as it is */
	enum capture_stage stage;
	int pid; /* the process whose directory was opened last */
	bool self_lacks_mounts; /* process 1 is read in its place */
	struct readings host;
	struct readings process; /* of that pid */
	char **errors;		 /* lines of errors.tsv */
	size_t n_errors, errors_capacity;
	struct left_out *left_out;
	size_t n_left_out, left_out_capacity;
	uint64_t n_without_rule; /* files that cannot be anonymised */
	int error;		 /* why writing failed; nothing is written any more then */
};

/* A thpstat_file_fn, whose userdata is the capture. */
void capture_take(void *userdata, const struct thpstat_file_piece *piece);

/* Has all been read of the process that was opened last, and is it one to keep? */
bool capture_has_read(const struct capture *capture, const char *name);
void capture_write_process(struct capture *capture);

/* Write the rest: the host, and errors.tsv. */
void capture_write_host(struct capture *capture);

/* All but the writer. */
void capture_free(struct capture *capture);

#endif

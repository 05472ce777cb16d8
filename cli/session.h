/* SPDX-License-Identifier: MIT */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <stdbool.h>

#include <thpstat/thpstat.h>

#include "column.h"
#include "options.h"
#include "report.h"
#include "sysroot_archive.h"

/* What every command works with. */
struct session {
	const struct options *options;
	struct thpstat *source;
	struct sysroot_archive *archive; /* NULL unless --sysroot is one */
	const char *root;		 /* the directory that --sysroot means; NULL for none */
	/* the source is the host we run on: its users and libproc2's processes are those meant */
	bool own_host;
};

/* All return 0, or an exit status after one message. */
int session_open(struct session *session, const struct options *options);
/* The same, and @on_file is told of what is read. */
int session_open_told(struct session *session, const struct options *options,
		      thpstat_file_fn on_file, void *userdata);
int session_read_host(const struct session *session, const struct thpstat_host **ret);

void session_close(struct session *session);

/* A moment as JSON has it: "2026-01-31T12:00:00Z"; "" when it cannot be told. */
#define SESSION_TIME_SIZE 32
void session_time(char text[SESSION_TIME_SIZE]);

/* The record "thpstat" of JSON: what was read, by whom and when. */
struct report *session_envelope(const struct session *session, const struct thpstat_host *host);

/*
 * The columns that the options choose among @all. @usual is what people see without -o, names
 * separated by commas; NULL is all of them, as for JSON. Returns 0, or STATUS_USAGE after a
 * message.
 */
int session_columns(const struct session *session, const struct columns *all, const char *usual,
		    struct columns *ret);

#endif

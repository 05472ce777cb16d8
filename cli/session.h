/* SPDX-License-Identifier: MIT */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <stdbool.h>

#include <thpstat/thpstat.h>

#include "column.h"
#include "options.h"
#include "report.h"

/* What every command works with. */
struct session {
	const struct options *options;
	struct thpstat *source;
	/* the source is the host we run on: its users and libproc2's processes are those meant */
	bool own_host;
};

/* Both return 0, or an exit status after one message. */
int session_open(struct session *session, const struct options *options);
int session_read_host(const struct session *session, const struct thpstat_host **ret);

void session_close(struct session *session);

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

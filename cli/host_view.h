/* SPDX-License-Identifier: MIT */
#ifndef CLI_HOST_VIEW_H
#define CLI_HOST_VIEW_H

#include <thpstat/thpstat.h>

#include "session.h"

/* The host in a line or two, for people; returns the number of lines printed. */
size_t host_view_print_lines(const struct session *session, const struct thpstat_host *host);

/* All about the host, for people. */
void host_view_print(const struct session *session, const struct thpstat_host *host);

#endif

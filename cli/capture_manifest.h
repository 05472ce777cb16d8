/* SPDX-License-Identifier: MIT */
#ifndef CLI_CAPTURE_MANIFEST_H
#define CLI_CAPTURE_MANIFEST_H

#include "capture.h"
#include "process_walk.h"
#include "session.h"

/*
 * manifest.json of a capture: what it is of, when and by what it was taken, what is in it and what
 * is not. The text is to be freed.
 */
char *capture_manifest(const struct session *session, const struct capture *capture,
		       const struct process_walk *walk, const struct thpstat_host *host);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How far a walk over processes is: one line on stderr, when that is a terminal and the walk takes
 * longer than people like to wait. There is one at a time.
 */

/* @total is how many processes there will be; where it is 0, @count is asked once that is shown. */
void progress_begin(bool quiet, size_t total, size_t (*count)(const void *userdata),
		    const void *userdata);

/* One more is done. */
void progress_step(void);

/* Take the line away, before something else is printed; it comes again. */
void progress_hide(void);

void progress_end(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_STREAM_H
#define CLI_STREAM_H

#include <stdbool.h>

/* Before anything is opened: no file shall get the number of a closed standard stream. */
void stream_prepare(void);

/* Has writing to stdout failed, so that going on is in vain? */
bool stream_is_broken(void);

/* Write what is buffered. False when that, or any writing before, failed. */
bool stream_flush(void);

/* Close stdout. Returns @status, or STATUS_FAILED when not all of it could be written. */
int stream_finish(int status);

#endif

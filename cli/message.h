/* SPDX-License-Identifier: MIT */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

/* Exit statuses. */
enum {
	STATUS_READ = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_PARTLY = 64,
};

/* One line on stderr, after what stdout has so far. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a mistake of the caller. Returns STATUS_USAGE. */
int message_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A word or two for a negative errno of the library. */
const char *message_of_error(int error);

#endif

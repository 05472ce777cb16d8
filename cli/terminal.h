/* SPDX-License-Identifier: MIT */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Does the locale say UTF-8? */
bool terminal_is_utf8(void);

/* Size of the terminal that stdout is; false when it is none. */
bool terminal_size(size_t *columns, size_t *lines);

/* Columns to lay out text for: those of the terminal, else 80. */
size_t terminal_columns(void);

/* May colours be used when nobody said so? NO_COLOR and dumb terminals say no. */
bool terminal_wants_color(void);

#endif

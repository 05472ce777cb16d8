/* SPDX-License-Identifier: MIT */
#ifndef CLI_COVERAGE_BAR_H
#define CLI_COVERAGE_BAR_H

#include <stddef.h>

#define COVERAGE_BAR_CELLS 10
/* Each cell takes up to three bytes. */
#define COVERAGE_BAR_MAX (COVERAGE_BAR_CELLS * 3 + 1)

/*
 * A bar of up to @cells cells for @ratio, 0 to 1, without trailing blanks; in eighths of a cell
 * where the locale is UTF-8, of '#' elsewhere. Returns @buffer.
 */
const char *coverage_bar(double ratio, size_t cells, char buffer[COVERAGE_BAR_MAX]);

#endif

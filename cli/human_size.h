/* SPDX-License-Identifier: MIT */
#ifndef CLI_HUMAN_SIZE_H
#define CLI_HUMAN_SIZE_H

#include <stdint.h>

/* Longest text of human_size() with its NUL: "18446744073709551615 B". */
#define HUMAN_SIZE_MAX 24

/* "0 B", "304 KiB", "26.7 MiB", "1.55 GiB". Returns @buffer. */
const char *human_size(uint64_t bytes, char buffer[HUMAN_SIZE_MAX]);

/* A page size, which is a whole number of its unit: "64 KiB", "2 MiB". Returns @buffer. */
const char *human_page_size(uint64_t bytes, char buffer[HUMAN_SIZE_MAX]);

/* "0%", "<1%", "45%", ">99%", "100%": the ends are said only when they are true. */
const char *human_percent(double ratio, char buffer[8]);

#endif

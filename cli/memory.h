/* SPDX-License-Identifier: MIT */
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include <stddef.h>

/* Without memory the program says so and ends with status 1. */
__attribute__((noreturn)) void memory_exhausted(void);

/* Memory that is there. */
void *memory_zeroed(size_t n, size_t size);
void *memory_resized(void *old, size_t n, size_t size);
char *memory_copy(const char *text);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Room for one more element in an array of *@capacity that holds @n. */
void *memory_room(void *array, size_t n, size_t *capacity, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_COUNTED_MALLOC_H
#define TESTS_UNIT_COUNTED_MALLOC_H

/* Allocations of the whole program so far, those of libc for itself included. */
unsigned long counted_malloc(void);

#endif

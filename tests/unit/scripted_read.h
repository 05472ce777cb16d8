/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_SCRIPTED_READ_H
#define TESTS_UNIT_SCRIPTED_READ_H

#include <stddef.h>

/*
 * read(2), as the library calls it, at the will of a test: a program that links with
 * -Wl,--wrap=read gets its bytes in pieces, or an error.
 */

/* At most this many bytes with the first read and with each other one; 0 is no limit. */
void scripted_read_pieces(size_t first, size_t others);

/* Read number @number, counted from 1 and from here on, fails; 0: none does. */
void scripted_read_error(unsigned long number, int error);

/* Every second read is interrupted. */
void scripted_read_interrupt(void);

/* As if there were no script. */
void scripted_read_plain(void);

/* Reads since the last call of any of the above. */
unsigned long scripted_read_count(void);

#endif

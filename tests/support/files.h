/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reading files in the plainest way, with no code of the library in it: the tests compare what
 * the library says with what these find. All of them fail the running test on an error, unless
 * it is said otherwise.
 */

/* printf into memory to be freed. */
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The whole file with a NUL behind it, to be freed; NULL when there is no such file. */
char *file_text(const char *path, size_t *ret_size);

/* The file without the newline at its end, to be freed; NULL when there is no such file. */
char *file_line(const char *path);

/* The number a file consists of; false when there is no such file. */
bool file_number(const char *path, uint64_t *ret);

/*
 * The number behind "@key" at the beginning of a line, then ':' or blanks; "kB" turns it into
 * bytes. False when no line begins like this.
 */
bool key_number(const char *text, const char *key, uint64_t *ret);

/* The rest of the line behind "@key:" and blanks, to be freed; NULL when there is none. */
char *key_text(const char *text, const char *key);

/* The word in brackets, to be freed; NULL when there are no brackets. */
char *bracketed_word(const char *text);

bool file_exists(const char *path);
bool directory_exists(const char *path);

/*
 * The names in a directory that begin with @prefix, sorted, "." and ".." left out; none when
 * there is no such directory. Freed with names_free().
 */
char **directory_names(const char *path, const char *prefix, size_t *ret_n);
void names_free(char **names, size_t n);

/* A new directory below TMPDIR, or /tmp; its name is to be freed by scratch_remove(). */
char *scratch_make(void);
void scratch_unpack(const char *scratch, const char *archive);
void scratch_remove(char *scratch);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TEST_KERNEL_TEXT_H
#define TEST_KERNEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A tiny reader of smaps, smaps_rollup and status for the tests, written apart from the library's
 * so that one can be held against the other. It reads everything into memory and knows no field
 * by name.
 */

/* One record of smaps. */
struct kernel_record {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t inode;
	unsigned int major;
	unsigned int minor;
	char permissions[5];
	char *name;
	/* its lines, up to the next record */
	const char *fields;
	size_t fields_length;
};

struct kernel_records {
	struct kernel_record *list;
	size_t n;
};

/* The whole of a file, ended by a NUL that @ret_length does not count; NULL and errno on failure.
 */
char *kernel_text_read(const char *path, size_t *ret_length);

/* Splits the text of smaps, which has to outlive the records. Return: false when it is not one. */
bool kernel_records_split(const char *text, struct kernel_records *ret);
void kernel_records_free(struct kernel_records *records);

/**
 * kernel_field - sums up a field over all lines of a text
 * @text: smaps, a part of it, smaps_rollup or status
 * @length: of @text
 * @key: the word before the colon
 * @ret: the sum, in bytes where the lines say kB
 *
 * Return: how many lines have the key.
 */
size_t kernel_field(const char *text, size_t length, const char *key, uint64_t *ret);

/* Does a field change when another process maps the same pages, the C library's for one? */
bool kernel_field_is_of_others(const char *key, size_t length);

/* Are two texts equal in all that the process itself decides? */
bool kernel_text_stands_still(const char *before, const char *after);

/* Does the line VmFlags of a record hold the two letters? */
bool kernel_record_has_flag(const struct kernel_record *record, const char *letters);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One run of a target over one input, as libFuzzer wants it; replay.c calls it with the seeds. A
 * target checks invariants: one that does not hold ends the program.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define fuzz_require(condition, ...)                                                               \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fuzz_violated(__FILE__, __LINE__, #condition, __VA_ARGS__);                \
	} while (0)

__attribute__((noreturn, format(printf, 4, 5))) void
fuzz_violated(const char *file, int line, const char *condition, const char *format, ...);

/* Zeroed memory, never NULL. */
void *fuzz_memory(size_t n, size_t size);

/* A copy with nothing behind it, so that a sanitizer sees each byte that is read beyond it. */
char *fuzz_copy(const void *data, size_t size);

/* A copy with a NUL behind it. */
char *fuzz_text(const void *data, size_t size);

/* A text that grows. */
struct fuzz_buffer {
	char *text;
	size_t size;
	size_t room;
};

void fuzz_append(struct fuzz_buffer *buffer, const void *data, size_t size);
void fuzz_append_text(struct fuzz_buffer *buffer, const char *text);
void fuzz_buffer_free(struct fuzz_buffer *buffer);

/* Input that is taken as numbers; 0 behind its end. */
struct fuzz_input {
	const uint8_t *p;
	const uint8_t *end;
};

uint8_t fuzz_byte(struct fuzz_input *input);
uint64_t fuzz_number(struct fuzz_input *input); /* eight bytes */

/* Numbers that depend on an input and on nothing else. */
uint64_t fuzz_seed(const void *data, size_t size);
size_t fuzz_below(uint64_t *seed, size_t n);

#endif

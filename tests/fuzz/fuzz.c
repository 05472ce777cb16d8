/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

void fuzz_violated(const char *file, int line, const char *condition, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s:%d: does not hold: %s: ", file, line, condition);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	abort();
}

void *fuzz_memory(size_t n, size_t size)
{
	void *memory = calloc(n ? n : 1, size);

	if (!memory)
		fuzz_violated(__FILE__, __LINE__, "memory", "%zu times %zu bytes", n, size);
	return memory;
}

char *fuzz_copy(const void *data, size_t size)
{
	char *copy = malloc(size);

	if (!copy && size)
		fuzz_violated(__FILE__, __LINE__, "memory", "%zu bytes", size);
	if (size)
		memcpy(copy, data, size);
	return copy;
}

char *fuzz_text(const void *data, size_t size)
{
	char *text = fuzz_memory(size + 1, 1);

	if (size)
		memcpy(text, data, size);
	return text;
}

void fuzz_append(struct fuzz_buffer *buffer, const void *data, size_t size)
{
	if (!size)
		return;
	if (size > buffer->room - buffer->size) {
		size_t room = 2 * buffer->room + size;
		char *text = fuzz_memory(room, 1);

		if (buffer->size)
			memcpy(text, buffer->text, buffer->size);
		free(buffer->text);
		buffer->text = text;
		buffer->room = room;
	}
	memcpy(buffer->text + buffer->size, data, size);
	buffer->size += size;
}

void fuzz_append_text(struct fuzz_buffer *buffer, const char *text)
{
	fuzz_append(buffer, text, strlen(text));
}

void fuzz_buffer_free(struct fuzz_buffer *buffer)
{
	free(buffer->text);
	*buffer = (struct fuzz_buffer){ 0 };
}

uint8_t fuzz_byte(struct fuzz_input *input)
{
	return input->p < input->end ? *input->p++ : 0;
}

uint64_t fuzz_number(struct fuzz_input *input)
{
	uint64_t number = 0;

	for (int i = 0; i < 8; i++)
		number = number << 8 | fuzz_byte(input);
	return number;
}

uint64_t fuzz_seed(const void *data, size_t size)
{
	const uint8_t *p = data;
	uint64_t seed = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		seed = (seed ^ p[i]) * UINT64_C(0x100000001b3);
	return seed | 1; /* 0 would stay 0 */
}

size_t fuzz_below(uint64_t *seed, size_t n)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (size_t)((*seed >> 32) % n);
}

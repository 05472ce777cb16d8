/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "temporary.h"

void memory_exhausted(void)
{
	fputs("thpstat: out of memory\n", stderr);
	temporary_remove_all();
	/* what is still in the buffer of stdout shall not make an answer look complete */
	_exit(EXIT_FAILURE);
}

static void *checked(void *memory)
{
	if (!memory)
		memory_exhausted();
	return memory;
}

void *memory_zeroed(size_t n, size_t size)
{
	return checked(calloc(n ? n : 1, size));
}

void *memory_resized(void *old, size_t n, size_t size)
{
	return checked(reallocarray(old, n, size));
}

char *memory_copy(const char *text)
{
	return checked(strdup(text));
}

char *memory_format(const char *format, ...)
{
	char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return checked(text);
}

void *memory_room(void *array, size_t n, size_t *capacity, size_t size)
{
	if (n < *capacity)
		return array;
	*capacity = *capacity ? *capacity * 2 : 16;
	return memory_resized(array, *capacity, size);
}

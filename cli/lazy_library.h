/* SPDX-License-Identifier: MIT */
#ifndef CLI_LAZY_LIBRARY_H
#define CLI_LAZY_LIBRARY_H

#include <stddef.h>

/*
 * A library that only some commands need is loaded by the first function that uses it: to load all
 * of them takes longer than many a look. After
 *
 *	#define JANSSON(each) each(json_array) each(json_dumpf)
 *	LAZY_LIBRARY(jansson, JANSSON_SONAME, JANSSON)
 *
 * there is jansson_load(), and behind it jansson.json_array() can be called. The library's own
 * header says what it takes; the build tells the soname that belongs to this header.
 */
#define LAZY_LIBRARY(library, soname, functions)                                                   \
	static struct {                                                                            \
		functions(LAZY_POINTER)                                                            \
	} library;                                                                                 \
                                                                                                   \
	static void library##_load(void)                                                           \
	{                                                                                          \
		static const char *const names[] = { functions(LAZY_NAME) };                       \
                                                                                                   \
		_Static_assert(sizeof(library) == sizeof(names), "a pointer for each name");       \
		lazy_library_load(soname, names, sizeof(names) / sizeof(names[0]), &library);      \
	}

#define LAZY_POINTER(function) typeof(&function) function;
#define LAZY_NAME(function) #function,

/*
 * Fill the @n pointers at @pointers with the functions of these names, unless that was done
 * before. Ends the program with a message when the library is not there or lacks one of them.
 */
void lazy_library_load(const char *soname, const char *const *names, size_t n, void *pointers);

#endif

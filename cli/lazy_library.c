/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "lazy_library.h"
#include "message.h"

static _Noreturn void give_up(void)
{
	message("cannot load a library that this needs: %s", dlerror());
	exit(STATUS_FAILED);
}

void lazy_library_load(const char *soname, const char *const *names, size_t n, void *pointers)
{
	void *library, *last;

	/* they are filled in turn: with the last one all are there */
	memcpy(&last, (char *)pointers + (n - 1) * sizeof(last), sizeof(last));
	if (last)
		return;
	library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		give_up();
	for (size_t i = 0; i < n; i++) {
		void *function = dlsym(library, names[i]);

		if (!function)
			give_up();
		memcpy((char *)pointers + i * sizeof(function), &function, sizeof(function));
	}
}

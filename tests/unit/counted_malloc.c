/* SPDX-License-Identifier: MIT */
/*
 * A program that links this has an allocator that counts. With AddressSanitizer, whose allocator
 * must stay in its place, that one is asked to tell.
 */
#include <stdatomic.h>
#include <stddef.h>

#include "counted_malloc.h"

static atomic_ulong count;

unsigned long counted_malloc(void)
{
	return atomic_load(&count);
}

#ifdef __has_feature
#define HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif

#if HAS_SANITIZER

int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *, size_t),
					      void (*free_hook)(const volatile void *));

static void note_malloc(const volatile void *memory, size_t size)
{
	(void)memory;
	(void)size;
	atomic_fetch_add(&count, 1);
}

static void note_free(const volatile void *memory)
{
	(void)memory;
}

__attribute__((constructor)) static void install(void)
{
	__sanitizer_install_malloc_and_free_hooks(note_malloc, note_free);
}

#else

/* Names under which glibc has its own. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void *malloc(size_t size);
EXPORTED void *calloc(size_t n, size_t size);
EXPORTED void *realloc(void *memory, size_t size);
EXPORTED void *memalign(size_t alignment, size_t size);
EXPORTED void *aligned_alloc(size_t alignment, size_t size);
EXPORTED void free(void *memory);

void *malloc(size_t size)
{
	atomic_fetch_add(&count, 1);
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	atomic_fetch_add(&count, 1);
	return __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
	atomic_fetch_add(&count, 1);
	return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
	atomic_fetch_add(&count, 1);
	return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

void free(void *memory)
{
	__libc_free(memory);
}

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TEST_HOST_SETTINGS_H
#define TEST_HOST_SETTINGS_H

#include <stdint.h>

/*
 * What a test changes on this host, and what puts it back.
 *
 * The first change takes a lock for all live tests of the host and starts a watcher process in a
 * session of its own. A change is noted in memory shared with the watcher before it is made; the
 * watcher undoes all of them, newest first, when it is asked to, and also when the test dies:
 * by a failed assertion that nobody caught, by any signal, by SIGKILL.
 */

#define HOST_THP_ENABLED "/sys/kernel/mm/transparent_hugepage/enabled"
#define HOST_THP_DEFRAG "/sys/kernel/mm/transparent_hugepage/defrag"
#define HOST_SHMEM_ENABLED "/sys/kernel/mm/transparent_hugepage/shmem_enabled"
#define HOST_NR_HUGEPAGES "/proc/sys/vm/nr_hugepages"

/* Takes the lock and starts the watcher, for a test that measures before it changes anything. */
void host_settings_hold(void);

/*
 * Sets one setting until host_settings_restore(). Where it cannot be set the test is skipped with
 * the reason; a setting that is taken and then reads differently is a failure.
 */
void host_setting_require(const char *path, const char *value);

/*
 * Makes the pool of the default hugetlb size hold @bytes more. Skips where that may not be set,
 * fails where the memory cannot be had.
 */
void host_hugetlb_require(uint64_t bytes);

/* A new directory below the directory for temporary files, removed with all that is in it. */
const char *host_directory_make(void);

/* Gathers free memory into large blocks, where permitted. */
void host_compact_memory(void);

/* Undoes every change. Nothing to do is fine. Fails the test when something is not as before. */
void host_settings_restore(void);

/* The same as a teardown of cmocka. */
int host_settings_teardown(void **state);

/* The value of a setting: the word in brackets, or all of the line. Return: 0 or a negative errno.
 */
int host_setting_read(const char *path, char *value, size_t size);

/* One line of meminfo as the kernel's number, kB or pages; 0 when there is none. */
uint64_t host_meminfo(const char *key);

#endif

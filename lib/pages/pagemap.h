/* SPDX-License-Identifier: MIT */
#ifndef LIB_PAGES_PAGEMAP_H
#define LIB_PAGES_PAGEMAP_H

#include <stdint.h>

#include "tree/tree.h"

/*
 * Which pages of a process are present: /proc/PID/pagemap, by its ioctl PAGEMAP_SCAN where the
 * kernel has it (Linux 6.7), else by its entries. Whoever may read smaps may read it. Only of the
 * running system: no tree has a copy.
 */
#define PAGEMAP_FILE (1u << 0) /* of a file or of shared memory, not a copy of the process' own */
#define PAGEMAP_HUGE (1u << 1) /* mapped by a PMD or larger; only by PAGEMAP_SCAN */

/* Most that one request covers: the lock of the address space is held that long. */
#define PAGEMAP_PIECE (UINT64_C(64) << 20)

struct pagemap {
	int fd; /* -1: not open */
	int has_scan;
	uint64_t page_size; /* base pages of this kernel; bytes */
};

/* 0; -ENODATA when the tree is not live; else a negative errno. */
int pagemap_open(struct pagemap *pagemap, const struct tree *tree, const struct directory *process,
		 uint64_t page_size);

/* Leaves what is not open as it is. */
void pagemap_close(struct pagemap *pagemap);

/* Is told of present pages [start, end), zero pages left out where the kernel tells them apart. */
typedef void pagemap_run_fn(void *userdata, uint64_t start, uint64_t end, unsigned int bits);

/*
 * Tells of the present pages of [start, end), whole pages and at most PAGEMAP_PIECE, in ascending
 * order. 0 or a negative errno.
 */
int pagemap_read(struct pagemap *pagemap, uint64_t start, uint64_t end, pagemap_run_fn *told,
		 void *userdata);

#endif

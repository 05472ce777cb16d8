/* SPDX-License-Identifier: MIT */
#ifndef THPSTAT_HOST_H
#define THPSTAT_HOST_H

#include <stddef.h>
#include <stdint.h>

#include <thpstat/common.h>
#include <thpstat/source.h>
#include <thpstat/usage.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct thpstat_policy - one setting
 * @knob: its file below /sys/kernel/mm/transparent_hugepage, such as "enabled" or
 *	"khugepaged/defrag"; the page size's directory is not part of it
 * @value: the word in brackets, or the number; NULL when it could not be read or has no brackets
 * @choices: all words it offers, separated by blanks; NULL for a number
 * @page_size: bytes, for a setting of one page size (mTHP); 0 for one of the host
 * @error: 0, or why @value is NULL: -EACCES, -EBADMSG
 */
struct thpstat_policy {
	const char *knob;
	const char *value;
	const char *choices;
	uint64_t page_size;
	int error;
};

/**
 * struct thpstat_page_size - one huge page size
 * @bytes: the size
 * @usage: its hugetlb pool (when there is one) and its THP counters (when there are some)
 */
struct thpstat_page_size {
	uint64_t bytes;
	const struct thpstat_usage *usage;
};

/**
 * struct thpstat_node - one NUMA node
 * @number: its number
 * @usage: its meminfo
 * @page_sizes: its hugetlb pools, by size
 * @n_page_sizes: how many
 */
struct thpstat_node {
	unsigned int number;
	const struct thpstat_usage *usage;
	const struct thpstat_page_size *page_sizes;
	size_t n_page_sizes;
};

/**
 * struct thpstat_host - a snapshot of the host
 * @usage: meminfo, vmstat, khugepaged, free blocks
 * @page_sizes: every size that hugetlb or THP knows, ascending
 * @n_page_sizes: how many
 * @policies: every setting found, those of the host first
 * @n_policies: how many
 * @nodes: ascending
 * @n_nodes: how many
 * @thp_directory: directory of the settings below /sys/kernel/mm, "transparent_hugepage" or a
 *	vendor's name for it; NULL when the kernel has no THP (or the tree no such directory)
 */
struct thpstat_host {
	const struct thpstat_usage *usage;
	const struct thpstat_page_size *page_sizes;
	size_t n_page_sizes;
	const struct thpstat_policy *policies;
	size_t n_policies;
	const struct thpstat_node *nodes;
	size_t n_nodes;
	const char *thp_directory;
};

/**
 * thpstat_host_read - take a snapshot of the host
 * @source: an opened source
 * @ret: freed with thpstat_host_free()
 *
 * Kernel sources: /proc/meminfo, /proc/vmstat, /proc/buddyinfo, /proc/self/smaps (base page
 * size), /sys/kernel/mm/transparent_hugepage, /sys/kernel/mm/hugepages,
 * /sys/devices/system/node. Each may be missing.
 *
 * Return: 0, -ENOMEM, -EMFILE, -EIO. What may not be read is absent, and directories of which that
 * is so are told to the callback for problems.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_host_read(struct thpstat *source,
						const struct thpstat_host **ret);

/**
 * thpstat_host_free - free a snapshot
 * @host: may be NULL
 *
 * Return: NULL.
 */
THPSTAT_API const struct thpstat_host *thpstat_host_free(const struct thpstat_host *host);

#ifdef __cplusplus
}
#endif
#endif

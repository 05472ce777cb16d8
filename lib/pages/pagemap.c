/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pages/pagemap.h"

/* As Linux has it from 6.7 on: older headers, which we may be built with, have it not. */
struct scan_region {
	uint64_t start;
	uint64_t end;
	uint64_t categories;
};

struct scan_request {
	uint64_t size;
	uint64_t flags;
	uint64_t start;
	uint64_t end;
	uint64_t walk_end; /* out: how far it came */
	uint64_t regions;  /* address of an array */
	uint64_t n_regions;
	uint64_t max_pages;
	uint64_t category_inverted;
	uint64_t category_mask; /* all of these */
	uint64_t category_anyof_mask;
	uint64_t return_mask; /* what to tell apart */
};

#define SCAN_REQUEST _IOWR('f', 16, struct scan_request)
#define SCAN_FILE (UINT64_C(1) << 2)
#define SCAN_PRESENT (UINT64_C(1) << 3)
#define SCAN_ZERO_PAGE (UINT64_C(1) << 5)
#define SCAN_HUGE (UINT64_C(1) << 6)
#define SCAN_REGIONS 128

/* Of an entry of the file. */
#define ENTRY_FILE (UINT64_C(1) << 61)
#define ENTRY_PRESENT (UINT64_C(1) << 63)
#define ENTRIES 512

int pagemap_open(struct pagemap *pagemap, const struct tree *tree, const struct directory *process,
		 uint64_t page_size)
{
	if (!tree->live)
		return -ENODATA;

	int fd = tree_open_file(tree, process, "pagemap");

	if (fd < 0)
		return fd;
	pagemap->fd = fd;
	pagemap->has_scan = 1; /* until it turns out that it has not */
	pagemap->page_size = page_size;
	return 0;
}

void pagemap_close(struct pagemap *pagemap)
{
	if (pagemap->fd >= 0)
		close(pagemap->fd);
	pagemap->fd = -1;
}

static unsigned int bits_of_categories(uint64_t categories)
{
	return (categories & SCAN_FILE ? PAGEMAP_FILE : 0) |
	       (categories & SCAN_HUGE ? PAGEMAP_HUGE : 0);
}

static int scan(const struct pagemap *pagemap, uint64_t start, uint64_t end, pagemap_run_fn *told,
		void *userdata)
{
	/* the kernel fills them; set all the same for valgrind, which does not know the ioctl */
	struct scan_region regions[SCAN_REGIONS] = { 0 };

	while (start < end) {
		struct scan_request request = {
			.size = sizeof(request),
			.start = start,
			.end = end,
			.regions = (uint64_t)(uintptr_t)regions,
			.n_regions = SCAN_REGIONS,
			.category_mask = SCAN_PRESENT,
			.return_mask = SCAN_FILE | SCAN_PRESENT | SCAN_ZERO_PAGE | SCAN_HUGE,
		};
		int n = ioctl(pagemap->fd, SCAN_REQUEST, &request);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		for (int i = 0; i < n && i < SCAN_REGIONS; i++)
			if (!(regions[i].categories & SCAN_ZERO_PAGE))
				told(userdata, regions[i].start, regions[i].end,
				     bits_of_categories(regions[i].categories));
		if (request.walk_end <= start)
			return -EIO; /* it would never end */
		start = request.walk_end;
	}
	return 0;
}

/* Bytes at an offset, all of them. */
static int read_entries(int fd, uint64_t *entries, size_t n, uint64_t offset)
{
	char *to = (char *)entries;
	size_t left = n * sizeof(*entries);

	while (left) {
		ssize_t got = pread(fd, to, left, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -ESRCH; /* no address space any more */
		to += got;
		left -= (size_t)got;
		offset += (uint64_t)got;
	}
	return 0;
}

static int read_all_entries(const struct pagemap *pagemap, uint64_t start, uint64_t end,
			    pagemap_run_fn *told, void *userdata)
{
	uint64_t entries[ENTRIES];
	uint64_t size = pagemap->page_size;

	while (start < end) {
		uint64_t left = (end - start) / size;
		size_t n = left < ENTRIES ? (size_t)left : ENTRIES;
		int error = read_entries(pagemap->fd, entries, n, start / size * sizeof(*entries));

		if (error)
			return error;
		for (size_t i = 0, next; i < n; i = next) {
			uint64_t kind = entries[i] & (ENTRY_PRESENT | ENTRY_FILE);

			for (next = i + 1; next < n; next++)
				if ((entries[next] & (ENTRY_PRESENT | ENTRY_FILE)) != kind)
					break;
			if (kind & ENTRY_PRESENT)
				told(userdata, start + i * size, start + next * size,
				     kind & ENTRY_FILE ? PAGEMAP_FILE : 0);
		}
		start += n * size;
	}
	return 0;
}

int pagemap_read(struct pagemap *pagemap, uint64_t start, uint64_t end, pagemap_run_fn *told,
		 void *userdata)
{
	if (pagemap->has_scan) {
		int error = scan(pagemap, start, end, told, userdata);

		/* before Linux 6.7, or where a filter forbids what it does not know */
		if (error != -ENOTTY && error != -EINVAL && error != -ENOSYS && error != -EPERM)
			return error;
		pagemap->has_scan = 0;
	}
	return read_all_entries(pagemap, start, end, told, userdata);
}

/* SPDX-License-Identifier: MIT */
#ifndef LIB_PAGES_OBJECT_PAGES_H
#define LIB_PAGES_OBJECT_PAGES_H

#include "account/once.h"
#include "account/page_bitmap.h"
#include "pages/pagemap.h"

/* Which pages of the objects behind its mappings a process has, for what smaps leaves open. */
struct object_pages {
	struct pagemap pagemap;
	int settled;		     /* at least one object was */
	int changed;		     /* a mapping had not the pages any more that smaps told of */
	struct page_bitmap resident; /* of the stretch that is looked at */
	struct page_bitmap huge;
};

/*
 * A once_pages_fn; @userdata is a struct object_pages whose pagemap is open. 0, or a negative errno
 * when it cannot be settled: -EAGAIN when the mappings changed since smaps was read.
 */
int object_pages_settle(void *userdata, struct once_range *ranges, size_t n,
			struct once_pages *ret);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_BUDDYINFO_H
#define LIB_PARSE_BUDDYINFO_H

#include <stddef.h>
#include <stdint.h>

/*
 * Free blocks of @order and above over all nodes and zones of /proc/buddyinfo, counted in blocks
 * of @order. 0, or -1 when no line holds so high an order.
 */
int buddyinfo_free_blocks(const char *text, size_t length, unsigned int order, uint64_t *ret);

#endif

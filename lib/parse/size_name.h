/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_SIZE_NAME_H
#define LIB_PARSE_SIZE_NAME_H

#include <stdint.h>

/* Bytes in a directory name such as "hugepages-2048kB"; 0, or -1 for any other name. */
int size_name_parse(const char *name, uint64_t *ret);

#endif

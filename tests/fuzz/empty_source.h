/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_EMPTY_SOURCE_H
#define TESTS_FUZZ_EMPTY_SOURCE_H

#include "source.h"

/* A source without a directory: its tables are there, and no file is. Made once. */
struct thpstat *empty_source(void);

#endif

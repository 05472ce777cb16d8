/* SPDX-License-Identifier: MIT */
#ifndef CLI_USER_H
#define CLI_USER_H

#include <stdbool.h>
#include <stdint.h>

/* Users of the host we run on; a saved tree may come from another one. */

/* Borrowed until the next call; NULL when there is no name. */
const char *user_name(uint32_t uid);

/* Returns 0, -ENOENT for an unknown name or another negative errno. */
int user_find(const char *name, uint32_t *ret);

#endif

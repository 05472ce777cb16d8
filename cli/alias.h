/* SPDX-License-Identifier: MIT */
#ifndef CLI_ALIAS_H
#define CLI_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Stand-ins for texts: the same for the same text, another for another, and nothing about the text
 * in it but its kind. They are counted, or drawn by lot, so that there is no way back.
 */
struct aliases;

struct aliases *aliases_new(void);
/* NULL is fine. Returns NULL. */
struct aliases *aliases_free(struct aliases *aliases);

/*
 * "name17"; for the id of a container (64 hexadecimal digits) or a UUID another one, so that it is
 * still known for what it is. It belongs to @aliases.
 */
const char *alias_of(struct aliases *aliases, const char *text, size_t length);

/* The same to @out; an empty text stays empty. */
void alias_write(struct aliases *aliases, const char *text, size_t length, FILE *out);

/* Is it such an id? */
bool alias_is_id(const char *text, size_t length);

#endif

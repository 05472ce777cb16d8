/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANONYMISE_H
#define CLI_ANONYMISE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Files of a capture without the names that are in them: of programs, paths, arguments, cgroups and
 * devices. All figures stay, and what is one thing stays one thing.
 */
struct anonymiser;

struct anonymiser *anonymiser_new(void);
/* NULL is fine. Returns NULL. */
struct anonymiser *anonymiser_free(struct anonymiser *anonymiser);

/*
 * What a file becomes, in @ret, to be freed. False for one that no rule is known for: it must not
 * be given away.
 */
bool anonymise_file(struct anonymiser *anonymiser, const char *path, const char *data, size_t size,
		    char **ret, size_t *ret_size);

/* What a path of the capture becomes; to be freed. */
char *anonymise_place(struct anonymiser *anonymiser, const char *path);

#endif

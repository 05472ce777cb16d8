/* SPDX-License-Identifier: MIT */
#ifndef CLI_TEMPORARY_H
#define CLI_TEMPORARY_H

/*
 * A file or a directory that is gone when the program ends, unless it was given its final name
 * before: also by a signal that can be caught, or for want of memory.
 */
struct temporary;

/*
 * Make one in the directory open as @parent, which is taken over, called @stem and six letters
 * more, for its owner only. @ret_fd: the directory, or the file to write; it belongs to the
 * temporary. 0 or a negative errno.
 */
int temporary_directory(int parent, const char *stem, struct temporary **ret, int *ret_fd);
int temporary_file(int parent, const char *stem, struct temporary **ret, int *ret_fd);

/* Its name in the parent directory. */
const char *temporary_name(const struct temporary *temporary);

/*
 * Give it its final name and let it go. A directory may take the place of an empty one, else
 * nothing is replaced. 0, or a negative errno and it is still temporary.
 */
int temporary_keep(struct temporary *temporary, const char *name);

/* Remove it. NULL is fine. Returns NULL. */
struct temporary *temporary_remove(struct temporary *temporary);

/* Remove all that there are, by system calls alone: from anywhere, even a signal handler. */
void temporary_remove_all(void);

#endif

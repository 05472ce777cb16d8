/* SPDX-License-Identifier: MIT */
#ifndef LIB_PARSE_MOUNTINFO_H
#define LIB_PARSE_MOUNTINFO_H

#include <stddef.h>
#include <stdint.h>

/* A piece of a line; octal escapes such as \040 are still in it. */
struct mountinfo_text {
	const char *p;
	size_t length;
};

/* One mount. */
struct mountinfo {
	uint32_t major;
	uint32_t minor;
	struct mountinfo_text root; /* directory of the file system that is mounted */
	struct mountinfo_text mount_point;
	struct mountinfo_text type;
	struct mountinfo_text super_options; /* separated by commas */
};

/* 0, or -1 when the line is not one of mountinfo. */
int mountinfo_line(const char *line, const char *end, struct mountinfo *ret);

int mountinfo_text_is(const struct mountinfo_text *text, const char *word);

/* Is @word one of the options? A value, as in "size=4k", is part of the word. */
int mountinfo_has_option(const struct mountinfo_text *options, const char *word);

/* Un-escapes into @buffer, NUL-terminated; -1 when it does not fit. */
int mountinfo_unescape(const struct mountinfo_text *text, char *buffer, size_t size);

/* Are the pages of files of this mount shared memory? */
int mountinfo_is_shmem(const struct mountinfo *mount);

#endif

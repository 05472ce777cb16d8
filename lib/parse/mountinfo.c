/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parse/mountinfo.h"
#include "parse/number.h"

static int word(const char **p, const char *end, struct mountinfo_text *ret)
{
	const char *start = *p = skip_blanks(*p, end);

	while (*p < end && **p != ' ')
		(*p)++;
	*ret = (struct mountinfo_text){ start, (size_t)(*p - start) };
	return ret->length > 0;
}

static int device(const struct mountinfo_text *text, struct mountinfo *ret)
{
	const char *p = text->p, *end = text->p + text->length;
	uint64_t major, minor;

	if (number_decimal(&p, end, &major) || p == end || *p++ != ':' ||
	    number_decimal(&p, end, &minor) || p != end || major > UINT32_MAX || minor > UINT32_MAX)
		return 0;
	ret->major = (uint32_t)major;
	ret->minor = (uint32_t)minor;
	return 1;
}

int mountinfo_text_is(const struct mountinfo_text *text, const char *other)
{
	return text->length == strlen(other) && !memcmp(text->p, other, text->length);
}

int mountinfo_line(const char *line, const char *end, struct mountinfo *ret)
{
	struct mountinfo_text field;
	struct mountinfo mount;
	const char *p = line;

	if (!word(&p, end, &field) || !word(&p, end, &field) || /* mount id, parent id */
	    !word(&p, end, &field) || !device(&field, &mount) || !word(&p, end, &mount.root) ||
	    !word(&p, end, &mount.mount_point))
		return -1;
	do { /* mount options, then any number of optional fields, then a dash */
		if (!word(&p, end, &field))
			return -1;
	} while (!mountinfo_text_is(&field, "-"));
	if (!word(&p, end, &mount.type) || p++ == end)
		return -1;
	while (p < end && *p != ' ') /* the source, which may be an empty text */
		p++;
	if (!word(&p, end, &mount.super_options))
		mount.super_options = (struct mountinfo_text){ end, 0 };
	*ret = mount;
	return 0;
}

int mountinfo_has_option(const struct mountinfo_text *options, const char *wanted)
{
	const char *p = options->p, *end = options->p + options->length;
	size_t length = strlen(wanted);

	while (p < end) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		const char *stop = comma ? comma : end;

		if ((size_t)(stop - p) == length && !memcmp(p, wanted, length))
			return 1;
		p = stop + 1;
	}
	return 0;
}

static int is_octal(const char *p)
{
	return p[0] >= '0' && p[0] <= '3' && p[1] >= '0' && p[1] <= '7' && p[2] >= '0' &&
	       p[2] <= '7';
}

int mountinfo_unescape(const struct mountinfo_text *text, char *buffer, size_t size)
{
	const char *p = text->p, *end = text->p + text->length;
	size_t n = 0;

	while (p < end) {
		char c = *p++;

		if (c == '\\' && end - p >= 3 && is_octal(p)) {
			c = (char)((p[0] - '0') << 6 | (p[1] - '0') << 3 | (p[2] - '0'));
			p += 3;
		}
		if (n + 1 >= size)
			return -1;
		buffer[n++] = c;
	}
	if (n >= size)
		return -1;
	buffer[n] = '\0';
	return 0;
}

int mountinfo_is_shmem(const struct mountinfo *mount)
{
	if (mountinfo_text_is(&mount->type, "tmpfs") || mountinfo_text_is(&mount->type, "devtmpfs"))
		return 1;
	/* the first root file system is a tmpfs, or a ramfs, which alone has no size */
	if (!mountinfo_text_is(&mount->type, "rootfs"))
		return 0;

	const char *p = mount->super_options.p;

	return memmem(p, mount->super_options.length, "size=", 5) != NULL;
}

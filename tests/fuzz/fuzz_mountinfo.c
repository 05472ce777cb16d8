/* SPDX-License-Identifier: MIT */
/* Lines of mountinfo, one after the other. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parse/mountinfo.h"
#include "reference.h"

#define WORDS_MAX 64

/* Words with one blank between them, as the kernel writes them; 0 when there is anything else. */
static size_t split(char *line, char *words[WORDS_MAX])
{
	size_t n = 0;

	if (strchr(line, '\t'))
		return 0;
	for (char *word; (word = strsep(&line, " "));) {
		if (n == WORDS_MAX)
			return 0;
		words[n++] = word;
	}
	return n;
}

static bool device_of(const char *word, uint64_t *major, uint64_t *minor)
{
	size_t length = strcspn(word, ":");
	char *first = fuzz_text(word, length);
	bool good = word[length] && !reference_number(first, 10, major) &&
		    !reference_number(word + length + 1, 10, minor) && *major <= UINT32_MAX &&
		    *minor <= UINT32_MAX;

	free(first);
	return good;
}

static bool has_option(const char *options, const char *wanted)
{
	size_t length = strlen(wanted);

	for (; *options; options += *options == ',') {
		size_t size = strcspn(options, ",");

		if (size == length && !strncmp(options, wanted, length))
			return true;
		options += size;
	}
	return false;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

static void hold_unescaped(const struct mountinfo_text *text)
{
	char *escaped = fuzz_text(text->p, text->length),
	     *wanted = fuzz_memory(text->length + 1, 1);
	char *found = fuzz_memory(text->length + 1, 1);
	size_t n = 0;

	for (const char *p = escaped; p < escaped + text->length; p++) {
		if (*p == '\\' && p[1] >= '0' && p[1] <= '3' && is_octal(p[2]) && is_octal(p[3])) {
			char code[4] = { p[1], p[2], p[3] };

			wanted[n++] = (char)strtol(code, NULL, 8);
			p += 3;
		} else {
			wanted[n++] = *p;
		}
	}
	fuzz_require(!mountinfo_unescape(text, found, n + 1), "does not fit");
	fuzz_require(!memcmp(found, wanted, n + 1), "'%s', wanted '%s'", found, wanted);
	fuzz_require(mountinfo_unescape(text, found, n) == -1, "fits in less");
	free(found);
	free(wanted);
	free(escaped);
}

/* A word that a line consists of, in place of its copy. */
static void hold_word(const struct mountinfo_text *found, const char *wanted, const char *what)
{
	fuzz_require(mountinfo_text_is(found, wanted), "%s is '%.*s', wanted '%s'", what,
		     (int)found->length, found->p, wanted);
}

static void hold_plain(char *line, int result, const struct mountinfo *mount)
{
	char *words[WORDS_MAX];
	size_t n = split(line, words), dash = 5;
	uint64_t major, minor;

	while (dash < n && strcmp(words[dash], "-"))
		dash++;
	for (size_t i = 0; i < n; i++)
		if (!*words[i] && i != dash + 2)
			return; /* only a source may be empty */
	if (dash + 3 >= n || !device_of(words[2], &major, &minor))
		return;
	fuzz_require(!result, "not parsed");
	fuzz_require(mount->major == major && mount->minor == minor, "device");
	hold_word(&mount->root, words[3], "root");
	hold_word(&mount->mount_point, words[4], "mount point");
	hold_word(&mount->type, words[dash + 1], "type");
	hold_word(&mount->super_options, words[dash + 3], "options");
	fuzz_require(mountinfo_has_option(&mount->super_options, "memory") ==
			     has_option(words[dash + 3], "memory"),
		     "memory");
	fuzz_require(!mountinfo_is_shmem(mount) || !strcmp(words[dash + 1], "tmpfs") ||
			     !strcmp(words[dash + 1], "devtmpfs") ||
			     (!strcmp(words[dash + 1], "rootfs") &&
			      strstr(words[dash + 3], "size=")),
		     "'%s'", words[dash + 1]);
}

static void hold_inside(const struct mountinfo_text *text, const char *line, size_t length)
{
	fuzz_require(text->p >= line && text->length <= length &&
			     text->p + text->length <= line + length,
		     "outside of the line");
	hold_unescaped(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *end = (const char *)data + size;

	for (const char *p = (const char *)data; p < end;) {
		size_t length = reference_line_length(p, end);
		char *line = fuzz_copy(p, length), *text = fuzz_text(p, length);
		struct mountinfo mount;
		int result = mountinfo_line(line, line + length, &mount);

		fuzz_require(!result || result == -1, "%d", result);
		if (!result) {
			hold_inside(&mount.root, line, length);
			hold_inside(&mount.mount_point, line, length);
			hold_inside(&mount.type, line, length);
			hold_inside(&mount.super_options, line, length);
		}
		if (strlen(text) == length)
			hold_plain(text, result, &mount);
		free(text);
		free(line);
		p += length + 1;
	}
	return 0;
}

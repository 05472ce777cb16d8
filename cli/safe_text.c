/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "memory.h"
#include "safe_text.h"
#include "terminal.h"

/* Length of the UTF-8 character at @text, 0 when there is none. */
static size_t utf8_character(const unsigned char *text, uint32_t *ret)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = text[0] < 0x80		   ? 1
			: (text[0] & 0xe0) == 0xc0 ? 2
			: (text[0] & 0xf0) == 0xe0 ? 3
			: (text[0] & 0xf8) == 0xf0 ? 4
						   : 0;
	uint32_t character;

	if (!length)
		return 0;
	character = length == 1 ? text[0] : text[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (text[i] & 0x3f);
	}
	if (character < smallest[length] || character > 0x10ffff ||
	    (character >= 0xd800 && character <= 0xdfff))
		return 0;
	*ret = character;
	return length;
}

static bool is_between(uint32_t character, uint32_t first, uint32_t last)
{
	return character >= first && character <= last;
}

/* Moves the cursor, ends the line or reorders what stands beside it. */
static bool is_harmful(uint32_t character)
{
	return character < 0x20 || is_between(character, 0x7f, 0x9f) || character == 0x61c ||
	       is_between(character, 0x200b, 0x200f) || is_between(character, 0x2028, 0x202e) ||
	       is_between(character, 0x2060, 0x206f) || character == 0xfeff;
}

char *safe_text_for_terminal(const char *text)
{
	bool utf8 = terminal_is_utf8();
	char *safe = memory_zeroed(strlen(text) + 1, 4);
	char *end = safe;

	while (*text) {
		uint32_t character = 0;
		size_t length = utf8_character((const unsigned char *)text, &character);
		bool plain = length && !is_harmful(character) && (length == 1 || utf8);

		if (plain)
			end = mempcpy(end, text, length);
		for (size_t i = 0; !plain && i < (length ? length : 1); i++)
			end += sprintf(end, "\\x%02x", (unsigned char)text[i]);
		text += length ? length : 1;
	}
	return safe;
}

char *safe_text_for_json(const char *text)
{
	char *safe = memory_zeroed(strlen(text) + 1, 3);
	char *end = safe;

	while (*text) {
		uint32_t character;
		size_t length = utf8_character((const unsigned char *)text, &character);

		end = length ? mempcpy(end, text, length) : mempcpy(end, "\xef\xbf\xbd", 3);
		text += length ? length : 1;
	}
	return safe;
}

/* Not by mbrtowc(), which loads tables and, without memory, falls back to bytes in silence. */
size_t safe_text_width(const char *text)
{
	bool utf8 = terminal_is_utf8();
	size_t width = 0;

	while (*text) {
		uint32_t character;
		size_t length = utf8 ? utf8_character((const unsigned char *)text, &character) : 0;
		int columns = length ? wcwidth((wchar_t)character) : 1;

		width += columns > 0 ? (size_t)columns : 0;
		text += length ? length : 1;
	}
	return width;
}

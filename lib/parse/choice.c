/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "parse/choice.h"

static int is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

int choice_parse(const char *text, size_t length, char *value, char *choices)
{
	const char *end = text + strnlen(text, length);
	size_t n = 0;
	int chosen = 0;

	*value = *choices = '\0';
	for (const char *p = text; p < end;) {
		const char *word = p;

		while (p < end && !is_space(*p))
			p++;

		size_t size = (size_t)(p - word);

		while (p < end && is_space(*p))
			p++;
		if (!size)
			continue;
		if (size > 2 && word[0] == '[' && word[size - 1] == ']') {
			word++;
			size -= 2;
			memcpy(value, word, size);
			value[size] = '\0';
			chosen++;
		}
		if (n)
			choices[n++] = ' ';
		memcpy(choices + n, word, size);
		n += size;
		choices[n] = '\0';
	}
	if (chosen == 1)
		return 1;
	if (chosen || !n) {
		*value = *choices = '\0';
		return -1;
	}
	memcpy(value, choices, n + 1);
	*choices = '\0';
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* "always [madvise] never" */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parse/choice.h"

#define BLANKS " \t\n"

static bool in_brackets(const char *word)
{
	size_t length = strlen(word);

	return length > 2 && word[0] == '[' && word[length - 1] == ']';
}

static bool is_one_of(const char *value, const char *choices)
{
	for (size_t length; *choices; choices += length + (choices[length] == ' ')) {
		length = strcspn(choices, " ");
		if (strlen(value) == length && !memcmp(value, choices, length))
			return true;
	}
	return false;
}

/* The words with one blank between them, those in brackets without. */
static size_t join(const char *text, size_t size, struct fuzz_buffer *words,
		   struct fuzz_buffer *last)
{
	char *copy = fuzz_text(text, size), *save;
	size_t chosen = 0;

	for (char *word = strtok_r(copy, BLANKS, &save); word;
	     word = strtok_r(NULL, BLANKS, &save)) {
		bool bare = !in_brackets(word);

		if (!bare) {
			word[strlen(word) - 1] = '\0';
			word++;
			last->size = 0;
			fuzz_append(last, word, strlen(word));
			chosen++;
		}
		if (words->size)
			fuzz_append_text(words, " ");
		fuzz_append_text(words, word);
	}
	fuzz_append(words, "", 1);
	fuzz_append(last, "", 1);
	free(copy);
	return chosen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	/* as much room as is promised to be enough */
	char *value = fuzz_memory(size + 1, 1), *choices = fuzz_memory(size + 1, 1);
	struct fuzz_buffer words = { 0 }, last = { 0 };
	size_t chosen = join(text, size, &words, &last);
	int result = choice_parse(text, size, value, choices);

	if (chosen == 1) {
		fuzz_require(result == 1, "%d", result);
		fuzz_require(!strcmp(value, last.text), "'%s', wanted '%s'", value, last.text);
		fuzz_require(!strcmp(choices, words.text), "'%s'", choices);
		fuzz_require(is_one_of(value, choices), "'%s' of '%s'", value, choices);
	} else if (!chosen && *words.text) {
		fuzz_require(!result && !*choices, "%d", result);
		fuzz_require(!strcmp(value, words.text), "'%s', wanted '%s'", value, words.text);
	} else {
		fuzz_require(result == -1 && !*value && !*choices, "%d", result);
	}
	fuzz_buffer_free(&last);
	fuzz_buffer_free(&words);
	free(choices);
	free(value);
	free(text);
	return 0;
}

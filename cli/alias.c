/* SPDX-License-Identifier: MIT */
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "alias.h"
#include "memory.h"

#define CONTAINER_ID 64

/* 8-4-4-4-12; systemd writes '_' where others have '-'. */
static const char uuid_shape[] = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";

struct alias {
	size_t length;
	const char *text;
	char *alias;
};

struct aliases {
	void *known; /* of tsearch() */
	unsigned long long n;
};

static int compare(const void *left, const void *right)
{
	const struct alias *a = left, *b = right;

	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(a->text, b->text, a->length);
}

static void free_alias(void *node)
{
	struct alias *known = node;

	free(known->alias);
	free(known);
}

struct aliases *aliases_new(void)
{
	return memory_zeroed(1, sizeof(struct aliases));
}

struct aliases *aliases_free(struct aliases *aliases)
{
	if (!aliases)
		return NULL;
	tdestroy(aliases->known, free_alias);
	free(aliases);
	return NULL;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool alias_is_id(const char *text, size_t length)
{
	bool is_uuid = length == sizeof(uuid_shape) - 1;

	if (!is_uuid && length != CONTAINER_ID)
		return false;
	for (size_t i = 0; i < length; i++)
		if (is_uuid && uuid_shape[i] == '-' ? text[i] != '-' && text[i] != '_'
						    : !is_hex(text[i]))
			return false;
	return true;
}

/* Other digits in the same places; NULL without random numbers. */
static char *random_id(const char *text, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char random[CONTAINER_ID];
	char *id;

	if (getrandom(random, length, 0) != (ssize_t)length)
		return NULL;
	id = memory_format("%.*s", (int)length, text);
	for (size_t i = 0; i < length; i++)
		if (is_hex(id[i]))
			id[i] = digits[random[i] % 16];
	return id;
}

const char *alias_of(struct aliases *aliases, const char *text, size_t length)
{
	struct alias key = { length, text, NULL }, *known, **found;
	char *copy;

	found = tsearch(&key, &aliases->known, compare);
	if (!found)
		memory_exhausted();
	if (*found != &key)
		return (*found)->alias;
	known = memory_zeroed(1, sizeof(*known) + length + 1);
	copy = (char *)(known + 1);
	memcpy(copy, text, length);
	known->length = length;
	known->text = copy;
	if (alias_is_id(text, length))
		known->alias = random_id(text, length);
	if (!known->alias)
		known->alias = memory_format("name%llu", ++aliases->n);
	*found = known;
	return known->alias;
}

void alias_write(struct aliases *aliases, const char *text, size_t length, FILE *out)
{
	if (length)
		fputs(alias_of(aliases, text, length), out);
}

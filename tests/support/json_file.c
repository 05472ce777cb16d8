/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/json_file.h"

json_t *json_file_read(const char *path)
{
	json_error_t error;
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

	if (!root)
		fail_msg("%s: line %d: %s", path, error.line, error.text);
	return root;
}

json_t *json_member(const json_t *object, const char *key)
{
	json_t *member = json_object_get(object, key);

	if (!member)
		fail_msg("no key %s", key);
	return member;
}

uint64_t json_number(const json_t *object, const char *key)
{
	const json_t *member = json_member(object, key);

	if (!json_is_integer(member) || json_integer_value(member) < 0)
		fail_msg("%s is not a number", key);
	return (uint64_t)json_integer_value(member);
}

bool json_number_or_null(const json_t *object, const char *key, uint64_t *ret)
{
	if (json_is_null(json_member(object, key)))
		return false;
	*ret = json_number(object, key);
	return true;
}

const char *json_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_member(object, key));

	if (!text)
		fail_msg("%s is not a string", key);
	return text;
}

uint64_t json_address(const json_t *object, const char *key)
{
	const char *text = json_text(object, key);
	char *end;
	uint64_t address = strtoull(text, &end, 16);

	if (end == text || *end)
		fail_msg("%s is not an address: %s", key, text);
	return address;
}

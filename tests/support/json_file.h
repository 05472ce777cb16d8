/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_JSON_FILE_H
#define TESTS_SUPPORT_JSON_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

/* All of these fail the running test when the file or the key is not as it must be. */

/* To be given back with json_decref(). */
json_t *json_file_read(const char *path);

json_t *json_member(const json_t *object, const char *key);
uint64_t json_number(const json_t *object, const char *key);
const char *json_text(const json_t *object, const char *key);

/* False when it is null. */
bool json_number_or_null(const json_t *object, const char *key, uint64_t *ret);

/* An address is a string of hexadecimal digits. */
uint64_t json_address(const json_t *object, const char *key);

#endif

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <jansson.h>

#include "json_partly.h"

struct comparison {
	struct tally *tally;
	const char *what;
	bool told;
};

/* They say what became of a record or of a figure; that is what a fault changes. */
static bool is_about_reading(const char *key)
{
	static const char *const keys[] = {
		"absent",	"completeness", "cut",	 "error",	"footprint_method",
		"inconsistent", "missing",	"state", "once_method",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

/* {"cut": ["rss"]}: why this key is null, NULL when that is not said. */
static const char *reason_of(const json_t *record, const char *name)
{
	json_t *absent = json_object_get(record, "absent"), *names;
	const char *reason;

	json_object_foreach(absent, reason, names)
	{
		json_t *one;
		size_t i;

		json_array_foreach(names, i,
				   one) if (!strcmp(json_string_value(one), name)) return reason;
	}
	return NULL;
}

static bool is_explained(const json_t *record, const char *name)
{
	const char *reason = reason_of(record, name);

	return reason && strcmp(reason, "not offered");
}

/* Where mappings leave doubt these two are of status, which is not as exact. */
static bool is_of_status(const json_t *record, const char *name)
{
	const char *reason = reason_of(record, "shmem_once");

	return (!strcmp(name, "resident_shmem") || !strcmp(name, "resident_file")) && reason &&
	       !strcmp(reason, "not proved");
}

/* {"missing": {"rss": 1}}: a sum that says that it is of the rest. */
static bool is_rest(const json_t *record, const char *name, const json_t *wanted,
		    const json_t *found)
{
	return json_object_get(json_object_get(record, "missing"), name) &&
	       json_is_integer(wanted) && json_is_integer(found) &&
	       json_integer_value(found) <= json_integer_value(wanted);
}

static void compare(const struct comparison *comparison, const json_t *wanted, const json_t *found,
		    const char *name);

static void compare_objects(const struct comparison *comparison, json_t *wanted,
			    const json_t *found)
{
	const json_t *error = json_object_get(found, "error");
	bool told = comparison->told || (error && !json_is_null(error));
	const char *key;
	json_t *value;

	json_object_foreach(wanted, key, value)
	{
		const json_t *other = json_object_get(found, key);

		tally_holds(comparison->tally, other != NULL, "%s: has %s", comparison->what, key);
		if (!other || is_about_reading(key) || is_of_status(found, key) ||
		    is_rest(found, key, value, other))
			continue;
		if (json_is_null(other) && !json_is_null(value))
			tally_holds(comparison->tally, told || is_explained(found, key),
				    "%s: %s is null and nobody is told", comparison->what, key);
		else
			compare(comparison, value, other, key);
	}
}

static void compare_arrays(const struct comparison *comparison, const json_t *wanted,
			   const json_t *found, const char *name)
{
	size_t n = json_array_size(wanted);

	if (json_array_size(found) != n) {
		tally_holds(comparison->tally, comparison->told,
			    "%s: %s has %zu items in place of %zu and nobody is told",
			    comparison->what, name, json_array_size(found), n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		compare(comparison, json_array_get(wanted, i), json_array_get(found, i), name);
}

static void compare(const struct comparison *comparison, const json_t *wanted, const json_t *found,
		    const char *name)
{
	if (json_is_object(wanted) && json_is_object(found))
		compare_objects(comparison, (json_t *)(uintptr_t)wanted, found);
	else if (json_is_array(wanted) && json_is_array(found))
		compare_arrays(comparison, wanted, found, name);
	else
		tally_holds(comparison->tally,
			    json_equal(wanted, found) ||
				    /* what could not be known may be known to be nothing */
				    json_is_null(wanted),
			    "%s: %s differs", comparison->what, name);
}

void json_hold_partly(struct tally *tally, const char *wanted, const char *found, bool told,
		      const char *what)
{
	const struct comparison comparison = { tally, what, told };
	json_t *base = json_loads(wanted, JSON_REJECT_DUPLICATES, NULL);
	json_t *other = json_loads(found, JSON_REJECT_DUPLICATES, NULL);

	tally_holds(tally, base && other, "%s: both are JSON", what);
	if (base && other)
		compare(&comparison, base, other, "all");
	json_decref(base);
	json_decref(other);
}

/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <jansson.h>

#include "capture_manifest.h"
#include "lazy_library.h"
#include "memory.h"
#include "safe_text.h"

#define FORMAT 1

/* A manifest is a page or two; a larger one is none of ours. */
#define MANIFEST_LIMIT (1 << 20)

/* clang-format off */
#define JANSSON(each) \
	each(json_array) \
	each(json_array_append_new) \
	each(json_array_get) \
	each(json_array_size) \
	each(json_deep_copy) \
	each(json_delete) \
	each(json_dumps) \
	each(json_false) \
	each(json_integer) \
	each(json_loadfd) \
	each(json_null) \
	each(json_object) \
	each(json_object_get) \
	each(json_object_set_new) \
	each(json_string) \
	each(json_true)
/* clang-format on */

LAZY_LIBRARY(jansson, JANSSON_SONAME, JANSSON)

static void set(json_t *object, const char *key, json_t *value)
{
	if (!value || jansson.json_object_set_new(object, key, value) < 0)
		memory_exhausted();
}

static void append(json_t *list, json_t *value)
{
	if (!value || jansson.json_array_append_new(list, value) < 0)
		memory_exhausted();
}

/* NULL is null. */
static json_t *text(const char *value)
{
	char *safe = value ? safe_text_for_json(value) : NULL;
	json_t *json = safe ? jansson.json_string(safe) : jansson.json_null();

	free(safe);
	return json;
}

static json_t *number(uint64_t value)
{
	return jansson.json_integer((json_int_t)value);
}

/* The manifest of the tree that is read, NULL for none. */
static json_t *read_manifest(const struct session *session)
{
	char *path;
	struct stat status;
	json_t *manifest = NULL;
	int fd;

	if (!session->root)
		return NULL;
	path = memory_format("%s/manifest.json", session->root);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size < MANIFEST_LIMIT)
		manifest = jansson.json_loadfd(fd, 0, NULL);
	close(fd);
	return manifest;
}

/* What the manifest of the tree says of it; null when it does not. */
static json_t *inherited_text(const json_t *manifest, const char *key)
{
	const json_t *value = jansson.json_object_get(manifest, key);

	return json_is_string(value) ? jansson.json_deep_copy(value) : jansson.json_null();
}

static json_t *architecture(const struct session *session, const json_t *manifest)
{
	struct utsname machine;

	if (!thpstat_is_live(session->source))
		return inherited_text(manifest, "architecture");
	return uname(&machine) ? jansson.json_null() : text(machine.machine);
}

static json_t *moment(const struct session *session, const json_t *manifest)
{
	char time[SESSION_TIME_SIZE];

	if (!thpstat_is_live(session->source))
		return inherited_text(manifest, "time");
	session_time(time);
	return text(*time ? time : NULL);
}

static json_t *page_size(const struct thpstat_host *host)
{
	uint64_t bytes;

	return thpstat_usage_get(host->usage, THPSTAT_PAGE_SIZE, &bytes) ? jansson.json_null()
									 : number(bytes);
}

/* Texts that the user gave; when names are to be told to nobody, only that there were some. */
static json_t *texts(const char *const *items, size_t n, bool hidden)
{
	json_t *list = jansson.json_array();

	for (size_t i = 0; i < n; i++)
		append(list, text(hidden ? NULL : items[i]));
	return list;
}

static json_t *inherited_list(const json_t *list, bool hidden)
{
	json_t *copy = jansson.json_array();

	for (size_t i = 0; i < jansson.json_array_size(list); i++) {
		const json_t *item = jansson.json_array_get(list, i);

		append(copy, json_is_integer(item) || (json_is_string(item) && !hidden)
				     ? jansson.json_deep_copy(item)
				     : jansson.json_null());
	}
	return copy;
}

/* The same of what was selected when the tree was taken: a capture of all of it has no more. */
static json_t *inherited_selection(const json_t *manifest, bool hidden)
{
	static const char *const lists[] = { "pids", "names", "users", "cgroups" };
	const json_t *before = jansson.json_object_get(manifest, "selection");
	const json_t *patterns = jansson.json_object_get(before, "command_lines");
	json_t *object;

	if (!json_is_object(before))
		return jansson.json_null();
	object = jansson.json_object();
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		set(object, lists[i],
		    inherited_list(jansson.json_object_get(before, lists[i]), hidden));
	set(object, "command_lines",
	    json_is_integer(patterns) ? jansson.json_deep_copy(patterns) : number(0));
	return object;
}

static json_t *selection(const struct options *options, const json_t *manifest)
{
	const struct selection *asked = &options->selection;
	bool hidden = options->anonymise;
	json_t *object, *pids;

	if (!asked->pids.n && !options->users.n && !selection_needs_search(asked))
		return inherited_selection(manifest, hidden);
	object = jansson.json_object();
	pids = jansson.json_array();
	for (size_t i = 0; i < asked->pids.n; i++)
		append(pids, number((uint64_t)asked->pids.items[i]));
	set(object, "pids", pids);
	set(object, "names", texts(asked->names, asked->n_names, hidden));
	set(object, "users", texts(options->users.items, options->users.n, hidden));
	set(object, "cgroups", texts(asked->cgroups, asked->n_cgroups, hidden));
	set(object, "command_lines", number(asked->n_patterns));
	return object;
}

static json_t *completeness(const struct thpstat_completeness *seen)
{
	json_t *object = jansson.json_object();

	set(object, "read", number(seen->read));
	set(object, "forbidden", number(seen->forbidden));
	set(object, "vanished", number(seen->vanished));
	set(object, "cut", number(seen->cut));
	set(object, "kernel_threads", number(seen->kernel_threads));
	set(object, "zombies", number(seen->zombies));
	return object;
}

static void add_left_out(json_t *list, const char *what, const char *why, json_t *n)
{
	json_t *object = jansson.json_object();

	set(object, "what", text(what));
	set(object, "why", text(why));
	set(object, "count", n);
	append(list, object);
}

static json_t *left_out(const struct capture *capture, const struct process_walk *walk,
			const json_t *selected)
{
	json_t *list = jansson.json_array();

	add_left_out(list, "environments of processes", "never read", jansson.json_null());
	if (!json_is_null(selected))
		add_left_out(list, "other processes", "not asked for", jansson.json_null());
	if (walk->completeness.vanished)
		add_left_out(list, "processes", "ended meanwhile",
			     number(walk->completeness.vanished));
	for (size_t i = 0; i < capture->n_left_out; i++)
		add_left_out(list, "files, see errors.tsv",
			     strerrorname_np(-capture->left_out[i].error),
			     number(capture->left_out[i].n));
	if (capture->n_without_rule)
		add_left_out(list, "files", "not known how to anonymise",
			     number(capture->n_without_rule));
	return list;
}

static json_t *anonymised(const struct options *options, const json_t *manifest)
{
	const json_t *before = jansson.json_object_get(manifest, "anonymised");

	return options->anonymise || json_is_true(before) ? jansson.json_true()
							  : jansson.json_false();
}

char *capture_manifest(const struct session *session, const struct capture *capture,
		       const struct process_walk *walk, const struct thpstat_host *host)
{
	json_t *before, *manifest;
	char *dump, *copy;

	jansson_load();
	before = read_manifest(session);
	manifest = jansson.json_object();
	set(manifest, "format", number(FORMAT));
	set(manifest, "thpstat", text(thpstat_version()));
	set(manifest, "kernel", text(thpstat_kernel(session->source)));
	set(manifest, "architecture", architecture(session, before));
	set(manifest, "time", moment(session, before));
	set(manifest, "page_size", page_size(host));
	set(manifest, "anonymised", anonymised(session->options, before));
	set(manifest, "selection", selection(session->options, before));
	set(manifest, "completeness", completeness(&walk->completeness));
	set(manifest, "left_out",
	    left_out(capture, walk, jansson.json_object_get(manifest, "selection")));
	dump = jansson.json_dumps(manifest, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	if (!dump)
		memory_exhausted();
	copy = memory_format("%s\n", dump);
	free(dump);
	jansson.json_delete(manifest);
	if (before)
		jansson.json_delete(before);
	return copy;
}

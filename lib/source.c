/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "account/metric.h"
#include "source.h"

int options_copy(const void *options, void *ret, size_t ret_size)
{
	size_t size;

	memcpy(&size, options, sizeof(size));
	if (size < sizeof(size))
		return -EINVAL;
	for (size_t i = ret_size; i < size; i++)
		if (((const char *)options)[i])
			return -E2BIG;
	memset(ret, 0, ret_size);
	memcpy(ret, options, size < ret_size ? size : ret_size);
	return 0;
}

static void table_init(struct field_table *table, enum metric_file file)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct metric_row *row = metric_row(metric);

		if (row->files & file)
			field_table_add(table, row->info.kernel_field, metric,
					row->info.unit == THPSTAT_BYTES);
	}
}

/* "Linux version 6.1.0 (...)": the third word. */
static void kernel_from_version(const char *text, char *ret, size_t size)
{
	for (int skip = 2; skip && text; skip--) {
		text = strchr(text, ' ');
		text += text != NULL;
	}
	if (!text)
		return;

	size_t length = strcspn(text, " \n");

	if (length >= size)
		return;
	memcpy(ret, text, length);
	ret[length] = '\0';
}

static void read_kernel(struct thpstat *source)
{
	char text[4096];
	size_t length;

	if (!tree_read_file(&source->tree, &source->tree.proc, "sys/kernel/osrelease", text,
			    sizeof(text), &length)) {
		text[strcspn(text, "\n")] = '\0';
		if (strlen(text) < sizeof(source->kernel))
			strcpy(source->kernel, text);
	} else if (!tree_read_file(&source->tree, &source->tree.proc, "version", text, sizeof(text),
				   &length)) {
		kernel_from_version(text, source->kernel, sizeof(source->kernel));
	}
}

int thpstat_open(const struct thpstat_open_options *options, struct thpstat **ret)
{
	struct thpstat_open_options known = { .size = sizeof(known) };
	int error = options ? options_copy(options, &known, sizeof(known)) : 0;

	if (error)
		return error;
	if (!ret)
		return -EINVAL;

	struct thpstat *source = calloc(1, sizeof(*source));

	if (!source)
		return -ENOMEM;
	error = tree_open(&source->tree, &known);
	if (error) {
		free(source);
		return error;
	}
	atomic_init(&source->references, 1);
	table_init(&source->smaps, FILE_SMAPS);
	table_init(&source->rollup, FILE_ROLLUP);
	table_init(&source->status, FILE_STATUS);
	table_init(&source->meminfo, FILE_MEMINFO);
	table_init(&source->node_meminfo, FILE_NODE_MEMINFO);
	table_init(&source->vmstat, FILE_VMSTAT);
	read_kernel(source);
	*ret = source;
	return 0;
}

struct thpstat *source_ref(struct thpstat *source)
{
	atomic_fetch_add(&source->references, 1);
	return source;
}

struct thpstat *thpstat_close(struct thpstat *source)
{
	if (source && atomic_fetch_sub(&source->references, 1) == 1) {
		tree_close(&source->tree);
		free(source);
	}
	return NULL;
}

int thpstat_is_live(const struct thpstat *source)
{
	return source && source->tree.live;
}

const char *thpstat_kernel(const struct thpstat *source)
{
	return source && source->kernel[0] ? source->kernel : NULL;
}

const char *thpstat_version(void)
{
	return THPSTAT_VERSION;
}

int source_read_mountinfo(struct thpstat *source, char **ret, size_t *ret_length)
{
	const struct tree *tree = &source->tree;
	int error = tree_read_file_alloc(tree, &tree->proc, "self/mountinfo", MOUNTINFO_LIMIT, ret,
					 ret_length);

	if (error == -ENOENT)
		error = tree_read_file_alloc(tree, &tree->proc, "1/mountinfo", MOUNTINFO_LIMIT, ret,
					     ret_length);
	return error;
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "human_size.h"
#include "mapping_cells.h"
#include "message.h"

static void fill_perms(const struct thpstat_mapping *mapping, struct cell *cell)
{
	const char text[] = {
		mapping->flags & THPSTAT_MAPPING_READ ? 'r' : '-',
		mapping->flags & THPSTAT_MAPPING_WRITE ? 'w' : '-',
		mapping->flags & THPSTAT_MAPPING_EXEC ? 'x' : '-',
		mapping->flags & THPSTAT_MAPPING_SHARED ? 's' : 'p',
		'\0',
	};

	cell_set_text(cell, text);
}

static void fill_device(const struct thpstat_mapping *mapping, struct cell *cell)
{
	char text[32];

	if (!mapping->inode)
		return;
	snprintf(text, sizeof(text), "%02x:%02x", mapping->device_major, mapping->device_minor);
	cell_set_text(cell, text);
}

/*
 * A file called "x (deleted)" looks like one called "x" that is deleted. What is in memory only has
 * this behind its name always, and is not meant.
 */
static bool may_be_deleted(const struct thpstat_mapping *mapping)
{
	static const char suffix[] = " (deleted)";
	size_t length = strlen(mapping->name);
	bool is_file = mapping->kind == THPSTAT_MAPPING_KIND_FILE ||
		       mapping->kind == THPSTAT_MAPPING_KIND_TEXT ||
		       mapping->kind == THPSTAT_MAPPING_KIND_BINARY_DATA;

	return is_file && length >= strlen(suffix) &&
	       !strcmp(mapping->name + length - strlen(suffix), suffix) &&
	       strncmp(mapping->name, "/memfd:", strlen("/memfd:")) != 0;
}

/* "2MiB-pages" */
static char *add_page_size(const struct thpstat_mapping *mapping, char *end)
{
	char size[HUMAN_SIZE_MAX];
	uint64_t bytes;

	if (mapping->class_ != THPSTAT_CLASS_HUGETLB)
		return end;
	end = stpcpy(end, "hugetlb ");
	if (!figure_get(mapping->usage, THPSTAT_KERNEL_PAGE_SIZE, &bytes))
		return end;
	human_page_size(bytes, size);
	for (const char *c = size; *c; c++)
		if (*c != ' ')
			*end++ = *c;
	return stpcpy(end, "-pages ");
}

static void fill_notes(const struct thpstat_mapping *mapping, struct cell *cell)
{
	static const struct {
		unsigned int flag;
		const char *word;
	} words[] = {
		{ THPSTAT_MAPPING_HUGEPAGE_ADVISED, "advised " },
		{ THPSTAT_MAPPING_NO_HUGEPAGE, "no-thp " },
		{ THPSTAT_MAPPING_LOCKED, "locked " },
		{ THPSTAT_MAPPING_GROWS_DOWN, "grows-down " },
	};
	char text[160] = "", *end = text;
	uint64_t eligible;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (mapping->flags & words[i].flag)
			end = stpcpy(end, words[i].word);
	if (figure_get(mapping->usage, THPSTAT_THP_ELIGIBLE, &eligible) && eligible)
		end = stpcpy(end, "eligible ");
	end = add_page_size(mapping, end);
	if (may_be_deleted(mapping))
		end = stpcpy(end, "deleted? ");
	if (end > text)
		end[-1] = '\0';
	cell_set_words(cell, text);
}

static void fill_identity(enum identity identity, int pid, const struct thpstat_mapping *mapping,
			  struct cell *cell)
{
	switch (identity) {
	case IDENTITY_PID:
		cell_set_number(cell, CELL_COUNT, (uint64_t)pid);
		break;
	case IDENTITY_START:
		cell_set_number(cell, CELL_ADDRESS, mapping->start);
		break;
	case IDENTITY_END:
		cell_set_number(cell, CELL_ADDRESS, mapping->end);
		break;
	case IDENTITY_OFFSET:
		cell_set_number(cell, CELL_BYTES, mapping->offset);
		break;
	case IDENTITY_DEVICE:
		fill_device(mapping, cell);
		break;
	case IDENTITY_INODE:
		if (mapping->inode)
			cell_set_number(cell, CELL_COUNT, mapping->inode);
		break;
	case IDENTITY_KIND:
		cell_set_text(cell, thpstat_mapping_kind_name(mapping->kind));
		break;
	case IDENTITY_CLASS:
		cell_set_text(cell, thpstat_class_name(mapping->class_));
		break;
	case IDENTITY_PERMS:
		fill_perms(mapping, cell);
		break;
	case IDENTITY_NOTES:
		fill_notes(mapping, cell);
		break;
	case IDENTITY_NAME:
		cell_set_text(cell, *mapping->name ? mapping->name : NULL);
		break;
	case IDENTITY_ERROR:
		cell_set_text(cell, mapping->error ? message_of_error(mapping->error) : NULL);
		break;
	default: /* of processes */
		break;
	}
}

void mapping_cells_fill(const struct columns *columns, int pid,
			const struct thpstat_mapping *mapping, struct cell *row)
{
	for (size_t i = 0; i < columns->n; i++) {
		const struct column *column = &columns->items[i];

		if (column->kind == COLUMN_IDENTITY)
			fill_identity((enum identity)column->id, pid, mapping, &row[i]);
		else
			column_fill(column, mapping->usage, &row[i]);
	}
}

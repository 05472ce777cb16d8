/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel_text.h"

char *kernel_text_read(const char *path, size_t *ret_length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0, capacity = 0;
	char *text = NULL;
	ssize_t got = 1;

	if (fd < 0)
		return NULL;
	while (got > 0) {
		if (capacity - length < 4096) {
			char *larger = realloc(text, capacity = 2 * capacity + 8192);

			if (larger == NULL)
				break;
			text = larger;
		}
		got = read(fd, text + length, capacity - length - 1);
		if (got > 0)
			length += (size_t)got;
	}
	if (got != 0) {
		int error = errno;

		free(text);
		close(fd);
		errno = error;
		return NULL;
	}
	close(fd);
	text[length] = '\0';
	*ret_length = length;
	return text;
}

static const char *line_end(const char *line)
{
	const char *end = strchr(line, '\n');

	return end != NULL ? end : line + strlen(line);
}

/* Fields begin with a capital letter, headers with an address. */
static bool is_header(const char *line)
{
	return isxdigit((unsigned char)*line) && !isupper((unsigned char)*line);
}

static bool read_header(const char *line, struct kernel_record *record)
{
	int name_at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 "%n",
		   &record->start, &record->end, record->permissions, &record->offset,
		   &record->major, &record->minor, &record->inode, &name_at) != 7)
		return false;
	line += name_at;
	while (*line == ' ')
		line++;
	record->name = strndup(line, (size_t)(line_end(line) - line));
	return record->name != NULL;
}

bool kernel_records_split(const char *text, struct kernel_records *ret)
{
	struct kernel_records records = { 0 };
	const char *line = text;

	while (*line != '\0') {
		const char *next = line_end(line);

		if (*next == '\n')
			next++;
		if (is_header(line)) {
			struct kernel_record *list =
				realloc(records.list, (records.n + 1) * sizeof(*list));

			if (list == NULL)
				break;
			records.list = list;
			list[records.n] = (struct kernel_record){ .fields = next };
			if (!read_header(line, &list[records.n]))
				break;
			records.n++;
		} else if (records.n == 0) {
			break;
		} else {
			struct kernel_record *last = &records.list[records.n - 1];

			last->fields_length = (size_t)(next - last->fields);
		}
		line = next;
	}
	if (*line != '\0') {
		kernel_records_free(&records);
		return false;
	}
	*ret = records;
	return true;
}

void kernel_records_free(struct kernel_records *records)
{
	for (size_t i = 0; i < records->n; i++)
		free(records->list[i].name);
	free(records->list);
	*records = (struct kernel_records){ 0 };
}

size_t kernel_field(const char *text, size_t length, const char *key, uint64_t *ret)
{
	size_t key_length = strlen(key), count = 0;
	uint64_t sum = 0;

	for (const char *line = text; line < text + length; line = line_end(line) + 1) {
		const char *end = line_end(line);
		char *after;
		uint64_t value;

		if (strncmp(line, key, key_length) != 0 || line[key_length] != ':')
			continue;
		value = strtoull(line + key_length + 1, &after, 10);
		if (end - after >= 3 && strncmp(after, " kB", 3) == 0)
			value *= 1024;
		sum += value;
		count++;
	}
	*ret = sum;
	return count;
}

bool kernel_field_is_of_others(const char *key, size_t length)
{
	static const char *const keys[] = {
		"Pss",		"Pss_Dirty",	"Pss_Anon",	 "Pss_File",	  "Pss_Shmem",
		"Shared_Clean", "Shared_Dirty", "Private_Clean", "Private_Dirty", "Referenced",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strlen(keys[i]) == length && strncmp(keys[i], key, length) == 0)
			return true;
	}
	return false;
}

bool kernel_text_stands_still(const char *before, const char *after)
{
	while (*before != '\0' && *after != '\0') {
		size_t length = (size_t)(line_end(before) - before);
		size_t key_length = strcspn(before, ":");

		if (kernel_field_is_of_others(before, key_length)) {
			if (strncmp(before, after, key_length + 1) != 0)
				return false;
		} else if (strncmp(before, after, length) != 0 ||
			   (size_t)(line_end(after) - after) != length) {
			return false;
		}
		before = line_end(before);
		before += *before == '\n';
		after = line_end(after);
		after += *after == '\n';
	}
	return *before == *after;
}

bool kernel_record_has_flag(const struct kernel_record *record, const char *letters)
{
	const char *end = record->fields + record->fields_length;

	for (const char *line = record->fields; line < end; line = line_end(line) + 1) {
		if (strncmp(line, "VmFlags:", 8) != 0)
			continue;
		for (const char *at = line + 8; at + 2 < end && *at != '\n'; at++) {
			if (*at == ' ' && strncmp(at + 1, letters, 2) == 0)
				return true;
		}
	}
	return false;
}

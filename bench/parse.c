/* SPDX-License-Identifier: MIT */
/*
 * parse PID			the text of a process's smaps taken apart in memory, by the library
 *				and the usual old way
 * parse library|old PID	once, to be counted by callgrind
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <thpstat/mapping.h>

#include "account/metric.h"
#include "contest.h"
#include "parse/smaps.h"

struct text {
	char *data;
	size_t length;
};

/* callgrind takes an hour for what takes a second */
#define COUNTED ((size_t)2 << 20)

static struct text record(int pid, size_t limit)
{
	struct text text = { malloc(limit + 1), 0 };
	char path[64];
	ssize_t n = 0;

	snprintf(path, sizeof(path), "/proc/%d/smaps", pid);

	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (!text.data || fd < 0)
		give_up("%s: %s", path, strerror(errno));
	while (text.length < limit &&
	       (n = read(fd, text.data + text.length, limit - text.length)) > 0)
		text.length += (size_t)n;
	close(fd);

	const char *last = memrchr(text.data, '\n', text.length);

	if (n < 0 || !last)
		give_up("%s cannot be read", path);
	text.length = (size_t)(last + 1 - text.data);
	text.data[text.length] = '\0';
	return text;
}

/* Sums, so that no compiler leaves anything out, and that the two ways can be compared. */
struct result {
	uint64_t records;
	uint64_t rss;
	uint64_t anonymous;
	uint64_t hugepage_advised;
};

static void table_of_smaps(struct field_table *table)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct metric_row *row = metric_row(metric);

		if (row->files & FILE_SMAPS)
			field_table_add(table, row->info.kernel_field, metric,
					row->info.unit == THPSTAT_BYTES);
	}
}

__attribute__((noinline)) static void
take_apart_library(const struct text *text, const struct field_table *table, struct result *ret)
{
	const char *p = text->data, *end = text->data + text->length;
	const char *eol = memchr(p, '\n', text->length);
	static struct figures figures;
	struct smaps_parser parser;
	struct smaps_header header;

	struct result result = { 0 };

	smaps_parser_init(&parser, table);
	if (!smaps_header(p, eol, &header))
		give_up("this is no smaps");
	while (p < end) {
		unsigned int flags = header.flags;

		p = header.name + header.name_length + 1;
		figures_clear(&figures);
		smaps_parser_begin(&parser);
		p = smaps_fields(&parser, p, end, &figures, &flags, &header);
		result.records++;
		result.rss += figures.value[THPSTAT_RSS];
		result.anonymous += figures.value[THPSTAT_ANONYMOUS];
		result.hugepage_advised += !!(flags & THPSTAT_MAPPING_HUGEPAGE_ADVISED);
	}
	*ret = result;
}

/* The way of most programs: a line at a time, and each key compared until one fits. */
__attribute__((noinline)) static void
take_apart_old(const struct text *text, const struct field_table *table, struct result *ret)
{
	uint64_t start, stop, offset, inode, value, values[FIELD_TABLE_MAX] = { 0 };
	char line[4096], rights[5], key[64];
	unsigned int major, minor;
	FILE *file = fmemopen(text->data, text->length, "r");

	if (!file)
		give_up("no memory");
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64, &start,
			   &stop, rights, &offset, &major, &minor, &inode) == 7) {
			ret->records++;
		} else if (!strncmp(line, "VmFlags:", 8)) {
			ret->hugepage_advised += !!strstr(line, " hg");
		} else if (sscanf(line, "%63[^:]: %" SCNu64, key, &value) == 2) {
			for (size_t i = 0; i < table->n; i++)
				if (!strcmp(table->fields[i].key, key)) {
					values[i] += value * 1024;
					break;
				}
		}
	}
	fclose(file);
	for (size_t i = 0; i < table->n; i++) {
		if (table->fields[i].metric == THPSTAT_RSS)
			ret->rss = values[i];
		else if (table->fields[i].metric == THPSTAT_ANONYMOUS)
			ret->anonymous = values[i];
	}
}

struct way {
	const char *name;
	void (*take_apart)(const struct text *text, const struct field_table *table,
			   struct result *ret);
	const char *function; /* for callgrind */
	const char *word;
};

static const struct way ways[] = {
	{ "fgets and sscanf", take_apart_old, "take_apart_old", "old" },
	{ "thpstat's parser", take_apart_library, "take_apart_library", "library" },
};

#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

static struct sample take_time(const struct way *way, const struct text *text,
			       const struct field_table *table, struct result *ret)
{
	double cpu = cpu_of_this(), wall = now();

	*ret = (struct result){ 0 };
	way->take_apart(text, table, ret);
	return (struct sample){ cpu_of_this() - cpu, now() - wall, 0 };
}

/* By callgrind, with this program run anew below it; negative when there is none. */
static double instructions(const struct way *way, int pid)
{
	char command[512], line[512], self[256];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	uint64_t count = 0, bytes = 0;

	if (length < 0)
		return -1;
	self[length] = '\0';
	snprintf(command, sizeof(command),
		 "valgrind --tool=callgrind --callgrind-out-file=/dev/null "
		 "--toggle-collect=%s '%s' %s %d 2>&1",
		 way->function, self, way->word, pid);

	FILE *output = popen(command, "re");

	while (output && fgets(line, sizeof(line), output)) {
		const char *collected = strstr(line, "Collected : ");

		if (collected)
			sscanf(collected, "Collected : %" SCNu64, &count);
		sscanf(line, "bytes %" SCNu64, &bytes);
	}
	if (!output || pclose(output) || !count || !bytes)
		return -1;
	return (double)count / (double)bytes;
}

static void check_equal(const struct result *a, const struct result *b)
{
	if (memcmp(a, b, sizeof(*a)))
		give_up("the two ways do not agree: %" PRIu64 " and %" PRIu64 " records",
			a->records, b->records);
}

static void compare_ways(int pid, const struct field_table *table)
{
	struct contestant contestants[N_WAYS] = { 0 };
	struct text text = record(pid, (size_t)64 << 20);
	struct result results[N_WAYS];
	double rates[N_WAYS][ROUNDS];

	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < N_WAYS; i++) {
			struct sample *sample = &contestants[i].samples[round];

			contestants[i].name = ways[i].name;
			*sample = take_time(&ways[i], &text, table, &results[i]);
			rates[i][round] = (double)text.length / sample->cpu * 1e-6;
			check_equal(&results[0], &results[i]);
		}
	print_heading("parser alone: %.1f MB of smaps in memory, %" PRIu64 " mappings",
		      (double)text.length * 1e-6, results[0].records);
	print_contest(contestants, N_WAYS);
	free(text.data);
	for (size_t i = 0; i < N_WAYS; i++) {
		double each = instructions(&ways[i], pid);

		printf("  %-44s %9.0f MB/s of CPU", ways[i].name, median(rates[i], ROUNDS));
		if (each < 0)
			printf(", instructions not counted: no callgrind\n");
		else
			printf(", %.2f instructions per byte\n", each);
	}
}

int main(int argc, char **argv)
{
	struct field_table table = { 0 };
	struct result result = { 0 };

	table_of_smaps(&table);
	if (argc == 2) {
		compare_ways(atoi(argv[1]), &table);
		return EXIT_SUCCESS;
	}
	for (size_t i = 0; argc == 3 && i < N_WAYS; i++)
		if (!strcmp(argv[1], ways[i].word)) {
			struct text text = record(atoi(argv[2]), COUNTED);

			ways[i].take_apart(&text, &table, &result);
			printf("bytes %zu\n", text.length);
			free(text.data);
			return EXIT_SUCCESS;
		}
	give_up("usage: parse [library|old] PID");
}

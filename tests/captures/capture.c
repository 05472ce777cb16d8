/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "captures/capture.h"
#include "support/files.h"
#include "support/json_file.h"

char *tree_path(const struct capture *capture, const char *format, ...)
{
	char below[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(below, sizeof(below), format, arguments);
	va_end(arguments);
	return format_text("%s/%s", capture->root, below);
}

char *process_file(const struct capture *capture, int pid, const char *name)
{
	char *path = tree_path(capture, "proc/%d/%s", pid, name);
	char *text = file_text(path, NULL);

	free(path);
	return text;
}

static enum region_kind kind_of(const char *word)
{
	static const char *const words[] = { "anon", "shmem", "file", "hugetlb", "stack" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], word))
			return (enum region_kind)i;
	fail_msg("unknown kind of region: %s", word);
	return KIND_ANON;
}

static void read_region(struct capture *capture, const char *case_, const json_t *json)
{
	const json_t *seen = json_member(json, "obs");
	uint64_t zero = json_number(seen, "zero_page_bytes"), huge_zero;
	struct region *region;

	capture->regions =
		realloc(capture->regions, (capture->n_regions + 1) * sizeof(*capture->regions));
	assert_non_null(capture->regions);
	region = &capture->regions[capture->n_regions++];
	*region = (struct region){
		.case_ = case_,
		.name = json_text(json, "name"),
		.pid = (int)json_number(json, "pid"),
		.kind = kind_of(json_text(json, "kind")),
		.start = json_address(json, "start"),
		.end = json_address(json, "end"),
		.resident = json_number(seen, "present_bytes") - zero,
		.anonymous = json_number(seen, "kpf_anon_bytes"),
		.swapped = json_number(seen, "swapped_bytes"),
		.pss = json_number(seen, "pss_by_kpagecount_bytes"),
		.thp_pages = json_number(seen, "kpf_thp_bytes"),
		.contiguous = json_number(seen, "contiguous_pmd_units_bytes"),
	};
	region->expect_known =
		json_number_or_null(json, "expect_pmd_mapped_bytes", &region->expect);
	region->huge_known = json_number_or_null(seen, "pagemap_scan_huge_bytes", &region->huge);
	/* the huge zero page is mapped by PMD, but it is no memory */
	huge_zero = zero / capture->pmd_size * capture->pmd_size;
	region->huge -= huge_zero < region->huge ? huge_zero : region->huge;
}

static void read_case(struct capture *capture, const json_t *json)
{
	const char *name = json_text(json, "case");
	const json_t *list, *item;
	size_t i;

	list = json_object_get(json, "notes");
	if (!json_is_true(json_member(json, "ok"))) {
		tally_skip(&capture->tally, "case %s: it did not run on this kernel%s", name,
			   json_array_size(list) ? "" : ", without a note");
		json_array_foreach(list, i, item)
			tally_skip(&capture->tally, "case %s: %s", name, json_string_value(item));
		return;
	}
	list = json_object_get(json, "regions");
	json_array_foreach(list, i, item) read_region(capture, name, item);
	list = json_member(json, "processes");
	if (!strcmp(name, "zombie")) {
		assert_int_equal(json_array_size(list), 2);
		capture->zombie = (int)json_number(json_array_get(list, 1), "pid");
	}
	if (!strcmp(name, "leaderexit"))
		capture->leader_gone = (int)json_number(json, "pid");
}

void read_truth(struct capture *capture)
{
	char *path = tree_path(capture, "truth.json");
	unsigned int major, minor;
	const json_t *item;
	size_t i;

	capture->truth = json_file_read(path);
	free(path);
	capture->base_page = json_number(capture->truth, "base_page");
	capture->pmd_size = json_number(capture->truth, "hpage_pmd_size");
	capture->thp_supported = json_is_true(json_member(capture->truth, "thp_supported"));
	assert_int_equal(sscanf(json_text(capture->truth, "kernel"), "%u.%u", &major, &minor), 2);
	capture->exact_counters = major > 6 || (major == 6 && minor >= 12);
	json_array_foreach(json_member(capture->truth, "cases"), i, item) read_case(capture, item);
	assert_true(capture->zombie && capture->leader_gone);
}

/* Every process of the tree, with its mappings. */
void read_processes(struct capture *capture)
{
	char *path = tree_path(capture, "proc"), **names;
	struct process_truth *process;
	size_t n;

	names = directory_names(path, "", &n);
	capture->processes = calloc(n, sizeof(*capture->processes));
	assert_non_null(capture->processes);
	for (size_t i = 0; i < n; i++) {
		if (strspn(names[i], "0123456789") != strlen(names[i]))
			continue;
		process = &capture->processes[capture->n_processes++];
		process->pid = atoi(names[i]);
		process->mappings_error =
			mapping_list_read(capture->source, process->pid, &process->mappings);
	}
	names_free(names, n);
	free(path);
}

const struct process_truth *process_of(const struct capture *capture, int pid)
{
	for (size_t i = 0; i < capture->n_processes; i++)
		if (capture->processes[i].pid == pid)
			return &capture->processes[i];
	fail_msg("no process %d in the tree", pid);
	return NULL;
}

bool overlaps(const struct mapping_record *record, const struct region *region)
{
	return record->start < region->end && record->end > region->start;
}

uint64_t region_huge(const struct region *region)
{
	if (region->kind == KIND_HUGETLB)
		return 0;
	if (region->huge_known)
		return region->huge;
	/* in these trees every unit that nobody expects otherwise of is mapped by PMD */
	return region->expect_known ? region->expect : region->contiguous;
}

void check_keys(struct tally *tally, const struct thpstat_usage *usage, const char *text,
		const struct keyed_metric *keys, size_t n_keys, const char *file, int pid)
{
	for (size_t i = 0; i < n_keys; i++) {
		uint64_t wanted = 0;
		bool known = key_number(text, keys[i].key, &wanted);

		tally_figure(tally, figure_of(usage, keys[i].metric), known, wanted, file, pid,
			     keys[i].key);
	}
}

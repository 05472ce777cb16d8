/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "class_table.h"
#include "coverage_bar.h"
#include "figure.h"
#include "human_size.h"
#include "memory.h"
#include "safe_text.h"

struct class_row {
	const char *label;
	enum thpstat_class class_; /* 0 for the total */
	/* each page once; min and max where the record has them */
	enum thpstat_metric resident_once, resident_once_min, resident_once_max;
	enum thpstat_metric huge_once, huge_once_min, huge_once_max;
	enum thpstat_ratio coverage_once;
	/* each mapping counted */
	enum thpstat_metric resident, huge;
	enum thpstat_ratio coverage;
};

static const struct class_row class_rows[] = {
	{
		.label = "anonymous",
		.class_ = THPSTAT_CLASS_ANON,
		.resident_once = THPSTAT_ANON_ONCE,
		.huge_once = THPSTAT_ANON_HUGE_ONCE,
		.coverage_once = THPSTAT_COVERAGE_ANON_ONCE,
		.resident = THPSTAT_ANONYMOUS,
		.huge = THPSTAT_ANON_HUGE_PAGES,
		.coverage = THPSTAT_COVERAGE_ANON,
	},
	{
		.label = "shared memory",
		.class_ = THPSTAT_CLASS_SHMEM,
		.resident_once = THPSTAT_SHMEM_ONCE,
		.huge_once = THPSTAT_SHMEM_HUGE_ONCE,
		.coverage_once = THPSTAT_COVERAGE_SHMEM_ONCE,
		.resident = THPSTAT_RESIDENT_SHMEM,
		.huge = THPSTAT_SHMEM_PMD_MAPPED,
		.coverage = THPSTAT_COVERAGE_SHMEM,
	},
	{
		.label = "files",
		.class_ = THPSTAT_CLASS_FILE,
		.resident_once = THPSTAT_FILE_ONCE,
		.huge_once = THPSTAT_FILE_HUGE_ONCE,
		.coverage_once = THPSTAT_COVERAGE_FILE_ONCE,
		.resident = THPSTAT_RESIDENT_FILE,
		.huge = THPSTAT_FILE_PMD_MAPPED,
		.coverage = THPSTAT_COVERAGE_FILE,
	},
	{
		.label = "hugetlb",
		.class_ = THPSTAT_CLASS_HUGETLB,
		.resident_once = THPSTAT_HUGETLB_ONCE,
		.huge_once = THPSTAT_HUGETLB_ONCE,
		.resident = THPSTAT_HUGETLB,
		.huge = THPSTAT_HUGETLB,
	},
	{
		.label = "total",
		.resident_once = THPSTAT_RESIDENT_ONCE,
		.resident_once_min = THPSTAT_RESIDENT_ONCE_MIN,
		.resident_once_max = THPSTAT_RESIDENT_ONCE_MAX,
		.huge_once = THPSTAT_HUGE_ONCE,
		.huge_once_min = THPSTAT_HUGE_ONCE_MIN,
		.huge_once_max = THPSTAT_HUGE_ONCE_MAX,
		.coverage_once = THPSTAT_COVERAGE_ONCE,
		.resident = THPSTAT_RESIDENT,
		.huge = THPSTAT_HUGE,
		.coverage = THPSTAT_COVERAGE,
	},
};

#define N_ROWS (sizeof(class_rows) / sizeof(class_rows[0]))

/* A row as text; all to be freed. */
struct row_text {
	char *resident;
	char *huge;
	char *note; /* NULL for none */
	double ratio;
	bool has_ratio;
};

bool class_table_counts_once(const struct thpstat_usage *usage)
{
	uint64_t bytes;

	for (size_t i = 0; i < N_ROWS; i++)
		if (figure_get(usage, class_rows[i].resident_once, &bytes))
			return true;
	return figure_get(usage, THPSTAT_RESIDENT_ONCE_MAX, &bytes);
}

/*
 * A figure that counts each page once: as proved, as an interval, or else as the figure that counts
 * each mapping, which the truth is not above.
 */
static char *once_text(const struct thpstat_usage *usage, enum thpstat_metric once,
		       enum thpstat_metric low, enum thpstat_metric high,
		       enum thpstat_metric as_mapped, bool plain)
{
	uint64_t bytes, most;
	char *text, *bound;

	if (figure_get(usage, once, &bytes))
		return figure_size(bytes, plain);
	if (low && figure_get(usage, low, &bytes) && figure_get(usage, high, &most))
		return figure_interval(bytes, most, plain);
	text = figure_text(usage, as_mapped, plain);
	if (!figure_get(usage, as_mapped, &bytes) || !bytes)
		return text;
	bound = memory_format("<= %s", text);
	free(text);
	return bound;
}

/* hugetlb pages are huge, all of them. */
static bool hugetlb_ratio(const struct thpstat_usage *usage, double *ret)
{
	uint64_t bytes;

	*ret = 1;
	return figure_get(usage, THPSTAT_HUGETLB, &bytes) && bytes;
}

static struct row_text once_row(const struct thpstat_usage *usage, const struct class_row *row,
				const struct object_views *views, bool plain)
{
	struct row_text text = {
		.resident = once_text(usage, row->resident_once, row->resident_once_min,
				      row->resident_once_max, row->resident, plain),
		.huge = once_text(usage, row->huge_once, row->huge_once_min, row->huge_once_max,
				  row->huge, plain),
	};
	char percent[8];
	double as_mapped;

	text.has_ratio = row->coverage_once
				 ? !thpstat_usage_ratio(usage, row->coverage_once, &text.ratio)
				 : hugetlb_ratio(usage, &text.ratio);
	if (views->name && row->class_ == views->class_)
		text.note = object_views_text(views, ", mapped");
	else if (!text.has_ratio && row->coverage &&
		 !thpstat_usage_ratio(usage, row->coverage, &as_mapped))
		/* the other base is said where this one is not proved, and only there */
		text.note = memory_format("%s as mapped", human_percent(as_mapped, percent));
	return text;
}

static struct row_text mapped_row(const struct thpstat_usage *usage, const struct class_row *row,
				  bool plain)
{
	struct row_text text = {
		.resident = figure_text(usage, row->resident, plain),
		.huge = figure_text(usage, row->huge, plain),
	};

	text.has_ratio = row->coverage ? !thpstat_usage_ratio(usage, row->coverage, &text.ratio)
				       : hugetlb_ratio(usage, &text.ratio);
	return text;
}

static int wider(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

static void print_row(const char *label, const struct row_text *row, int resident_width,
		      int huge_width, bool color)
{
	char percent[8], bar[COVERAGE_BAR_MAX] = "";
	const char *ratio = row->has_ratio ? human_percent(row->ratio, percent) : "-";

	printf("%-13s %*s %*s %6s", label, resident_width, row->resident, huge_width, row->huge,
	       ratio);
	if (row->has_ratio)
		coverage_bar(row->ratio, COVERAGE_BAR_CELLS, bar);
	if (*bar || row->note)
		printf("  %s%s%s", color ? "\033[36m" : "", bar, color ? "\033[0m" : "");
	if (row->note)
		printf("%*s  %s", COVERAGE_BAR_CELLS - (int)safe_text_width(bar), "", row->note);
	printf("\n");
}

void class_table_print(const struct options *options, const struct thpstat_usage *usage,
		       const struct object_views *views)
{
	bool once = class_table_counts_once(usage);
	const char *resident = once ? "resident once" : "resident";
	const char *huge = once ? "huge once" : "huge";
	int resident_width = wider(12, resident), huge_width = wider(11, huge);
	struct row_text rows[N_ROWS];

	for (size_t i = 0; i < N_ROWS; i++) {
		rows[i] = once ? once_row(usage, &class_rows[i], views, options->bytes)
			       : mapped_row(usage, &class_rows[i], options->bytes);
		resident_width = wider(resident_width, rows[i].resident);
		huge_width = wider(huge_width, rows[i].huge);
	}
	printf("%-13s %*s %*s  cover%s\n", "", resident_width, resident, huge_width, huge,
	       once ? "" : "  (as mapped: each mapping counts)");
	for (size_t i = 0; i < N_ROWS; i++) {
		print_row(class_rows[i].label, &rows[i], resident_width, huge_width,
			  options->color);
		free(rows[i].resident);
		free(rows[i].huge);
		free(rows[i].note);
	}
}

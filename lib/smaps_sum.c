/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "account/coverage.h"
#include "account/footprint.h"
#include "account/once_range.h"
#include "smaps_sum.h"

/* Figures of which smaps_rollup has better ones: the kernel truncates each mapping to kB. */
static int is_pss(unsigned int metric)
{
	return metric == THPSTAT_PSS || metric == THPSTAT_PSS_DIRTY || metric == THPSTAT_SWAP_PSS;
}

static void add_figures(struct smaps_sum *sum, const struct figures *figures)
{
	for (unsigned int word = 0; word < METRIC_WORDS; word++) {
		sum->record_overflow[word] |= figures->overflow[word];
		sum->record_malformed[word] |= figures->malformed[word];
		for (uint64_t bits = figures->present[word]; bits; bits &= bits - 1) {
			unsigned int metric = word * 64 + (unsigned int)__builtin_ctzll(bits);

			sum->records[metric]++;
			if (__builtin_add_overflow(sum->value[metric], figures->value[metric],
						   &sum->value[metric]))
				figures_mark(sum->overflow, metric);
		}
	}
}

static int grow(struct smaps_sum *sum)
{
	size_t room = sum->room ? sum->room * 2 : 256;
	struct once_range *ranges = reallocarray(sum->ranges, room, sizeof(*ranges));

	if (!ranges)
		return -ENOMEM;
	sum->ranges = ranges;

	struct once_span *spans = reallocarray(sum->spans, room, sizeof(*spans));

	if (!spans)
		return -ENOMEM;
	sum->spans = spans;
	sum->room = room;
	return 0;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Never wraps: what does not fit is as large as can be, and contradicts whatever it is held to. */
static uint64_t plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static void add_alone(struct once_sum *once, enum thpstat_class class_, uint64_t resident,
		      uint64_t huge)
{
	/* what does not fit is broken: no process maps 2^64 bytes */
	once->broken |= __builtin_add_overflow(once->resident[class_].min, resident,
					       &once->resident[class_].min);
	once->resident[class_].max = once->resident[class_].min;
	once->broken |=
		__builtin_add_overflow(once->huge[class_].min, huge, &once->huge[class_].min);
	once->huge[class_].max = once->huge[class_].min;
}

/* Pages of a mapping that belong to the object behind it. */
static int add_object(struct smaps_sum *sum, const struct mapping_walk *walk)
{
	struct once_range range;

	int error = once_range_of(&walk->view, walk->name_length, &range);

	if (!range.resident)
		return 0;
	if (walk->object_name == OBJECT_NAME_NONE) {
		add_alone(&sum->once, range.class_, range.resident, range.huge);
		return 0;
	}
	if (sum->n_ranges == sum->room && grow(sum))
		return -ENOMEM;
	sum->once.broken |= error != 0;
	sum->ranges[sum->n_ranges++] = range;
	return 0;
}

static int add_mapping(struct smaps_sum *sum, const struct mapping_walk *walk)
{
	const struct thpstat_usage *usage = &walk->usage;
	uint64_t anonymous = usage_or_zero(usage, THPSTAT_ANONYMOUS);
	uint64_t rss = usage_or_zero(usage, THPSTAT_RSS);

	uint64_t page_size = usage_or_zero(usage, THPSTAT_KERNEL_PAGE_SIZE);

	sum->n_mappings++;
	/* mappings of hugetlb have larger pages, all others those of the kernel */
	if (page_size && (!sum->page_size || page_size < sum->page_size))
		sum->page_size = page_size;
	add_figures(sum, &usage->figures);
	/* more than there is, or ordinary pages among those of hugetlb: nothing can be concluded */
	if (usage_has(usage, THPSTAT_RSS) &&
	    (anonymous > rss || (walk->view.class_ == THPSTAT_CLASS_HUGETLB && anonymous != rss)))
		sum->once.broken = 1;
	add_alone(&sum->once, THPSTAT_CLASS_ANON, anonymous,
		  usage_or_zero(usage, THPSTAT_ANON_HUGE_PAGES));
	sum->shmem = plus(sum->shmem, usage_or_zero(usage, THPSTAT_RESIDENT_SHMEM));
	if (!walk->class_sure)
		sum->unsure = plus(sum->unsure, once_resident_of(usage));
	if (!usage_has(usage, THPSTAT_KSM) && walk->view.flags & THPSTAT_MAPPING_MERGEABLE) {
		uint64_t shared = plus(usage_or_zero(usage, THPSTAT_SHARED_CLEAN),
				       usage_or_zero(usage, THPSTAT_SHARED_DIRTY));

		sum->mergeable = plus(sum->mergeable, shared < anonymous ? shared : anonymous);
	}
	return add_object(sum, walk);
}

/* Why no record had the figure. */
static enum thpstat_reason why_none(const struct smaps_sum *sum, enum thpstat_metric metric)
{
	if (figures_bit(sum->record_overflow, metric))
		return THPSTAT_REASON_OVERFLOW;
	return figures_bit(sum->record_malformed, metric) ? THPSTAT_REASON_CUT
							  : THPSTAT_REASON_NOT_OFFERED;
}

static void set_sums(const struct smaps_sum *sum, struct thpstat_usage *usage, int keep_pss)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct metric_row *row = metric_row(metric);

		if (!(row->files & FILE_SMAPS) || !row->info.addable ||
		    (keep_pss && is_pss(metric) && usage_has(usage, metric)))
			continue;
		if (!sum->records[metric]) {
			usage_absent(usage, metric, why_none(sum, metric));
		} else if (figures_bit(sum->overflow, metric)) {
			usage_absent(usage, metric, THPSTAT_REASON_OVERFLOW);
		} else {
			uint64_t missing = sum->n_mappings - sum->records[metric];

			usage_set(usage, metric, sum->value[metric],
				  is_pss(metric) ? THPSTAT_METHOD_ESTIMATE : THPSTAT_METHOD_EXACT);
			usage->missing[metric] =
				missing > UINT32_MAX ? UINT32_MAX : (uint32_t)missing;
		}
	}
	usage_set(usage, THPSTAT_MAPPINGS, sum->n_mappings, THPSTAT_METHOD_EXACT);
}

/* What is needed of each mapping to reckon its pages once. */
static enum thpstat_reason once_reason(const struct thpstat_usage *usage)
{
	static const enum thpstat_metric needed[] = {
		THPSTAT_RSS,
		THPSTAT_ANONYMOUS,
		THPSTAT_HUGETLB,
	};

	for (unsigned int i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (!usage_has(usage, needed[i]))
			return thpstat_usage_reason(usage, needed[i]);
		if (usage->missing[needed[i]])
			return THPSTAT_REASON_CUT;
	}
	return THPSTAT_REASON_NONE;
}

/* Without a page map to look at what remains open is an interval. */
static void account_once(struct smaps_sum *sum, const struct mapping_walk *walk)
{
	once_pages_fn *look = NULL;

	sum->pages.settled = sum->pages.changed = 0;
	if (sum->exact && sum->page_size &&
	    !pagemap_open(&sum->pages.pagemap, &walk->source->tree, walk->process, sum->page_size))
		look = object_pages_settle;
	once_account(sum->ranges, sum->n_ranges, sum->spans, look, &sum->pages, &sum->once);
	if (look)
		pagemap_close(&sum->pages.pagemap);
}

static void set_once(struct smaps_sum *sum, const struct mapping_walk *walk,
		     struct thpstat_usage *usage)
{
	struct once_interval *anon = &sum->once.resident[THPSTAT_CLASS_ANON];
	enum thpstat_reason reason = once_reason(usage);

	/* a mapping seen twice would count twice */
	if (!reason && walk->inconsistent)
		reason = THPSTAT_REASON_DIFFERENT_MOMENTS;
	if (reason) {
		footprint_once_absent(usage, reason);
		return;
	}
	/* KSM is the one way that a process maps one anonymous page several times */
	anon->min = less(anon->min, usage_has(usage, THPSTAT_KSM) ? usage_value(usage, THPSTAT_KSM)
								  : sum->mergeable);
	if (!sum->once.broken)
		account_once(sum, walk);
	footprint_once(usage, &sum->once);
	if (sum->unsure) {
		usage_absent(usage, THPSTAT_SHMEM_ONCE, THPSTAT_REASON_NOT_PROVED);
		usage_absent(usage, THPSTAT_FILE_ONCE, THPSTAT_REASON_NOT_PROVED);
	}
}

/* Shared memory and files: by mapping, or by status where a mapping leaves doubt. */
static void set_split(const struct smaps_sum *sum, struct thpstat_usage *usage)
{
	if (!sum->unsure) {
		coverage_split_process(usage, sum->shmem);
	} else if (usage_has(usage, THPSTAT_RSS_SHMEM)) {
		coverage_split_process(usage, usage_value(usage, THPSTAT_RSS_SHMEM));
	} else {
		usage_absent(usage, THPSTAT_RESIDENT_SHMEM, THPSTAT_REASON_NOT_PROVED);
		usage_absent(usage, THPSTAT_RESIDENT_FILE, THPSTAT_REASON_NOT_PROVED);
	}
}

static void empty(struct smaps_sum *sum)
{
	sum->n_ranges = 0;
	sum->n_mappings = sum->page_size = sum->shmem = sum->unsure = sum->mergeable = 0;
	sum->pages.settled = sum->pages.changed = 0;
	memset(sum->overflow, 0, sizeof(sum->overflow));
	memset(sum->record_overflow, 0, sizeof(sum->record_overflow));
	memset(sum->record_malformed, 0, sizeof(sum->record_malformed));
	memset(sum->value, 0, sizeof(sum->value));
	memset(sum->records, 0, sizeof(sum->records));
	memset(&sum->once, 0, sizeof(sum->once));
}

int smaps_sum_read(struct smaps_sum *sum, struct mapping_walk *walk,
		   const struct directory *directory, struct thpstat_usage *usage, int keep_pss)
{
	int more = mapping_walk_begin(walk, directory);

	if (more)
		return more;
	empty(sum);
	while ((more = mapping_walk_next(walk)) == 1) {
		int error = add_mapping(sum, walk);

		if (error) {
			more = error;
			break;
		}
	}
	mapping_walk_end(walk);
	if (more)
		return more;
	if (!sum->n_mappings)
		return -ENODATA;
	set_sums(sum, usage, keep_pss);
	coverage_as_mapped(usage);
	set_split(sum, usage);
	set_once(sum, walk, usage);
	return 0;
}

int smaps_sum_has_gaps(const struct smaps_sum *sum)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));)
		if (metric_row(metric)->files & FILE_SMAPS &&
		    sum->records[metric] != sum->n_mappings &&
		    (sum->records[metric] || why_none(sum, metric) != THPSTAT_REASON_NOT_OFFERED))
			return 1;
	return 0;
}

void smaps_sum_free(struct smaps_sum *sum)
{
	free(sum->ranges);
	free(sum->spans);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "account/usage.h"

void usage_clear(struct thpstat_usage *usage)
{
	figures_clear(&usage->figures);
	memset(usage->reason, 0, sizeof(usage->reason));
	memset(usage->method, 0, sizeof(usage->method));
	memset(usage->missing, 0, sizeof(usage->missing));
}

void usage_absent(struct thpstat_usage *usage, enum thpstat_metric metric,
		  enum thpstat_reason reason)
{
	usage->figures.present[metric / 64] &= ~(UINT64_C(1) << (metric % 64));
	usage->reason[metric] = (uint8_t)reason;
}

static void absent_unless_known(struct thpstat_usage *usage, unsigned int metric,
				enum thpstat_reason reason)
{
	if (!figures_bit(usage->figures.present, metric) && !usage->reason[metric])
		usage->reason[metric] = (uint8_t)reason;
}

void usage_absent_files(struct thpstat_usage *usage, unsigned int files, enum thpstat_reason reason)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));)
		if (metric_row(metric)->files & files)
			absent_unless_known(usage, metric, reason);
}

void usage_absent_set(struct thpstat_usage *usage, const uint64_t metrics[METRIC_WORDS],
		      enum thpstat_reason reason)
{
	for (unsigned int word = 0; word < METRIC_WORDS; word++) {
		uint64_t absent = metrics[word] & ~usage->figures.present[word];

		for (; absent; absent &= absent - 1)
			absent_unless_known(usage,
					    word * 64 + (unsigned int)__builtin_ctzll(absent),
					    reason);
	}
}

void usage_absent_subject(struct thpstat_usage *usage, unsigned int subject,
			  enum thpstat_reason reason)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));)
		if (metric_row(metric)->info.subjects & subject)
			absent_unless_known(usage, metric, reason);
}

static enum thpstat_reason reason_of(const struct thpstat_usage *usage, unsigned int metric)
{
	if (figures_bit(usage->figures.present, metric))
		return THPSTAT_REASON_NONE;
	if (usage->reason[metric])
		return (enum thpstat_reason)usage->reason[metric];
	if (figures_bit(usage->figures.overflow, metric))
		return THPSTAT_REASON_OVERFLOW;
	if (figures_bit(usage->figures.malformed, metric))
		return THPSTAT_REASON_CUT;
	return THPSTAT_REASON_NOT_OFFERED;
}

enum thpstat_reason usage_why_not_complete(const struct thpstat_usage *usage,
					   enum thpstat_metric metric)
{
	enum thpstat_reason reason = reason_of(usage, metric);

	return !reason && usage->missing[metric] ? THPSTAT_REASON_CUT : reason;
}

static int error_of(enum thpstat_reason reason)
{
	switch (reason) {
	case THPSTAT_REASON_NONE:
		return 0;
	case THPSTAT_REASON_FORBIDDEN:
		return -EACCES;
	case THPSTAT_REASON_GONE:
		return -ESRCH;
	case THPSTAT_REASON_CUT:
	case THPSTAT_REASON_BROKEN:
		return -EBADMSG;
	case THPSTAT_REASON_OVERFLOW:
		return -EOVERFLOW;
	default:
		return -ENODATA;
	}
}

int thpstat_usage_get(const struct thpstat_usage *usage, enum thpstat_metric metric, uint64_t *ret)
{
	if (!usage || !ret || !metric_row(metric))
		return -EINVAL;
	if (usage_has(usage, metric)) {
		*ret = usage_value(usage, metric);
		return 0;
	}
	return error_of(reason_of(usage, metric));
}

enum thpstat_reason thpstat_usage_reason(const struct thpstat_usage *usage,
					 enum thpstat_metric metric)
{
	if (!usage || !metric_row(metric))
		return THPSTAT_REASON_NOT_OFFERED;
	return reason_of(usage, metric);
}

enum thpstat_method thpstat_usage_method(const struct thpstat_usage *usage,
					 enum thpstat_metric metric)
{
	if (!usage || !metric_row(metric) || !usage_has(usage, metric))
		return THPSTAT_METHOD_NONE;
	return usage->method[metric] ? (enum thpstat_method)usage->method[metric]
				     : THPSTAT_METHOD_EXACT;
}

uint64_t thpstat_usage_missing(const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	return usage && metric_row(metric) ? usage->missing[metric] : 0;
}

enum thpstat_reason thpstat_usage_ratio_reason(const struct thpstat_usage *usage,
					       enum thpstat_ratio ratio)
{
	const struct thpstat_ratio_info *info = thpstat_ratio_info(ratio);

	if (!usage || !info)
		return THPSTAT_REASON_NOT_OFFERED;

	enum thpstat_reason above = reason_of(usage, info->numerator);
	enum thpstat_reason below = reason_of(usage, info->denominator);

	if (above || below)
		return above ? above : below;
	if (usage->missing[info->numerator] || usage->missing[info->denominator])
		return THPSTAT_REASON_CUT;
	/* nothing is clamped: parts that contradict each other give no ratio */
	if (usage_value(usage, info->numerator) > usage_value(usage, info->denominator))
		return THPSTAT_REASON_BROKEN;
	return THPSTAT_REASON_NONE;
}

int thpstat_usage_ratio(const struct thpstat_usage *usage, enum thpstat_ratio ratio, double *ret)
{
	const struct thpstat_ratio_info *info = thpstat_ratio_info(ratio);

	if (!usage || !ret || !info)
		return -EINVAL;

	enum thpstat_reason reason = thpstat_usage_ratio_reason(usage, ratio);

	if (reason)
		return error_of(reason);
	if (!usage_value(usage, info->denominator))
		return -EDOM;
	*ret = (double)usage_value(usage, info->numerator) /
	       (double)usage_value(usage, info->denominator);
	return 0;
}

int thpstat_usage_new(struct thpstat_usage **ret)
{
	if (!ret)
		return -EINVAL;

	struct thpstat_usage *usage = calloc(1, sizeof(*usage));

	if (!usage)
		return -ENOMEM;
	*ret = usage;
	return 0;
}

int thpstat_usage_add(struct thpstat_usage *sum, const struct thpstat_usage *part)
{
	if (!sum || !part)
		return -EINVAL;
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		if (!metric_row(metric)->info.addable)
			continue;

		enum thpstat_reason reason = reason_of(part, metric);

		if (reason == THPSTAT_REASON_NO_MEMORY)
			continue;
		/* one process, however many of its mappings lack it */
		sum->missing[metric] += reason || part->missing[metric];
		if (reason) {
			/* nobody's part is known so far: the sum is absent for the same reason */
			if (!usage_has(sum, metric) && !sum->reason[metric])
				sum->reason[metric] = (uint8_t)reason;
			continue;
		}
		if (figures_bit(sum->figures.overflow, metric))
			continue;

		uint64_t total = usage_or_zero(sum, metric);
		enum thpstat_method method = thpstat_usage_method(part, metric);

		if (__builtin_add_overflow(total, usage_value(part, metric), &total)) {
			figures_mark(sum->figures.overflow, metric);
			usage_absent(sum, metric, THPSTAT_REASON_OVERFLOW);
			continue;
		}
		/* a sum is as sure as its least sure part */
		if (usage_has(sum, metric) && sum->method[metric] > method)
			method = (enum thpstat_method)sum->method[metric];
		usage_set(sum, metric, total, method);
	}
	return 0;
}

struct thpstat_usage *thpstat_usage_free(struct thpstat_usage *usage)
{
	free(usage);
	return NULL;
}

const char *thpstat_reason_name(enum thpstat_reason reason)
{
	static const char *const names[] = {
		[THPSTAT_REASON_NONE] = "none",
		[THPSTAT_REASON_NOT_OFFERED] = "not offered",
		[THPSTAT_REASON_FORBIDDEN] = "forbidden",
		[THPSTAT_REASON_NOT_READ] = "not read",
		[THPSTAT_REASON_NO_MEMORY] = "no memory",
		[THPSTAT_REASON_GONE] = "gone",
		[THPSTAT_REASON_CUT] = "cut",
		[THPSTAT_REASON_DIFFERENT_MOMENTS] = "different moments",
		[THPSTAT_REASON_NOT_PROVED] = "not proved",
		[THPSTAT_REASON_BROKEN] = "broken",
		[THPSTAT_REASON_OVERFLOW] = "overflow",
	};

	if ((unsigned int)reason >= sizeof(names) / sizeof(names[0]))
		return "unknown";
	return names[reason];
}

const char *thpstat_method_name(enum thpstat_method method)
{
	switch (method) {
	case THPSTAT_METHOD_EXACT:
		return "exact";
	case THPSTAT_METHOD_BOUND:
		return "bound";
	case THPSTAT_METHOD_ESTIMATE:
		return "estimate";
	default:
		return "none";
	}
}

/* SPDX-License-Identifier: MIT */
#ifndef THPSTAT_USAGE_H
#define THPSTAT_USAGE_H

#include <stdint.h>

#include <thpstat/common.h>
#include <thpstat/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct thpstat_usage - a record: the values of one process, mapping, page size, node or host
 */
struct thpstat_usage;

/**
 * enum thpstat_reason - why a value is absent
 * @THPSTAT_REASON_NONE: it is not absent
 * @THPSTAT_REASON_NOT_OFFERED: this kernel or tree does not give it
 * @THPSTAT_REASON_FORBIDDEN: the file may not be read
 * @THPSTAT_REASON_NOT_READ: it needs a file that was not asked for
 * @THPSTAT_REASON_NO_MEMORY: a kernel thread or a zombie: there is no memory map
 * @THPSTAT_REASON_GONE: the process ended meanwhile
 * @THPSTAT_REASON_CUT: the file ended early or is malformed
 * @THPSTAT_REASON_DIFFERENT_MOMENTS: its parts were read at different moments and contradict
 * @THPSTAT_REASON_NOT_PROVED: only an interval is known, see the _min and _max metrics
 * @THPSTAT_REASON_BROKEN: the kernel's own counters contradict each other
 * @THPSTAT_REASON_OVERFLOW: the number does not fit in 64 bits
 */
enum thpstat_reason {
	THPSTAT_REASON_NONE = 0,
	THPSTAT_REASON_NOT_OFFERED = 1,
	THPSTAT_REASON_FORBIDDEN = 2,
	THPSTAT_REASON_NOT_READ = 3,
	THPSTAT_REASON_NO_MEMORY = 4,
	THPSTAT_REASON_GONE = 5,
	THPSTAT_REASON_CUT = 6,
	THPSTAT_REASON_DIFFERENT_MOMENTS = 7,
	THPSTAT_REASON_NOT_PROVED = 8,
	THPSTAT_REASON_BROKEN = 9,
	THPSTAT_REASON_OVERFLOW = 10,
	THPSTAT_REASON_FORCE_INT = 0x7fffffff
};

/**
 * enum thpstat_method - how sure a value is
 * @THPSTAT_METHOD_NONE: the value is absent
 * @THPSTAT_METHOD_EXACT: the kernel's own figure, or proved from such figures
 * @THPSTAT_METHOD_BOUND: the truth is not above it (for a _min metric: not below it); a record
 *	that has both _min and _max has a closed interval
 * @THPSTAT_METHOD_ESTIMATE: near the truth, and its error is not bounded
 */
enum thpstat_method {
	THPSTAT_METHOD_NONE = 0,
	THPSTAT_METHOD_EXACT = 1,
	THPSTAT_METHOD_BOUND = 2,
	THPSTAT_METHOD_ESTIMATE = 3,
	THPSTAT_METHOD_FORCE_INT = 0x7fffffff
};

/**
 * thpstat_usage_get - one value of a record
 * @usage: the record
 * @metric: which value
 * @ret: the value, in the unit of the metric
 *
 * Return: 0; -EACCES when it may not be read; -ESRCH when the process is gone; -EBADMSG when the
 * file is malformed, ends early or contradicts itself; -EOVERFLOW; -ENODATA when it is absent for
 * any other reason, which thpstat_usage_reason() tells; -EINVAL for an unknown metric.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_usage_get(const struct thpstat_usage *usage,
						enum thpstat_metric metric, uint64_t *ret);

/**
 * thpstat_usage_reason - why a value is absent
 * @usage: the record
 * @metric: which value
 *
 * Return: THPSTAT_REASON_NONE when it is present; THPSTAT_REASON_NOT_OFFERED for a metric that
 * this library does not know.
 */
THPSTAT_API enum thpstat_reason thpstat_usage_reason(const struct thpstat_usage *usage,
						     enum thpstat_metric metric);

/**
 * thpstat_usage_method - how sure a value is
 * @usage: the record
 * @metric: which value
 *
 * Return: THPSTAT_METHOD_NONE when it is absent.
 */
THPSTAT_API enum thpstat_method thpstat_usage_method(const struct thpstat_usage *usage,
						     enum thpstat_metric metric);

/**
 * thpstat_usage_missing - parts that a sum lacks
 * @usage: the record
 * @metric: which value
 *
 * Return: for a process the mappings, for a sum over processes the processes whose part of this
 * value is not known and so not in it; 0 for a complete value.
 */
THPSTAT_API uint64_t thpstat_usage_missing(const struct thpstat_usage *usage,
					   enum thpstat_metric metric);

/**
 * thpstat_usage_ratio - one ratio of a record
 * @usage: the record
 * @ratio: which ratio
 * @ret: 0 to 1
 *
 * Numerator and denominator are of the same base and of the same read; a part that is absent or
 * incomplete makes the ratio absent.
 *
 * Return: 0; -EDOM when there is nothing to divide by (the denominator is 0); else as
 * thpstat_usage_get().
 */
THPSTAT_API THPSTAT_CHECK int thpstat_usage_ratio(const struct thpstat_usage *usage,
						  enum thpstat_ratio ratio, double *ret);

/**
 * thpstat_usage_ratio_reason - why a ratio is absent
 * @usage: the record
 * @ratio: which ratio
 *
 * Return: THPSTAT_REASON_NONE when both parts are known, also when the denominator is 0.
 */
THPSTAT_API enum thpstat_reason thpstat_usage_ratio_reason(const struct thpstat_usage *usage,
							   enum thpstat_ratio ratio);

/**
 * thpstat_usage_new - an empty record to add others to
 * @ret: freed with thpstat_usage_free()
 *
 * Return: 0 or -ENOMEM.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_usage_new(struct thpstat_usage **ret);

/**
 * thpstat_usage_add - add the record of one process to a sum over processes
 * @sum: made by thpstat_usage_new()
 * @part: the record of one process
 *
 * Adds up the metrics that may be added (see struct thpstat_metric_info). What @part lacks is
 * counted as missing, unless it lacks it because it has no memory. A sum whose number does not
 * fit becomes absent with THPSTAT_REASON_OVERFLOW.
 *
 * Return: 0 or -EINVAL.
 */
THPSTAT_API THPSTAT_CHECK int thpstat_usage_add(struct thpstat_usage *sum,
						const struct thpstat_usage *part);

/**
 * thpstat_usage_free - free a record made by thpstat_usage_new()
 * @usage: may be NULL
 *
 * Return: NULL.
 */
THPSTAT_API struct thpstat_usage *thpstat_usage_free(struct thpstat_usage *usage);

/**
 * thpstat_reason_name - a word or two for a reason
 * @reason: the reason
 *
 * Return: static text such as "forbidden"; "unknown" for a reason this library does not know.
 */
THPSTAT_API const char *thpstat_reason_name(enum thpstat_reason reason);

/**
 * thpstat_method_name - a word for a method
 * @method: the method
 *
 * Return: static text: "exact", "bound", "estimate" or "none".
 */
THPSTAT_API const char *thpstat_method_name(enum thpstat_method method);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/*
 * A whole tree, read in every way there is: walks over processes with all figures, over mappings,
 * and the host. What the walks say has to add up, among themselves and with the files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/thpstat.h>

#include "fuzz.h"
#include "reference.h"
#include "tree_files.h"

#define PROCESSES 2

static const int pids[PROCESSES] = { 1, 27 };

/* The public record is opaque, and its walk takes it along: what a process had, to compare. */
struct answer {
	int error;
	enum thpstat_process_state state;
	unsigned int flags;
	struct {
		int error;
		uint64_t value;
		enum thpstat_reason reason;
		uint64_t missing;
	} of[METRIC_LIMIT];
};

static void ignore_problem(void *userdata, const struct thpstat_problem *problem)
{
	fuzz_require(problem->path && problem->text && problem->error < 0, "a problem");
	(*(size_t *)userdata)++;
}

static void ignore_piece(void *userdata, const struct thpstat_file_piece *piece)
{
	(void)userdata;
	fuzz_require(piece->path && piece->error <= 0, "a piece");
	fuzz_require(!piece->size || (piece->data && !piece->error), "a piece");
}

/* One record by itself */

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

static bool get(const struct thpstat_usage *usage, enum thpstat_metric metric, uint64_t *ret)
{
	return !thpstat_usage_get(usage, metric, ret);
}

static void hold_figures(const struct thpstat_usage *usage)
{
	const struct thpstat_ratio_info *info;

	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const char *name = thpstat_metric_info(metric)->name;
		uint64_t value;
		int error = thpstat_usage_get(usage, metric, &value);

		fuzz_require(error == error_of(thpstat_usage_reason(usage, metric)), "%s: %d", name,
			     error);
		fuzz_require(!error == (thpstat_usage_method(usage, metric) != THPSTAT_METHOD_NONE),
			     "%s has a method", name);
	}
	for (int i = 1; (info = thpstat_ratio_info((enum thpstat_ratio)i)); i++) {
		uint64_t above, below;
		double ratio = -1;
		int error = thpstat_usage_ratio(usage, info->ratio, &ratio);

		fuzz_require(error || (ratio >= 0 && ratio <= 1), "%s is %g", info->name, ratio);
		fuzz_require(!error || ratio == -1, "%s", info->name);
		if (error)
			continue;
		fuzz_require(get(usage, info->numerator, &above) &&
				     get(usage, info->denominator, &below),
			     "%s without its parts", info->name);
		fuzz_require(!thpstat_usage_missing(usage, info->numerator) &&
				     !thpstat_usage_missing(usage, info->denominator),
			     "%s of incomplete parts", info->name);
	}
}

/* min <= max; the figure itself is there exactly when they meet. */
static void hold_interval(const struct thpstat_usage *usage, enum thpstat_metric metric,
			  enum thpstat_metric low, enum thpstat_metric high)
{
	const char *name = thpstat_metric_info(metric)->name;
	uint64_t value, min, max;
	bool has_min = get(usage, low, &min), has_max = get(usage, high, &max);

	fuzz_require(has_min == has_max, "%s", name);
	if (!has_min) {
		fuzz_require(!get(usage, metric, &value), "%s without an interval", name);
		return;
	}
	fuzz_require(min <= max, "%s", name);
	fuzz_require((min == max) == get(usage, metric, &value), "%s", name);
	fuzz_require(min != max || value == min, "%s", name);
}

static void hold_once(const struct thpstat_usage *usage)
{
	static const enum thpstat_metric classes[] = { THPSTAT_ANON_ONCE, THPSTAT_SHMEM_ONCE,
						       THPSTAT_FILE_ONCE, THPSTAT_HUGETLB_ONCE };
	uint64_t max, resident, once, again, part;
	unsigned __int128 sum = 0;
	bool all = true;

	hold_interval(usage, THPSTAT_RESIDENT_ONCE, THPSTAT_RESIDENT_ONCE_MIN,
		      THPSTAT_RESIDENT_ONCE_MAX);
	hold_interval(usage, THPSTAT_HUGE_ONCE, THPSTAT_HUGE_ONCE_MIN, THPSTAT_HUGE_ONCE_MAX);
	if (get(usage, THPSTAT_RESIDENT_ONCE_MAX, &max) && get(usage, THPSTAT_RESIDENT, &resident))
		fuzz_require(max <= resident, "%llu once, and %llu as mapped",
			     (unsigned long long)max, (unsigned long long)resident);
	if (!get(usage, THPSTAT_RESIDENT_ONCE, &once))
		return;
	if (get(usage, THPSTAT_COUNTED_AGAIN, &again) && get(usage, THPSTAT_RESIDENT, &resident))
		fuzz_require(once + again == resident, "counted again");
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		all &= get(usage, classes[i], &part);
		sum += all ? part : 0;
	}
	fuzz_require(!all || sum == once, "the classes do not add up");
}

/* A process and its smaps */

struct sums {
	uint64_t n; /* records */
	uint64_t records[METRIC_LIMIT];
	bool malformed[METRIC_LIMIT];
	bool overflow[METRIC_LIMIT];
	unsigned __int128 sum[METRIC_LIMIT];
	uint64_t largest; /* non-anonymous part of a mapping */
	bool is_cut;
};

static void end_record(struct sums *sums, struct reference_figures *record)
{
	uint64_t rss = record->of[THPSTAT_RSS].value;
	uint64_t anonymous = record->of[THPSTAT_ANONYMOUS].value;
	uint64_t largest = (rss > anonymous ? rss - anonymous : 0) +
			   record->of[THPSTAT_SHARED_HUGETLB].value +
			   record->of[THPSTAT_PRIVATE_HUGETLB].value;

	for (unsigned int i = 0; i < METRIC_LIMIT; i++) {
		sums->records[i] += record->of[i].present;
		sums->malformed[i] |= record->of[i].malformed;
		sums->overflow[i] |= record->of[i].overflow;
		sums->sum[i] += record->of[i].present ? record->of[i].value : 0;
	}
	if (largest > sums->largest)
		sums->largest = largest;
	memset(record, 0, sizeof(*record));
}

static void sum_up(const struct tree_file *smaps, struct sums *sums)
{
	const char *end = smaps->text + smaps->size;
	struct reference_figures record = { 0 };
	struct reference_header header;

	memset(sums, 0, sizeof(*sums));
	sums->is_cut = smaps->size && end[-1] != '\n';
	for (const char *p = smaps->text; p < end;) {
		size_t length = reference_line_length(p, end);

		if (p + length == end)
			break; /* no newline, not read */
		if (reference_header(p, length, &header)) {
			if (sums->n++)
				end_record(sums, &record);
		} else if (sums->n) {
			reference_line("smaps", p, length, &record);
		}
		p += length + 1;
	}
	if (sums->n)
		end_record(sums, &record);
}

/* smaps_rollup has better ones, where it has them. */
static bool is_pss(enum thpstat_metric metric)
{
	return metric == THPSTAT_PSS || metric == THPSTAT_PSS_DIRTY || metric == THPSTAT_SWAP_PSS;
}

static int why_none(const struct sums *sums, enum thpstat_metric metric)
{
	if (sums->overflow[metric])
		return -EOVERFLOW;
	return sums->malformed[metric] ? -EBADMSG : -ENODATA;
}

static void hold_sums(const struct thpstat_process *process, const struct sums *sums,
		      bool has_rollup)
{
	bool told = process->flags & THPSTAT_PROCESS_CUT;
	uint64_t value;

	fuzz_require(get(process->usage, THPSTAT_MAPPINGS, &value) && value == sums->n,
		     "%llu mappings", (unsigned long long)sums->n);
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metric);
		int error;

		if (!reference_is_of(metric, "smaps"))
			continue;
		fuzz_require(told || sums->records[metric] == sums->n ||
				     (!sums->records[metric] && !sums->malformed[metric] &&
				      !sums->overflow[metric]),
			     "%s has gaps and nobody is told", info->name);
		if (!info->addable || (is_pss(metric) && has_rollup))
			continue;
		error = thpstat_usage_get(process->usage, metric, &value);
		if (!sums->records[metric]) {
			fuzz_require(error == why_none(sums, metric), "%s: %d", info->name, error);
			continue;
		}
		if (sums->sum[metric] > UINT64_MAX) {
			fuzz_require(error == -EOVERFLOW, "%s wraps: %d", info->name, error);
			continue;
		}
		fuzz_require(!error && value == (uint64_t)sums->sum[metric], "%s is %llu (%d)",
			     info->name, (unsigned long long)value, error);
		fuzz_require(thpstat_usage_missing(process->usage, metric) ==
				     sums->n - sums->records[metric],
			     "%s lacks %llu mappings", info->name,
			     (unsigned long long)thpstat_usage_missing(process->usage, metric));
	}
	if (get(process->usage, THPSTAT_RESIDENT_ONCE_MIN, &value))
		fuzz_require(value >= sums->largest, "%llu once, and one mapping has %llu",
			     (unsigned long long)value, (unsigned long long)sums->largest);
}

static uint64_t walk_mappings(struct thpstat_mappings *walk, struct sums *sums, int *ret_result)
{
	const struct thpstat_mapping *mapping;
	uint64_t n = 0;

	memset(sums, 0, sizeof(*sums));
	while ((*ret_result = thpstat_mappings_next(walk, &mapping)) == 1) {
		n++;
		hold_figures(mapping->usage);
		fuzz_require(mapping->class_ >= THPSTAT_CLASS_ANON &&
				     mapping->class_ <= THPSTAT_CLASS_HUGETLB,
			     "class %d", (int)mapping->class_);
		for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
			uint64_t value;

			if (!get(mapping->usage, metric, &value))
				continue;
			sums->records[metric]++;
			sums->sum[metric] += value;
		}
	}
	fuzz_require(!thpstat_mappings_close(walk), "close");
	return n;
}

/* Both ways to the mappings of a process lead to the same ones, and these to its sums. */
static void hold_mappings(struct thpstat *source, const struct thpstat_process *process,
			  const struct sums *sums)
{
	struct thpstat_mappings *walk;
	struct sums found;
	int result, error = thpstat_mappings_open_process(process, &walk);
	bool opened = !error;

	if (opened) {
		uint64_t n = walk_mappings(walk, &found, &result);

		if (sums) {
			fuzz_require(n == sums->n, "%llu mappings", (unsigned long long)n);
			fuzz_require(result == (sums->is_cut ? -EBADMSG : 0), "%d", result);
			for (unsigned int i = 0; i < METRIC_LIMIT; i++)
				fuzz_require(!sums->records[i] || found.sum[i] == sums->sum[i],
					     "metric %u", i);
		}
	}
	result = thpstat_mappings_open(source, process->pid, &walk);
	fuzz_require(result == error, "%d by process, %d by pid", error, result);
	if (!result)
		walk_mappings(walk, &found, &result);
}

/* The figures of an object, which are the parts of a process that have one. */
static uint64_t hold_object(const struct thpstat_object *object)
{
	uint64_t resident, least, most, mappings;

	fuzz_require(object->name && object->class_ != THPSTAT_CLASS_ANON, "%s", object->name);
	fuzz_require(object->page_source == THPSTAT_PAGE_SOURCE_NONE, "%d", object->page_source);
	fuzz_require(!thpstat_usage_get(object->usage, THPSTAT_MAPPINGS, &mappings) && mappings,
		     "no mappings");
	if (thpstat_usage_get(object->usage, THPSTAT_RESIDENT_ONCE_MIN, &least))
		return 0;
	fuzz_require(!thpstat_usage_get(object->usage, THPSTAT_RESIDENT_ONCE_MAX, &most), "most");
	fuzz_require(!thpstat_usage_get(object->usage, THPSTAT_RESIDENT, &resident), "resident");
	fuzz_require(least <= most && most <= resident, "%llu to %llu of %llu",
		     (unsigned long long)least, (unsigned long long)most,
		     (unsigned long long)resident);
	return least;
}

/* Objects come once each, and together they are no more than the process. */
static void hold_objects(const struct thpstat_process *process)
{
	struct thpstat_object_key previous = { { 0 } };
	const struct thpstat_object *object;
	struct thpstat_objects *list;
	uint64_t least = 0, most;

	if (thpstat_objects_open_process(process, THPSTAT_PROCESS_WANT_PAGES, &list))
		return;
	while (thpstat_objects_next(list, &object) == 1) {
		fuzz_require(thpstat_object_compare(&previous, &object->key) < 0, "twice");
		previous = object->key;
		fuzz_require(!__builtin_add_overflow(least, hold_object(object), &least), "wraps");
		if (thpstat_usage_get(process->usage, THPSTAT_RESIDENT_ONCE_MAX, &most))
			least = 0;
		fuzz_require(!least || least <= most, "%llu of %llu", (unsigned long long)least,
			     (unsigned long long)most);
	}
	fuzz_require(!thpstat_objects_close(list), "close");
}

/* Nothing of what it names may lie outside of the cgroup directory. */
static void hold_cgroup(const struct thpstat_process *process)
{
	const char *directory = thpstat_process_cgroup_directory(process);
	char *copy, *rest;

	if (!directory)
		return;
	fuzz_require(process->cgroup, "a directory for no cgroup");
	fuzz_require(*directory && *directory != '/', "'%s'", directory);
	copy = rest = fuzz_text(directory, strlen(directory));
	for (char *word; (word = strsep(&rest, "/"));)
		fuzz_require(strcmp(word, ".."), "'%s'", directory);
	free(copy);
}

static const struct tree_file *smaps_of(const struct thpstat_process *process)
{
	if (process->pid == pids[0])
		return tree_files_find("proc/1/smaps");
	return tree_files_find(process->state == THPSTAT_PROCESS_LEADER_GONE
				       ? "proc/27/task/28/smaps"
				       : "proc/27/smaps");
}

static bool has_rollup(const struct thpstat_process *process)
{
	if (process->pid == pids[0])
		return tree_files_find("proc/1/smaps_rollup");
	return tree_files_find(process->state == THPSTAT_PROCESS_LEADER_GONE
				       ? "proc/27/task/28/smaps_rollup"
				       : "proc/27/smaps_rollup");
}

static void hold_process(struct thpstat *source, const struct thpstat_process *process)
{
	bool has_memory = process->state == THPSTAT_PROCESS_RUNNING ||
			  process->state == THPSTAT_PROCESS_LEADER_GONE;
	const struct tree_file *smaps = smaps_of(process);
	const char *line;
	struct sums sums;
	size_t size;

	hold_figures(process->usage);
	hold_once(process->usage);
	hold_cgroup(process);
	/* nothing in a tree can be short of memory or files */
	if (smaps)
		sum_up(smaps, &sums);
	if (has_memory && !process->error && smaps && sums.n) {
		fuzz_require(!sums.is_cut, "not told that smaps is cut");
		hold_sums(process, &sums, has_rollup(process));
	}
	hold_mappings(source, process, smaps && has_memory && !process->error ? &sums : NULL);
	hold_objects(process);
	if (!thpstat_process_command_line(process, &line, &size))
		fuzz_require(size && !line[size - 1], "a command line without an end");
}

static void take_answer(const struct thpstat_process *process, struct answer *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->error = process->error;
	ret->state = process->state;
	ret->flags = process->flags;
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		ret->of[metric].error =
			thpstat_usage_get(process->usage, metric, &ret->of[metric].value);
		ret->of[metric].reason = thpstat_usage_reason(process->usage, metric);
		ret->of[metric].missing = thpstat_usage_missing(process->usage, metric);
	}
}

/* Sums over processes */

static void hold_total(const struct thpstat_usage *total, const struct answer *answers)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct thpstat_metric_info *info = thpstat_metric_info(metric);
		unsigned __int128 sum = 0;
		uint64_t value, missing = 0, known = 0;
		int error = thpstat_usage_get(total, metric, &value);

		if (!info->addable)
			continue;
		for (size_t i = 0; i < PROCESSES; i++) {
			if (answers[i].of[metric].reason == THPSTAT_REASON_NO_MEMORY)
				continue;
			missing += answers[i].of[metric].error || answers[i].of[metric].missing;
			known += !answers[i].of[metric].error;
			sum += answers[i].of[metric].error ? 0 : answers[i].of[metric].value;
		}
		if (sum > UINT64_MAX)
			fuzz_require(error == -EOVERFLOW, "%s wraps: %d", info->name, error);
		else if (known)
			fuzz_require(!error && value == (uint64_t)sum, "%s: %d", info->name, error);
		else
			fuzz_require(error, "%s of nobody", info->name);
		fuzz_require(thpstat_usage_missing(total, metric) == missing, "%s lacks %llu",
			     info->name, (unsigned long long)thpstat_usage_missing(total, metric));
	}
}

static uint64_t seen(const struct thpstat_completeness *completeness)
{
	return completeness->read + completeness->forbidden + completeness->vanished +
	       completeness->cut + completeness->kernel_threads + completeness->zombies;
}

static void hold_counted(const struct thpstat_completeness *before,
			 const struct thpstat_completeness *after,
			 const struct thpstat_process *process)
{
	bool bad = process->error || process->flags & THPSTAT_PROCESS_CUT;

	fuzz_require(seen(after) == seen(before) + 1, "counted %llu",
		     (unsigned long long)seen(after));
	switch (process->state) {
	case THPSTAT_PROCESS_KERNEL_THREAD:
		fuzz_require(after->kernel_threads == before->kernel_threads + 1, "k. thread");
		break;
	case THPSTAT_PROCESS_ZOMBIE:
		fuzz_require(after->zombies == before->zombies + 1, "zombie");
		break;
	case THPSTAT_PROCESS_GONE:
		fuzz_require(after->vanished == before->vanished + 1, "vanished");
		fuzz_require(process->error == -ESRCH, "gone: %d", process->error);
		break;
	case THPSTAT_PROCESS_FORBIDDEN:
		fuzz_require(after->forbidden == before->forbidden + 1, "forbidden");
		fuzz_require(process->error == -EACCES, "forbidden: %d", process->error);
		break;
	default:
		fuzz_require(after->cut == before->cut + bad, "cut");
		fuzz_require(after->read == before->read + !bad, "read");
	}
}

static size_t all_metrics(enum thpstat_metric metrics[METRIC_LIMIT])
{
	size_t n = 0;

	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));)
		if (thpstat_metric_info(metric)->subjects & THPSTAT_OF_PROCESS)
			metrics[n++] = metric;
	return n;
}

/* Every figure of every process. */
static void walk_all(struct thpstat *source, struct answer answers[PROCESSES])
{
	enum thpstat_metric metrics[METRIC_LIMIT];
	const struct thpstat_process_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.n_metrics = all_metrics(metrics),
		.want = THPSTAT_PROCESS_WANT_CGROUP | THPSTAT_PROCESS_WANT_START_TIME,
	};
	struct thpstat_completeness before = { 0 };
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	struct thpstat_usage *total;
	size_t n = 0;
	int more = thpstat_processes_open(source, &options, &walk);

	fuzz_require(!more, "%d", more);
	fuzz_require(!thpstat_usage_new(&total), "memory");
	while ((more = thpstat_processes_next(walk, &process)) == 1) {
		fuzz_require(n < PROCESSES && process->pid == pids[n], "pid %d", process->pid);
		hold_counted(&before, thpstat_processes_completeness(walk), process);
		before = *thpstat_processes_completeness(walk);
		take_answer(process, &answers[n++]);
		fuzz_require(!thpstat_usage_add(total, process->usage), "add");
		hold_process(source, process);
	}
	fuzz_require(!more && n == PROCESSES, "%zu processes, %d", n, more);
	hold_total(total, answers);
	hold_figures(total);
	thpstat_usage_free(total);
	fuzz_require(!thpstat_processes_close(walk), "close");
}

/* The other way round: no process may leave something behind for the next one. */
static void walk_backward(struct thpstat *source, const struct answer answers[PROCESSES])
{
	enum thpstat_metric metrics[METRIC_LIMIT];
	const int backward[PROCESSES] = { pids[1], pids[0] };
	const struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = backward,
		.n_pids = PROCESSES,
		.metrics = metrics,
		.n_metrics = all_metrics(metrics),
	};
	const struct thpstat_process *process;
	struct thpstat_processes *walk;

	fuzz_require(!thpstat_processes_open(source, &options, &walk), "open");
	for (size_t i = PROCESSES; i--;) {
		struct answer answer;

		fuzz_require(thpstat_processes_next(walk, &process) == 1, "next");
		take_answer(process, &answer);
		fuzz_require(!memcmp(&answer, &answers[i], sizeof(answer)),
			     "process %d after another one", process->pid);
	}
	fuzz_require(!thpstat_processes_next(walk, &process), "end");
	thpstat_processes_close(walk);
}

/* What is there without smaps must be what there is with it. */
static void walk_default(struct thpstat *source, const struct answer answers[PROCESSES])
{
	const struct thpstat_process *process;
	struct thpstat_processes *walk;

	fuzz_require(!thpstat_processes_open(source, NULL, &walk), "open");
	for (size_t i = 0; i < PROCESSES; i++) {
		fuzz_require(thpstat_processes_next(walk, &process) == 1, "next");
		fuzz_require(process->state == answers[i].state || answers[i].error, "state");
		hold_figures(process->usage);
		hold_once(process->usage);
	}
	fuzz_require(!thpstat_processes_next(walk, &process), "end");
	thpstat_processes_close(walk);
}

/* The host */

static bool has_word(const char *words, const char *wanted)
{
	size_t length = strlen(wanted);

	for (const char *p = strstr(words, wanted); p; p = strstr(p + 1, wanted))
		if ((p == words || p[-1] == ' ') && (!p[length] || p[length] == ' '))
			return true;
	return false;
}

static void hold_page_sizes(const struct thpstat_page_size *sizes, size_t n)
{
	static const enum thpstat_metric parts[] = {
		THPSTAT_POOL_FREE,     THPSTAT_POOL_IN_USE,    THPSTAT_POOL_RESERVED,
		THPSTAT_POOL_PROMISED, THPSTAT_POOL_AVAILABLE,
	};

	for (size_t i = 0; i < n; i++) {
		const struct thpstat_usage *usage = sizes[i].usage;
		uint64_t total, part, in_use;

		fuzz_require(sizes[i].bytes && (!i || sizes[i - 1].bytes < sizes[i].bytes),
			     "page sizes do not rise");
		hold_figures(usage);
		for (size_t j = 0; j < sizeof(parts) / sizeof(parts[0]); j++)
			if (get(usage, parts[j], &part))
				fuzz_require(get(usage, THPSTAT_POOL_TOTAL, &total) &&
						     part <= total,
					     "%s", thpstat_metric_info(parts[j])->name);
		if (get(usage, THPSTAT_POOL_TOTAL, &total) &&
		    get(usage, THPSTAT_POOL_FREE, &part) &&
		    get(usage, THPSTAT_POOL_IN_USE, &in_use))
			fuzz_require(part + in_use == total, "free and in use");
	}
}

static void hold_policies(const struct thpstat_host *host)
{
	for (size_t i = 0; i < host->n_policies; i++) {
		const struct thpstat_policy *policy = &host->policies[i];

		fuzz_require(policy->knob, "no name");
		fuzz_require(!policy->value == !!policy->error, "%s: %d", policy->knob,
			     policy->error);
		fuzz_require(!policy->choices ||
				     (policy->value && has_word(policy->choices, policy->value)),
			     "%s: '%s' of '%s'", policy->knob, policy->value, policy->choices);
	}
}

static void read_host(struct thpstat *source)
{
	const struct thpstat_host *host;
	int error = thpstat_host_read(source, &host);

	fuzz_require(!error, "%d", error);
	hold_figures(host->usage);
	hold_page_sizes(host->page_sizes, host->n_page_sizes);
	hold_policies(host);
	for (size_t i = 0; i < host->n_nodes; i++) {
		hold_figures(host->nodes[i].usage);
		hold_page_sizes(host->nodes[i].page_sizes, host->nodes[i].n_page_sizes);
	}
	fuzz_require(!thpstat_host_free(host), "free");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct answer answers[PROCESSES];
	size_t problems = 0;
	struct thpstat *source;

	tree_files_write(data, size);

	const struct thpstat_open_options options = {
		.size = sizeof(options),
		.root = tree_files_root(),
		.on_problem = ignore_problem,
		.on_file = ignore_piece,
		.userdata = &problems,
	};

	fuzz_require(!thpstat_open(&options, &source), "open");
	fuzz_require(!thpstat_is_live(source), "live");
	walk_all(source, answers);
	walk_backward(source, answers);
	walk_default(source, answers);
	read_host(source);
	fuzz_require(!thpstat_close(source), "close");
	return 0;
}

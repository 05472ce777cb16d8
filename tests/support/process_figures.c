/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/process_figures.h"

struct figure figure_of(const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	struct figure figure = { 0, 0 };

	figure.error = thpstat_usage_get(usage, metric, &figure.value);
	return figure;
}

uint64_t figure_or_zero(const struct thpstat_usage *usage, enum thpstat_metric metric)
{
	struct figure figure = figure_of(usage, metric);

	if (figure.error && figure.error != -ENODATA)
		fail_msg("%s: %s", thpstat_metric_info(metric)->name, strerror(-figure.error));
	return figure.error ? 0 : figure.value;
}

void tally_figure(struct tally *tally, struct figure found, bool known, uint64_t wanted,
		  const char *what, int pid, const char *name)
{
	if (!known)
		tally_holds(tally, found.error == -ENODATA,
			    "%s %s of %d is absent (it is %llu, error %d)", what, name, pid,
			    (unsigned long long)found.value, found.error);
	else if (found.error)
		tally_holds(tally, false, "%s %s of %d is there (%s; wanted %llu)", what, name, pid,
			    strerror(-found.error), (unsigned long long)wanted);
	else
		tally_equal(tally, found.value, wanted, "%s %s of %d", what, name, pid);
}

int mapping_list_read(struct thpstat *source, int pid, struct mapping_list *ret)
{
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *walk;
	struct mapping_record *record;
	size_t room = 0;
	int result;

	*ret = (struct mapping_list){ NULL, 0 };
	result = thpstat_mappings_open(source, pid, &walk);
	if (result)
		return result;
	while ((result = thpstat_mappings_next(walk, &mapping)) > 0) {
		if (ret->n == room) {
			room = room ? 2 * room : 64;
			ret->records = realloc(ret->records, room * sizeof(*ret->records));
			assert_non_null(ret->records);
		}
		record = &ret->records[ret->n++];
		*record = (struct mapping_record){
			.start = mapping->start,
			.end = mapping->end,
			.offset = mapping->offset,
			.device_major = mapping->device_major,
			.device_minor = mapping->device_minor,
			.inode = mapping->inode,
			.object = mapping->object,
			.class_ = mapping->class_,
			.flags = mapping->flags,
			.error = mapping->error,
			.name = strdup(mapping->name),
		};
		assert_non_null(record->name);
		for (unsigned int i = 0; i < MAPPING_METRIC_LIMIT; i++)
			record->figures[i] = figure_of(mapping->usage, (enum thpstat_metric)i);
	}
	thpstat_mappings_close(walk);
	return result;
}

void mapping_list_free(struct mapping_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->records[i].name);
	free(list->records);
	*list = (struct mapping_list){ NULL, 0 };
}

struct figure mapping_list_sum(const struct mapping_list *list, size_t from, size_t to,
			       enum thpstat_metric metric, size_t *missing)
{
	struct figure sum = { -ENODATA, 0 };
	size_t lacking = 0;

	for (size_t i = from; i < to; i++) {
		const struct figure *figure = &list->records[i].figures[metric];

		if (figure->error) {
			lacking++;
			continue;
		}
		sum.error = 0;
		sum.value += figure->value;
	}
	if (missing)
		*missing = lacking;
	return sum;
}

uint64_t mapping_list_total(const struct mapping_list *list, enum thpstat_metric metric)
{
	return mapping_list_sum(list, 0, list->n, metric, NULL).value;
}

uint64_t record_value(const struct mapping_record *record, enum thpstat_metric metric)
{
	return record->figures[metric].error ? 0 : record->figures[metric].value;
}

uint64_t record_object_bytes(const struct mapping_record *record)
{
	return record_value(record, THPSTAT_RSS) - record_value(record, THPSTAT_ANONYMOUS) +
	       record_value(record, THPSTAT_SHARED_HUGETLB) +
	       record_value(record, THPSTAT_PRIVATE_HUGETLB);
}

void one_process_open(struct thpstat *source, int pid, const enum thpstat_metric *metrics,
		      size_t n_metrics, unsigned int want, struct one_process *ret)
{
	struct thpstat_process_options options = {
		.size = sizeof(options),
		.pids = &ret->pid,
		.n_pids = 1,
		.metrics = metrics,
		.n_metrics = n_metrics,
		.want = want,
	};
	int result;

	ret->pid = pid;
	result = thpstat_processes_open(source, &options, &ret->walk);

	if (result)
		fail_msg("walk over %d: %s", pid, strerror(-result));
	result = thpstat_processes_next(ret->walk, &ret->process);
	if (result != 1)
		fail_msg("walk over %d yields no item: %d", pid, result);
	assert_int_equal(ret->process->pid, pid);
}

void one_process_close(struct one_process *one)
{
	const struct thpstat_process *more;

	assert_int_equal(thpstat_processes_next(one->walk, &more), 0);
	assert_null(thpstat_processes_close(one->walk));
	one->walk = NULL;
	one->process = NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * What the library says of its figures, for the programs that make documents: one line each, fields
 * separated by tabs, the first one says what kind of line it is.
 */
#include <stdio.h>
#include <string.h>

#include <thpstat/thpstat.h>

static const char *unit_name(enum thpstat_unit unit)
{
	switch (unit) {
	case THPSTAT_BYTES:
		return "bytes";
	case THPSTAT_PAGES:
		return "pages";
	case THPSTAT_EVENTS:
		return "events";
	case THPSTAT_FLAG:
		return "flag";
	case THPSTAT_COUNT:
		return "count";
	case THPSTAT_MILLISECONDS:
		return "milliseconds";
	case THPSTAT_UNIT_FORCE_INT:
		break;
	}
	return "unknown";
}

static void print_subjects(unsigned int subjects)
{
	static const struct {
		unsigned int bit;
		const char *name;
	} names[] = {
		{ THPSTAT_OF_PROCESS, "process" },     { THPSTAT_OF_MAPPING, "mapping" },
		{ THPSTAT_OF_HOST, "host" },	       { THPSTAT_OF_NODE, "node" },
		{ THPSTAT_OF_PAGE_SIZE, "page_size" }, { THPSTAT_OF_OBJECT, "object" },
	};
	const char *separator = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!(subjects & names[i].bit))
			continue;
		printf("%s%s", separator, names[i].name);
		separator = ",";
	}
}

static void print_metric(const struct thpstat_metric_info *info)
{
	printf("metric\t%s\t%s\t%s\t", info->name, unit_name(info->unit),
	       info->kind == THPSTAT_COUNTER ? "counter" : "gauge");
	print_subjects(info->subjects);
	printf("\t%s\t%s\t%s\n", info->kernel_field, info->kernel_files, info->description);
}

static void print_ratio(const struct thpstat_ratio_info *info)
{
	printf("ratio\t%s\t%s\t%s\t%s\n", info->name, thpstat_metric_info(info->numerator)->name,
	       thpstat_metric_info(info->denominator)->name, info->description);
}

/* Names of an enumeration from 1 on, up to the first number that has the name of 0 or none. */
static void print_names(const char *kind, const char *(*name_of)(int))
{
	for (int i = 1; strcmp(name_of(i), "unknown") && strcmp(name_of(i), name_of(0)); i++)
		printf("%s\t%s\n", kind, name_of(i));
}

static const char *reason_name(int reason)
{
	return thpstat_reason_name((enum thpstat_reason)reason);
}

static const char *method_name(int method)
{
	return thpstat_method_name((enum thpstat_method)method);
}

static const char *state_name(int state)
{
	return thpstat_process_state_name((enum thpstat_process_state)state);
}

static const char *mapping_kind_name(int kind)
{
	return thpstat_mapping_kind_name((enum thpstat_mapping_kind)kind);
}

int main(void)
{
	const struct thpstat_ratio_info *ratio;

	for (enum thpstat_metric metric = thpstat_metric_next((enum thpstat_metric)0); metric;
	     metric = thpstat_metric_next(metric))
		print_metric(thpstat_metric_info(metric));
	for (int i = 1; (ratio = thpstat_ratio_info((enum thpstat_ratio)i)); i++)
		print_ratio(ratio);
	print_names("reason", reason_name);
	print_names("method", method_name);
	print_names("state", state_name);
	print_names("mapping_kind", mapping_kind_name);
	return fclose(stdout) ? 1 : 0;
}

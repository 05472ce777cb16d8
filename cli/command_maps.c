/* SPDX-License-Identifier: MIT */
#include "command.h"
#include "mapping_list.h"
#include "message.h"
#include "object_list.h"
#include "session.h"

static int list_mappings(const struct session *session, struct mapping_filter *filter)
{
	struct mapping_list list = { 0 };
	int status = mapping_list_prepare(&list, session, filter);

	if (!status)
		status = mapping_filter_prepare(filter, session);
	if (!status)
		status = mapping_list_print(&list);
	mapping_list_free(&list);
	return status;
}

static int list_objects(const struct session *session, const struct mapping_filter *filter)
{
	struct object_list list = { 0 };
	int status = object_list_prepare(&list, session, filter);

	if (!status)
		status = object_list_print(&list);
	object_list_free(&list);
	return status;
}

static int run(const struct options *options)
{
	struct mapping_filter filter;
	struct session session;
	int status;

	if (!options_select(options))
		return message_usage("maps: which process?");
	if (options->by == BY_OBJECT && options->only)
		return message_usage("--only is about mappings, not about objects");
	if (options->by != BY_OBJECT && options->exact)
		return message_usage("maps: --exact needs --by object");
	status = mapping_filter_parse(&filter, options);
	if (status)
		return status;
	status = session_open(&session, options);
	if (!status)
		status = options->by == BY_OBJECT ? list_objects(&session, &filter)
						  : list_mappings(&session, &filter);
	session_close(&session);
	return status;
}

const struct command command_maps = {
	.name = "maps",
	.usage = "[options] PID...",
	.summary = "each mapping of some processes",
	.text = "Reads smaps: where the memory of a process lies, of which kind each mapping is\n"
		"(heap, thread-stack, text and so on), and what of it is huge, each mapping\n"
		"counted. In order of address unless --sort is given; other formats than tables\n"
		"for people are printed as they are read. --by object is about what is behind\n"
		"the mappings, with each page counted once.\n",
	.options = OPTIONS_GENERAL | OPTIONS_SOURCE | OPTIONS_OUTPUT | OPTIONS_PROCESSES |
		   OPTIONS_ORDER | OPTIONS_MAPPINGS | OPTIONS_EXACT,
	.subject = THPSTAT_OF_MAPPING,
	.run = run,
};

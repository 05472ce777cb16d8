/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "host_policy.h"
#include "memory.h"
#include "message.h"

const struct thpstat_policy *host_policy_find(const struct thpstat_host *host, const char *knob,
					      uint64_t page_size)
{
	for (size_t i = 0; i < host->n_policies; i++)
		if (host->policies[i].page_size == page_size &&
		    !strcmp(host->policies[i].knob, knob))
			return &host->policies[i];
	return NULL;
}

static bool is(const struct thpstat_policy *policy, const char *value)
{
	return policy && policy->value && !strcmp(policy->value, value);
}

/* NULL when there is no such setting, "?" when it cannot be read. */
static const char *in_force(const struct thpstat_host *host, const char *knob)
{
	const struct thpstat_policy *policy = host_policy_find(host, knob, 0);
	const struct thpstat_policy *of_size = NULL;
	uint64_t pmd_size;

	if (!thpstat_usage_get(host->usage, THPSTAT_HPAGE_PMD_SIZE, &pmd_size))
		of_size = host_policy_find(host, knob, pmd_size);
	/* a size may decide for itself, except against these two */
	if (of_size && of_size->value && !is(of_size, "inherit") && !is(policy, "deny") &&
	    !is(policy, "force"))
		return of_size->value;
	if (!policy)
		return NULL;
	return policy->value ? policy->value : "?";
}

char *host_policy_words(const struct session *session, const struct thpstat_host *host)
{
	static const struct {
		const char *knob;
		const char *label;
	} words[] = {
		{ "enabled", "THP" },
		{ "defrag", "defrag" },
		{ "shmem_enabled", "shmem" },
	};
	char *text = memory_copy("");

	if (!host->thp_directory) {
		free(text);
		return memory_copy(thpstat_is_live(session->source) && !session->options->sys
					   ? "THP: not supported by this kernel"
					   : "THP: no settings in this tree");
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *value = in_force(host, words[i].knob);
		char *longer;

		if (!value)
			continue;
		longer = memory_format("%s%s%s %s", text, *text ? ", " : "", words[i].label, value);
		free(text);
		text = longer;
	}
	return text;
}

char *host_policy_choices(const struct thpstat_policy *policy)
{
	const char *choice = policy->choices;
	char *text, *end;

	if (!policy->value)
		return memory_format("- (%s)", message_of_error(policy->error));
	if (!choice)
		return memory_copy(policy->value);
	text = end = memory_zeroed(strlen(choice) + sizeof("[]"), 1);
	while (*choice) {
		size_t length = strcspn(choice, " ");
		bool active =
			strlen(policy->value) == length && !strncmp(choice, policy->value, length);

		end += sprintf(end, active ? "[%.*s]" : "%.*s", (int)length, choice);
		choice += length;
		if (*choice)
			*end++ = *choice++;
	}
	return text;
}

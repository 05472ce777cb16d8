/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"

void answer_clear(struct answer *answer)
{
	answer->error = 0;
	answer->problems = answer->n_items = answer->n_entries = 0;
	answer->has_lists = false;
}

static void full(void)
{
	fputs("an answer is larger than expected\n", stderr);
	abort();
}

void answer_item(struct answer *answer, uint64_t id, int error, bool told)
{
	if (answer->n_items == ANSWER_ITEMS)
		full();
	answer->items[answer->n_items++] =
		(struct answer_item){ id, error, told, answer->n_entries };
}

static void add(struct answer *answer, struct answer_entry entry)
{
	if (answer->n_entries == ANSWER_ENTRIES)
		full();
	answer->entries[answer->n_entries++] = entry;
}

void answer_number(struct answer *answer, unsigned int what, uint64_t value)
{
	add(answer, (struct answer_entry){ .what = what, .present = true, .value = value });
}

void answer_absent(struct answer *answer, unsigned int what)
{
	add(answer, (struct answer_entry){ .what = what });
}

void answer_text(struct answer *answer, unsigned int what, const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	if (!text) {
		answer_absent(answer, what);
		return;
	}
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	answer_number(answer, what, hash);
}

void answer_usage(struct answer *answer, const struct thpstat_usage *usage)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		uint64_t value;

		if (!thpstat_usage_get(usage, metric, &value))
			answer_number(answer, metric, value);
		else
			add(answer, (struct answer_entry){
					    .what = metric,
					    .reason = thpstat_usage_reason(usage, metric),
				    });
	}
}

static size_t end_of(const struct answer *answer, size_t item)
{
	return item + 1 < answer->n_items ? answer->items[item + 1].first : answer->n_entries;
}

static const char *name_of(unsigned int what)
{
	static const char *const names[] = {
		"comm",	 "cgroup", "cgroup directory", "command line", "start time",
		"state", "flags",  "address",	       "object",       "class",
		"name",	 "value",  "choices",	       "kernel",       "count",
	};
	const struct thpstat_metric_info *info = thpstat_metric_info((enum thpstat_metric)what);

	return info ? info->name : names[what - ANSWER_COMM];
}

void answer_hold_equal(struct tally *tally, const struct answer *wanted, const struct answer *found,
		       const char *what)
{
	tally_equal(tally, (uint64_t)-found->error, (uint64_t)-wanted->error, "%s: error", what);
	tally_equal(tally, found->problems, wanted->problems, "%s: problems", what);
	tally_equal(tally, found->n_items, wanted->n_items, "%s: items", what);
	tally_equal(tally, found->n_entries, wanted->n_entries, "%s: figures", what);
	if (found->n_items != wanted->n_items || found->n_entries != wanted->n_entries)
		return;
	for (size_t i = 0; i < wanted->n_items; i++) {
		const struct answer_item *a = &found->items[i], *b = &wanted->items[i];

		tally_holds(tally,
			    a->id == b->id && a->error == b->error && a->told == b->told &&
				    a->first == b->first,
			    "%s: item %llx", what, (unsigned long long)b->id);
	}
	for (size_t i = 0; i < wanted->n_entries; i++) {
		const struct answer_entry *a = &found->entries[i], *b = &wanted->entries[i];

		tally_holds(tally,
			    a->what == b->what && a->present == b->present &&
				    a->value == b->value && a->reason == b->reason,
			    "%s: %s", what, name_of(b->what));
	}
}

/* By this it is known that the device of a file was not found out. */
static bool is_not_proved(const struct answer *answer, size_t item, enum thpstat_metric metric)
{
	for (size_t i = answer->items[item].first; i < end_of(answer, item); i++)
		if (answer->entries[i].what == (unsigned int)metric)
			return answer->entries[i].reason == THPSTAT_REASON_NOT_PROVED;
	return false;
}

/* A list may have an item more that says what could not be read, be it that it is not there. */
static bool is_only_an_error(const struct answer *wanted, const struct answer_item *item)
{
	for (size_t i = 0; i < wanted->n_items; i++)
		if (wanted->items[i].id == item->id)
			return false;
	return item->error;
}

/* One item with what there would have been. */
static void hold_item(struct tally *tally, const struct answer *wanted, size_t i,
		      const struct answer *found, size_t j, bool ended, const char *what)
{
	const struct answer_item *item = &found->items[j];
	bool told = found->error || item->error || item->told;
	bool has_problem = found->problems > wanted->problems;
	size_t from = wanted->items[i].first, n = end_of(wanted, i) - from;

	tally_equal(tally, end_of(found, j) - item->first, n, "%s: figures of %llx", what,
		    (unsigned long long)item->id);
	if (end_of(found, j) - item->first != n)
		return;
	for (size_t k = 0; k < n; k++) {
		const struct answer_entry *have = &found->entries[item->first + k];
		const struct answer_entry *want = &wanted->entries[from + k];
		const char *name = name_of(want->what);
		bool explained = (have->reason != THPSTAT_REASON_NONE &&
				  have->reason != THPSTAT_REASON_NOT_OFFERED) ||
				 (want->what >= ANSWER_COMM && (has_problem || ended));

		/* who says that something is wrong may say so by its state and flags, too */
		if (item->error && (want->what == ANSWER_STATE || want->what == ANSWER_FLAGS))
			continue;
		/* without its last thread a process is a zombie */
		if (ended && want->what == ANSWER_STATE)
			continue;
		if (want->what == ANSWER_CLASS && is_not_proved(found, j, THPSTAT_RESIDENT_FILE))
			continue;
		/* where mappings leave doubt these two are of status, which is not as exact */
		if ((want->what == THPSTAT_RESIDENT_SHMEM || want->what == THPSTAT_RESIDENT_FILE) &&
		    is_not_proved(found, j, THPSTAT_SHMEM_ONCE))
			continue;
		tally_holds(tally, !have->present || want->present, "%s: %s of %llx is new", what,
			    name, (unsigned long long)item->id);
		tally_holds(tally, !have->present || !want->present || have->value == want->value,
			    "%s: %s of %llx is %llu, wanted %llu", what, name,
			    (unsigned long long)item->id, (unsigned long long)have->value,
			    (unsigned long long)want->value);
		tally_holds(tally, have->present || !want->present || told || explained,
			    "%s: %s of %llx is absent and nobody is told", what, name,
			    (unsigned long long)item->id);
	}
}

void answer_hold_partly(struct tally *tally, const struct answer *wanted,
			const struct answer *found, bool ended, const char *what)
{
	bool told = found->error || (found->has_lists && found->problems > wanted->problems);
	size_t i = 0;

	for (size_t j = 0; j < found->n_items; j++, i++) {
		if (is_only_an_error(wanted, &found->items[j])) {
			i--;
			continue;
		}
		while (i < wanted->n_items && wanted->items[i].id != found->items[j].id) {
			tally_holds(tally, told || found->items[j].error,
				    "%s: %llx is not there and nobody is told", what,
				    (unsigned long long)wanted->items[i].id);
			i++;
		}
		tally_holds(tally, i < wanted->n_items, "%s: %llx is new", what,
			    (unsigned long long)found->items[j].id);
		if (i == wanted->n_items)
			return;
		hold_item(tally, wanted, i, found, j, ended, what);
	}
	tally_holds(tally, i == wanted->n_items || told,
		    "%s: %zu items are not there and nobody is told", what, wanted->n_items - i);
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "figure.h"
#include "mapping_filter.h"
#include "message.h"

/* "2048", "2M"; a letter stands for a power of 1024. */
static bool parse_size(const char *text, uint64_t *ret)
{
	static const char letters[] = "KMGT";
	size_t length = strspn(text, "0123456789");
	unsigned long long number;
	unsigned int shift = 0;

	if (!options_parse_number(text, length, UINT64_MAX, &number))
		return false;
	if (text[length]) {
		/* small ones are what people type as well */
		char letter = (char)(text[length] & ~0x20);
		const char *found = strchr(letters, letter);

		if (!letter || !found || text[length + 1])
			return false;
		shift = 10 * (unsigned int)(found - letters + 1);
	}
	*ret = number << shift;
	return *ret >> shift == number;
}

int mapping_filter_parse(struct mapping_filter *filter, const struct options *options)
{
	const char *only = options->only;

	*filter = (struct mapping_filter){ .only = ONLY_ALL };
	if (options->min && !parse_size(options->min, &filter->min))
		return message_usage("--min is a size such as 4096, 64K, 2M or 1G, not '%s'",
				     options->min);
	if (!only)
		return 0;
	if (!strcmp(only, "huge"))
		filter->only = ONLY_HUGE;
	else if (!strcmp(only, "gap"))
		filter->only = ONLY_GAP;
	else if (!thpstat_mapping_kind_from_name(only, &filter->kind))
		filter->only = ONLY_KIND;
	else
		return message_usage("--only is huge, gap or a kind such as heap, not '%s'", only);
	return 0;
}

int mapping_filter_prepare(struct mapping_filter *filter, const struct session *session)
{
	const struct thpstat_host *host;
	int status;

	if (filter->only != ONLY_GAP)
		return 0;
	status = session_read_host(session, &host);
	if (status)
		return status;
	if (!figure_get(host->usage, THPSTAT_HPAGE_PMD_SIZE, &filter->pmd_size))
		filter->pmd_size = 0;
	thpstat_host_free(host);
	if (filter->pmd_size)
		return 0;
	message("--only gap: the size of a transparent huge page is not known here");
	return STATUS_FAILED;
}

/* Can one huge page at least be mapped there, by size and alignment? */
static bool has_room(const struct thpstat_mapping *mapping, uint64_t size)
{
	uint64_t rest = mapping->start % size;
	uint64_t aligned = rest ? mapping->start + (size - rest) : mapping->start;

	if (mapping->kind == THPSTAT_MAPPING_KIND_SPECIAL || aligned < mapping->start ||
	    aligned > mapping->end || mapping->end - aligned < size)
		return false;
	/* a huge page of a file or of shared memory is aligned in there too */
	return mapping->class_ == THPSTAT_CLASS_ANON ||
	       (mapping->start - mapping->offset) % size == 0;
}

static bool has_gap(const struct thpstat_mapping *mapping, uint64_t pmd_size)
{
	uint64_t resident, huge;

	return figure_get(mapping->usage, THPSTAT_RESIDENT, &resident) &&
	       figure_get(mapping->usage, THPSTAT_HUGE, &huge) && resident > huge &&
	       has_room(mapping, pmd_size);
}

bool mapping_filter_passes(const struct mapping_filter *filter,
			   const struct thpstat_mapping *mapping)
{
	uint64_t huge;

	if (mapping->end - mapping->start < filter->min)
		return false;
	switch (filter->only) {
	case ONLY_HUGE:
		return figure_get(mapping->usage, THPSTAT_HUGE, &huge) && huge;
	case ONLY_GAP:
		return has_gap(mapping, filter->pmd_size);
	case ONLY_KIND:
		return mapping->kind == filter->kind;
	case ONLY_ALL:
		break;
	}
	return true;
}

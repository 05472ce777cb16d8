/* SPDX-License-Identifier: MIT */
/*
 * A walk over the mappings of an smaps: each record as a plain reader has it, whatever the pieces
 * it is read in, the order of its fields and fields that nobody knows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "empty_source.h"
#include "feed.h"
#include "fuzz.h"
#include "mapping_walk.h"
#include "reference.h"

/* What a walk said of one mapping. */
struct record {
	struct thpstat_mapping view;
	struct thpstat_usage usage;
	char *name;
	size_t name_length;
};

struct reading {
	struct record **records;
	size_t n;
	int result; /* of the last call */
	int inconsistent;
};

static struct record *record_of(const struct mapping_walk *walk)
{
	struct record *record = fuzz_memory(1, sizeof(*record));

	record->view = walk->view;
	record->usage = walk->usage;
	record->name = fuzz_text(walk->name, walk->name_length);
	record->name_length = walk->name_length;
	return record;
}

/* A walk over a text that is fed in pieces. */
static struct reading read_smaps(const char *text, size_t size, size_t first, size_t others)
{
	static const struct directory nowhere = { .fd = -1 };
	static struct mapping_walk walk[1]; /* large, and slow to allocate with a sanitizer */
	struct reading reading = { 0 };

	/* a header is at least this long */
	reading.records = fuzz_memory(size / strlen("0-0 ---- 0 0:0 0") + 1, sizeof(void *));
	feed(text, size, first, others);
	memset(walk, 0, sizeof(walk));
	mapping_walk_init(walk, empty_source());
	walk->process = &nowhere;
	line_reader_init(&walk->reader, &walk->source->tree, &nowhere, "smaps", FEED_FD,
			 walk->buffer);
	while ((reading.result = mapping_walk_next(walk)) == 1)
		reading.records[reading.n++] = record_of(walk);
	reading.inconsistent = walk->inconsistent;
	fuzz_require(mapping_walk_next(walk) == reading.result, "the end does not stay");
	walk->reader.fd = -1;
	mapping_walk_free(walk);
	return reading;
}

static void reading_free(struct reading *reading)
{
	for (size_t i = 0; i < reading->n; i++) {
		free(reading->records[i]->name);
		free(reading->records[i]);
	}
	free(reading->records);
}

static void hold_same_usage(const struct thpstat_usage *a, const struct thpstat_usage *b,
			    const char *what)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const char *name = thpstat_metric_info(metric)->name;
		uint64_t left = 0, right = 0;
		int error;

		if (!(thpstat_metric_info(metric)->subjects & THPSTAT_OF_MAPPING))
			continue;
		error = thpstat_usage_get(a, metric, &left);
		fuzz_require(thpstat_usage_get(b, metric, &right) == error, "%s: %s", what, name);
		fuzz_require(left == right, "%s: %s", what, name);
		fuzz_require(thpstat_usage_reason(a, metric) == thpstat_usage_reason(b, metric),
			     "%s: %s", what, name);
	}
}

static void hold_same(const struct reading *a, const struct reading *b, const char *what)
{
	fuzz_require(a->n == b->n, "%s: %zu and %zu mappings", what, a->n, b->n);
	fuzz_require(a->result == b->result, "%s: %d and %d", what, a->result, b->result);
	fuzz_require(a->inconsistent == b->inconsistent, "%s", what);
	for (size_t i = 0; i < a->n; i++) {
		const struct record *x = a->records[i], *y = b->records[i];

		fuzz_require(x->view.start == y->view.start && x->view.end == y->view.end &&
				     x->view.offset == y->view.offset &&
				     x->view.inode == y->view.inode,
			     "%s: mapping %zu", what, i);
		fuzz_require(x->view.device_major == y->view.device_major &&
				     x->view.device_minor == y->view.device_minor,
			     "%s: mapping %zu", what, i);
		fuzz_require(x->view.flags == y->view.flags && x->view.error == y->view.error,
			     "%s: mapping %zu", what, i);
		fuzz_require(x->view.class_ == y->view.class_ &&
				     !thpstat_object_compare(&x->view.object, &y->view.object),
			     "%s: mapping %zu", what, i);
		fuzz_require(x->name_length == y->name_length &&
				     !memcmp(x->name, y->name, x->name_length),
			     "%s: name of mapping %zu", what, i);
		hold_same_usage(&x->usage, &y->usage, what);
	}
}

/* The plain reader */

static const struct {
	char code[3];
	unsigned int flag;
} vm_flags[] = {
	{ "hg", THPSTAT_MAPPING_HUGEPAGE_ADVISED }, { "nh", THPSTAT_MAPPING_NO_HUGEPAGE },
	{ "ht", THPSTAT_MAPPING_HUGETLB },	    { "lo", THPSTAT_MAPPING_LOCKED },
	{ "gd", THPSTAT_MAPPING_GROWS_DOWN },	    { "pf", THPSTAT_MAPPING_PFNMAP },
	{ "mm", THPSTAT_MAPPING_MIXEDMAP },	    { "io", THPSTAT_MAPPING_IO },
	{ "mg", THPSTAT_MAPPING_MERGEABLE },	    { "nr", THPSTAT_MAPPING_NORESERVE },
};

/* Words that hold a NUL are known to nobody. */
static unsigned int flags_of_words(const char *words, size_t length)
{
	unsigned int flags = THPSTAT_MAPPING_HAS_VMFLAGS;
	const char *end = words + length;

	for (const char *p = words; p < end; p++) {
		const char *word = p;

		while (p < end && *p != ' ' && *p != '\t')
			p++;
		for (size_t i = 0; i < sizeof(vm_flags) / sizeof(vm_flags[0]); i++)
			if (p - word == 2 && !memcmp(word, vm_flags[i].code, 2))
				flags |= vm_flags[i].flag;
	}
	return flags;
}

static unsigned int flags_of_permissions(const char *permissions)
{
	static const unsigned int bits[] = { THPSTAT_MAPPING_READ, THPSTAT_MAPPING_WRITE,
					     THPSTAT_MAPPING_EXEC, THPSTAT_MAPPING_SHARED };
	unsigned int flags = 0;

	for (int i = 0; i < 4; i++)
		if (permissions[i] == "rwxs"[i])
			flags |= bits[i];
	return flags;
}

/* What follows from the figures of a mapping, once more. */
static void hold_derived(const struct record *record)
{
	static const struct {
		enum thpstat_metric total;
		enum thpstat_metric parts[4];
	} sums[] = {
		{ THPSTAT_HUGETLB, { THPSTAT_SHARED_HUGETLB, THPSTAT_PRIVATE_HUGETLB } },
		{ THPSTAT_RESIDENT,
		  { THPSTAT_RSS, THPSTAT_SHARED_HUGETLB, THPSTAT_PRIVATE_HUGETLB } },
		{ THPSTAT_HUGE,
		  { THPSTAT_ANON_HUGE_PAGES, THPSTAT_SHMEM_PMD_MAPPED, THPSTAT_FILE_PMD_MAPPED,
		    THPSTAT_HUGETLB } },
	};
	uint64_t rss, anonymous, shmem, file, value;

	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		unsigned __int128 sum = 0;
		bool known = true;

		for (size_t j = 0; j < 4 && sums[i].parts[j]; j++) {
			known &= !thpstat_usage_get(&record->usage, sums[i].parts[j], &value);
			sum += known ? value : 0;
		}
		known &= sum <= UINT64_MAX;
		fuzz_require(known == !thpstat_usage_get(&record->usage, sums[i].total, &value),
			     "sum %zu", i);
		fuzz_require(!known || value == (uint64_t)sum, "sum %zu", i);
	}
	if (thpstat_usage_get(&record->usage, THPSTAT_RSS, &rss) ||
	    thpstat_usage_get(&record->usage, THPSTAT_ANONYMOUS, &anonymous) || anonymous > rss) {
		fuzz_require(thpstat_usage_get(&record->usage, THPSTAT_RESIDENT_FILE, &file), "F");
		return;
	}
	if (thpstat_usage_reason(&record->usage, THPSTAT_RESIDENT_FILE) ==
	    THPSTAT_REASON_NOT_PROVED) {
		fuzz_require(thpstat_usage_get(&record->usage, THPSTAT_RESIDENT_SHMEM, &shmem),
			     "S");
		return;
	}
	fuzz_require(!thpstat_usage_get(&record->usage, THPSTAT_RESIDENT_FILE, &file), "F");
	fuzz_require(!thpstat_usage_get(&record->usage, THPSTAT_RESIDENT_SHMEM, &shmem), "S");
	fuzz_require(anonymous + shmem + file == rss, "anonymous, shared memory, files");
}

/* One record from its header on; returns where the next one begins. */
static const char *hold_record(const struct record *record, const char *p, const char *end,
			       int broken_end)
{
	static const char key[] = "VmFlags:";
	struct reference_figures wanted = { 0 };
	struct reference_header header, next;
	size_t length = reference_line_length(p, end);
	int error = 0;

	fuzz_require(reference_header(p, length, &header), "not a header");

	unsigned int flags = flags_of_permissions(header.permissions);

	for (p += length + 1; p < end; p += length + 1) {
		length = reference_line_length(p, end);
		if (reference_header(p, length, &next))
			break;
		if (length >= sizeof(key) - 1 && !memcmp(p, key, sizeof(key) - 1))
			flags |= flags_of_words(p + sizeof(key) - 1, length - (sizeof(key) - 1));
		else
			reference_line("smaps", p, length, &wanted);
	}
	if (p >= end)
		error = broken_end;
	for (unsigned int i = 0; i < METRIC_LIMIT; i++)
		if (wanted.of[i].malformed || wanted.of[i].overflow)
			error = -EBADMSG;
	fuzz_require(record->view.start == header.start && record->view.end == header.end,
		     "addresses");
	fuzz_require(record->view.offset == header.offset && record->view.inode == header.inode,
		     "offset and inode");
	fuzz_require(record->view.device_major == header.major &&
			     record->view.device_minor == header.minor,
		     "device");
	fuzz_require(record->name_length == header.name_length &&
			     !memcmp(record->name, header.name, header.name_length),
		     "name");
	fuzz_require(record->view.flags == flags, "flags %x, wanted %x", record->view.flags, flags);
	fuzz_require(record->view.error == error, "error %d", record->view.error);
	/* figures of its own only: the derived ones are not in the file */
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct reference_figure *figure = &wanted.of[metric];
		const char *name = thpstat_metric_info(metric)->name;
		uint64_t value;

		if (!reference_is_of(metric, "smaps"))
			continue;
		fuzz_require(figures_has(&record->usage.figures, metric) == figure->present, "%s",
			     name);
		if (!figure->present)
			continue;
		fuzz_require(!thpstat_usage_get(&record->usage, metric, &value), "%s", name);
		fuzz_require(value == figure->value, "%s is %llu, wanted %llu", name,
			     (unsigned long long)value, (unsigned long long)figure->value);
	}
	hold_derived(record);
	return p;
}

static void hold_reference(const struct reading *reading, const char *text, size_t size)
{
	const char *end = text + size, *p = text;
	struct reference_header header;
	size_t i = 0;

	/* a line without its newline is not read */
	while (end > text && end[-1] != '\n')
		end--;

	int broken_end = end < text + size ? -EBADMSG : 0;

	while (p < end && !reference_header(p, reference_line_length(p, end), &header))
		p += reference_line_length(p, end) + 1;
	while (p < end) {
		fuzz_require(i < reading->n, "only %zu mappings", i);
		p = hold_record(reading->records[i++], p, end, broken_end);
	}
	fuzz_require(i == reading->n, "%zu mappings, wanted %zu", reading->n, i);
	fuzz_require(reading->result == broken_end, "ends with %d", reading->result);
}

/* The same records in another guise */

struct line {
	const char *text;
	size_t length; /* with its newline */
	bool is_header;
};

static struct line *lines_of(const char *text, size_t size, size_t *ret_n)
{
	const char *end = text + size;
	struct reference_header header;
	struct line *lines;
	size_t n = 1;

	for (size_t i = 0; i < size; i++)
		n += text[i] == '\n';
	lines = fuzz_memory(n, sizeof(*lines));
	n = 0;
	for (const char *p = text; p < end;) {
		size_t length = reference_line_length(p, end);

		lines[n].text = p;
		lines[n].is_header = p + length < end && reference_header(p, length, &header);
		lines[n].length = length + (p + length < end);
		p += lines[n++].length;
	}
	*ret_n = n;
	return lines;
}

/* Of two equal keys in a record the last one counts, so their order is not free. */
static bool has_key_twice(const struct line *lines, size_t n)
{
	struct reference_figures figures = { 0 };
	bool seen[METRIC_LIMIT] = { false };

	for (size_t i = 0; i < n; i++) {
		enum thpstat_metric metric =
			reference_line("smaps", lines[i].text, lines[i].length - 1, &figures);

		if (metric && seen[metric])
			return true;
		seen[metric] = true;
	}
	return false;
}

static void shuffle(struct line *lines, size_t n, uint64_t *seed)
{
	for (size_t i = n; i > 1; i--) {
		size_t other = fuzz_below(seed, i);
		struct line line = lines[other];

		lines[other] = lines[i - 1];
		lines[i - 1] = line;
	}
}

/* Mixes the fields of each record. A last line without a newline stays where it is. */
static void permute(struct line *lines, size_t n, uint64_t *seed)
{
	if (n && lines[n - 1].text[lines[n - 1].length - 1] != '\n')
		n--;
	for (size_t i = 0; i < n;) {
		size_t first = ++i;

		while (i < n && !lines[i].is_header)
			i++;
		if (!has_key_twice(lines + first, i - first))
			shuffle(lines + first, i - first, seed);
	}
}

static void hold_in_any_order(const struct reading *plain, const char *text, size_t size,
			      uint64_t *seed)
{
	struct fuzz_buffer other = { 0 };
	size_t n;
	struct line *lines = lines_of(text, size, &n);

	permute(lines, n, seed);
	for (size_t i = 0; i < n; i++)
		fuzz_append(&other, lines[i].text, lines[i].length);

	struct reading reading = read_smaps(other.text, other.size, 0, 0);

	hold_same(plain, &reading, "fields in another order");
	reading_free(&reading);
	fuzz_buffer_free(&other);
	free(lines);
}

static void hold_with_unknown(const struct reading *plain, const char *text, size_t size,
			      uint64_t *seed)
{
	static const char *const unknown[] = {
		"NewHugeKey:           12 kB\n",
		"Rs:                   12 kB\n",
		"RssX:                 12 kB\n",
		"Shared_Hugetlbs:    2048 kB\n",
		"abc:                   4 kB\n",
		"VmFlagsX: ht hg\n",
		"ksm_state:\t1\n",
		"Rss 12 kB\n",
		" Rss:                 12 kB\n",
		"\n",
		":\n",
	};
	struct fuzz_buffer other = { 0 };
	size_t n;
	struct line *lines = lines_of(text, size, &n);

	for (size_t i = 0; i < n; i++) {
		for (size_t more = fuzz_below(seed, 3); more; more--)
			fuzz_append_text(
				&other,
				unknown[fuzz_below(seed, sizeof(unknown) / sizeof(unknown[0]))]);
		fuzz_append(&other, lines[i].text, lines[i].length);
	}

	struct reading reading = read_smaps(other.text, other.size, 0, 0);

	hold_same(plain, &reading, "unknown fields");
	reading_free(&reading);
	fuzz_buffer_free(&other);
	free(lines);
}

static void hold_in_pieces(const struct reading *plain, const char *text, size_t size, size_t first,
			   size_t others)
{
	struct reading reading = read_smaps(text, size, first, others);

	hold_same(plain, &reading, "in pieces");
	reading_free(&reading);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	uint64_t seed = fuzz_seed(data, size);
	struct reading plain;

	if (size > LINE_READER_SIZE) /* longer lines are fuzz_line_reader's */
		size = LINE_READER_SIZE;
	plain = read_smaps(text, size, 0, 0);
	hold_reference(&plain, text, size);
	hold_in_pieces(&plain, text, size, 1, 1);
	hold_in_pieces(&plain, text, size, 1 + fuzz_below(&seed, size + 1), 0);
	hold_in_pieces(&plain, text, size, 1 + fuzz_below(&seed, 64), 1 + fuzz_below(&seed, 64));
	hold_in_any_order(&plain, text, size, &seed);
	hold_with_unknown(&plain, text, size, &seed);
	reading_free(&plain);
	free(text);
	return 0;
}

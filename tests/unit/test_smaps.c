/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/mapping.h>

#include "account/metric.h"
#include "parse/smaps.h"
#include "unit.h"

#define R THPSTAT_MAPPING_READ
#define W THPSTAT_MAPPING_WRITE
#define X THPSTAT_MAPPING_EXEC
#define S THPSTAT_MAPPING_SHARED

static const struct header_row {
	const char *line;
	int is_header;
	struct smaps_header header;
	const char *name;
} headers[] = {
	{ "00400000-0048a000 r-xp 00000000 fd:03 960637 /bin/bash",
	  1,
	  { 0x400000, 0x48a000, 0, 960637, 0xfd, 3, R | X, NULL, 0 },
	  "/bin/bash" },
	{ "00400000-0048a000 r-xp 00001000 fd:03 960637                         /bin/bash",
	  1,
	  { 0x400000, 0x48a000, 0x1000, 960637, 0xfd, 3, R | X, NULL, 0 },
	  "/bin/bash" },
	/* no name, with and without the blank behind the inode */
	{ "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 ",
	  1,
	  { 0x7f0000000000, 0x7f0000001000, 0, 0, 0, 0, R | W, NULL, 0 },
	  "" },
	{ "7f0000000000-7f0000001000 rw-p 00000000 00:00 0",
	  1,
	  { 0x7f0000000000, 0x7f0000001000, 0, 0, 0, 0, R | W, NULL, 0 },
	  "" },
	{ "7f0000000000-7f0000001000 rw-s 00000000 00:01 42    /memfd:java_heap (deleted)",
	  1,
	  { 0x7f0000000000, 0x7f0000001000, 0, 42, 0, 1, R | W | S, NULL, 0 },
	  "/memfd:java_heap (deleted)" },
	/* blanks and colons belong to a name, also at its end */
	{ "7f0000000000-7f0000001000 rw-p 00000000 00:00 0    [anon: glibc: malloc  arena]",
	  1,
	  { 0x7f0000000000, 0x7f0000001000, 0, 0, 0, 0, R | W, NULL, 0 },
	  "[anon: glibc: malloc  arena]" },
	{ "1000-2000 r--p 00000000 08:01 7    /tmp/ends with blank ",
	  1,
	  { 0x1000, 0x2000, 0, 7, 8, 1, R, NULL, 0 },
	  "/tmp/ends with blank " },
	{ "1000-2000 r--p 00000000 08:01 7    /tmp/tab\there",
	  1,
	  { 0x1000, 0x2000, 0, 7, 8, 1, R, NULL, 0 },
	  "/tmp/tab\there" },
	{ "1000-2000 r--p 00000000 08:01 7    /tmp/a\\012b",
	  1,
	  { 0x1000, 0x2000, 0, 7, 8, 1, R, NULL, 0 },
	  "/tmp/a\\012b" },
	{ "1000-2000 r--p 00000000 08:01 7    /tmp/\377\001",
	  1,
	  { 0x1000, 0x2000, 0, 7, 8, 1, R, NULL, 0 },
	  "/tmp/\377\001" },
	{ "1000-2000 r--p 00000000 08:01 7    3000-4000 r--p 00000000 08:01 7",
	  1,
	  { 0x1000, 0x2000, 0, 7, 8, 1, R, NULL, 0 },
	  "3000-4000 r--p 00000000 08:01 7" },
	{ "1000-2000 r--p 00000000 08:01 7    Rss: 5 kB",
	  1,
	  { 0x1000, 0x2000, 0, 7, 8, 1, R, NULL, 0 },
	  "Rss: 5 kB" },
	/* WSL1 has a dash where Linux has s or p */
	{ "1000-2000 r-x- 00000000 00:00 7    /bin/x",
	  1,
	  { 0x1000, 0x2000, 0, 7, 0, 0, R | X, NULL, 0 },
	  "/bin/x" },
	{ "1000-2000 ---p 00000000 00:00 0    [rollup]",
	  1,
	  { 0x1000, 0x2000, 0, 0, 0, 0, 0, NULL, 0 },
	  "[rollup]" },
	{ "1000-2000 rwxs 00000000 00:00 0",
	  1,
	  { 0x1000, 0x2000, 0, 0, 0, 0, R | W | X | S, NULL, 0 },
	  "" },
	{ "1000-2000 ???? 00000000 00:00 0", 1, { 0x1000, 0x2000, 0, 0, 0, 0, 0, NULL, 0 }, "" },
	/* a letter of the address range, upper and lower limits */
	{ "a000-b000 r--p 00000000 00:00 0", 1, { 0xa000, 0xb000, 0, 0, 0, 0, R, NULL, 0 }, "" },
	{ "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]",
	  1,
	  { 0xffffffffff600000, 0xffffffffff601000, 0, 0, 0, 0, X, NULL, 0 },
	  "[vsyscall]" },
	{ "0-ffffffffffffffff r--p ffffffffffffffff ffffffff:ffffffff 18446744073709551615 x",
	  1,
	  { 0, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT32_MAX, UINT32_MAX, R, NULL, 0 },
	  "x" },
	{ "2000-1000 r--p 00000000 00:00 0", 1, { 0x2000, 0x1000, 0, 0, 0, 0, R, NULL, 0 }, "" },
	/* not headers */
	{ "10000000000000000-20000000000000000 r--p 00000000 00:00 0", 0, { 0 }, NULL },
	{ "1000-2000 r--p 10000000000000000 00:00 0", 0, { 0 }, NULL },
	{ "1000-2000 r--p 00000000 100000000:00 0", 0, { 0 }, NULL },
	{ "1000-2000 r--p 00000000 00:100000000 0", 0, { 0 }, NULL },
	{ "1000-2000 r--p 00000000 00:00 18446744073709551616", 0, { 0 }, NULL },
	{ "1000-2000 r--p 00000000 00:00", 0, { 0 }, NULL },
	{ "1000-2000 r--p 00000000 00:00 ", 0, { 0 }, NULL },
	{ "1000-2000 r--p 00000000 00:00 7x", 0, { 0 }, NULL },
	{ "1000-2000 r--p 00000000 0000 0", 0, { 0 }, NULL },
	{ "1000-2000 r--p 00000000", 0, { 0 }, NULL },
	{ "1000-2000 r--p", 0, { 0 }, NULL },
	{ "1000-2000 r-", 0, { 0 }, NULL },
	{ "1000-2000 ", 0, { 0 }, NULL },
	{ "1000-2000", 0, { 0 }, NULL },
	{ "1000-", 0, { 0 }, NULL },
	{ "1000", 0, { 0 }, NULL },
	{ "1000-2000  r--p 00000000 00:00 0", 0, { 0 }, NULL },
	{ "1000-2000 r--px 00000000 00:00 0", 0, { 0 }, NULL },
	{ "1000 2000 r--p 00000000 00:00 0", 0, { 0 }, NULL },
	{ " 1000-2000 r--p 00000000 00:00 0", 0, { 0 }, NULL },
	{ "ABCD-EF00 r--p 00000000 00:00 0", 0, { 0 }, NULL },
	{ "Size:                  4 kB", 0, { 0 }, NULL },
	{ "Anonymous:             4 kB", 0, { 0 }, NULL },
	{ "ab_state:              4 kB", 0, { 0 }, NULL },
	{ "/dev/zero (deleted)", 0, { 0 }, NULL },
	{ "", 0, { 0 }, NULL },
};

static void test_headers(void **state)
{
	struct tally tally = { .subject = "headers" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++) {
		const struct header_row *row = &headers[i];
		size_t length = strlen(row->line);
		char *line = malloc(length + 1); /* nothing readable behind it */
		struct smaps_header header = { 0 };

		assert_non_null(line);
		memcpy(line, row->line, length);
		tally_equal(&tally, (uint64_t)smaps_header(line, line + length, &header),
			    (uint64_t)row->is_header, "is it one: '%s'", row->line);
		tally_equal(&tally, header.start, row->header.start, "start of '%s'", row->line);
		tally_equal(&tally, header.end, row->header.end, "end of '%s'", row->line);
		tally_equal(&tally, header.offset, row->header.offset, "offset of '%s'", row->line);
		tally_equal(&tally, header.inode, row->header.inode, "inode of '%s'", row->line);
		tally_equal(&tally, header.major, row->header.major, "major of '%s'", row->line);
		tally_equal(&tally, header.minor, row->header.minor, "minor of '%s'", row->line);
		tally_equal(&tally, header.flags, row->header.flags, "flags of '%s'", row->line);
		if (row->is_header && header.name) {
			char *name = strndup(header.name, header.name_length);

			assert_non_null(name);
			tally_text(&tally, name, row->name, "name of '%s'", row->line);
			free(name);
		}
		free(line);
	}
	tally_finish(&tally, 8 * ARRAY_SIZE(headers) + 20);
}

/* The keys of smaps, as the metric table has them. */
static struct field_table table;

static int make_table(void **state)
{
	(void)state;
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct metric_row *row = metric_row(metric);

		if (row->files & FILE_SMAPS)
			field_table_add(&table, row->info.kernel_field, metric,
					row->info.unit == THPSTAT_BYTES);
	}
	assert_true(table.n > 20);
	return 0;
}

/* What a text must give, by the plainest way through it: line after line, nothing learned. */
static const char *plain_fields(const char *p, const char *end, struct figures *figures,
				struct smaps_header *next)
{
	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t hint = FIELD_TABLE_MAX;

		if (!eol || smaps_header(p, eol, next))
			break;
		field_table_line(&table, p, eol, &hint, figures);
		p = eol + 1;
	}
	return p;
}

static void tally_figures(struct tally *tally, const struct figures *found,
			  const struct figures *wanted, const char *what)
{
	for (size_t i = 0; i < table.n; i++) {
		const struct field *field = &table.fields[i];

		tally_equal(tally, (uint64_t)figures_bit(found->present, field->metric),
			    (uint64_t)figures_bit(wanted->present, field->metric),
			    "is %s there: %s", field->key, what);
		tally_equal(tally, (uint64_t)figures_bit(found->overflow, field->metric),
			    (uint64_t)figures_bit(wanted->overflow, field->metric),
			    "does %s overflow: %s", field->key, what);
		tally_equal(tally, (uint64_t)figures_bit(found->malformed, field->metric),
			    (uint64_t)figures_bit(wanted->malformed, field->metric),
			    "is %s malformed: %s", field->key, what);
		if (figures_bit(wanted->present, field->metric))
			tally_equal(tally, found->value[field->metric],
				    wanted->value[field->metric], "%s: %s", field->key, what);
	}
}

/* One record through the parser, in memory that ends where the text ends. */
static void tally_record(struct tally *tally, struct smaps_parser *parser, const char *text,
			 const char *what)
{
	size_t length = strlen(text);
	char *copy = malloc(length ? length : 1);
	struct smaps_header next, wanted_next;
	struct figures found, wanted;
	unsigned int flags = 0;

	assert_non_null(copy);
	memcpy(copy, text, length);
	figures_clear(&found);
	figures_clear(&wanted);
	smaps_parser_begin(parser);

	const char *stop = smaps_fields(parser, copy, copy + length, &found, &flags, &next);
	const char *wanted_stop = plain_fields(copy, copy + length, &wanted, &wanted_next);

	tally_equal(tally, (uint64_t)(stop - copy), (uint64_t)(wanted_stop - copy),
		    "bytes taken: %s", what);
	if (stop < copy + length && memchr(stop, '\n', (size_t)(copy + length - stop)))
		tally_equal(tally, next.end, wanted_next.end, "the header behind: %s", what);
	tally_figures(tally, &found, &wanted, what);
	free(copy);
}

static const char usual_record[] = "Size:              16384 kB\n"
				   "KernelPageSize:        4 kB\n"
				   "MMUPageSize:           4 kB\n"
				   "Rss:               16384 kB\n"
				   "Pss:                5461 kB\n"
				   "Pss_Dirty:          5461 kB\n"
				   "Shared_Clean:          0 kB\n"
				   "Shared_Dirty:      16384 kB\n"
				   "Private_Clean:         0 kB\n"
				   "Private_Dirty:         0 kB\n"
				   "Referenced:        16384 kB\n"
				   "Anonymous:             0 kB\n"
				   "KSM:                   0 kB\n"
				   "LazyFree:              0 kB\n"
				   "AnonHugePages:      2048 kB\n"
				   "ShmemPmdMapped:       12 kB\n"
				   "FilePmdMapped: 99999999 kB\n"
				   "Shared_Hugetlb:        0 kB\n"
				   "Private_Hugetlb:       7 kB\n"
				   "Swap:                  0 kB\n"
				   "SwapPss:               0 kB\n"
				   "Locked:                0 kB\n"
				   "THPeligible:           0\n"
				   "VmFlags: rd wr sh mr mw me ms \n";

/* Values by hand, so that the comparison with the plain way is not all there is. */
static void test_usual_record(void **state)
{
	static const struct {
		enum thpstat_metric metric;
		uint64_t kilobytes;
	} rows[] = {
		{ THPSTAT_SIZE, 16384 },
		{ THPSTAT_KERNEL_PAGE_SIZE, 4 },
		{ THPSTAT_MMU_PAGE_SIZE, 4 },
		{ THPSTAT_RSS, 16384 },
		{ THPSTAT_PSS, 5461 },
		{ THPSTAT_PSS_DIRTY, 5461 },
		{ THPSTAT_SHARED_CLEAN, 0 },
		{ THPSTAT_SHARED_DIRTY, 16384 },
		{ THPSTAT_PRIVATE_CLEAN, 0 },
		{ THPSTAT_PRIVATE_DIRTY, 0 },
		{ THPSTAT_REFERENCED, 16384 },
		{ THPSTAT_ANONYMOUS, 0 },
		{ THPSTAT_KSM, 0 },
		{ THPSTAT_LAZY_FREE, 0 },
		{ THPSTAT_ANON_HUGE_PAGES, 2048 },
		{ THPSTAT_SHMEM_PMD_MAPPED, 12 },
		{ THPSTAT_FILE_PMD_MAPPED, 99999999 },
		{ THPSTAT_SHARED_HUGETLB, 0 },
		{ THPSTAT_PRIVATE_HUGETLB, 7 },
		{ THPSTAT_SWAP, 0 },
		{ THPSTAT_SWAP_PSS, 0 },
		{ THPSTAT_LOCKED, 0 },
	};
	struct tally tally = { .subject = "usual record" };
	struct smaps_parser parser;

	(void)state;
	smaps_parser_init(&parser, &table);
	for (int round = 1; round <= 3; round++) { /* learning, then learned */
		struct smaps_header next;
		struct figures figures;
		unsigned int flags = 0;

		figures_clear(&figures);
		smaps_parser_begin(&parser);
		tally_holds(&tally,
			    smaps_fields(&parser, usual_record,
					 usual_record + sizeof(usual_record) - 1, &figures, &flags,
					 &next) == usual_record + sizeof(usual_record) - 1,
			    "taken to the end in round %d", round);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			tally_holds(&tally, figures_has(&figures, rows[i].metric),
				    "round %d: metric %d is there", round, (int)rows[i].metric);
			tally_equal(&tally, figures.value[rows[i].metric], rows[i].kilobytes * 1024,
				    "round %d: metric %d", round, (int)rows[i].metric);
		}
		tally_holds(&tally,
			    figures_has(&figures, THPSTAT_THP_ELIGIBLE) &&
				    !figures.value[THPSTAT_THP_ELIGIBLE],
			    "round %d: THPeligible", round);
		tally_equal(&tally, flags, THPSTAT_MAPPING_HAS_VMFLAGS, "round %d: flags", round);
	}
	tally_finish(&tally, 3 * (2 * ARRAY_SIZE(rows) + 3));
}

/* Each of these after the usual record has been learned, and after the one before. */
static void test_odd_records(void **state)
{
	static const struct {
		const char *what;
		const char *text;
	} records[] = {
		{ "the usual one", usual_record },
		{ "9 digits", "Size:          123456789 kB\nRss:           100000000 kB\n" },
		{ "9 digits push the unit on",
		  "Size:         1234567890 kB\nRss:              12 kB\n" },
		{ "wider than its column",
		  "Size:           15032123396 kB\nRss:                  12 kB\n" },
		{ "17 digits",
		  "Size:           12345678901234567 kB\nRss:                  12 kB\n" },
		{ "more than fits in kB", "Size:           18014398509481984 kB\nRss: 5 kB\n" },
		{ "more than fits", "Size:           99999999999999999999 kB\nRss: 5 kB\n" },
		{ "8 digits", "Size:           12345678 kB\nRss:            99999999 kB\n" },
		{ "other order", "Rss:                   1 kB\nSize:                  2 kB\n"
				 "Pss:                   3 kB\n" },
		{ "a new key in the middle",
		  "Size:                  1 kB\nNewKey:                9 kB\n"
		  "Rss:                   2 kB\n" },
		{ "a key less", "Size:                  1 kB\nPss:                   2 kB\n" },
		{ "the same key twice", "Size:                  1 kB\nSize:                  2 kB\n"
					"Rss:                   3 kB\n" },
		{ "one key, over and over",
		  "Rss:                   1 kB\nRss:                   2 kB\n"
		  "Rss:                   3 kB\nRss:                   4 kB\n" },
		{ "a malformed value between",
		  "Size:                  1 kB\nRss:                   x kB\n"
		  "Pss:                   3 kB\n" },
		{ "a value with a hole",
		  "Size:               1  1 kB\nRss:                   2 kB\n" },
		{ "a minus", "Size:                 -1 kB\nRss:                   2 kB\n" },
		{ "no value", "Size:                    kB\nRss:                   2 kB\n" },
		{ "another unit", "Size:                  1 MB\nRss:                   2 kB\n" },
		{ "no unit", "Size:                  1   \nRss:                   2 kB\n" },
		{ "leading zeros", "Size:           00000001 kB\nRss:            00000000 kB\n" },
		{ "tabs in the padding",
		  "Size:\t\t\t\t\t\t\t\t\t\t\t       1 kB\nRss:\t                   2 kB\n" },
		{ "tabs in the number",
		  "Size:          \t\t\t\t\t\t\t\t1 kB\nRss:                   2 kB\n" },
		{ "a blank in the key",
		  "Si ze:                 1 kB\nRss :                  2 kB\n" },
		{ "a blank before the key",
		  " Size:                 1 kB\n Rss:                  2 kB\n" },
		{ "empty values", "Size:\nRss:\nPss: \nVmFlags:\n" },
		{ "blank lines",
		  "\nSize:                  1 kB\n\n\nRss:                   2 kB\n\n" },
		{ "garbage", "????\nSize:                  1 kB\n/dev/zero (deleted)\n"
			     "Rss:                   2 kB\n" },
		{ "a text value",
		  "Name:           [anon:Rss:  9 kB]\nSize:                  1 kB\n" },
		{ "lower case", "ksm_state:             1 kB\nRss:                   2 kB\n" },
		{ "a key of 16 bytes",
		  "Private_Hugetlb:       5 kB\nShared_Hugetlbx:       6 kB\n" },
		{ "a key of 17 bytes",
		  "Private_Hugetlb_:      5 kB\nRss:                   6 kB\n" },
		{ "a key longer than a line",
		  "AVeryLongKeyThatIsNoMetric: 5 kB\nRss:                   6 kB\n" },
		{ "THPeligible with tabs", "THPeligible:\t\t1\nRss:                   6 kB\n" },
		{ "THPeligible with blanks", "THPeligible:    1\nRss:                   6 kB\n" },
		{ "THPeligible in the usual shape",
		  "THPeligible:           1 kB\nRss:                   6 kB\n" },
		{ "a header ends it",
		  "Size:                  1 kB\n1000-2000 r--p 00000000 00:00 0\n" },
		{ "a header at once",
		  "abc0-bcd0 r--p 00000000 00:00 0\nSize:                  1 kB\n" },
		{ "a header of 28 bytes",
		  "a-b r--p 00 00:00 0 12345678\nSize:                  1 kB\n" },
		{ "no newline at the end",
		  "Size:                  1 kB\nRss:                   2 kB" },
		{ "one byte short of a line",
		  "Size:                  1 kB\nRss:                   2 k" },
		{ "nothing", "" },
		{ "one newline", "\n" },
		{ "two lines on one", "Size:                  1 kB Rss:                   2 kB\n" },
		{ "the usual one again", usual_record },
	};
	struct tally tally = { .subject = "odd records" };

	(void)state;
	for (size_t first = 0; first < ARRAY_SIZE(records); first++) {
		struct smaps_parser parser;

		/* what one record taught must not mislead on any other */
		smaps_parser_init(&parser, &table);
		for (size_t i = 0; i < ARRAY_SIZE(records); i++) {
			char what[128];

			snprintf(what, sizeof(what), "'%s', then '%s'", records[first].what,
				 records[i].what);
			tally_record(&tally, &parser, records[first].text, what);
			tally_record(&tally, &parser, records[i].text, what);
		}
	}
	tally_finish(&tally, ARRAY_SIZE(records) * ARRAY_SIZE(records) * 2 * 60);
}

/* The eight bytes of a number: each byte there can be, at each place. */
static void test_number_bytes(void **state)
{
	static const char *const lines[] = {
		"Rss:                  12 kB\n", "Rss:            12345678 kB\n",
		"Rss:                7654 kB\n", "THPeligible:           1\n",
		"ProtectionKey:         7\n",
	};
	struct tally tally = { .subject = "number bytes" };
	/* lines of other keys, so that there is no end near */
	static const char others[] = "Filler_1:              0 kB\nFiller_2:              7 kB\n";
	char text[64 + sizeof(others)];

	(void)state;
	for (size_t pattern = 0; pattern < ARRAY_SIZE(lines); pattern++)
		for (size_t place = 16; place < strlen(lines[pattern]); place++)
			for (unsigned int byte = 1; byte < 256; byte++) {
				struct smaps_parser parser;

				smaps_parser_init(&parser, &table);
				snprintf(text, sizeof(text), "%s%s", lines[pattern], others);
				tally_record(&tally, &parser, text, "learning");
				text[place] = (char)byte;
				tally_record(&tally, &parser, text, text);
				text[strlen(lines[pattern])] = '\0';
				tally_record(&tally, &parser, text, text);
			}
	tally_finish(&tally, 5 * 9 * 255 * 3);
}

/* Writes a record with what a kernel, or a joker, may print. */
static void random_record(uint64_t *seed, char *text, size_t size)
{
	static const char *const others[] = { "NewKey", "ksm_state",	"Pss_Locked",
					      "x",	"HugetlbPages", "AnonHugePagesX" };
	static const char *const garbage[] = { "\n",
					       "??\n",
					       "VmFlags: rd\n",
					       "THPeligible: \t1\n",
					       "Name:   [anon: a b]\n",
					       "Rss:\n",
					       "Pss: -4 kB\n" };
	unsigned int lines = random_below(seed, 40);
	unsigned int first = random_below(seed, (unsigned int)table.n);
	size_t length = 0;

	text[0] = '\0';
	for (unsigned int i = 0; i < lines && length + 100 < size; i++) {
		unsigned int which = random_below(seed, 16);
		const char *key = table.fields[(first + i) % table.n].key;
		uint64_t value = next_random(seed) >> random_below(seed, 64);
		char *at = text + length;

		if (which == 0)
			key = others[random_below(seed, ARRAY_SIZE(others))];
		if (which == 1)
			key = table.fields[random_below(seed, (unsigned int)table.n)].key;
		if (which == 2)
			length += (size_t)sprintf(at, "%s",
						  garbage[random_below(seed, ARRAY_SIZE(garbage))]);
		else if (which == 3)
			length += (size_t)sprintf(at, "%s:\t%llu kB\n", key,
						  (unsigned long long)value);
		else
			length += (size_t)sprintf(at, "%s:%*llu kB\n", key, (int)(23 - strlen(key)),
						  (unsigned long long)value);
	}
}

/* A thousand kernels of a dozen records each: learning never changes what is read. */
static void test_random_records(void **state)
{
	struct tally tally = { .subject = "random records" };
	uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);

	(void)state;
	for (unsigned int kernel = 0; kernel < 1000; kernel++) {
		char records[3][4096];
		struct smaps_parser parser;

		for (unsigned int i = 0; i < 3; i++)
			random_record(&seed, records[i], sizeof(records[i]));
		smaps_parser_init(&parser, &table);
		for (unsigned int i = 0; i < 12; i++) {
			char what[32];

			snprintf(what, sizeof(what), "kernel %u, record %u", kernel, i);
			tally_record(&tally, &parser, records[random_below(&seed, 3)], what);
		}
	}
	tally_finish(&tally, 1000 * 12 * 60);
}

/* More keys than can be learned: the rest is read the long way. */
static void test_many_keys(void **state)
{
	static char text[2 * SMAPS_LEARNED_MAX * 28 + 100];
	struct tally tally = { .subject = "many keys" };
	struct smaps_parser parser;
	size_t length = 0;

	(void)state;
	for (unsigned int i = 0; i < 2 * SMAPS_LEARNED_MAX; i++)
		length += (size_t)sprintf(text + length, "Key%03u:%17u kB\n", i, i);
	sprintf(text + length, "Rss:                  12 kB\nPss:                  13 kB\n");
	smaps_parser_init(&parser, &table);
	for (int round = 0; round < 3; round++)
		tally_record(&tally, &parser, text, "96 unknown keys");
	assert_true(parser.n_learned <= SMAPS_LEARNED_MAX);
	tally_finish(&tally, 3 * 60);
}

static unsigned int flags_of(const char *text, size_t length, unsigned int flags)
{
	struct smaps_parser parser;
	struct smaps_header next;
	struct figures figures;

	smaps_parser_init(&parser, &table);
	figures_clear(&figures);
	assert_true(smaps_fields(&parser, text, text + length, &figures, &flags, &next) ==
		    text + length);
	return flags;
}

static void test_vm_flags(void **state)
{
	static const struct {
		const char *line;
		unsigned int flags;
	} rows[] = {
		{ "VmFlags: rd wr mr mw me ac sd \n", 0 },
		{ "VmFlags: rd hg\n", THPSTAT_MAPPING_HUGEPAGE_ADVISED },
		{ "VmFlags: nh\n", THPSTAT_MAPPING_NO_HUGEPAGE },
		{ "VmFlags: ht lo gd \n",
		  THPSTAT_MAPPING_HUGETLB | THPSTAT_MAPPING_LOCKED | THPSTAT_MAPPING_GROWS_DOWN },
		{ "VmFlags: pf mm io mg\n", THPSTAT_MAPPING_PFNMAP | THPSTAT_MAPPING_MIXEDMAP |
						    THPSTAT_MAPPING_IO |
						    THPSTAT_MAPPING_MERGEABLE },
		{ "VmFlags:hg\n", THPSTAT_MAPPING_HUGEPAGE_ADVISED },
		{ "VmFlags:\t hg\t\tnh \n",
		  THPSTAT_MAPPING_HUGEPAGE_ADVISED | THPSTAT_MAPPING_NO_HUGEPAGE },
		/* unknown words, and words of other lengths that hold a known one */
		{ "VmFlags: zz ?? ss gp um uw dp wf \n", 0 },
		{ "VmFlags: hgx xhg hghg h g hgnh \n", 0 },
		{ "VmFlags: HG Ht \n", 0 },
		{ "VmFlags:\n", 0 },
		{ "VmFlags: \n", 0 },
		{ "VmFlags:        4 kB\n", 0 },
	};
	struct tally tally = { .subject = "VmFlags" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		tally_equal(&tally,
			    flags_of(rows[i].line, strlen(rows[i].line), THPSTAT_MAPPING_READ),
			    THPSTAT_MAPPING_READ | THPSTAT_MAPPING_HAS_VMFLAGS | rows[i].flags,
			    "'%s'", rows[i].line);

	/* not this key: nothing is known of the flags */
	static const char *const others[] = { "VmFlag: hg\n", "VmFlagsx: hg\n", " VmFlags: hg\n",
					      "vmflags: hg\n", "VmFlags\n" };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		tally_equal(&tally, flags_of(others[i], strlen(others[i]), 0), 0, "'%s'",
			    others[i]);
	tally_finish(&tally, ARRAY_SIZE(rows) + ARRAY_SIZE(others));
}

/* Two bytes each, all there are, at the beginning, in the middle and at the end of the line. */
static void test_all_flag_words(void **state)
{
	static const struct {
		const char *word;
		unsigned int flag;
	} known[] = {
		{ "hg", THPSTAT_MAPPING_HUGEPAGE_ADVISED }, { "nh", THPSTAT_MAPPING_NO_HUGEPAGE },
		{ "ht", THPSTAT_MAPPING_HUGETLB },	    { "lo", THPSTAT_MAPPING_LOCKED },
		{ "gd", THPSTAT_MAPPING_GROWS_DOWN },	    { "pf", THPSTAT_MAPPING_PFNMAP },
		{ "mm", THPSTAT_MAPPING_MIXEDMAP },	    { "io", THPSTAT_MAPPING_IO },
		{ "mg", THPSTAT_MAPPING_MERGEABLE },	    { "nr", THPSTAT_MAPPING_NORESERVE },
	};
	struct tally tally = { .subject = "flag words" };

	(void)state;
	for (unsigned int word = 0; word < 65536; word++) {
		const char letters[] = { (char)(word >> 8), (char)word };
		unsigned int wanted = THPSTAT_MAPPING_HAS_VMFLAGS;

		if (memchr(letters, ' ', 2) || memchr(letters, '\t', 2) || memchr(letters, '\n', 2))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(known); i++)
			if (!memcmp(letters, known[i].word, 2))
				wanted |= known[i].flag;
		for (int place = 0; place < 4; place++) {
			static const char *const around[][2] = { { "", " rd wr \n" },
								 { "rd ", " wr \n" },
								 { "rd wr ", " \n" },
								 { "rd  wr ", "\n" } };
			char text[64];
			size_t before = (size_t)sprintf(text, "VmFlags: %s", around[place][0]);

			memcpy(text + before, letters, 2);
			strcpy(text + before + 2, around[place][1]);
			tally_equal(&tally,
				    flags_of(text, before + 2 + strlen(around[place][1]), 0),
				    wanted, "word %04x in place %d", word, place);
		}
	}
	tally_finish(&tally, 4 * 253 * 253);
}

/* A line of flags as long as a reader's buffer. */
static void test_long_vm_flags(void **state)
{
	enum { WORDS = 20000 };
	char *line = malloc(9 + 3 * WORDS + 4);
	size_t length;

	(void)state;
	assert_non_null(line);
	length = (size_t)sprintf(line, "VmFlags: ");
	for (int i = 0; i < WORDS; i++)
		length += (size_t)sprintf(line + length, "zz ");
	length += (size_t)sprintf(line + length, "hg\n");
	assert_int_equal(flags_of(line, length, 0),
			 THPSTAT_MAPPING_HAS_VMFLAGS | THPSTAT_MAPPING_HUGEPAGE_ADVISED);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),	       cmocka_unit_test(test_usual_record),
		cmocka_unit_test(test_odd_records),    cmocka_unit_test(test_number_bytes),
		cmocka_unit_test(test_random_records), cmocka_unit_test(test_many_keys),
		cmocka_unit_test(test_vm_flags),       cmocka_unit_test(test_all_flag_words),
		cmocka_unit_test(test_long_vm_flags),
	};

	return cmocka_run_group_tests(tests, make_table, NULL);
}

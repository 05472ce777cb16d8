/* SPDX-License-Identifier: MIT */
#include <endian.h>
#include <string.h>

#include <thpstat/mapping.h>

#include "parse/number.h"
#include "parse/smaps.h"

/*
 * Geometry of the usual lines: 16 bytes of key and padding, 8 of number, then " kB\n" or, after a
 * plain number, "\n".
 */
#define HEAD 16
#define NUMBER_END 24
#define LINE 28

static unsigned int permissions(const char *p)
{
	/* WSL1 prints '-' where Linux prints 's' or 'p': any other character has no bit */
	return (p[0] == 'r' ? THPSTAT_MAPPING_READ : 0) |
	       (p[1] == 'w' ? THPSTAT_MAPPING_WRITE : 0) |
	       (p[2] == 'x' ? THPSTAT_MAPPING_EXEC : 0) |
	       (p[3] == 's' ? THPSTAT_MAPPING_SHARED : 0);
}

static int blank(const char **p, const char *end)
{
	if (*p == end || **p != ' ')
		return 0;
	(*p)++;
	return 1;
}

int smaps_header(const char *line, const char *end, struct smaps_header *ret)
{
	struct smaps_header header;
	uint64_t major, minor;
	const char *p = line;

	if (number_hex(&p, end, &header.start) || p == end || *p++ != '-' ||
	    number_hex(&p, end, &header.end) || !blank(&p, end) || end - p < 5)
		return 0;
	header.flags = permissions(p);
	p += 4;
	if (!blank(&p, end) || number_hex(&p, end, &header.offset) || !blank(&p, end) ||
	    number_hex(&p, end, &major) || p == end || *p++ != ':' || number_hex(&p, end, &minor) ||
	    !blank(&p, end) || number_decimal(&p, end, &header.inode) || (p < end && *p != ' ') ||
	    major > UINT32_MAX || minor > UINT32_MAX)
		return 0;
	header.major = (uint32_t)major;
	header.minor = (uint32_t)minor;
	/* names stand in a column of their own, far to the right */
	while (end - p >= 8 && !memcmp(p, "        ", 8))
		p += 8;
	header.name = skip_blanks(p, end);
	header.name_length = (size_t)(end - header.name);
	*ret = header;
	return 1;
}

/* The two letters of a flag, as an index. */
#define LETTERS 26
#define CODE(a, b) (((a) - 'a') * LETTERS + (b) - 'a')

static const uint16_t vm_flag[LETTERS * LETTERS] = {
	[CODE('h', 'g')] = THPSTAT_MAPPING_HUGEPAGE_ADVISED,
	[CODE('n', 'h')] = THPSTAT_MAPPING_NO_HUGEPAGE,
	[CODE('h', 't')] = THPSTAT_MAPPING_HUGETLB,
	[CODE('l', 'o')] = THPSTAT_MAPPING_LOCKED,
	[CODE('g', 'd')] = THPSTAT_MAPPING_GROWS_DOWN,
	[CODE('p', 'f')] = THPSTAT_MAPPING_PFNMAP,
	[CODE('m', 'm')] = THPSTAT_MAPPING_MIXEDMAP,
	[CODE('i', 'o')] = THPSTAT_MAPPING_IO,
	[CODE('m', 'g')] = THPSTAT_MAPPING_MERGEABLE,
	[CODE('n', 'r')] = THPSTAT_MAPPING_NORESERVE,
};

static int is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static unsigned int vm_flags(const char *p, const char *end)
{
	unsigned int flags = 0;

	while ((p = skip_blanks(p, end)) < end) {
		const char *word = p;

		while (p < end && *p != ' ' && *p != '\t')
			p++;
		if (p - word == 2 && is_letter(word[0]) && is_letter(word[1]))
			flags |= vm_flag[CODE(word[0], word[1])];
	}
	return flags;
}

#define VM_FLAGS "VmFlags: "

/*
 * The line as the kernel prints it: after the key, two letters and a blank for each flag. Where the
 * next line begins; NULL, with nothing done, for any other line.
 */
static const char *usual_vm_flags(const char *p, const char *end, unsigned int *flags)
{
	unsigned int found = THPSTAT_MAPPING_HAS_VMFLAGS;

	if (end - p < (ptrdiff_t)strlen(VM_FLAGS) || memcmp(p, VM_FLAGS, strlen(VM_FLAGS)))
		return NULL;
	p += strlen(VM_FLAGS);
	for (; end - p > 3 && p[2] == ' ' && is_letter(p[0]) && is_letter(p[1]); p += 3)
		found |= vm_flag[CODE(p[0], p[1])];
	if (p == end || *p != '\n')
		return NULL;
	*flags |= found;
	return p + 1;
}

/* Eight bytes in one register, the first in its lowest byte. */
static inline uint64_t eight_bytes(const char *p)
{
	uint64_t text;

	memcpy(&text, p, sizeof(text));
	return le64toh(text);
}

#define ZERO UINT64_C(0x3020202020202020) /* "       0" */

/* A number of eight bytes: blanks, then at least one digit up to the last byte. */
static inline int eight_digits(uint64_t text, uint64_t *ret)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t digit = text >> 4 & each; /* ' ' is 0x20, digits are 0x30 to 0x39 */
	uint64_t low = text & digit * 0x0f;

	if (text != (each * 0x20 | digit << 4 | low) || /* neither blank nor digit */
	    ((low + each * 6) & each * 0x10) ||		/* 0x3a to 0x3f */
	    (digit << 8 & ~digit) ||			/* a blank behind a digit */
	    !(digit >> 56))
		return 0;
	/* pairs, fours, eights; a blank counts as 0 */
	low = (low * 10 + (low >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	low = (low * 100 + (low >> 16)) & UINT64_C(0x0000ffff0000ffff);
	*ret = (low * 10000 + (low >> 32)) & UINT64_C(0xffffffff);
	return 1;
}

/* Takes lines that are the usual ones of their places in the record; where it stopped. */
static const char *fast_lines(struct smaps_parser *parser, const char *p, const char *end,
			      struct figures *figures)
{
	struct smaps_learned *learned = &parser->learned[parser->at];
	const struct smaps_learned *last = &parser->learned[parser->n_learned];
	uint64_t present = 0, value;

	if (end - p < LINE)
		return p;

	const char *full = end - LINE;

	for (; learned < last && p <= full; learned++) {
		uint64_t number = eight_bytes(p + HEAD);

		if (memcmp(p, learned->head, HEAD))
			break;
		if (learned->length == LINE) {
			if (memcmp(p + NUMBER_END, " kB\n", LINE - NUMBER_END))
				break;
		} else if (p[NUMBER_END] != '\n') {
			break;
		}
		/* most figures are 0, and the page sizes are always the same */
		if (number == ZERO) {
			value = 0;
		} else if (number == learned->number) {
			value = learned->value;
		} else if (eight_digits(number, &value)) {
			value *= learned->length == LINE ? 1024 : 1;
			learned->number = number;
			learned->value = value;
		} else {
			break;
		}
		p += learned->length;
		/* a key that is no metric has no bit, and its value goes where nobody looks */
		present |= learned->bit;
		figures->value[learned->metric] = value;
	}
	figures->present[0] |= present;
	parser->at = (size_t)(learned - parser->learned);
	return p;
}

/* Remember the line that ends at @eol as the one of this place, if it is of a usual shape. */
static void learn(struct smaps_parser *parser, const char *line, const char *eol)
{
	int kilobytes = eol - line == LINE - 1 && !memcmp(eol - 3, " kB", 3);
	uint64_t value;

	if ((!kilobytes && eol - line != NUMBER_END) ||
	    !eight_digits(eight_bytes(line + HEAD), &value) || parser->at == SMAPS_LEARNED_MAX)
		return;

	const char *colon = memchr(line, ':', HEAD);

	/* the head must not hold the first digits of a number that is wider than its column */
	if (!colon || skip_blanks(colon + 1, line + HEAD) != line + HEAD)
		return;

	const struct field *field = field_table_find(parser->table, line, (size_t)(colon - line),
						     &(size_t){ FIELD_TABLE_MAX });

	/* all metrics of smaps have low numbers: their bits are in one word */
	if (field && (field->kilobytes != kilobytes || field->metric >= 64))
		return;

	struct smaps_learned *learned = &parser->learned[parser->at];

	memcpy(learned->head, line, HEAD);
	learned->number = ZERO;
	learned->value = 0;
	learned->length = (uint16_t)(eol + 1 - line);
	learned->metric = field ? field->metric : 0;
	learned->bit = field ? UINT64_C(1) << field->metric : 0;
	if (++parser->at > parser->n_learned)
		parser->n_learned = parser->at;
}

void smaps_parser_init(struct smaps_parser *parser, const struct field_table *table)
{
	memset(parser, 0, sizeof(*parser));
	parser->table = table;
}

const char *smaps_fields(struct smaps_parser *parser, const char *p, const char *end,
			 struct figures *figures, unsigned int *flags, struct smaps_header *next)
{
	static const char vmflags[] = "VmFlags:";
	const char *next_line;

	while (p < end) {
		p = fast_lines(parser, p, end, figures);
		if (p == end)
			break;
		next_line = usual_vm_flags(p, end, flags);
		if (next_line) {
			p = next_line;
			continue;
		}

		const char *eol = memchr(p, '\n', (size_t)(end - p));

		if (!eol)
			break;
		/* keys begin with a letter, which a to f are also as hex digits */
		if (!(*p >= 'A' && *p <= 'Z') && smaps_header(p, eol, next))
			break;
		if ((size_t)(eol - p) >= strlen(vmflags) && !memcmp(p, vmflags, strlen(vmflags))) {
			*flags |= THPSTAT_MAPPING_HAS_VMFLAGS | vm_flags(p + strlen(vmflags), eol);
		} else {
			field_table_line(parser->table, p, eol, &parser->hint, figures);
			learn(parser, p, eol);
		}
		p = eol + 1;
	}
	return p;
}

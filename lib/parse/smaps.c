/* SPDX-License-Identifier: MIT */
#include <endian.h>
#include <string.h>

#include <thpstat/mapping.h>

#include "parse/number.h"
#include "parse/smaps.h"

/* Geometry of the usual line: 16 bytes of key and padding, 8 of number, " kB\n". */
#define HEAD 16
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
	header.name = skip_blanks(p, end);
	header.name_length = (size_t)(end - header.name);
	*ret = header;
	return 1;
}

static unsigned int vm_flag(const char *code)
{
#define CODE(a, b) ((unsigned int)(a) << 8 | (b))
	switch (CODE((unsigned char)code[0], (unsigned char)code[1])) {
	case CODE('h', 'g'):
		return THPSTAT_MAPPING_HUGEPAGE_ADVISED;
	case CODE('n', 'h'):
		return THPSTAT_MAPPING_NO_HUGEPAGE;
	case CODE('h', 't'):
		return THPSTAT_MAPPING_HUGETLB;
	case CODE('l', 'o'):
		return THPSTAT_MAPPING_LOCKED;
	case CODE('g', 'd'):
		return THPSTAT_MAPPING_GROWS_DOWN;
	case CODE('p', 'f'):
		return THPSTAT_MAPPING_PFNMAP;
	case CODE('m', 'm'):
		return THPSTAT_MAPPING_MIXEDMAP;
	case CODE('i', 'o'):
		return THPSTAT_MAPPING_IO;
	case CODE('m', 'g'):
		return THPSTAT_MAPPING_MERGEABLE;
	default:
		return 0;
	}
#undef CODE
}

static unsigned int vm_flags(const char *p, const char *end)
{
	unsigned int flags = THPSTAT_MAPPING_HAS_VMFLAGS;

	while ((p = skip_blanks(p, end)) < end) {
		const char *word = p;

		while (p < end && *p != ' ' && *p != '\t')
			p++;
		if (p - word == 2)
			flags |= vm_flag(word);
	}
	return flags;
}

/*
 * Eight bytes: blanks, then at least one digit up to the last byte. All eight are looked at in one
 * register, least significant byte first.
 */
static int eight_digits(const char *p, uint64_t *ret)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t text;

	memcpy(&text, p, sizeof(text));
	text = le64toh(text);
	if (text == UINT64_C(0x3020202020202020)) { /* most figures of most mappings are 0 */
		*ret = 0;
		return 1;
	}

	uint64_t is_digit = text >> 4 & each; /* ' ' is 0x20, digits are 0x30 to 0x39 */
	uint64_t low = text & each * 0x0f;

	if ((text & each * 0xe0) != each * 0x20 || /* neither blank nor digit */
	    ((low + each * 6) & each * 0x10) ||	   /* 0x3a to 0x3f */
	    (low & ~(is_digit * 0x0f)) ||	   /* 0x21 to 0x2f */
	    (is_digit << 8 & ~is_digit) ||	   /* a blank behind a digit */
	    !(is_digit >> 56))
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
	const struct smaps_learned *learned = &parser->learned[parser->at];
	const struct smaps_learned *last = &parser->learned[parser->n_learned];
	uint64_t value;

	for (; learned < last && end - p >= LINE; learned++, p += LINE) {
		if (memcmp(p, learned->head, HEAD) || memcmp(p + LINE - 4, " kB\n", 4) ||
		    !eight_digits(p + HEAD, &value))
			break;
		/* a key that is no metric has no bit, and its value goes where nobody looks */
		figures->present[learned->word] |= learned->bit;
		figures->value[learned->metric] = value * 1024;
	}
	parser->at = (size_t)(learned - parser->learned);
	return p;
}

/* Remember the line that ends at @eol as the one of this place, if it is of the usual shape. */
static void learn(struct smaps_parser *parser, const char *line, const char *eol)
{
	uint64_t value;

	if (eol - line != LINE - 1 || memcmp(eol - 3, " kB", 3) ||
	    !eight_digits(line + HEAD, &value) || parser->at == SMAPS_LEARNED_MAX)
		return;

	const char *colon = memchr(line, ':', HEAD);

	/* the head must not hold the first digits of a number that is wider than its column */
	if (!colon || skip_blanks(colon + 1, line + HEAD) != line + HEAD)
		return;

	const struct field *field = field_table_find(parser->table, line, (size_t)(colon - line),
						     &(size_t){ FIELD_TABLE_MAX });

	if (field && !field->kilobytes)
		return;

	struct smaps_learned *learned = &parser->learned[parser->at];

	memcpy(learned->head, line, HEAD);
	learned->metric = field ? field->metric : 0;
	learned->word = learned->metric / 64;
	learned->bit = field ? UINT64_C(1) << (learned->metric % 64) : 0;
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

	while (p < end) {
		p = fast_lines(parser, p, end, figures);
		if (p == end)
			break;

		const char *eol = memchr(p, '\n', (size_t)(end - p));

		if (!eol)
			break;
		/* keys begin with a letter, which a to f are also as hex digits */
		if (!(*p >= 'A' && *p <= 'Z') && smaps_header(p, eol, next))
			break;
		if ((size_t)(eol - p) >= sizeof(vmflags) - 1 &&
		    !memcmp(p, vmflags, sizeof(vmflags) - 1)) {
			*flags |= vm_flags(p + sizeof(vmflags) - 1, eol);
		} else {
			field_table_line(parser->table, p, eol, &parser->hint, figures);
			learn(parser, p, eol);
		}
		p = eol + 1;
	}
	return p;
}

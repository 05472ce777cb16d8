/* SPDX-License-Identifier: MIT */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"
#include "identity.h"
#include "report.h"

/* Groups of options; a command takes some of them. */
#define OPTIONS_GENERAL (1u << 0)
#define OPTIONS_SOURCE (1u << 1)
#define OPTIONS_OUTPUT (1u << 2)
#define OPTIONS_PROCESSES (1u << 3) /* which, and what to say of those that cannot be read */
#define OPTIONS_ORDER (1u << 4)
#define OPTIONS_CAPTURE (1u << 5) /* and the first word is where it goes to */
#define OPTIONS_EXACT (1u << 6)
#define OPTIONS_MAPPINGS (1u << 7)

enum format {
	FORMAT_TABLE,
	FORMAT_JSON,
	FORMAT_JSON_LINES,
	FORMAT_RAW,
	FORMAT_PAIRS,
};

struct text_list {
	const char **items;
	size_t n;
	size_t capacity;
};

/* All that the command line says. Texts are those of argv. */
struct options {
	const struct command *command;
	const struct command *topic; /* of "help TOPIC" */

	const char *root;
	const char *proc;
	const char *sys;
	const char *cgroup_root;

	struct selection selection;
	struct text_list users; /* names or numbers, not looked up yet */

	enum format format;
	struct text_list outputs; /* arguments of -o */
	bool output_all;
	bool list_columns;
	bool noheadings;
	bool bytes;
	const char *sort; /* column, with a '-' before it for descending order; NULL for none */
	bool strict;
	bool quiet;
	bool exact;

	const char *min;  /* NULL for none; not looked at yet */
	const char *only; /* likewise */
	enum { BY_NONE, BY_KIND, BY_OBJECT } by;

	const char *target; /* of a capture */
	bool anonymise;

	bool color;
	bool verbose;
	bool help;
	bool version;
};

/* Returns 0, or STATUS_USAGE after one message. */
int options_parse(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* Whose columns there are: THPSTAT_OF_..., or COLUMNS_OF_KIND. */
unsigned int options_subject(const struct options *options);

/* Is the output for programs that read JSON? */
bool options_are_json(const struct options *options);

/* Were some processes asked for? */
bool options_select(const struct options *options);

/* Were columns named, by -o or --output-all? */
bool options_name_columns(const struct options *options);

struct table_style options_table_style(const struct options *options);

/* The help of some groups of options, on stdout. */
void options_print_help(unsigned int groups);

/* A decimal number up to @max, and nothing else. */
bool options_parse_number(const char *text, size_t length, unsigned long long max,
			  unsigned long long *ret);

#endif

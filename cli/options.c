/* SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "terminal.h"

/* Options without a letter. */
enum {
	OPTION_OUTPUT_ALL = UCHAR_MAX + 1,
	OPTION_JSON_LINES,
	OPTION_SORT,
	OPTION_STRICT,
	OPTION_SYSROOT,
	OPTION_PROC,
	OPTION_SYS,
	OPTION_CGROUP,
	OPTION_CGROUP_ROOT,
	OPTION_NAME,
	OPTION_USER,
	OPTION_FULL,
	OPTION_COLOR,
	OPTION_ANONYMISE,
	OPTION_EXACT,
	OPTION_MIN,
	OPTION_ONLY,
	OPTION_BY,
};

struct option_info {
	const char *name;
	int code; /* its letter, or one of the above */
	int has_argument;
	const char *argument; /* as the help shows it */
	unsigned int group;
	const char *help; /* lines of at most 54 columns */
};

static const struct option_info table[] = {
	{ "pid", 'p', required_argument, " LIST", OPTIONS_PROCESSES,
	  "these process ids, separated by commas" },
	{ "name", OPTION_NAME, required_argument, " NAME", OPTIONS_PROCESSES,
	  "processes of this command name (comm)" },
	{ "user", OPTION_USER, required_argument, " USER", OPTIONS_PROCESSES,
	  "processes of this effective user, name or number" },
	{ "full", OPTION_FULL, required_argument, " REGEX", OPTIONS_PROCESSES,
	  "processes whose command line matches this extended\n"
	  "regular expression" },
	{ "cgroup", OPTION_CGROUP, required_argument, " PATH", OPTIONS_PROCESSES,
	  "processes in this cgroup or below it. Before a COMMAND\n"
	  "word it means --cgroup-root instead" },
	{ "sort", OPTION_SORT, required_argument, " [-]COL", OPTIONS_ORDER,
	  "sort by a column, with '-' largest first" },
	{ "strict", OPTION_STRICT, no_argument, "", OPTIONS_PROCESSES,
	  "status 64 also when a look at every process could not\n"
	  "read them all" },
	{ "quiet", 'q', no_argument, "", OPTIONS_PROCESSES,
	  "neither say how many could not be read, nor show a\n"
	  "terminal how far it is" },

	{ "anonymise", OPTION_ANONYMISE, no_argument, "", OPTIONS_CAPTURE,
	  "replace names, paths, arguments, cgroups and devices;\n"
	  "figures stay" },

	{ "exact", OPTION_EXACT, no_argument, "", OPTIONS_EXACT,
	  "look at single pages where smaps leaves open which of\n"
	  "them are mapped twice" },

	{ "min", OPTION_MIN, required_argument, " SIZE", OPTIONS_MAPPINGS,
	  "mappings of at least this size: bytes, or with K, M, G,\n"
	  "T behind it" },
	{ "only", OPTION_ONLY, required_argument, " WHAT", OPTIONS_MAPPINGS,
	  "huge: with huge pages; gap: with memory that is not and\n"
	  "could be; or a kind, such as thread-stack" },
	{ "by", OPTION_BY, required_argument, " WHAT", OPTIONS_MAPPINGS,
	  "kind: sums over the mappings of each kind; object: each\n"
	  "file or shared memory behind them; none" },

	{ "output", 'o', required_argument, " LIST", OPTIONS_OUTPUT,
	  "these columns; +LIST adds to the usual ones" },
	{ "output-all", OPTION_OUTPUT_ALL, no_argument, "", OPTIONS_OUTPUT, "all columns" },
	{ "list-columns", 'H', no_argument, "", OPTIONS_OUTPUT,
	  "say which columns there are, and end" },
	{ "json", 'J', no_argument, "", OPTIONS_OUTPUT, "JSON" },
	{ "json-lines", OPTION_JSON_LINES, no_argument, "", OPTIONS_OUTPUT,
	  "one JSON object per line, without the frame of --json" },
	{ "raw", 'r', no_argument, "", OPTIONS_OUTPUT, "fields separated by one blank" },
	{ "pairs", 'P', no_argument, "", OPTIONS_OUTPUT, "NAME=\"value\" pairs" },
	{ "noheadings", 'n', no_argument, "", OPTIONS_OUTPUT, "no line of headings" },
	{ "bytes", 'b', no_argument, "", OPTIONS_OUTPUT,
	  "sizes in bytes; always so with -J, -r and -P" },

	{ "sysroot", OPTION_SYSROOT, required_argument, " DIR", OPTIONS_SOURCE,
	  "read a saved tree: DIR/proc, DIR/sys; or a tar.gz of\n"
	  "one" },
	{ "proc", OPTION_PROC, required_argument, " DIR", OPTIONS_SOURCE, "instead of /proc" },
	{ "sys", OPTION_SYS, required_argument, " DIR", OPTIONS_SOURCE, "instead of /sys" },
	{ "cgroup-root", OPTION_CGROUP_ROOT, required_argument, " DIR", OPTIONS_SOURCE,
	  "instead of /sys/fs/cgroup" },

	{ "color", OPTION_COLOR, optional_argument, "[=WHEN]", OPTIONS_GENERAL,
	  "auto (terminals, unless NO_COLOR is set), always, never" },
	{ "verbose", 'v', no_argument, "", OPTIONS_GENERAL,
	  "say on stderr what could not be read as expected" },
	{ "help", 'h', no_argument, "", OPTIONS_GENERAL, "this help" },
	{ "version", 'V', no_argument, "", OPTIONS_GENERAL, "version of the library" },
};

#define N_OPTIONS (sizeof(table) / sizeof(table[0]))

/* What is known while the command line is being read. */
struct parse {
	struct options *options;
	bool seen[N_OPTIONS];
	const struct option_info *format; /* that chose the format */
	struct text_list cgroups;	  /* of --cgroup, its meaning still open */
	size_t n_words;			  /* that are no options */
	const char *color;
};

static void text_list_add(struct text_list *list, const char *text)
{
	list->items = memory_room(list->items, list->n, &list->capacity, sizeof(const char *));
	list->items[list->n++] = text;
}

bool options_parse_number(const char *text, size_t length, unsigned long long max,
			  unsigned long long *ret)
{
	unsigned long long number = 0;

	if (!length)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned int digit = (unsigned int)text[i] - '0';

		if (digit > 9 || number > (max - digit) / 10)
			return false;
		number = number * 10 + digit;
	}
	*ret = number;
	return true;
}

static int add_pid(struct options *options, const char *text, size_t length)
{
	unsigned long long pid;

	if (!options_parse_number(text, length, INT_MAX, &pid) || !pid)
		return message_usage("'%.*s' is not a process id", (int)length, text);
	pid_list_add(&options->selection.pids, (int)pid);
	return 0;
}

static int add_pids(struct options *options, const char *list)
{
	for (;; list++) {
		size_t length = strcspn(list, ",");
		int status = add_pid(options, list, length);

		list += length;
		if (status || !*list)
			return status;
	}
}

static int add_pattern(struct options *options, const char *pattern)
{
	regex_t compiled;
	char why[256];
	int error = selection_add_pattern(&options->selection, pattern, &compiled);

	if (!error)
		return 0;
	regerror(error, &compiled, why, sizeof(why));
	return message_usage("bad regular expression '%s': %s", pattern, why);
}

static int set_format(struct parse *parse, const struct option_info *info, enum format format)
{
	if (parse->format && parse->options->format != format)
		return message_usage("--%s and --%s exclude each other", parse->format->name,
				     info->name);
	parse->format = info;
	parse->options->format = format;
	return 0;
}

static int set_by(struct options *options, const char *what)
{
	if (!strcmp(what, "none"))
		options->by = BY_NONE;
	else if (!strcmp(what, "kind"))
		options->by = BY_KIND;
	else if (!strcmp(what, "object"))
		options->by = BY_OBJECT;
	else
		return message_usage("--by is kind, object or none, not '%s'", what);
	return 0;
}

static int apply(struct parse *parse, const struct option_info *info, const char *argument)
{
	struct options *options = parse->options;

	switch (info->code) {
	case 'p':
		return add_pids(options, argument);
	case OPTION_NAME:
		selection_add_name(&options->selection, argument);
		return 0;
	case OPTION_USER:
		text_list_add(&options->users, argument);
		return 0;
	case OPTION_FULL:
		return add_pattern(options, argument);
	case OPTION_CGROUP:
		text_list_add(&parse->cgroups, argument);
		return 0;
	case OPTION_SORT:
		options->sort = argument;
		return 0;
	case OPTION_STRICT:
		options->strict = true;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case OPTION_EXACT:
		options->exact = true;
		return 0;
	case OPTION_MIN:
		options->min = argument;
		return 0;
	case OPTION_ONLY:
		options->only = argument;
		return 0;
	case OPTION_BY:
		return set_by(options, argument);
	case OPTION_ANONYMISE:
		options->anonymise = true;
		return 0;
	case 'o':
		text_list_add(&options->outputs, argument);
		return 0;
	case OPTION_OUTPUT_ALL:
		options->output_all = true;
		return 0;
	case 'H':
		options->list_columns = true;
		return 0;
	case 'J':
		return set_format(parse, info, FORMAT_JSON);
	case OPTION_JSON_LINES:
		return set_format(parse, info, FORMAT_JSON_LINES);
	case 'r':
		return set_format(parse, info, FORMAT_RAW);
	case 'P':
		return set_format(parse, info, FORMAT_PAIRS);
	case 'n':
		options->noheadings = true;
		return 0;
	case 'b':
		options->bytes = true;
		return 0;
	case OPTION_SYSROOT:
		options->root = argument;
		return 0;
	case OPTION_PROC:
		options->proc = argument;
		return 0;
	case OPTION_SYS:
		options->sys = argument;
		return 0;
	case OPTION_CGROUP_ROOT:
		options->cgroup_root = argument;
		return 0;
	case OPTION_COLOR:
		parse->color = argument ? argument : "always";
		return 0;
	case 'v':
		options->verbose = true;
		return 0;
	case 'h':
		options->help = true;
		return 0;
	case 'V':
		options->version = true;
		return 0;
	}
	return 0;
}

/* A word that is no option: the command, or what it is about. */
static int add_word(struct parse *parse, const char *word)
{
	struct options *options = parse->options;
	bool first = !parse->n_words++;
	const struct command *command = command_find(word);

	if (first && command) {
		options->command = command;
		/* --cgroup before the word is about where to read, after it about which processes
		 */
		for (size_t i = 0; i < parse->cgroups.n; i++)
			options->cgroup_root = parse->cgroups.items[i];
		parse->cgroups.n = 0;
		return 0;
	}
	if (options->command == &command_help) {
		if (options->topic)
			return message_usage("'help' takes one command, not '%s' too", word);
		options->topic = command;
		return command ? 0 : message_usage("unknown command '%s'", word);
	}
	if (options->command && options->command->options & OPTIONS_CAPTURE && !options->target) {
		options->target = word;
		return 0;
	}
	if (options->command && !(options->command->options & OPTIONS_PROCESSES))
		return message_usage("'%s' takes no '%s'", options->command->name, word);
	if (first && !strchr("+-0123456789", word[0]))
		return message_usage("unknown command '%s'", word);
	return add_pid(options, word, strlen(word));
}

/* Of several options: of one alone getopt_long() would have taken it. */
static bool is_beginning(const char *name)
{
	for (size_t i = 0; i < N_OPTIONS; i++)
		if (!strncmp(table[i].name, name, strcspn(name, "=")))
			return true;
	return false;
}

/* The text of the option that getopt_long() did not like. */
static int bad_option(char *const *argv, int code)
{
	const char *text = argv[optind - 1];
	bool is_long = text && !strncmp(text, "--", 2);

	if (code == ':' && is_long)
		return message_usage("option '%s' needs an argument", text);
	if (code == ':')
		return message_usage("option '-%c' needs an argument", optopt);
	if (is_long && optopt)
		return message_usage("option '%s' takes no argument", text);
	if (is_long)
		return message_usage(is_beginning(text + 2) ? "option '%s' is ambiguous"
							    : "unknown option '%s'",
				     text);
	return message_usage("unknown option '-%c'", optopt);
}

/* getopt_long()'s own form of the table. */
static void long_options(struct option longs[N_OPTIONS + 1], char shorts[N_OPTIONS * 2 + 3])
{
	/* '-': words come in their order; ':' tells a missing argument from an unknown option */
	char *end = stpcpy(shorts, "-:");

	for (size_t i = 0; i < N_OPTIONS; i++) {
		longs[i] = (struct option){ table[i].name, table[i].has_argument, NULL,
					    table[i].code };
		if (table[i].code > UCHAR_MAX)
			continue;
		*end++ = (char)table[i].code;
		if (table[i].has_argument)
			*end++ = ':';
	}
	*end = '\0';
	longs[N_OPTIONS] = (struct option){ 0 };
}

static int parse_words(struct parse *parse, int argc, char **argv)
{
	struct option longs[N_OPTIONS + 1];
	char shorts[N_OPTIONS * 2 + 3];
	int code, status = 0;

	long_options(longs, shorts);
	opterr = 0;
	while (!status && (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		size_t i = 0;

		while (i < N_OPTIONS && table[i].code != code)
			i++;
		if (code == 1) {
			status = add_word(parse, optarg);
		} else if (i == N_OPTIONS) {
			status = bad_option(argv, code);
		} else {
			parse->seen[i] = true;
			status = apply(parse, &table[i], optarg);
		}
	}
	while (!status && optind < argc)
		status = add_word(parse, argv[optind++]);
	return status;
}

/* Options that the command does not take. --cgroup before the word has become another one. */
static int check_seen(const struct parse *parse)
{
	const struct options *options = parse->options;

	for (size_t i = 0; i < N_OPTIONS; i++) {
		if (!parse->seen[i] || table[i].group & options->command->options)
			continue;
		if (table[i].code == OPTION_CGROUP && !parse->cgroups.n)
			continue;
		return message_usage("'%s' takes no --%s", options->command->name, table[i].name);
	}
	return 0;
}

static int choose_color(struct parse *parse)
{
	const char *when = parse->color ? parse->color : "auto";

	if (strcmp(when, "auto") && strcmp(when, "always") && strcmp(when, "never"))
		return message_usage("--color is auto, always or never, not '%s'", when);
	parse->options->color =
		!strcmp(when, "always") || (!strcmp(when, "auto") && terminal_wants_color());
	return 0;
}

static int finish(struct parse *parse)
{
	struct options *options = parse->options;

	if (!options->command)
		options->command = options->selection.pids.n ? &command_pid : &command_bare;
	if (options->help || options->version)
		return 0;
	for (size_t i = 0; i < parse->cgroups.n; i++)
		selection_add_cgroup(&options->selection, parse->cgroups.items[i]);
	for (size_t i = 0; options->output_all && i < options->outputs.n; i++)
		if (options->outputs.items[i][0] != '+')
			return message_usage("--output-all and --output exclude each other");
	return check_seen(parse);
}

int options_parse(struct options *options, int argc, char **argv)
{
	struct parse parse = { .options = options };
	int status;

	*options = (struct options){ 0 };
	status = parse_words(&parse, argc, argv);
	if (!status)
		status = choose_color(&parse);
	if (!status)
		status = finish(&parse);
	free(parse.cgroups.items);
	return status;
}

void options_free(struct options *options)
{
	selection_free(&options->selection);
	free(options->users.items);
	free(options->outputs.items);
}

unsigned int options_subject(const struct options *options)
{
	if (options->by == BY_NONE)
		return options->command->subject;
	return options->by == BY_KIND ? COLUMNS_OF_KIND : THPSTAT_OF_OBJECT;
}

bool options_are_json(const struct options *options)
{
	return options->format == FORMAT_JSON || options->format == FORMAT_JSON_LINES;
}

bool options_select(const struct options *options)
{
	return options->selection.pids.n || options->users.n ||
	       selection_needs_search(&options->selection);
}

bool options_name_columns(const struct options *options)
{
	return options->output_all || options->outputs.n;
}

struct table_style options_table_style(const struct options *options)
{
	return (struct table_style){
		.kind = options->format == FORMAT_RAW	  ? TABLE_RAW
			: options->format == FORMAT_PAIRS ? TABLE_PAIRS
							  : TABLE_HUMAN,
		.headings = !options->noheadings,
		.bytes = options->bytes,
		.color = options->color && options->format == FORMAT_TABLE,
	};
}

static void print_option(const struct option_info *info)
{
	const char *line = info->help;
	int width;

	if (info->code <= UCHAR_MAX)
		width = printf("  -%c, ", info->code);
	else
		width = printf("      ");
	width += printf("--%s%s", info->name, info->argument);
	for (;;) {
		int length = (int)strcspn(line, "\n");

		printf("%*s%.*s\n", width < 25 ? 25 - width : 1, "", length, line);
		if (!line[length])
			return;
		line += length + 1;
		width = 0;
	}
}

void options_print_help(unsigned int groups)
{
	static const struct {
		unsigned int group;
		const char *heading;
	} headings[] = {
		{ OPTIONS_PROCESSES | OPTIONS_ORDER,
		  "Which processes (lists are alternatives, options must all hold):" },
		{ OPTIONS_MAPPINGS, "Which mappings, and how:" },
		{ OPTIONS_CAPTURE, "What is captured:" },
		{ OPTIONS_EXACT, "How it is read:" },
		{ OPTIONS_OUTPUT, "Output (one of -J, --json-lines, -r, -P at most):" },
		{ OPTIONS_SOURCE, "Where to read:" },
		{ OPTIONS_GENERAL, "General:" },
	};

	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
		if (!(groups & headings[i].group))
			continue;
		printf("\n%s\n", headings[i].heading);
		for (size_t j = 0; j < N_OPTIONS; j++)
			if (table[j].group & headings[i].group & groups)
				print_option(&table[j]);
	}
}

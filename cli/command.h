/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

struct options;

struct command {
	const char *name;     /* the word for it; NULL for the one without a word */
	const char *usage;    /* what may follow the word */
	const char *summary;  /* one line */
	const char *text;     /* the rest of its help; lines of at most 80 columns */
	unsigned int options; /* groups of options that it takes, see options.h */
	unsigned int subject; /* whose columns it has: THPSTAT_OF_... */
	/* Returns an exit status, see message.h. */
	int (*run)(const struct options *options);
};

extern const struct command command_bare;
extern const struct command command_pid;
extern const struct command command_ps;
extern const struct command command_maps;
extern const struct command command_host;
extern const struct command command_capture;
extern const struct command command_help;

/* All that have a word, in the order of the help. */
extern const struct command *const commands[];
extern const unsigned int n_commands;

/* NULL when there is none. */
const struct command *command_find(const char *name);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "command.h"

/* The help of a command, of the program when it is the one without a word; on stdout. */
void help_print(const struct command *command);

#endif

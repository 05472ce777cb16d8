/* SPDX-License-Identifier: MIT */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal.h"

bool terminal_is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

bool terminal_size(size_t *columns, size_t *lines)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
		return false;
	*columns = size.ws_col ? size.ws_col : 80;
	*lines = size.ws_row ? size.ws_row : 24;
	return true;
}

size_t terminal_columns(void)
{
	size_t columns, lines;

	return terminal_size(&columns, &lines) ? columns : 80;
}

bool terminal_wants_color(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb");
}

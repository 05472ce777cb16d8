/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "progress.h"
#include "safe_text.h"
#include "stream.h"

__attribute__((format(printf, 2, 0))) static void print(const char *end, const char *format,
							va_list arguments)
{
	char *text = NULL;
	char *safe;

	if (vasprintf(&text, format, arguments) < 0)
		return;
	/* arguments and names of files may hold anything; it stays one line */
	safe = safe_text_for_terminal(text);
	stream_flush();
	progress_hide();
	fprintf(stderr, "thpstat: %s%s\n", safe, end);
	free(safe);
	free(text);
}

void message(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print("", format, arguments);
	va_end(arguments);
}

int message_usage(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print("; see thpstat --help", format, arguments);
	va_end(arguments);
	return STATUS_USAGE;
}

const char *message_of_error(int error)
{
	switch (error) {
	case -EACCES:
		return "permission denied";
	case -ESRCH:
		return "no such process";
	case -EBADMSG:
		return "malformed, or ends early";
	case -ENODATA:
		return "not offered";
	default:
		return strerror(-error);
	}
}

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/tally.h"

static void say(const struct tally *tally, const char *what, const char *format, va_list arguments)
	__attribute__((format(printf, 3, 0)));

static void say(const struct tally *tally, const char *what, const char *format, va_list arguments)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, arguments);
	/* a name out of a tree may hold a newline; a line of its own would not be a comment */
	for (char *p = text; *p; p++)
		if (*p == '\n' || *p == '\r')
			*p = '?';
	print_message("# %s: %s%s", tally->subject, what, text);
}

void tally_equal(struct tally *tally, uint64_t found, uint64_t wanted, const char *format, ...)
{
	va_list arguments;

	tally->compared++;
	if (found == wanted)
		return;
	tally->failed++;
	va_start(arguments, format);
	say(tally, "DIFFERENT ", format, arguments);
	va_end(arguments);
	print_message(": found %" PRIu64 ", wanted %" PRIu64 "\n", found, wanted);
}

void tally_near(struct tally *tally, uint64_t found, uint64_t wanted, uint64_t slack,
		const char *format, ...)
{
	uint64_t distance = found > wanted ? found - wanted : wanted - found;
	va_list arguments;

	tally->compared++;
	if (distance <= slack)
		return;
	tally->failed++;
	va_start(arguments, format);
	say(tally, "DIFFERENT ", format, arguments);
	va_end(arguments);
	print_message(": found %" PRIu64 ", wanted %" PRIu64 " give or take %" PRIu64 "\n", found,
		      wanted, slack);
}

void tally_holds(struct tally *tally, bool holds, const char *format, ...)
{
	va_list arguments;

	tally->compared++;
	if (holds)
		return;
	tally->failed++;
	va_start(arguments, format);
	say(tally, "DOES NOT HOLD ", format, arguments);
	va_end(arguments);
	print_message("\n");
}

void tally_text(struct tally *tally, const char *found, const char *wanted, const char *format, ...)
{
	va_list arguments;

	tally->compared++;
	if (found && wanted ? !strcmp(found, wanted) : found == wanted)
		return;
	tally->failed++;
	va_start(arguments, format);
	say(tally, "DIFFERENT ", format, arguments);
	va_end(arguments);
	print_message(": found '%s', wanted '%s'\n", found ? found : "(none)",
		      wanted ? wanted : "(none)");
}

void tally_skip(struct tally *tally, const char *format, ...)
{
	va_list arguments;

	tally->skipped++;
	va_start(arguments, format);
	say(tally, "not compared: ", format, arguments);
	va_end(arguments);
	print_message("\n");
}

void tally_finish(const struct tally *tally, unsigned int minimum)
{
	print_message("# %s: %u figures compared (at least %u), %u different, %u not compared\n",
		      tally->subject, tally->compared, minimum, tally->failed, tally->skipped);
	if (tally->failed)
		fail_msg("%s: %u of %u figures differ", tally->subject, tally->failed,
			 tally->compared);
	if (tally->compared < minimum)
		fail_msg("%s: only %u figures compared, at least %u must be", tally->subject,
			 tally->compared, minimum);
}

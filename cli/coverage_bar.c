/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "coverage_bar.h"
#include "terminal.h"

const char *coverage_bar(double ratio, size_t cells, char buffer[COVERAGE_BAR_MAX])
{
	static const char *const parts[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };
	bool utf8 = terminal_is_utf8();
	size_t steps = utf8 ? 8 : 1; /* per cell */
	size_t filled = (size_t)(ratio * (double)(cells * steps) + 0.5);
	char *end = buffer;

	/* something is never shown as nothing, nor a part as the whole */
	if (!filled && ratio > 0)
		filled = 1;
	if (filled >= cells * steps && ratio < 1)
		filled = cells * steps - 1;
	for (; filled; filled -= filled < steps ? filled : steps)
		end = stpcpy(end, utf8 ? parts[filled < steps ? filled : steps] : "#");
	*end = '\0';
	return buffer;
}

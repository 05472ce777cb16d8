/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>

#include "human_size.h"

static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };

/* Digits after the point: what is needed to tell sizes of that unit apart. */
static int decimals(size_t unit, double value)
{
	if (unit == 0)
		return 0;
	if (unit == 1)
		return value == (double)(uint64_t)value ? 0 : 1;
	return unit == 2 || value >= 99.995 ? 1 : 2;
}

const char *human_size(uint64_t bytes, char buffer[HUMAN_SIZE_MAX])
{
	double value = (double)bytes;
	size_t unit = 0;

	/* 1023.96 MiB would be rounded to 1024.0 MiB */
	while (value >= (unit ? 1023.95 : 1024) && unit + 1 < sizeof(units) / sizeof(units[0])) {
		value /= 1024;
		unit++;
	}
	snprintf(buffer, HUMAN_SIZE_MAX, "%.*f %s", decimals(unit, value), value, units[unit]);
	return buffer;
}

const char *human_page_size(uint64_t bytes, char buffer[HUMAN_SIZE_MAX])
{
	size_t unit = 0;

	for (; bytes && bytes % 1024 == 0 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		bytes /= 1024;
	snprintf(buffer, HUMAN_SIZE_MAX, "%llu %s", (unsigned long long)bytes, units[unit]);
	return buffer;
}

const char *human_percent(double ratio, char buffer[8])
{
	int percent = (int)(ratio * 100 + 0.5);

	if (percent == 0 && ratio > 0)
		return "<1%";
	if (percent >= 100 && ratio < 1)
		return ">99%";
	snprintf(buffer, 8, "%d%%", percent);
	return buffer;
}

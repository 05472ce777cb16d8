/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

/* The digits of @number, which end at @end; where they begin. */
static char *digits(char *end, uint64_t number)
{
	do {
		*--end = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return end;
}

/*
 * What printf() makes of a number of @unit with so many decimals, ties to the even digit: every row
 * of a table has some, and floating point takes its time.
 */
static void write_size(uint64_t bytes, size_t unit, int n_decimals, char buffer[HUMAN_SIZE_MAX])
{
	unsigned int shift = 10 * (unsigned int)unit;
	uint64_t scale = n_decimals == 2 ? 100 : n_decimals == 1 ? 10 : 1;
	uint64_t whole = bytes >> shift, rest = bytes - (whole << shift);
	char text[HUMAN_SIZE_MAX], *end = text + sizeof(text), *start;
	uint64_t part = rest * scale, half = shift ? UINT64_C(1) << (shift - 1) : 0;
	uint64_t number = whole * scale + (part >> shift);

	part -= part >> shift << shift;
	number += shift && (part > half || (part == half && number & 1));
	if (n_decimals) {
		start = digits(end, number % scale);
		while (end - start < n_decimals)
			*--start = '0';
		*--start = '.';
		start = digits(start, number / scale);
	} else {
		start = digits(end, number);
	}
	*(char *)mempcpy(buffer, start, (size_t)(end - start)) = '\0';
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
	/* above, the parts do not fit into 64 bits */
	if (unit > 4) {
		snprintf(buffer, HUMAN_SIZE_MAX, "%.*f %s", decimals(unit, value), value,
			 units[unit]);
		return buffer;
	}
	write_size(bytes, unit, decimals(unit, value), buffer);
	strcat(strcat(buffer, " "), units[unit]);
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

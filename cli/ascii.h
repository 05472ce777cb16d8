/* SPDX-License-Identifier: MIT */
#ifndef CLI_ASCII_H
#define CLI_ASCII_H

/* Names of columns are ASCII, and in some locales the capital of 'i' is not 'I'. */
static inline char ascii_capital(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static inline char *ascii_capitalize(char *text)
{
	for (char *c = text; *c; c++)
		*c = ascii_capital(*c);
	return text;
}

#endif

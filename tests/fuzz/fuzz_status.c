/* SPDX-License-Identifier: MIT */
/* /proc/PID/status: its figures, and who the process is. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "empty_source.h"
#include "fuzz.h"
#include "parse/status.h"
#include "reference.h"

struct identity {
	char comm[STATUS_COMM_SIZE];
	bool has_comm;
	char state;
	bool has_ppid;
	uint64_t ppid;
	bool has_euid;
	uint64_t euid;
	bool kernel_thread;
};

/* "\n" and "\\" are what the kernel makes of two bytes of a name. */
static void unescape(const char *p, struct identity *ret)
{
	size_t n = 0;

	for (; *p && n < STATUS_COMM_SIZE - 1; p++) {
		if (!strncmp(p, "\\n", 2) || !strncmp(p, "\\\\", 2))
			ret->comm[n++] = *++p == 'n' ? '\n' : '\\';
		else
			ret->comm[n++] = *p;
	}
	ret->comm[n] = '\0';
	ret->has_comm = true;
}

/* The word at @text, which blanks may surround, as the only one. */
static bool only_number(const char *text, uint64_t *ret)
{
	char *copy = fuzz_text(text, strlen(text)), *save;
	const char *word = strtok_r(copy, " \t\n", &save);
	bool good = word && !strtok_r(NULL, " \t\n", &save) &&
		    reference_number(word, 10, ret) == REFERENCE_NUMBER;

	free(copy);
	return good;
}

/* The second of two numbers. */
static bool second_number(const char *text, uint64_t *ret)
{
	size_t first = strspn(text, "0123456789");
	char *number = fuzz_text(text, first);
	bool good = reference_number(number, 10, ret) == REFERENCE_NUMBER;

	free(number);
	text += first;
	text += strspn(text, " \t");
	number = fuzz_text(text, strspn(text, "0123456789"));
	good = good && reference_number(number, 10, ret) == REFERENCE_NUMBER;
	free(number);
	return good;
}

static void take_line(const char *line, struct identity *ret)
{
	size_t key = strcspn(line, ":");
	const char *value = line + key + 1;
	uint64_t number;

	if (!line[key])
		return;
	if (key == 4 && !strncmp(line, "Name", key)) {
		unescape(*value == '\t' ? value + 1 : value + strspn(value, " \t"), ret);
		return;
	}
	value += strspn(value, " \t");
	if (key == 5 && !strncmp(line, "State", key)) {
		ret->state = *value;
	} else if (key == 4 && !strncmp(line, "PPid", key)) {
		if (only_number(value, &number) && number <= INT_MAX) {
			ret->ppid = number;
			ret->has_ppid = true;
		}
	} else if (key == 3 && !strncmp(line, "Uid", key)) {
		if (second_number(value, &number) && number <= UINT32_MAX) {
			ret->euid = number;
			ret->has_euid = true;
		}
	} else if (key == 7 && !strncmp(line, "Kthread", key)) {
		ret->kernel_thread = only_number(value, &number) && number == 1;
	}
}

static void take_text(const char *text, struct identity *ret)
{
	const char *end = text + strlen(text);

	for (const char *p = text; p < end;) {
		size_t length = reference_line_length(p, end);
		char *line = fuzz_text(p, length);

		take_line(line, ret);
		free(line);
		p += length + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *exact = fuzz_copy(data, size), *text = fuzz_text(data, size);
	struct reference_figures wanted = { 0 };
	struct identity identity = { 0 };
	struct figures figures;
	struct status status;

	figures_clear(&figures);
	status_parse(&empty_source()->status, exact, size, &figures, &status);
	reference_text("status", false, text, size, &wanted);
	reference_compare(&wanted, &figures, "status");
	take_text(text, &identity);
	fuzz_require(status.has_comm == identity.has_comm, "has a name");
	fuzz_require(!strcmp(status.comm, identity.comm), "'%s', wanted '%s'", status.comm,
		     identity.comm);
	fuzz_require(status.state == identity.state, "state %c", status.state);
	fuzz_require(status.has_ppid == identity.has_ppid, "has a parent");
	fuzz_require(!status.has_ppid || (uint64_t)status.ppid == identity.ppid, "parent %d",
		     status.ppid);
	fuzz_require(status.has_euid == identity.has_euid, "has a user");
	fuzz_require(!status.has_euid || status.euid == identity.euid, "user %u", status.euid);
	fuzz_require(status.kernel_thread == identity.kernel_thread, "kernel thread");
	free(text);
	free(exact);
	return 0;
}

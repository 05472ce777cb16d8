/* SPDX-License-Identifier: MIT */
/* Cgroups: the path, and the directory it leads to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cases/case.h"
#include "support/files.h"

/* Is "memory" one of the words between commas? */
static bool lists_memory(const char *controllers, size_t length)
{
	for (const char *p = controllers, *end = controllers + length; p < end;) {
		size_t word = strcspn(p, ",:");

		if (word == 6 && !memcmp(p, "memory", 6))
			return true;
		p += word + 1;
	}
	return false;
}

/* The path behind the second colon, of the line with "memory", else of that without a name. */
static char *memory_cgroup(const char *text, bool *ret_v1)
{
	const char *unified = NULL, *own = NULL;

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		const char *names, *path;

		line += *line == '\n';
		names = strchr(line, ':');
		path = names ? strchr(names + 1, ':') : NULL;
		if (!path)
			break;
		if (path == names + 1)
			unified = path + 1;
		else if (lists_memory(names + 1, (size_t)(path - names - 1)))
			own = path + 1;
	}
	*ret_v1 = own != NULL;
	own = own ? own : unified;
	return own ? format_text("%.*s", (int)strcspn(own, "\n"), own) : NULL;
}

/* The cgroup as /proc/PID/cgroup has it, and the directory of it where the tree has that. */
void check_cgroup(struct case_run *run, const struct process_run *process)
{
	char *path = format_text("%s/proc/%d/cgroup", run->directory, process->pid);
	char *text = file_text(path, NULL), *wanted, *directory, *mounts;
	bool v1;

	free(path);
	if (!text || has_no_memory(process)) {
		tally_text(&run->tally, process->plain.process->cgroup, NULL, "cgroup of %d",
			   process->pid);
		free(text);
		return;
	}
	wanted = memory_cgroup(text, &v1);
	tally_text(&run->tally, process->plain.process->cgroup, wanted, "cgroup of %d",
		   process->pid);
	directory = format_text("%s%s", v1 ? "memory" : "", wanted);
	path = format_text("%s/sys/fs/cgroup/%s", run->directory, directory);
	mounts = format_text("%s/proc/self/mountinfo", run->directory);
	/* with mountinfo it is not that simple: those cases say themselves what is right */
	if (!file_exists(mounts) && directory_exists(path))
		tally_text(&run->tally, thpstat_process_cgroup_directory(process->plain.process),
			   directory + strspn(directory, "/"), "cgroup directory of %d",
			   process->pid);
	free(mounts);
	free(path);
	free(directory);
	free(wanted);
	free(text);
}

static void check_memory_path(struct case_run *run, struct process_run *process,
			      const json_t *value)
{
	tally_text(&run->tally, process->plain.process->cgroup, json_string_value(value),
		   "cgroup of %d", process->pid);
}

static void check_cgroup_known(struct case_run *run, struct process_run *process,
			       const json_t *value)
{
	tally_equal(&run->tally, process->plain.process->cgroup != NULL, json_is_true(value),
		    "the cgroup of %d is known", process->pid);
}

static void check_cgroup_directory(struct case_run *run, struct process_run *process,
				   const json_t *value)
{
	static const char prefix[] = "/sys/fs/cgroup/";
	const char *wanted = json_string_value(value);

	if (wanted) {
		assert_memory_equal(wanted, prefix, strlen(prefix));
		wanted += strlen(prefix);
	}
	tally_text(&run->tally, thpstat_process_cgroup_directory(process->plain.process), wanted,
		   "cgroup directory of %d", process->pid);
}

bool check_cgroup_key(struct case_run *run, struct process_run *process, const char *key,
		      const json_t *value)
{
	static const struct key_check keys[] = {
		{ "cgroup_known", check_cgroup_known, false },
		{ "group_dir", check_cgroup_directory, false },
		{ "resolved", check_cgroup_directory, true },
	};
	static const struct key_check of_all = { "memory_path", check_memory_path, true };
	static const struct key_check of_one = { "memory_path", check_memory_path, false };

	return check_by_table(run, process, key, value, keys, ARRAY_SIZE(keys)) ||
	       check_by_table(run, process, key, value, json_is_object(value) ? &of_all : &of_one,
			      1);
}

/* SPDX-License-Identifier: MIT */
/* The cgroup of each case, and the directory it leads to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "captures/capture.h"
#include "support/files.h"
#include "support/json_file.h"

/* Is the pid a line of the file? */
static bool lists_pid(const char *path, int pid)
{
	char *text = file_text(path, NULL), *lines = text, *line;
	bool found = false;

	while (text && (line = strsep(&lines, "\n")))
		found = found || (*line && atoi(line) == pid);
	free(text);
	return found;
}

static void check_cgroup(struct capture *capture, const json_t *json)
{
	int pid = (int)json_number(json, "pid");
	const char *wanted = json_text(json, "cgroup"), *directory;
	struct tally *tally = &capture->tally;
	struct one_process one;
	char *path;

	one_process_open(capture->source, pid, NULL, 0, THPSTAT_PROCESS_WANT_CGROUP, &one);
	tally_text(tally, one.process->cgroup, wanted, "%d: cgroup", pid);
	directory = thpstat_process_cgroup_directory(one.process);
	tally_holds(tally, directory, "%d: the directory of cgroup %s is known", pid, wanted);
	if (directory) {
		path = tree_path(capture, "sys/fs/cgroup/%s", directory);
		tally_holds(tally, directory_exists(path), "%d: there is a directory %s", pid,
			    directory);
		free(path);
		path = tree_path(capture, "sys/fs/cgroup/%s/memory.stat", directory);
		tally_holds(tally, file_exists(path), "%d: %s has a memory.stat", pid, directory);
		free(path);
		/* the kernel's own word for it */
		path = tree_path(capture, "sys/fs/cgroup/%s/cgroup.procs", directory);
		tally_holds(tally, lists_pid(path, pid), "%d: listed in %s", pid, directory);
		free(path);
	}
	one_process_close(&one);
}

void check_cgroups(struct capture *capture)
{
	struct one_process one;
	const json_t *item;
	size_t i;

	json_array_foreach(json_member(capture->truth, "cases"), i,
			   item) if (json_is_true(json_member(item, "ok")))
		check_cgroup(capture, item);
	/* what /proc says of a zombie is no longer true */
	one_process_open(capture->source, capture->zombie, NULL, 0, THPSTAT_PROCESS_WANT_CGROUP,
			 &one);
	tally_text(&capture->tally, one.process->cgroup, NULL, "%d: cgroup of a zombie",
		   capture->zombie);
	one_process_close(&one);
}

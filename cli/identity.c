/* SPDX-License-Identifier: MIT */
/*
 * Which processes are meant. One matcher looks at candidates; two providers find them: libproc2 on
 * the host we run on (the only file that knows it), and the library's own walk everywhere else.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libproc2/pids.h>

#include "identity.h"
#include "lazy_library.h"
#include "memory.h"

/* The kernel keeps this much of a command name. */
#define COMM_MAX 15

struct candidate {
	int pid;
	bool knows_uid;
	uint32_t uid;
	const char *comm;	  /* NULL: not known, as all below */
	const char *command_line; /* arguments joined by blanks */
	const char *cgroup;
};

void pid_list_add(struct pid_list *list, int pid)
{
	list->items = memory_room(list->items, list->n, &list->capacity, sizeof(*list->items));
	list->items[list->n++] = pid;
}

void selection_add_name(struct selection *selection, const char *name)
{
	selection->names = memory_room(selection->names, selection->n_names,
				       &selection->names_capacity, sizeof(const char *));
	selection->names[selection->n_names++] = name;
}

void selection_add_uid(struct selection *selection, uint32_t uid)
{
	selection->uids = memory_room(selection->uids, selection->n_uids, &selection->uids_capacity,
				      sizeof(*selection->uids));
	selection->uids[selection->n_uids++] = uid;
}

int selection_add_pattern(struct selection *selection, const char *pattern, regex_t *ret_error)
{
	regex_t compiled;
	int error = regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB);

	if (error) {
		*ret_error = compiled;
		return error;
	}
	selection->patterns =
		memory_room(selection->patterns, selection->n_patterns,
			    &selection->patterns_capacity, sizeof(*selection->patterns));
	selection->patterns[selection->n_patterns++] = compiled;
	return 0;
}

void selection_add_cgroup(struct selection *selection, const char *path)
{
	selection->cgroups = memory_room(selection->cgroups, selection->n_cgroups,
					 &selection->cgroups_capacity, sizeof(const char *));
	selection->cgroups[selection->n_cgroups++] = path;
}

void selection_free(struct selection *selection)
{
	for (size_t i = 0; i < selection->n_patterns; i++)
		regfree(&selection->patterns[i]);
	free(selection->pids.items);
	free(selection->names);
	free(selection->uids);
	free(selection->patterns);
	free(selection->cgroups);
	*selection = (struct selection){ 0 };
}

bool selection_needs_search(const struct selection *selection)
{
	return selection->n_names || selection->n_uids || selection->n_patterns ||
	       selection->n_cgroups;
}

static bool matches_pid(const struct pid_list *pids, int pid)
{
	for (size_t i = 0; i < pids->n; i++)
		if (pids->items[i] == pid)
			return true;
	return !pids->n;
}

static bool matches_name(const struct selection *selection, const char *comm)
{
	for (size_t i = 0; comm && i < selection->n_names; i++) {
		const char *name = selection->names[i];

		if (!strcmp(name, comm))
			return true;
		if (strlen(name) > COMM_MAX && strlen(comm) == COMM_MAX &&
		    !strncmp(name, comm, COMM_MAX))
			return true;
	}
	return !selection->n_names;
}

static bool matches_uid(const struct selection *selection, const struct candidate *candidate)
{
	for (size_t i = 0; candidate->knows_uid && i < selection->n_uids; i++)
		if (selection->uids[i] == candidate->uid)
			return true;
	return !selection->n_uids;
}

static bool matches_pattern(const struct selection *selection, const char *command_line)
{
	for (size_t i = 0; command_line && i < selection->n_patterns; i++)
		if (!regexec(&selection->patterns[i], command_line, 0, NULL, 0))
			return true;
	return !selection->n_patterns;
}

/* The cgroup itself or one below it: compared by whole components of the path. */
static bool is_in_cgroup(const char *cgroup, const char *path)
{
	size_t length;

	path += strspn(path, "/");
	cgroup += strspn(cgroup, "/");
	length = strlen(path);
	while (length && path[length - 1] == '/')
		length--;
	return !length || (!strncmp(cgroup, path, length) &&
			   (cgroup[length] == '\0' || cgroup[length] == '/'));
}

static bool matches_cgroup(const struct selection *selection, const char *cgroup)
{
	for (size_t i = 0; cgroup && i < selection->n_cgroups; i++)
		if (is_in_cgroup(cgroup, selection->cgroups[i]))
			return true;
	return !selection->n_cgroups;
}

static bool matches(const struct selection *selection, const struct candidate *candidate)
{
	return matches_pid(&selection->pids, candidate->pid) &&
	       matches_name(selection, candidate->comm) && matches_uid(selection, candidate) &&
	       matches_cgroup(selection, candidate->cgroup) &&
	       matches_pattern(selection, candidate->command_line);
}

static void consider(const struct selection *selection, const struct candidate *candidate,
		     struct pid_list *ret)
{
	if (matches(selection, candidate))
		pid_list_add(ret, candidate->pid);
}

/* The library's walk */

/* NULL when there is none. To be freed. */
static char *command_line_of(const struct thpstat_process *process)
{
	const char *arguments;
	size_t size;
	char *line;

	if (thpstat_process_command_line(process, &arguments, &size))
		return NULL;
	/* a process that renamed itself leaves a tail of NULs */
	while (size && !arguments[size - 1])
		size--;
	if (!size)
		return NULL;
	line = memory_zeroed(size + 1, 1);
	memcpy(line, arguments, size);
	for (size_t i = 0; i < size; i++)
		if (!line[i])
			line[i] = ' ';
	return line;
}

static int search_source(const struct selection *selection, struct thpstat *source,
			 struct pid_list *ret)
{
	const struct thpstat_process_options options = {
		.size = sizeof(options),
		.want = THPSTAT_PROCESS_WANT_IDENTITY_ONLY |
			(selection->n_cgroups ? THPSTAT_PROCESS_WANT_CGROUP : 0),
	};
	const struct thpstat_process *process;
	struct thpstat_processes *walk;
	int result = thpstat_processes_open(source, &options, &walk);

	if (result)
		return result;
	while ((result = thpstat_processes_next(walk, &process)) > 0) {
		char *line = selection->n_patterns ? command_line_of(process) : NULL;

		consider(selection,
			 &(struct candidate){
				 .pid = process->pid,
				 .knows_uid = process->known & THPSTAT_PROCESS_KNOWS_UID,
				 .uid = process->uid,
				 .comm = process->comm,
				 .command_line = line,
				 .cgroup = process->cgroup,
			 },
			 ret);
		free(line);
	}
	thpstat_processes_close(walk);
	return result;
}

/* libproc2 */

#define LIBPROC2(each) each(procps_pids_new) each(procps_pids_reap) each(procps_pids_unref)

LAZY_LIBRARY(libproc2, LIBPROC2_SONAME, LIBPROC2)

enum { ITEM_PID, ITEM_UID, ITEM_COMM, ITEM_COMMAND_LINE, N_ITEMS };

/* NULL when there is none: libproc2 then gives a lone "-". To be freed. */
static char *joined(char *const *arguments)
{
	size_t n = 0, size = 1;
	char *line, *end;

	for (size_t i = 0; arguments && arguments[i]; i++) {
		size += strlen(arguments[i]) + 1;
		if (*arguments[i])
			n = i + 1;
	}
	if (!n || (n == 1 && !strcmp(arguments[0], "-")))
		return NULL;
	line = end = memory_zeroed(size, 1);
	for (size_t i = 0; i < n; i++)
		end = stpcpy(stpcpy(end, i ? " " : ""), arguments[i]);
	return line;
}

static void consider_stack(const struct selection *selection, struct pids_stack *stack,
			   struct pid_list *ret)
{
	char *line = NULL;

	if (selection->n_patterns)
		line = joined(PIDS_VAL(ITEM_COMMAND_LINE, strv, stack, NULL));
	consider(selection,
		 &(struct candidate){
			 .pid = PIDS_VAL(ITEM_PID, s_int, stack, NULL),
			 .knows_uid = true,
			 .uid = PIDS_VAL(ITEM_UID, u_int, stack, NULL),
			 .comm = PIDS_VAL(ITEM_COMM, str, stack, NULL),
			 .command_line = line,
		 },
		 ret);
	free(line);
}

static int search_own_host(const struct selection *selection, struct pid_list *ret)
{
	enum pids_item items[N_ITEMS] = {
		[ITEM_PID] = PIDS_ID_TGID,
		[ITEM_UID] = PIDS_ID_EUID,
		[ITEM_COMM] = PIDS_CMD,
		[ITEM_COMMAND_LINE] = PIDS_CMDLINE_V,
	};
	struct pids_info *info = NULL;
	struct pids_fetch *found;
	int error;

	libproc2_load();
	/* command lines are a file more per process */
	error = libproc2.procps_pids_new(&info, items,
					 selection->n_patterns ? N_ITEMS : N_ITEMS - 1);
	if (error)
		return error;
	found = libproc2.procps_pids_reap(info, PIDS_FETCH_TASKS_ONLY);
	error = found ? 0 : errno ? -errno : -EIO;
	for (int i = 0; found && i < found->counts->total; i++)
		consider_stack(selection, found->stacks[i], ret);
	libproc2.procps_pids_unref(&info);
	return error;
}

/* libproc2 shows a '.' or '?' for every byte of a name that it deems unprintable. */
static bool is_spelled_alike(const char *name)
{
	for (; *name; name++)
		if (*name < ' ' || *name > '~' || *name == '.' || *name == '?')
			return false;
	return true;
}

static bool libproc2_can_tell(const struct selection *selection)
{
	for (size_t i = 0; i < selection->n_names; i++)
		if (!is_spelled_alike(selection->names[i]))
			return false;
	/* nor does it say which of a process's cgroups is charged with memory */
	return !selection->n_cgroups;
}

int selection_search(const struct selection *selection, struct thpstat *source, bool own_host,
		     struct pid_list *ret)
{
	if (own_host && libproc2_can_tell(selection))
		return search_own_host(selection, ret);
	return search_source(selection, source, ret);
}

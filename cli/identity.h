/* SPDX-License-Identifier: MIT */
#ifndef CLI_IDENTITY_H
#define CLI_IDENTITY_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <thpstat/thpstat.h>

/* Pids, in the order they were asked for. */
struct pid_list {
	int *items;
	size_t n;
	size_t capacity;
};

/* What the user asked for: lists are alternatives, all that were given must hold. */
struct selection {
	struct pid_list pids;
	const char **names;
	size_t n_names, names_capacity;
	uint32_t *uids;
	size_t n_uids, uids_capacity;
	regex_t *patterns; /* on the command line, arguments joined by blanks */
	size_t n_patterns, patterns_capacity;
	const char **cgroups;
	size_t n_cgroups, cgroups_capacity;
};

void pid_list_add(struct pid_list *list, int pid);

void selection_add_name(struct selection *selection, const char *name);
void selection_add_uid(struct selection *selection, uint32_t uid);
/* Returns 0, or a code for regerror() with @ret_error. */
int selection_add_pattern(struct selection *selection, const char *pattern, regex_t *ret_error);
void selection_add_cgroup(struct selection *selection, const char *path);
void selection_free(struct selection *selection);

/* Is there more in it than pids, so that the processes have to be looked through? */
bool selection_needs_search(const struct selection *selection);

/*
 * The processes that @selection describes, in @ret. @own_host says that the source is the host we
 * run on: libproc2 can be asked then, which knows no other. Returns 0 or a negative errno.
 */
int selection_search(const struct selection *selection, struct thpstat *source, bool own_host,
		     struct pid_list *ret);

#endif

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>

#include "parse/stat.h"
#include "subject.h"

void subject_failed(struct subject *subject, int error)
{
	switch (error) {
	case -ENOENT:
	case -ESRCH:
		subject->state = THPSTAT_PROCESS_GONE;
		subject->error = -ESRCH;
		break;
	case -EPERM:
	case -EACCES:
		subject->state = THPSTAT_PROCESS_FORBIDDEN;
		subject->error = -EACCES;
		break;
	case -EFBIG: /* no such file of the kernel is that large */
		subject->error = -EBADMSG;
		break;
	default:
		subject->error = error;
	}
}

int subject_open(struct subject *subject, struct thpstat *source, int pid)
{
	char name[16];

	*subject = (struct subject){
		.pid = pid,
		.state = THPSTAT_PROCESS_RUNNING,
		.directory = { .fd = -1 },
		.memory = { .fd = -1 },
	};
	snprintf(name, sizeof(name), "%d", pid);

	int error = tree_open_directory(&source->tree, &source->tree.proc, name, 0,
					&subject->directory);

	if (error) {
		subject_failed(subject, error);
		return error;
	}
	subject->memory = subject->directory;
	return 0;
}

static void release_memory(struct subject *subject)
{
	if (subject->memory.fd != subject->directory.fd)
		directory_close(&subject->memory);
	subject->memory = subject->directory;
}

void subject_close(struct subject *subject)
{
	release_memory(subject);
	directory_close(&subject->directory);
	subject->memory.fd = -1;
}

static int has_address_space(const struct figures *figures)
{
	return figures_has(figures, THPSTAT_VM_SIZE) || figures_has(figures, THPSTAT_VM_RSS);
}

static int read_status(const struct directory *directory, struct thpstat *source, char *buffer,
		       struct figures *figures, struct status *status)
{
	size_t length;
	int error = tree_read_record(&source->tree, directory, "status", buffer,
				     SUBJECT_BUFFER_SIZE, &length);

	figures_clear(figures);
	*status = (struct status){ 0 };
	if (!error)
		status_parse(&source->status, buffer, length, figures, status);
	return error;
}

/* Does it have the address space? 1, with its directory in the subject; 0; negative errno. */
static int take_thread(struct subject *subject, struct thpstat *source,
		       const struct directory *tasks, int tid, char *buffer,
		       struct figures *figures)
{
	struct directory thread;
	struct status status;
	char name[16];

	snprintf(name, sizeof(name), "%d", tid);

	int error = tree_open_directory(&source->tree, tasks, name, 0, &thread);

	if (error)
		return error;
	error = read_status(&thread, source, buffer, figures, &status);
	if (!error && has_address_space(figures)) {
		subject->memory = thread;
		return 1;
	}
	directory_close(&thread);
	return error;
}

/*
 * The main thread has ended: is there a thread that still has the address space? 1, 0, or a
 * negative errno.
 */
static int find_thread(struct subject *subject, struct thpstat *source, char *buffer,
		       struct figures *figures)
{
	struct directory tasks;
	int tid, more = 0, found;

	found = tree_open_directory(&source->tree, &subject->directory, "task", 1, &tasks);
	if (found)
		return found == -ENOENT ? 0 : found;

	DIR *stream = tree_list(&tasks);

	if (!stream)
		found = -errno;
	while (stream && !found && (more = tree_next_number(stream, &tid)) == 1) {
		if (tid != subject->pid)
			found = take_thread(subject, source, &tasks, tid, buffer, figures);
		if (found == -ENOENT || found == -ESRCH) /* it ended meanwhile */
			found = 0;
	}
	if (stream)
		closedir(stream);
	directory_close(&tasks);
	return found ? found : more;
}

/* Kernels before 6.9 do not say "Kthread" in status. 1, 0, or a negative errno. */
static int is_kernel_thread(const struct subject *subject, struct thpstat *source, char *buffer)
{
	struct stat_line line;
	size_t length;

	if (subject->status.kernel_thread)
		return 1;

	int error = tree_read_file(&source->tree, &subject->directory, "stat", buffer,
				   SUBJECT_BUFFER_SIZE, &length);

	if (error)
		return error == -ENOENT ? 0 : error;
	return !stat_parse(buffer, length, &line) && line.flags & STAT_FLAG_KERNEL_THREAD;
}

void subject_examine(struct subject *subject, struct thpstat *source, char *buffer,
		     struct figures *figures)
{
	release_memory(subject);
	subject->state = THPSTAT_PROCESS_RUNNING;
	subject->error = 0;

	int error = read_status(&subject->directory, source, buffer, figures, &subject->status);

	if (error) {
		/* a tree may lack status and have other files */
		if (error != -ENOENT || source->tree.live)
			subject_failed(subject, error);
		return;
	}
	if (has_address_space(figures))
		return;

	int ended = subject->status.state == 'Z' || subject->status.state == 'X';

	if (ended &&
	    (!figures_has(figures, THPSTAT_THREADS) || figures->value[THPSTAT_THREADS] > 1)) {
		struct figures leader = *figures;
		int found = find_thread(subject, source, buffer, figures);

		if (found == 1) {
			subject->state = THPSTAT_PROCESS_LEADER_GONE;
			return;
		}
		*figures = leader;
		if (found) {
			subject_failed(subject, found);
			return;
		}
	}

	int kernel_thread = ended ? 0 : is_kernel_thread(subject, source, buffer);

	if (subject->status.state == 'Z')
		subject->state = THPSTAT_PROCESS_ZOMBIE;
	else if (kernel_thread < 0)
		subject_failed(subject, kernel_thread);
	else if (kernel_thread)
		subject->state = THPSTAT_PROCESS_KERNEL_THREAD;
	else if (ended || source->tree.live) /* no address space any more: about to be a zombie */
		subject_failed(subject, -ESRCH);
}

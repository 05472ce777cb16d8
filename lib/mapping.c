/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "mapping_walk.h"
#include "process_walk.h"
#include "subject.h"

struct thpstat_mappings {
	struct subject subject;
	struct mapping_walk walk;
};

/* The buffer for status is the one that smaps will be read with. */
static int begin(struct thpstat_mappings *walk)
{
	struct figures figures;

	subject_examine(&walk->subject, walk->walk.source, walk->walk.buffer, &figures);
	if (walk->subject.error)
		return walk->subject.error;
	if (!subject_has_memory(&walk->subject))
		return -ENODATA;

	int error = mapping_walk_begin(&walk->walk, &walk->subject.memory);

	if (error == -ENOENT)
		return walk->walk.source->tree.live ? -ESRCH : -ENODATA;
	return error == -EPERM ? -EACCES : error;
}

static int create(struct thpstat *source, struct thpstat_mappings **ret)
{
	struct thpstat_mappings *walk = malloc(sizeof(*walk));

	if (!walk)
		return -ENOMEM;
	mapping_walk_init(&walk->walk, source_ref(source));
	*ret = walk;
	return 0;
}

static int begin_or_close(struct thpstat_mappings *walk, struct thpstat_mappings **ret)
{
	int error = begin(walk);

	if (error) {
		thpstat_mappings_close(walk);
		return error;
	}
	*ret = walk;
	return 0;
}

int thpstat_mappings_open(struct thpstat *source, int pid, struct thpstat_mappings **ret)
{
	struct thpstat_mappings *walk;

	if (!source || !ret || pid <= 0)
		return -EINVAL;
	if (source->tree.proc.fd < 0)
		return -ENOENT;

	int error = create(source, &walk);

	if (error)
		return error;
	error = subject_open(&walk->subject, source, pid);
	if (error) {
		int known = walk->subject.error;

		thpstat_mappings_close(walk);
		return known;
	}
	return begin_or_close(walk, ret);
}

int thpstat_mappings_open_process(const struct thpstat_process *process,
				  struct thpstat_mappings **ret)
{
	struct thpstat_mappings *walk;

	if (!process || !ret)
		return -EINVAL;

	const struct subject *subject = process_walk_subject(process);

	if (subject->directory.fd < 0)
		return subject->error ? subject->error : -ESRCH;

	int error = create(process_walk_source(process), &walk);

	if (error)
		return error;
	walk->subject = *subject;
	walk->subject.directory.fd = fcntl(subject->directory.fd, F_DUPFD_CLOEXEC, 0);
	walk->subject.memory = walk->subject.directory;
	if (walk->subject.directory.fd < 0) {
		error = -errno;
		thpstat_mappings_close(walk);
		return error;
	}
	return begin_or_close(walk, ret);
}

int thpstat_mappings_next(struct thpstat_mappings *walk, const struct thpstat_mapping **ret)
{
	if (!walk || !ret)
		return -EINVAL;

	int more = mapping_walk_next(&walk->walk);

	if (more == 1)
		*ret = &walk->walk.view;
	return more;
}

struct thpstat_mappings *thpstat_mappings_close(struct thpstat_mappings *walk)
{
	if (!walk)
		return NULL;

	struct thpstat *source = walk->walk.source;

	mapping_walk_free(&walk->walk);
	subject_close(&walk->subject);
	thpstat_close(source);
	free(walk);
	return NULL;
}

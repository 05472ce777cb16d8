/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "account/coverage.h"
#include "account/footprint.h"
#include "account/usage.h"
#include "cgroup_mounts.h"
#include "parse/cgroup_membership.h"
#include "parse/stat.h"
#include "process_walk.h"
#include "smaps_sum.h"
#include "subject.h"

#define COMMAND_LINE_SIZE (128 * 1024 + 1)

/* A process that changes while it is read is looked at anew, but not forever. */
#define ATTEMPTS 3

#define CGROUP_SIZE 8192

struct thpstat_processes {
	struct thpstat_process view; /* first: what the caller holds leads back to the walk */
	struct thpstat *source;
	struct thpstat_completeness completeness;
	/* what to read */
	unsigned int want;
	int need_rollup;
	int need_smaps;
	uint64_t smaps_figures[METRIC_WORDS]; /* the metrics that only smaps has */
	unsigned int shard;
	unsigned int n_shards;
	/* which processes */
	DIR *stream; /* NULL with a list */
	int *pids;
	size_t n_pids;
	size_t next_pid;
	/* the process the walk stands on */
	struct subject subject;
	struct thpstat_usage usage;
	int cgroup_version; /* 0: not known */
	char cgroup[CGROUP_SIZE];
	char cgroup_directory[CGROUP_SIZE];
	/* for all of them */
	struct cgroup_mounts mounts;
	struct smaps_parser rollup;
	struct mapping_walk mappings; /* unused unless smaps is read */
	struct smaps_sum sum;
	char *command_line; /* made when first asked for */
	char buffer[SUBJECT_BUFFER_SIZE];
};

/* Figures of Pss that smaps_rollup has and smaps has not, or not as well. */
static int is_rollup_figure(enum thpstat_metric metric)
{
	switch (metric) {
	case THPSTAT_PSS:
	case THPSTAT_PSS_DIRTY:
	case THPSTAT_PSS_ANON:
	case THPSTAT_PSS_FILE:
	case THPSTAT_PSS_SHMEM:
	case THPSTAT_SWAP_PSS:
	case THPSTAT_FOOTPRINT:
		return 1;
	default:
		return 0;
	}
}

/* Figures that only smaps has. */
static int is_smaps_figure(enum thpstat_metric metric)
{
	const struct metric_row *row = metric_row(metric);

	if (row->files)
		return row->files == FILE_SMAPS;
	return metric == THPSTAT_MAPPINGS ||
	       (metric >= THPSTAT_RESIDENT_ONCE && metric <= THPSTAT_FILE_HUGE_ONCE);
}

/* Which files do the wanted figures need? status is always read: it is cheap and says who it is. */
static int choose_files(struct thpstat_processes *walk,
			const struct thpstat_process_options *options)
{
	if (options->want & THPSTAT_PROCESS_WANT_IDENTITY_ONLY)
		return 0;
	walk->need_rollup = !options->metrics;
	for (size_t i = 0; i < options->n_metrics; i++) {
		const struct metric_row *row = metric_row(options->metrics[i]);

		if (!row)
			return -EINVAL;
		if (is_smaps_figure(options->metrics[i]))
			walk->need_smaps = 1;
	}
	for (size_t i = 0; i < options->n_metrics; i++) {
		const struct metric_row *row = metric_row(options->metrics[i]);

		/* smaps read anyway has all the rest */
		if (is_rollup_figure(options->metrics[i]) ||
		    (!walk->need_smaps && row->files != FILE_STATUS))
			walk->need_rollup = 1;
	}
	return 0;
}

static int compare_pids(const void *left, const void *right)
{
	const int *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* The kernel lists processes in ascending order; a saved directory has none, so it is sorted. */
static int list_tree(struct thpstat_processes *walk)
{
	DIR *stream = tree_list(&walk->source->tree.proc);
	int pid, more;

	if (!stream)
		return -errno;
	while ((more = tree_next_number(stream, &pid)) == 1) {
		int *pids = reallocarray(walk->pids, walk->n_pids + 1, sizeof(*pids));

		if (!pids) {
			more = -ENOMEM;
			break;
		}
		walk->pids = pids;
		pids[walk->n_pids++] = pid;
	}
	closedir(stream);
	if (walk->n_pids)
		qsort(walk->pids, walk->n_pids, sizeof(*walk->pids), compare_pids);
	return more;
}

static int choose_processes(struct thpstat_processes *walk,
			    const struct thpstat_process_options *options)
{
	if (options->n_shards > 1 && options->shard >= options->n_shards)
		return -EINVAL;
	walk->shard = options->shard;
	walk->n_shards = options->n_shards > 1 ? options->n_shards : 1;
	if (!options->pids && !walk->source->tree.live)
		return list_tree(walk);
	if (!options->pids) {
		walk->stream = tree_list(&walk->source->tree.proc);
		return walk->stream ? 0 : -errno;
	}
	walk->pids = malloc(options->n_pids * sizeof(*walk->pids) + 1);
	if (!walk->pids)
		return -ENOMEM;
	memcpy(walk->pids, options->pids, options->n_pids * sizeof(*walk->pids));
	walk->n_pids = options->n_pids;
	return 0;
}

static int check_options(const struct thpstat_process_options *options)
{
	const unsigned int known = THPSTAT_PROCESS_WANT_CGROUP | THPSTAT_PROCESS_WANT_START_TIME |
				   THPSTAT_PROCESS_WANT_IDENTITY_ONLY | THPSTAT_PROCESS_WANT_PAGES;

	if ((!options->pids && options->n_pids) || (!options->metrics && options->n_metrics) ||
	    options->want & ~known)
		return -EINVAL;
	for (size_t i = 0; i < options->n_pids; i++)
		if (options->pids[i] <= 0)
			return -EINVAL;
	return 0;
}

int thpstat_processes_open(struct thpstat *source, const struct thpstat_process_options *options,
			   struct thpstat_processes **ret)
{
	struct thpstat_process_options known = { .size = sizeof(known) };
	int error = options ? options_copy(options, &known, sizeof(known)) : 0;

	if (error)
		return error;
	if (!source || !ret || check_options(&known))
		return -EINVAL;
	if (source->tree.proc.fd < 0)
		return -ENOENT;

	struct thpstat_processes *walk = calloc(1, sizeof(*walk));

	if (!walk)
		return -ENOMEM;
	walk->source = source_ref(source);
	walk->want = known.want;
	walk->subject.directory.fd = walk->subject.memory.fd = -1;
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));)
		if (is_smaps_figure(metric))
			figures_mark(walk->smaps_figures, (unsigned int)metric);
	smaps_parser_init(&walk->rollup, &source->rollup);
	mapping_walk_init(&walk->mappings, source);
	walk->sum.exact = !!(known.want & THPSTAT_PROCESS_WANT_PAGES);
	error = choose_files(walk, &known);
	if (!error)
		error = choose_processes(walk, &known);
	if (!error && known.want & THPSTAT_PROCESS_WANT_CGROUP)
		error = cgroup_mounts_read(&walk->mounts, source);
	if (error) {
		thpstat_processes_close(walk);
		return error;
	}
	*ret = walk;
	return 0;
}

struct thpstat_processes *thpstat_processes_close(struct thpstat_processes *walk)
{
	if (!walk)
		return NULL;
	subject_close(&walk->subject);
	mapping_walk_free(&walk->mappings);
	smaps_sum_free(&walk->sum);
	cgroup_mounts_free(&walk->mounts);
	if (walk->stream)
		closedir(walk->stream);
	thpstat_close(walk->source);
	free(walk->command_line);
	free(walk->pids);
	free(walk);
	return NULL;
}

/* The next pid: 1, 0 at the end, negative errno. */
static int next_pid(struct thpstat_processes *walk, int *ret)
{
	for (;;) {
		if (walk->stream) {
			int more = tree_next_number(walk->stream, ret);

			if (more != 1)
				return more;
		} else {
			if (walk->next_pid == walk->n_pids)
				return 0;
			*ret = walk->pids[walk->next_pid++];
		}
		if ((unsigned int)*ret % walk->n_shards == walk->shard)
			return 1;
	}
}

/* The text of a smaps_rollup: a header and fields. */
static int parse_rollup(struct thpstat_processes *walk, size_t length)
{
	const char *p = walk->buffer, *end = walk->buffer + length;
	const char *eol = memchr(p, '\n', length);
	struct smaps_header header;
	unsigned int flags = 0;

	if (!eol || end[-1] != '\n' || !smaps_header(p, eol, &header))
		return -EBADMSG;
	smaps_parser_begin(&walk->rollup);
	if (smaps_fields(&walk->rollup, eol + 1, end, &walk->usage.figures, &flags, &header) != end)
		return -EBADMSG; /* a second header: this is an smaps */
	return 0;
}

/* 0 with the figures of smaps_rollup in the record; -ENOENT when there is none. */
static int read_rollup(struct thpstat_processes *walk)
{
	size_t length;
	int error = tree_read_record(&walk->source->tree, &walk->subject.memory, "smaps_rollup",
				     walk->buffer, sizeof(walk->buffer), &length);

	if (error)
		return error;
	error = parse_rollup(walk, length);
	if (error)
		tree_problem(&walk->source->tree, &walk->subject.memory, "smaps_rollup", 0, error,
			     "is malformed or ends early");
	return error;
}

/* What follows from the figures of smaps_rollup. */
static void account_rollup(struct thpstat_usage *usage, int smaps_missing)
{
	coverage_as_mapped(usage);
	if (usage_has(usage, THPSTAT_RSS_SHMEM))
		coverage_split_process(usage, usage_value(usage, THPSTAT_RSS_SHMEM));
	footprint_once_from_rollup(usage, smaps_missing ? THPSTAT_REASON_NOT_OFFERED
							: THPSTAT_REASON_NOT_READ);
}

/* Figures of smaps, on top of those of smaps_rollup where there is one. */
static int read_smaps(struct thpstat_processes *walk, int have_rollup)
{
	int error = smaps_sum_read(&walk->sum, &walk->mappings, &walk->subject.memory, &walk->usage,
				   have_rollup);

	if (error == -ENOENT && !walk->source->tree.live)
		return -ENODATA;
	if (error)
		return error;
	if (walk->mappings.inconsistent || walk->sum.pages.changed)
		walk->view.flags |= THPSTAT_PROCESS_INCONSISTENT;
	if (smaps_sum_has_gaps(&walk->sum))
		walk->view.flags |= THPSTAT_PROCESS_CUT;
	return 0;
}

/* Figures of memory; 0, or what went wrong. */
static int read_memory(struct thpstat_processes *walk)
{
	int have_rollup = 0, error;

	if (walk->need_rollup) {
		error = read_rollup(walk);
		/* before Linux 4.14, or a tree without it: smaps has nearly the same */
		if (error && error != -ENOENT)
			return error;
		have_rollup = !error;
	}
	if (walk->need_smaps || (walk->need_rollup && !have_rollup)) {
		error = read_smaps(walk, have_rollup);
		/* a tree may have the one and not the other */
		if (error != -ENODATA || !have_rollup)
			return error;
	}
	if (have_rollup)
		account_rollup(&walk->usage, walk->need_smaps);
	return 0;
}

/* Everything of smaps and smaps_rollup, and what follows from it, is absent for this reason. */
static void memory_absent(struct thpstat_processes *walk, enum thpstat_reason reason)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct metric_row *row = metric_row(metric);

		if (row->info.subjects & THPSTAT_OF_PROCESS && row->files != FILE_STATUS)
			usage_absent(&walk->usage, metric, reason);
	}
}

static enum thpstat_reason reason_of_error(int error)
{
	switch (error) {
	case -EACCES:
		return THPSTAT_REASON_FORBIDDEN;
	case -ESRCH:
		return THPSTAT_REASON_GONE;
	case -ENODATA:
		return THPSTAT_REASON_NOT_OFFERED;
	default:
		return THPSTAT_REASON_CUT;
	}
}

/* Reads the process of the open directory; again, when it changed into something else meanwhile. */
static void read_process(struct thpstat_processes *walk)
{
	struct subject *subject = &walk->subject;
	int error = 0;

	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		usage_clear(&walk->usage);
		walk->view.flags = 0;
		subject_examine(subject, walk->source, walk->buffer, &walk->usage.figures);
		if (!subject_has_memory(subject) || subject->error)
			return;
		error = read_memory(walk);
		if (error != -ESRCH || !walk->source->tree.live)
			break;
	}
	if (figures_refused(&walk->usage.figures))
		walk->view.flags |= THPSTAT_PROCESS_CUT;
	if (!error)
		return;
	if (error != -ENODATA)
		subject_failed(subject, error);
	memory_absent(walk, reason_of_error(error == -ENODATA ? error : subject->error));
}

static void read_start_time(struct thpstat_processes *walk)
{
	struct stat_line line;
	size_t length;

	if (tree_read_file(&walk->source->tree, &walk->subject.directory, "stat", walk->buffer,
			   sizeof(walk->buffer), &length) ||
	    stat_parse(walk->buffer, length, &line) ||
	    __builtin_mul_overflow(line.start_time, UINT64_C(10), &walk->view.start_time))
		return;
	walk->view.known |= THPSTAT_PROCESS_KNOWS_START_TIME;
}

static void read_cgroup(struct thpstat_processes *walk)
{
	struct cgroup_membership membership;
	size_t length;

	/* a zombie has left its cgroup: v1 says "/", whatever it was; is it one? */
	if (walk->subject.state == THPSTAT_PROCESS_ZOMBIE ||
	    (walk->subject.error && !walk->subject.status.has_comm) ||
	    tree_read_file(&walk->source->tree, &walk->subject.directory, "cgroup", walk->buffer,
			   sizeof(walk->buffer), &length) ||
	    cgroup_membership_parse(walk->buffer, length, &membership) ||
	    membership.length >= sizeof(walk->cgroup))
		return;
	memcpy(walk->cgroup, membership.path, membership.length);
	walk->cgroup[membership.length] = '\0';
	walk->cgroup_version = membership.version;
	walk->view.cgroup = walk->cgroup;
}

/* Why figures that are still absent without a reason are absent. */
static void give_reasons(struct thpstat_processes *walk)
{
	struct thpstat_usage *usage = &walk->usage;

	switch (walk->subject.state) {
	case THPSTAT_PROCESS_KERNEL_THREAD:
	case THPSTAT_PROCESS_ZOMBIE:
		usage_absent_subject(usage, THPSTAT_OF_PROCESS, THPSTAT_REASON_NO_MEMORY);
		return;
	case THPSTAT_PROCESS_GONE:
		usage_absent_subject(usage, THPSTAT_OF_PROCESS, THPSTAT_REASON_GONE);
		return;
	default:
		break;
	}
	if (walk->subject.error && !walk->subject.status.has_comm)
		usage_absent_subject(usage, THPSTAT_OF_PROCESS,
				     reason_of_error(walk->subject.error));
	if (!walk->need_smaps)
		usage_absent_set(usage, walk->smaps_figures, THPSTAT_REASON_NOT_READ);
	if (!walk->need_rollup && !walk->need_smaps) {
		memory_absent(walk, THPSTAT_REASON_NOT_READ);
		return;
	}
	if (!walk->need_rollup)
		usage_absent_files(usage, FILE_ROLLUP, THPSTAT_REASON_NOT_READ);
	footprint_total(usage);
}

static void count(struct thpstat_completeness *completeness, const struct thpstat_process *process)
{
	switch (process->state) {
	case THPSTAT_PROCESS_KERNEL_THREAD:
		completeness->kernel_threads++;
		break;
	case THPSTAT_PROCESS_ZOMBIE:
		completeness->zombies++;
		break;
	case THPSTAT_PROCESS_GONE:
		completeness->vanished++;
		break;
	case THPSTAT_PROCESS_FORBIDDEN:
		completeness->forbidden++;
		break;
	default:
		if (process->error || process->flags & THPSTAT_PROCESS_CUT)
			completeness->cut++;
		else
			completeness->read++;
	}
}

int thpstat_processes_next(struct thpstat_processes *walk, const struct thpstat_process **ret)
{
	int pid, more;

	if (!walk || !ret)
		return -EINVAL;
	more = next_pid(walk, &pid);
	if (more != 1)
		return more;

	struct subject *subject = &walk->subject;

	subject_close(subject);
	walk->cgroup_version = 0;
	walk->view = (struct thpstat_process){ .pid = pid, .usage = &walk->usage };
	if (!subject_open(subject, walk->source, pid)) {
		read_process(walk);
		if (walk->want & THPSTAT_PROCESS_WANT_START_TIME)
			read_start_time(walk);
		if (walk->want & THPSTAT_PROCESS_WANT_CGROUP)
			read_cgroup(walk);
	} else {
		usage_clear(&walk->usage);
	}
	give_reasons(walk);

	const struct status *status = &subject->status;

	walk->view.state = subject->state;
	walk->view.error = subject->error;
	walk->view.comm = status->has_comm ? status->comm : NULL;
	walk->view.uid = status->euid;
	walk->view.ppid = status->ppid;
	walk->view.known |= (status->has_euid ? THPSTAT_PROCESS_KNOWS_UID : 0) |
			    (status->has_ppid ? THPSTAT_PROCESS_KNOWS_PPID : 0);
	count(&walk->completeness, &walk->view);
	*ret = &walk->view;
	return 1;
}

const struct thpstat_completeness *
thpstat_processes_completeness(const struct thpstat_processes *walk)
{
	return walk ? &walk->completeness : NULL;
}

/* Only walks make items, and each is the first member of its walk. */
static struct thpstat_processes *walk_of(const struct thpstat_process *process)
{
	return (struct thpstat_processes *)(uintptr_t)process;
}

const struct subject *process_walk_subject(const struct thpstat_process *process)
{
	return &walk_of(process)->subject;
}

struct thpstat *process_walk_source(const struct thpstat_process *process)
{
	return walk_of(process)->source;
}

int thpstat_process_command_line(const struct thpstat_process *process, const char **ret,
				 size_t *ret_size)
{
	if (!process || !ret || !ret_size)
		return -EINVAL;

	struct thpstat_processes *walk = walk_of(process);
	const struct tree *tree = &walk->source->tree;

	/* that there is no such process comes out below */
	if (walk->subject.directory.fd < 0 && walk->subject.error != -ESRCH)
		return walk->subject.error;
	if (!walk->command_line)
		walk->command_line = malloc(COMMAND_LINE_SIZE);
	if (!walk->command_line) {
		/* a file that was not read, to whoever is told of files */
		tree_tell(tree, &walk->subject.directory, "cmdline", NULL, 0, 0, -ENOMEM);
		return -ENOMEM;
	}

	int fd = tree_open_file(tree, &walk->subject.directory, "cmdline");

	if (fd < 0) {
		if (fd == -ENOENT)
			return tree->live ? -ESRCH : -ENODATA;
		return fd == -EPERM ? -EACCES : fd;
	}

	long length = tree_read(tree, &walk->subject.directory, "cmdline", fd, walk->command_line,
				COMMAND_LINE_SIZE - 1);

	close(fd);
	if (length <= 0)
		return length ? (int)length : -ENODATA;
	walk->command_line[length] = '\0';
	/* a process that wrote over its arguments may have left no NUL at the end */
	*ret_size = (size_t)length + (walk->command_line[length - 1] != '\0');
	*ret = walk->command_line;
	return 0;
}

const char *thpstat_process_cgroup_directory(const struct thpstat_process *process)
{
	struct thpstat_processes *walk = process ? walk_of(process) : NULL;

	if (!walk || !walk->cgroup_version ||
	    cgroup_mounts_directory(&walk->mounts, walk->source, walk->cgroup_version, walk->cgroup,
				    walk->cgroup_directory, sizeof(walk->cgroup_directory)))
		return NULL;
	return walk->cgroup_directory;
}

const char *thpstat_process_state_name(enum thpstat_process_state state)
{
	switch (state) {
	case THPSTAT_PROCESS_RUNNING:
		return "running";
	case THPSTAT_PROCESS_KERNEL_THREAD:
		return "kernel thread";
	case THPSTAT_PROCESS_ZOMBIE:
		return "zombie";
	case THPSTAT_PROCESS_LEADER_GONE:
		return "leader gone";
	case THPSTAT_PROCESS_GONE:
		return "gone";
	case THPSTAT_PROCESS_FORBIDDEN:
		return "forbidden";
	default:
		return "unknown";
	}
}

enum thpstat_page_source thpstat_process_page_source(const struct thpstat_process *process)
{
	const struct thpstat_processes *walk = (const struct thpstat_processes *)process;

	if (!walk || !walk->sum.pages.settled)
		return THPSTAT_PAGE_SOURCE_NONE;
	return walk->sum.pages.pagemap.has_scan ? THPSTAT_PAGE_SOURCE_PAGEMAP_SCAN
						: THPSTAT_PAGE_SOURCE_PAGEMAP;
}

const char *thpstat_page_source_name(enum thpstat_page_source source)
{
	switch (source) {
	case THPSTAT_PAGE_SOURCE_NONE:
		return "none";
	case THPSTAT_PAGE_SOURCE_PAGEMAP:
		return "pagemap";
	case THPSTAT_PAGE_SOURCE_PAGEMAP_SCAN:
		return "pagemap_scan";
	default:
		return "unknown";
	}
}

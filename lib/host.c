/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thpstat/host.h>

#include "account/pool.h"
#include "account/usage.h"
#include "mapping_walk.h"
#include "parse/buddyinfo.h"
#include "parse/choice.h"
#include "parse/number.h"
#include "parse/size_name.h"
#include "source.h"

#define FILE_LIMIT (16u << 20)
#define SMALL_FILE 4096
/* Huge page sizes and nodes of a machine; more in a tree is a joke of whoever made it. */
#define SIZES_MAX 64
#define NODES_MAX 1024
#define POLICIES_MAX 1024

struct snapshot {
	struct thpstat_host view; /* first: what the caller holds leads back to the snapshot */
	struct thpstat *source;	  /* only while it is read */
	struct thpstat_usage usage;
	struct thpstat_page_size *page_sizes;
	struct thpstat_policy *policies;
	struct thpstat_node *nodes;
	char thp_directory[64];
	/* why there is nothing of any page size: a directory could not be read; else 0 */
	enum thpstat_reason no_pools;
	enum thpstat_reason no_stats;
};

/* Each list grows by one zeroed entry; NULL without memory. */
static void *append(void *list_pointer, size_t *n, size_t size)
{
	void *list, *bigger;

	memcpy(&list, list_pointer, sizeof(list));
	bigger = reallocarray(list, *n + 1, size);
	if (!bigger)
		return NULL;
	memcpy(list_pointer, &bigger, sizeof(bigger));
	return memset((char *)bigger + (*n)++ * size, 0, size);
}

/* View structs hold pointers to const; what this file made it may change. */
static struct thpstat_usage *own(const struct thpstat_usage *usage)
{
	return (struct thpstat_usage *)(uintptr_t)usage;
}

static int is_forbidden(int error)
{
	return error == -EACCES || error == -EPERM;
}

static enum thpstat_reason reason_of_error(int error)
{
	if (is_forbidden(error))
		return THPSTAT_REASON_FORBIDDEN;
	return error == -ENOENT ? THPSTAT_REASON_NOT_OFFERED : THPSTAT_REASON_CUT;
}

/*
 * Opens a directory below another, which need not be there: 0, or -ENOENT. One that may not be read
 * is told of, since what is in it will be missing; what else goes wrong ends the snapshot.
 */
static int open_part(struct thpstat *source, const struct directory *at, const char *name,
		     int readable, struct directory *ret)
{
	int error = tree_open_directory(&source->tree, at, name, readable, ret);

	if (is_forbidden(error))
		tree_problem(&source->tree, at, name, 0, error, "cannot be read");
	return error;
}

/* Goes on without a directory? */
static int can_do_without(int error)
{
	return error == -ENOENT || error == -ENOTDIR || is_forbidden(error);
}

/* The next entry: 1, 0 at the end, negative errno. */
static int next_entry(DIR *stream, const char **ret)
{
	errno = 0;

	const struct dirent *entry = readdir(stream);

	*ret = entry ? entry->d_name : NULL;
	return entry ? 1 : -errno;
}

/* A file of keys and values of the proc directory, by one of the two layouts. */
static int read_keys(struct thpstat *source, const struct directory *at, const char *name,
		     const struct field_table *table, int flat, unsigned int file,
		     struct thpstat_usage *usage)
{
	size_t length;
	char *text;
	int error = tree_read_file_alloc(&source->tree, at, name, FILE_LIMIT, &text, &length);

	if (error) {
		usage_absent_files(usage, file, reason_of_error(error));
		return error == -ENOMEM ? error : 0;
	}
	if (flat)
		field_table_flat(table, text, length, &usage->figures);
	else
		field_table_text(table, text, length, &usage->figures);
	free(text);
	return 0;
}

/* One value from each of the files of a directory that the metric table lists for it. */
static void read_values(struct thpstat *source, const struct directory *at, unsigned int file,
			struct thpstat_usage *usage)
{
	for (enum thpstat_metric metric = 0; (metric = thpstat_metric_next(metric));) {
		const struct metric_row *row = metric_row(metric);
		char text[SMALL_FILE];
		uint64_t value;
		size_t length;
		int error;

		if (!(row->files & file))
			continue;
		error = tree_read_file(&source->tree, at, row->info.kernel_field, text,
				       sizeof(text), &length);
		if (error) {
			usage_absent(usage, metric, reason_of_error(error));
			continue;
		}
		switch (number_only(text, text + strlen(text), &value)) {
		case PARSE_OK:
			usage_set(usage, metric, value, THPSTAT_METHOD_EXACT);
			break;
		case PARSE_OVERFLOW:
			usage_absent(usage, metric, THPSTAT_REASON_OVERFLOW);
			break;
		default:
			usage_absent(usage, metric, THPSTAT_REASON_CUT);
		}
	}
}

/* The record of a page size in a list that is kept ascending; made when it is not there. */
static struct thpstat_usage *page_size(struct thpstat_page_size **list, size_t *n, uint64_t bytes)
{
	size_t at = 0;

	while (at < *n && (*list)[at].bytes < bytes)
		at++;
	if (at < *n && (*list)[at].bytes == bytes)
		return own((*list)[at].usage);
	if (*n == SIZES_MAX)
		return NULL;

	struct thpstat_usage *usage;

	if (thpstat_usage_new(&usage))
		return NULL;
	if (!append(list, n, sizeof(**list))) {
		thpstat_usage_free(usage);
		return NULL;
	}
	memmove(*list + at + 1, *list + at, (*n - 1 - at) * sizeof(**list));
	(*list)[at] = (struct thpstat_page_size){ bytes, usage };
	return usage;
}

/* One pool, into the list. */
static int read_pool(struct thpstat *source, const struct directory *pools, const char *name,
		     uint64_t bytes, struct thpstat_page_size **list, size_t *n)
{
	struct directory pool = { .fd = -1 };
	int error = open_part(source, pools, name, 0, &pool);

	if (error && !is_forbidden(error))
		return can_do_without(error) ? 0 : error;

	struct thpstat_usage *usage = page_size(list, n, bytes);

	if (usage && error)
		usage_absent_files(usage, FILE_POOL, reason_of_error(error));
	else if (usage)
		read_values(source, &pool, FILE_POOL, usage);
	if (usage)
		pool_account(usage, bytes);
	directory_close(&pool);
	return usage || *n == SIZES_MAX ? 0 : -ENOMEM;
}

/*
 * The pools in a directory of "hugepages-2048kB" and the like; *why_none, when it cannot be opened.
 */
static int read_pools(struct thpstat *source, const struct directory *at, const char *name,
		      struct thpstat_page_size **list, size_t *n, enum thpstat_reason *why_none)
{
	struct directory pools;
	const char *entry;
	uint64_t bytes;
	int error = open_part(source, at, name, 1, &pools), more = 0;

	if (error) {
		*why_none = reason_of_error(error);
		return can_do_without(error) ? 0 : error;
	}

	DIR *stream = tree_list(&pools);

	if (!stream)
		error = -errno;
	while (stream && !error && (more = next_entry(stream, &entry)) == 1)
		if (!size_name_parse(entry, &bytes))
			error = read_pool(source, &pools, entry, bytes, list, n);
	if (stream)
		closedir(stream);
	directory_close(&pools);
	return error ? error : more;
}

/* What sysfs does not say of the pool of the default size, meminfo does. */
static int default_pool(struct snapshot *snapshot)
{
	static const struct {
		enum thpstat_metric from, to;
	} counts[] = {
		{ THPSTAT_HUGE_PAGES_TOTAL, THPSTAT_NR_HUGEPAGES },
		{ THPSTAT_HUGE_PAGES_FREE, THPSTAT_FREE_HUGEPAGES },
		{ THPSTAT_HUGE_PAGES_RSVD, THPSTAT_RESV_HUGEPAGES },
		{ THPSTAT_HUGE_PAGES_SURP, THPSTAT_SURPLUS_HUGEPAGES },
	};
	struct thpstat_host *view = &snapshot->view;
	struct thpstat_usage *host = &snapshot->usage;
	uint64_t bytes = usage_or_zero(host, THPSTAT_HUGEPAGESIZE);

	if (!bytes || !usage_has(host, THPSTAT_HUGE_PAGES_TOTAL))
		return 0;

	struct thpstat_usage *usage = page_size(&snapshot->page_sizes, &view->n_page_sizes, bytes);

	if (!usage)
		return view->n_page_sizes == SIZES_MAX ? 0 : -ENOMEM;
	for (unsigned int i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (!usage_has(usage, counts[i].to) && usage_has(host, counts[i].from))
			usage_set(usage, counts[i].to, usage_value(host, counts[i].from),
				  THPSTAT_METHOD_EXACT);
	pool_account(usage, bytes);
	return 0;
}

/* Pools of other sizes than the default, as the difference that meminfo shows. */
static void other_pools(struct thpstat_usage *host)
{
	uint64_t bytes;

	static const enum thpstat_metric parts[] = { THPSTAT_HUGETLB_TOTAL, THPSTAT_HUGEPAGESIZE,
						     THPSTAT_HUGE_PAGES_TOTAL };

	for (unsigned int i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!usage_has(host, parts[i])) {
			usage_absent(host, THPSTAT_HUGETLB_OTHER_SIZES,
				     thpstat_usage_reason(host, parts[i]));
			return;
		}
	if (__builtin_mul_overflow(usage_value(host, THPSTAT_HUGE_PAGES_TOTAL),
				   usage_value(host, THPSTAT_HUGEPAGESIZE), &bytes) ||
	    bytes > usage_value(host, THPSTAT_HUGETLB_TOTAL))
		usage_absent(host, THPSTAT_HUGETLB_OTHER_SIZES, THPSTAT_REASON_BROKEN);
	else
		usage_set(host, THPSTAT_HUGETLB_OTHER_SIZES,
			  usage_value(host, THPSTAT_HUGETLB_TOTAL) - bytes, THPSTAT_METHOD_EXACT);
}

/* One setting. A file that is not there is no setting; one that cannot be read is. */
static int add_policy(struct snapshot *snapshot, const struct directory *at, const char *knob,
		      uint64_t size)
{
	char text[SMALL_FILE], value[SMALL_FILE], choices[SMALL_FILE];
	size_t length;
	int error = tree_read_file(&snapshot->source->tree, at, knob, text, sizeof(text), &length);

	if (error == -ENOENT || snapshot->view.n_policies == POLICIES_MAX)
		return 0;

	struct thpstat_policy *policy = append(&snapshot->policies, &snapshot->view.n_policies,
					       sizeof(*snapshot->policies));

	if (!policy)
		return -ENOMEM;
	policy->page_size = size;
	policy->knob = strdup(knob);
	if (!policy->knob)
		return -ENOMEM;
	if (!error && choice_parse(text, length, value, choices) < 0)
		error = -EBADMSG;
	if (error) {
		policy->error = error == -EPERM ? -EACCES : error;
		return 0;
	}
	policy->value = strdup(value);
	policy->choices = choices[0] ? strdup(choices) : NULL;
	return policy->value && (!choices[0] || policy->choices) ? 0 : -ENOMEM;
}

static int add_policies(struct snapshot *snapshot, const struct directory *at,
			const char *const *knobs, uint64_t size)
{
	int error = 0;

	for (; *knobs && !error; knobs++)
		error = add_policy(snapshot, at, *knobs, size);
	return error;
}

static int read_stats(struct thpstat *source, const struct directory *at,
		      struct thpstat_usage *usage)
{
	struct directory stats;
	int error = open_part(source, at, "stats", 0, &stats);

	if (error) {
		usage_absent_files(usage, FILE_THP_STATS, reason_of_error(error));
		return can_do_without(error) ? 0 : error;
	}
	read_values(source, &stats, FILE_THP_STATS, usage);
	directory_close(&stats);
	return 0;
}

/* The directory of one THP size: its settings and counters. */
static int read_thp_size(struct snapshot *snapshot, const struct directory *at, const char *name,
			 uint64_t bytes)
{
	static const char *const knobs[] = { "enabled", "shmem_enabled", NULL };
	struct thpstat *source = snapshot->source;
	struct directory directory;
	int error = open_part(source, at, name, 0, &directory);

	if (error && !is_forbidden(error))
		return can_do_without(error) ? 0 : error;

	struct thpstat_usage *usage =
		page_size(&snapshot->page_sizes, &snapshot->view.n_page_sizes, bytes);

	if (error) { /* that there is such a size is all that is known */
		if (usage)
			usage_absent_files(usage, FILE_THP_STATS, reason_of_error(error));
		error = 0;
	} else {
		if (usage)
			error = read_stats(source, &directory, usage);
		if (!error)
			error = add_policies(snapshot, &directory, knobs, bytes);
		directory_close(&directory);
	}
	return usage || snapshot->view.n_page_sizes == SIZES_MAX ? error : -ENOMEM;
}

static int compare_sizes(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static int read_thp_sizes(struct snapshot *snapshot, const struct directory *at)
{
	uint64_t sizes[SIZES_MAX];
	DIR *stream = tree_list(at);
	const char *entry;
	size_t n = 0;
	int error = 0;

	if (!stream)
		return -errno;
	while (n < SIZES_MAX && (error = next_entry(stream, &entry)) == 1)
		if (!size_name_parse(entry, &sizes[n]))
			n++;
	closedir(stream);
	if (error < 0)
		return error;
	error = 0;
	qsort(sizes, n, sizeof(*sizes), compare_sizes);
	for (size_t i = 0; i < n && !error; i++) {
		char name[64];

		snprintf(name, sizeof(name), "hugepages-%llukB",
			 (unsigned long long)(sizes[i] / 1024));
		error = read_thp_size(snapshot, at, name, sizes[i]);
	}
	return error;
}

static int read_khugepaged(struct snapshot *snapshot, const struct directory *thp)
{
	static const char *const knobs[] = {
		"khugepaged/defrag",
		"khugepaged/pages_to_scan",
		"khugepaged/scan_sleep_millisecs",
		"khugepaged/alloc_sleep_millisecs",
		"khugepaged/max_ptes_none",
		"khugepaged/max_ptes_swap",
		"khugepaged/max_ptes_shared",
		NULL,
	};
	struct directory directory;
	int error = open_part(snapshot->source, thp, "khugepaged", 0, &directory);

	if (!error) {
		read_values(snapshot->source, &directory, FILE_KHUGEPAGED, &snapshot->usage);
		directory_close(&directory);
	} else if (can_do_without(error)) {
		usage_absent_files(&snapshot->usage, FILE_KHUGEPAGED, reason_of_error(error));
	} else {
		return error;
	}
	return add_policies(snapshot, thp, knobs, 0);
}

/* There are no settings: 0, or the error when there is no doing without them. */
static int without_thp(struct snapshot *snapshot, int error)
{
	if (!can_do_without(error))
		return error;
	usage_absent_files(&snapshot->usage, FILE_THP | FILE_KHUGEPAGED, reason_of_error(error));
	snapshot->no_stats = reason_of_error(error);
	return 0;
}

static int read_thp(struct snapshot *snapshot)
{
	static const char *const directories[] = { "transparent_hugepage",
						   "redhat_transparent_hugepage" };
	static const char *const knobs[] = {
		"enabled",	    "defrag",		"shmem_enabled",	  "use_zero_page",
		"shrink_underused", "hugetext_enabled", "hugetext_pad_threshold", NULL,
	};
	struct thpstat *source = snapshot->source;
	struct directory mm, thp = { .fd = -1 };
	int error = open_part(source, &source->tree.sys, "kernel/mm", 0, &mm), other;

	if (error) {
		snapshot->no_pools = reason_of_error(error);
		return without_thp(snapshot, error);
	}
	error = -ENOENT;
	for (unsigned int i = 0; i < 2 && error == -ENOENT; i++) {
		error = open_part(source, &mm, directories[i], 1, &thp);
		if (!error)
			snprintf(snapshot->thp_directory, sizeof(snapshot->thp_directory), "%s",
				 directories[i]);
	}
	other = read_pools(source, &mm, "hugepages", &snapshot->page_sizes,
			   &snapshot->view.n_page_sizes, &snapshot->no_pools);
	directory_close(&mm);
	if (thp.fd < 0)
		return other ? other : without_thp(snapshot, error);
	error = other;
	snapshot->view.thp_directory = snapshot->thp_directory;
	read_values(source, &thp, FILE_THP, &snapshot->usage);
	if (!error)
		error = add_policies(snapshot, &thp, knobs, 0);
	if (!error)
		error = read_khugepaged(snapshot, &thp);
	if (!error)
		error = read_thp_sizes(snapshot, &thp);
	directory_close(&thp);
	return error;
}

static int read_node(struct snapshot *snapshot, const struct directory *at, unsigned int number)
{
	struct thpstat *source = snapshot->source;
	struct thpstat_node *node =
		append(&snapshot->nodes, &snapshot->view.n_nodes, sizeof(*snapshot->nodes));
	struct thpstat_page_size *sizes = NULL;
	struct thpstat_usage *usage;
	enum thpstat_reason no_pools;
	size_t n_sizes = 0, length;
	char *text;

	if (!node || thpstat_usage_new(&usage))
		return -ENOMEM;
	node->number = number;
	node->usage = usage;

	int error = tree_read_file_alloc(&source->tree, at, "meminfo", FILE_LIMIT, &text, &length);

	if (error) {
		usage_absent_files(usage, FILE_NODE_MEMINFO, reason_of_error(error));
	} else {
		/* "Node 0 MemTotal: ...": the table wants the key first */
		const char *end = text + strnlen(text, length);
		size_t hint = 0;

		for (const char *p = text; p < end;) {
			const char *newline = memchr(p, '\n', (size_t)(end - p));
			const char *eol = newline ? newline : end;
			const char *key = p;
			uint64_t ignored;

			if (eol - p > 5 && !memcmp(p, "Node ", 5)) {
				key = p + 5;
				number_decimal(&key, eol, &ignored);
				key = skip_blanks(key, eol);
			}
			field_table_line(&source->node_meminfo, key, eol, &hint, &usage->figures);
			p = eol + 1;
		}
		free(text);
	}
	if (error == -ENOMEM)
		return error;
	error = read_pools(source, at, "hugepages", &sizes, &n_sizes, &no_pools);
	node->page_sizes = sizes;
	node->n_page_sizes = n_sizes;
	return error;
}

static int list_nodes(const struct directory *nodes, uint64_t numbers[NODES_MAX], size_t *n)
{
	DIR *stream = tree_list(nodes);
	const char *entry;
	int more = 0;

	if (!stream)
		return -errno;
	while (*n < NODES_MAX && (more = next_entry(stream, &entry)) == 1) {
		char name[32];

		if (strncmp(entry, "node", 4) ||
		    number_only(entry + 4, entry + strlen(entry), &numbers[*n]) ||
		    numbers[*n] > UINT_MAX)
			continue;
		/* a number has one name only */
		snprintf(name, sizeof(name), "node%llu", (unsigned long long)numbers[*n]);
		*n += !strcmp(name, entry);
	}
	closedir(stream);
	return more < 0 ? more : 0;
}

static int read_nodes(struct snapshot *snapshot)
{
	struct thpstat *source = snapshot->source;
	struct directory nodes, directory;
	uint64_t numbers[NODES_MAX];
	size_t n = 0;
	int error = open_part(source, &source->tree.sys, "devices/system/node", 1, &nodes);

	if (error)
		return can_do_without(error) ? 0 : error;
	error = list_nodes(&nodes, numbers, &n);
	qsort(numbers, n, sizeof(*numbers), compare_sizes);
	for (size_t i = 0; i < n && !error; i++) {
		char name[32];

		snprintf(name, sizeof(name), "node%llu", (unsigned long long)numbers[i]);
		error = open_part(source, &nodes, name, 0, &directory);
		if (!error) {
			error = read_node(snapshot, &directory, (unsigned int)numbers[i]);
			directory_close(&directory);
		} else if (can_do_without(error)) {
			error = 0;
		}
	}
	directory_close(&nodes);
	return error;
}

/*
 * The base page size: that of a mapping without hugetlb. Never asked of this machine's libc. 0 in
 * *ret when the process has none; 0 or a negative errno.
 */
static int base_page(struct mapping_walk *walk, const char *pid, uint64_t *ret)
{
	const struct tree *tree = &walk->source->tree;
	struct directory process;
	uint64_t smallest = 0;
	int error = tree_open_directory(tree, &tree->proc, pid, 0, &process), more = 1;

	if (error)
		return error;
	error = mapping_walk_begin(walk, &process);
	if (!error) {
		/* the first mappings are a program's own: no need to see them all */
		for (int i = 0; i < 4 && (more = mapping_walk_next(walk)) == 1; i++) {
			uint64_t size = usage_or_zero(&walk->usage, THPSTAT_KERNEL_PAGE_SIZE);

			if (size && (!smallest || size < smallest))
				smallest = size;
		}
		error = more < 0 ? more : 0;
		mapping_walk_end(walk);
	}
	directory_close(&process);
	if (!error)
		*ret = smallest;
	return error;
}

/* A tree has no process of ours: any will do. *reason tells of one that does not. */
static int base_page_of_any(struct mapping_walk *walk, uint64_t *ret, int *reason)
{
	DIR *stream = tree_list(&walk->source->tree.proc);
	int pid, more = 0, error = 0;

	if (!stream)
		return -errno;
	while (!*ret && !is_shortage(error) && (more = tree_next_number(stream, &pid)) == 1) {
		char name[16];

		snprintf(name, sizeof(name), "%d", pid);
		error = base_page(walk, name, ret);
		if (error)
			*reason = error;
	}
	closedir(stream);
	if (more < 0)
		return more;
	return is_shortage(error) ? error : 0;
}

static int read_base_page(struct snapshot *snapshot)
{
	const struct tree *tree = &snapshot->source->tree;
	struct mapping_walk *walk = malloc(sizeof(*walk));
	uint64_t size = 0;

	if (!walk)
		return -ENOMEM;
	mapping_walk_init(walk, snapshot->source);

	int reason = base_page(walk, "self", &size);
	int error = is_shortage(reason) ? reason : 0;

	if (!size && !error && tree->proc.fd >= 0)
		error = base_page_of_any(walk, &size, &reason);
	mapping_walk_free(walk);
	free(walk);
	if (size) {
		usage_set(&snapshot->usage, THPSTAT_PAGE_SIZE, size, THPSTAT_METHOD_EXACT);
	} else if (reason) {
		usage_absent(&snapshot->usage, THPSTAT_PAGE_SIZE, reason_of_error(reason));
		if (!can_do_without(reason) || is_forbidden(reason))
			tree_problem(tree, &tree->proc, "self/smaps", 0, reason,
				     "no page size can be had of this or any other");
	}
	return error;
}

/* Sizes that are known from elsewhere lack what is in a directory that could not be read. */
static void explain_page_sizes(struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->view.n_page_sizes; i++) {
		struct thpstat_usage *usage = own(snapshot->page_sizes[i].usage);

		if (snapshot->no_pools) {
			usage_absent_files(usage, FILE_POOL, snapshot->no_pools);
			pool_account(usage, snapshot->page_sizes[i].bytes);
		}
		if (snapshot->no_stats)
			usage_absent_files(usage, FILE_THP_STATS, snapshot->no_stats);
	}
}

/* Free blocks that a huge page fault can be given. */
static int read_free_blocks(struct snapshot *snapshot)
{
	struct thpstat_usage *host = &snapshot->usage;
	const struct tree *tree = &snapshot->source->tree;
	uint64_t base = usage_or_zero(host, THPSTAT_PAGE_SIZE);
	uint64_t pmd = usage_or_zero(host, THPSTAT_HPAGE_PMD_SIZE);
	uint64_t blocks;
	size_t length;
	char *text;

	if (!base || pmd < base) {
		usage_absent(host, THPSTAT_FREE_PMD_BLOCKS,
			     thpstat_usage_reason(host, base ? THPSTAT_HPAGE_PMD_SIZE
							     : THPSTAT_PAGE_SIZE));
		return 0;
	}

	int error =
		tree_read_file_alloc(tree, &tree->proc, "buddyinfo", FILE_LIMIT, &text, &length);

	if (error) {
		usage_absent(host, THPSTAT_FREE_PMD_BLOCKS, reason_of_error(error));
		return error == -ENOMEM ? error : 0;
	}
	if (!buddyinfo_free_blocks(text, length, (unsigned int)__builtin_ctzll(pmd / base),
				   &blocks))
		usage_set(host, THPSTAT_FREE_PMD_BLOCKS, blocks, THPSTAT_METHOD_EXACT);
	free(text);
	return 0;
}

int thpstat_host_read(struct thpstat *source, const struct thpstat_host **ret)
{
	if (!source || !ret)
		return -EINVAL;

	struct snapshot *snapshot = calloc(1, sizeof(*snapshot));
	const struct directory *proc = &source->tree.proc;
	int error;

	if (!snapshot)
		return -ENOMEM;
	snapshot->source = source;
	error = read_keys(source, proc, "meminfo", &source->meminfo, 0, FILE_MEMINFO,
			  &snapshot->usage);
	if (!error)
		error = read_keys(source, proc, "vmstat", &source->vmstat, 1, FILE_VMSTAT,
				  &snapshot->usage);
	if (!error)
		error = read_thp(snapshot);
	if (!error)
		error = default_pool(snapshot);
	explain_page_sizes(snapshot);
	if (!error)
		error = read_nodes(snapshot);
	if (!error)
		error = read_base_page(snapshot);
	if (!error)
		error = read_free_blocks(snapshot);
	other_pools(&snapshot->usage);

	struct thpstat_host *view = &snapshot->view;

	view->usage = &snapshot->usage;
	view->page_sizes = snapshot->page_sizes;
	view->policies = snapshot->policies;
	view->nodes = snapshot->nodes;
	snapshot->source = NULL;
	if (error) {
		thpstat_host_free(view);
		return error;
	}
	*ret = view;
	return 0;
}

static void free_page_sizes(struct thpstat_page_size *sizes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		thpstat_usage_free(own(sizes[i].usage));
	free(sizes);
}

static void free_text(const char *text)
{
	free((char *)(uintptr_t)text);
}

const struct thpstat_host *thpstat_host_free(const struct thpstat_host *host)
{
	struct snapshot *snapshot = (struct snapshot *)(uintptr_t)host;

	if (!snapshot)
		return NULL;
	free_page_sizes(snapshot->page_sizes, snapshot->view.n_page_sizes);
	for (size_t i = 0; i < snapshot->view.n_policies; i++) {
		free_text(snapshot->policies[i].knob);
		free_text(snapshot->policies[i].value);
		free_text(snapshot->policies[i].choices);
	}
	free(snapshot->policies);
	for (size_t i = 0; i < snapshot->view.n_nodes; i++) {
		struct thpstat_node *node = &snapshot->nodes[i];

		thpstat_usage_free(own(node->usage));
		free_page_sizes((struct thpstat_page_size *)(uintptr_t)node->page_sizes,
				node->n_page_sizes);
	}
	free(snapshot->nodes);
	free(snapshot);
	return NULL;
}

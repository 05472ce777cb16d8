/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "class_table.h"
#include "figure.h"
#include "memory.h"
#include "message.h"
#include "object_views.h"
#include "process_look.h"
#include "safe_text.h"
#include "terminal.h"
#include "user.h"

/* What all parts of one look share. */
struct look {
	const struct session *session;
	const struct thpstat_process *process;
	const struct thpstat_usage *usage;
	bool plain; /* sizes in bytes */
	struct object_views views;
};

static bool get(const struct look *look, enum thpstat_metric metric, uint64_t *ret)
{
	return figure_get(look->usage, metric, ret);
}

/* The head */

static char *owner_text(const struct session *session, const struct thpstat_process *process)
{
	const char *name = NULL;

	if (!(process->known & THPSTAT_PROCESS_KNOWS_UID))
		return memory_copy("");
	if (session->own_host)
		name = user_name(process->uid);
	return name ? memory_format(" %s", name) : memory_format(" uid %u", process->uid);
}

static char *head_text(const struct session *session, const struct thpstat_process *process)
{
	char *owner = owner_text(session, process);
	char *text = memory_format("%s (%d)%s%s%s", process->comm ? process->comm : "-",
				   process->pid, owner, process->cgroup ? "  " : "",
				   process->cgroup ? process->cgroup : "");
	char *safe = safe_text_for_terminal(text);

	free(owner);
	free(text);
	return safe;
}

static void print_head(const struct look *look, const char *policies)
{
	char *left = head_text(look->session, look->process);
	char *right = safe_text_for_terminal(policies);
	size_t width = safe_text_width(left) + 2 + safe_text_width(right);
	size_t columns = terminal_columns();
	bool bold = look->session->options->color;

	printf("%s%s%s", bold ? "\033[1m" : "", left, bold ? "\033[0m" : "");
	if (width <= columns)
		printf("%*s%s\n", (int)(columns - width + 2), "", right);
	else
		printf("\n%s\n", right);
	free(left);
	free(right);
}

static void print_without_memory(const struct look *look, const char *what)
{
	char *head = head_text(look->session, look->process);

	printf("%s: %s\n", head, what);
	free(head);
}

/* The lines below the table */

/* Amount and, when it is known, the object: "counts 1.00 GiB again: /memfd:heap is mapped 3 times".
 */
static void print_again(const struct look *look, char *amount)
{
	const struct object_views *views = &look->views;

	printf("   counts %s again", amount);
	free(amount);
	if (!views->name)
		return;

	char *text = object_views_text(views, " is mapped");

	printf(": %s", text);
	free(text);
	if (views->others)
		printf(", %zu other%s too", views->others, views->others > 1 ? "s" : "");
}

/*
 * What resident counts again, less what of it is hugetlb: that has a line of its own and is not in
 * Rss.
 */
static void print_rss(const struct look *look)
{
	uint64_t again, hugetlb, hugetlb_once, resident, low, high;

	figure_print("RSS", look->usage, THPSTAT_RSS, look->plain);
	if (!get(look, THPSTAT_HUGETLB, &hugetlb))
		hugetlb = 0;
	if (!hugetlb)
		hugetlb_once = 0;
	else if (!get(look, THPSTAT_HUGETLB_ONCE, &hugetlb_once))
		hugetlb_once = hugetlb + 1; /* not known, and so not what is left */
	if (hugetlb_once <= hugetlb && get(look, THPSTAT_COUNTED_AGAIN, &again)) {
		again -= hugetlb - hugetlb_once;
		if (again)
			print_again(look, figure_size(again, look->plain));
	} else if (!hugetlb && get(look, THPSTAT_RESIDENT, &resident) &&
		   get(look, THPSTAT_RESIDENT_ONCE_MIN, &low) &&
		   get(look, THPSTAT_RESIDENT_ONCE_MAX, &high) && high <= resident) {
		print_again(look, figure_interval(resident - high, resident - low, look->plain));
	}
	printf("\n");
}

static void print_hugetlb(const struct look *look)
{
	uint64_t hugetlb, once;

	if (!get(look, THPSTAT_HUGETLB, &hugetlb) || !hugetlb)
		return;
	figure_print("hugetlb", look->usage, THPSTAT_HUGETLB, look->plain);
	if (get(look, THPSTAT_HUGETLB_ONCE, &once) && once < hugetlb) {
		char *again = figure_size(hugetlb - once, look->plain);

		printf("   counts %s again", again);
		free(again);
	}
	printf("\n");
}

static void print_pss(const struct look *look)
{
	uint64_t swap;

	figure_print("PSS", look->usage, THPSTAT_PSS, look->plain);
	figure_print("   page tables", look->usage, THPSTAT_VM_PTE, look->plain);
	if (get(look, THPSTAT_SWAP, &swap) && swap)
		figure_print("   swap", look->usage, THPSTAT_SWAP, look->plain);
	printf("\n");
}

static void print_footprint(const struct look *look)
{
	static const char *const how[] = {
		[THPSTAT_METHOD_EXACT] = "footprint",
		[THPSTAT_METHOD_BOUND] = "footprint at most",
		[THPSTAT_METHOD_ESTIMATE] = "footprint about",
	};
	enum thpstat_method method = thpstat_usage_method(look->usage, THPSTAT_FOOTPRINT);

	if (method == THPSTAT_METHOD_NONE)
		return;
	figure_print(method <= THPSTAT_METHOD_ESTIMATE ? how[method] : "footprint", look->usage,
		     THPSTAT_FOOTPRINT, look->plain);
	printf("   PSS, hugetlb and page tables\n");
}

static void print_notes(const struct look *look)
{
	uint64_t enabled;

	if (get(look, THPSTAT_THP_ENABLED, &enabled) && !enabled)
		printf("THP is switched off for this process (prctl); huge pages it had stay\n");
	if (look->process->state == THPSTAT_PROCESS_LEADER_GONE)
		printf("its main thread ended; read through another thread\n");
	if (look->process->flags & THPSTAT_PROCESS_INCONSISTENT)
		printf("its mappings changed while they were read\n");
	if (look->process->flags & THPSTAT_PROCESS_CUT)
		printf("some mappings lack figures that others have: sums are of the rest\n");
}

/* Figures of this view that are absent for one reason: "not known (forbidden): pss, vm_pte". */
static void print_reason(const struct look *look, enum thpstat_reason reason)
{
	static const enum thpstat_metric shown[] = {
		THPSTAT_RSS,
		THPSTAT_PSS,
		THPSTAT_ANONYMOUS,
		THPSTAT_RESIDENT_SHMEM,
		THPSTAT_RESIDENT_FILE,
		THPSTAT_HUGETLB,
		THPSTAT_HUGE,
		THPSTAT_ANON_HUGE_PAGES,
		THPSTAT_SHMEM_PMD_MAPPED,
		THPSTAT_FILE_PMD_MAPPED,
		THPSTAT_RESIDENT_ONCE,
		THPSTAT_HUGE_ONCE,
		THPSTAT_SWAP,
		THPSTAT_VM_PTE,
		THPSTAT_FOOTPRINT,
	};
	const size_t columns = 80;
	size_t column = 0;

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		const char *name = thpstat_metric_info(shown[i])->name;

		if (thpstat_usage_reason(look->usage, shown[i]) != reason)
			continue;
		if (!column) {
			column = (size_t)printf("not known (%s): ", thpstat_reason_name(reason));
		} else if (column + strlen(", ,") + strlen(name) > columns) {
			column = strlen("  ");
			printf(",\n  ");
		} else {
			column += (size_t)printf(", ");
		}
		column += strlen(name);
		fputs(name, stdout);
	}
	if (column)
		printf("\n");
}

static void print_memory(const struct look *look)
{
	printf("\n");
	class_table_print(look->session->options, look->usage, &look->views);
	printf("\n");
	print_rss(look);
	print_hugetlb(look);
	print_pss(look);
	print_footprint(look);
	print_notes(look);
	for (int reason = 1; reason <= THPSTAT_REASON_OVERFLOW; reason++)
		print_reason(look, (enum thpstat_reason)reason);
}

/* What status tells of a process whose memory map is not known. */
static void print_status(const struct look *look, const char *why)
{
	const struct thpstat_usage *usage = look->usage;

	printf("its memory map is not known: %s\nstatus says: ", why);
	figure_print("RSS", usage, THPSTAT_VM_RSS, look->plain);
	figure_print(" (anonymous", usage, THPSTAT_RSS_ANON, look->plain);
	figure_print(", files", usage, THPSTAT_RSS_FILE, look->plain);
	figure_print(", shared memory", usage, THPSTAT_RSS_SHMEM, look->plain);
	printf(")\n            ");
	figure_print(" hugetlb", usage, THPSTAT_HUGETLB_PAGES, look->plain);
	figure_print("   page tables", usage, THPSTAT_VM_PTE, look->plain);
	figure_print("   swap", usage, THPSTAT_VM_SWAP, look->plain);
	printf("\n");
	print_notes(look);
}

/* Which object is behind what is counted again; only then is it worth another reading. */
static void find_views(struct look *look)
{
	uint64_t again;
	int error;

	if ((get(look, THPSTAT_COUNTED_AGAIN, &again) && !again) ||
	    !class_table_counts_once(look->usage))
		return;
	error = object_views_read(look->process, &look->views);
	if (error == -ENOMEM)
		memory_exhausted();
	if (error)
		message("%d: what is mapped several times is not known: %s", look->process->pid,
			message_of_error(error));
}

static void print_known(struct look *look)
{
	enum thpstat_reason reason = thpstat_usage_reason(look->usage, THPSTAT_RSS);

	if (reason != THPSTAT_REASON_NONE) {
		print_status(look, look->process->error ? message_of_error(look->process->error)
							: thpstat_reason_name(reason));
		return;
	}
	find_views(look);
	print_memory(look);
	object_views_free(&look->views);
}

void process_look_print(const struct session *session, const struct thpstat_process *process,
			const char *policies)
{
	struct look look = {
		.session = session,
		.process = process,
		.usage = process->usage,
		.plain = session->options->bytes,
	};

	switch (process->state) {
	case THPSTAT_PROCESS_KERNEL_THREAD:
		print_without_memory(&look, "a kernel thread, it has no memory of its own");
		break;
	case THPSTAT_PROCESS_ZOMBIE:
		print_without_memory(&look, "a zombie, it ended and its memory is freed");
		break;
	default:
		print_head(&look, policies);
		print_known(&look);
	}
}

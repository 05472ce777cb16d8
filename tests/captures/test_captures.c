/* SPDX-License-Identifier: MIT */
/*
 * Trees captured from real kernels, each with a truth.json: what a workload knows that it mapped,
 * and what pagemap, kpageflags and kpagecount said of it. See README.md.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "captures/capture.h"
#include "support/files.h"
#include "support/json_file.h"

/* The trees, and how many figures must at least be compared in each. */
static const struct tree trees[] = {
	{ "arm64-6.1.0-57-cloud-arm64", 6431 },
	{ "arm64-6.12.118+deb13-arm64-16k", 6888 },
	{ "arm64-6.12.118+deb13-cloud-arm64", 6875 },
	{ "ppc64el-6.1.0-50-powerpc64le", 6365 },
	{ "ppc64el-6.12.107+deb13-powerpc64le-64k", 6718 },
	{ "ppc64el-7.2.13+deb14-powerpc64le-64k", 6748 },
	{ "s390x-6.12.107+deb13-s390x", 6300 },
	{ "x86_64-5.10.0-46-cloud-amd64-cgv1", 6322 },
	{ "x86_64-5.10.0-46-cloud-amd64", 6322 },
	{ "x86_64-6.1.0-57-cloud-amd64-cgv1", 6374 },
	{ "x86_64-6.1.0-57-cloud-amd64", 6374 },
	{ "x86_64-6.12.118+deb13-cloud-amd64-pku", 6819 },
	{ "x86_64-6.18.15+deb13-cloud-amd64", 6862 },
};

static void check_source(struct capture *capture)
{
	tally_text(&capture->tally, thpstat_kernel(capture->source),
		   json_text(capture->truth, "kernel"), "kernel");
	tally_equal(&capture->tally, (uint64_t)thpstat_is_live(capture->source), 0, "live");
}

static void count_problem(void *userdata, const struct thpstat_problem *problem)
{
	struct tally *tally = userdata;

	tally_holds(tally, false, "no problem is met: %s line %" PRIu64 ": %s", problem->path,
		    problem->line, problem->text);
}

/* Unpacks the tree of *state, which becomes the capture. */
static int open_tree(void **state)
{
	const struct tree *tree = *state;
	struct capture *capture = calloc(1, sizeof(*capture));
	const char *data = getenv("THPSTAT_CAPTURES");
	struct thpstat_open_options options = { .size = sizeof(options) };
	char *archive;

	if (!data)
		fail_msg("THPSTAT_CAPTURES is not set");
	assert_non_null(capture);
	*state = capture;
	capture->tree = tree;
	capture->tally.subject = tree->name;
	capture->scratch = scratch_make();
	archive = format_text("%s/%s.tar.gz", data, tree->name);
	scratch_unpack(capture->scratch, archive);
	free(archive);
	capture->root = format_text("%s/%s", capture->scratch, tree->name);
	options.root = capture->root;
	options.on_problem = count_problem;
	options.userdata = &capture->tally;
	assert_int_equal(thpstat_open(&options, &capture->source), 0);
	return 0;
}

static int close_tree(void **state)
{
	struct capture *capture = *state;

	assert_null(thpstat_close(capture->source));
	for (size_t i = 0; i < capture->n_processes; i++)
		mapping_list_free(&capture->processes[i].mappings);
	free(capture->processes);
	free(capture->regions);
	json_decref(capture->truth);
	free(capture->root);
	scratch_remove(capture->scratch);
	free(capture);
	return 0;
}

static void check_tree(void **state)
{
	struct capture *capture = *state;

	read_truth(capture);
	read_processes(capture);
	check_source(capture);
	check_regions(capture);
	check_states(capture);
	for (size_t i = 0; i < capture->n_processes; i++) {
		const struct process_truth *process = &capture->processes[i];

		check_rollup(capture, process);
		if (!process->mappings.n)
			continue;
		check_stacks(capture, process);
		check_once(capture, process);
		check_shmem(capture, process);
		check_footprint(capture, process);
	}
	check_host(capture);
	check_cgroups(capture);
	tally_finish(&capture->tally, capture->tree->minimum);
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(trees)];

	for (size_t i = 0; i < ARRAY_SIZE(trees); i++)
		tests[i] = (struct CMUnitTest){
			.name = trees[i].name,
			.test_func = check_tree,
			.setup_func = open_tree,
			.teardown_func = close_tree,
			/* cmocka hands it on as it is; nobody writes there */
			.initial_state = (void *)(uintptr_t)&trees[i],
		};
	return cmocka_run_group_tests_name("captures", tests, NULL, NULL);
}

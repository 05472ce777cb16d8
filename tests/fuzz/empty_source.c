/* SPDX-License-Identifier: MIT */
#include "empty_source.h"
#include "fuzz.h"

struct thpstat *empty_source(void)
{
	static struct thpstat *source;
	/* any directories, which are then left */
	const struct thpstat_open_options options = {
		.size = sizeof(options), .proc = "/dev", .sys = "/dev", .cgroup = "/dev"
	};

	if (source)
		return source;
	fuzz_require(!thpstat_open(&options, &source), "a source");
	directory_close(&source->tree.proc);
	directory_close(&source->tree.sys);
	directory_close(&source->tree.cgroup);
	return source;
}

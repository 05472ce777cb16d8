/* SPDX-License-Identifier: MIT */
/* walk PID - every mapping of a process by the library, as a monitoring agent would */
#include <stdlib.h>

#include <thpstat/thpstat.h>

static int walk(struct thpstat *source, int pid)
{
	const struct thpstat_mapping *mapping;
	struct thpstat_mappings *mappings;
	uint64_t huge = 0, value;
	int more;

	if (thpstat_mappings_open(source, pid, &mappings))
		return -1;
	while ((more = thpstat_mappings_next(mappings, &mapping)) == 1)
		if (!thpstat_usage_get(mapping->usage, THPSTAT_HUGE, &value))
			huge += value;
	thpstat_mappings_close(mappings);
	return more || huge == UINT64_MAX;
}

int main(int argc, char **argv)
{
	struct thpstat *source;
	int failed;

	if (argc != 2 || thpstat_open(NULL, &source))
		return EXIT_FAILURE;
	failed = walk(source, atoi(argv[1]));
	thpstat_close(source);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

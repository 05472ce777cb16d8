/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <thpstat/thpstat.h>

int main(void)
{
	const struct thpstat_process *p;
	struct thpstat_processes *walk;
	struct thpstat *source;
	uint64_t rss, huge;
	double coverage;

	if (thpstat_open(NULL, &source) || thpstat_processes_open(source, NULL, &walk))
		return 1;
	while (thpstat_processes_next(walk, &p) == 1)
		if (!thpstat_usage_get(p->usage, THPSTAT_RSS, &rss) &&
		    !thpstat_usage_get(p->usage, THPSTAT_HUGE, &huge) &&
		    !thpstat_usage_ratio(p->usage, THPSTAT_COVERAGE, &coverage))
			printf("%d %ju %ju %.3f\n", p->pid, rss, huge, coverage);
	thpstat_processes_close(walk);
	thpstat_close(source);
	return 0;
}

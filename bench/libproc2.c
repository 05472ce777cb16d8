/* SPDX-License-Identifier: MIT */
/* Every figure of smaps_rollup that libproc2 has, of every process. */
#include <stdlib.h>

#include <libproc2/pids.h>

int main(void)
{
	enum pids_item items[] = {
		PIDS_ID_PID,	     PIDS_SMAP_RSS,	    PIDS_SMAP_PSS,
		PIDS_SMAP_PSS_ANON,  PIDS_SMAP_PSS_FILE,    PIDS_SMAP_PSS_SHMEM,
		PIDS_SMAP_SHR_CLEAN, PIDS_SMAP_SHR_DIRTY,   PIDS_SMAP_PRV_CLEAN,
		PIDS_SMAP_PRV_DIRTY, PIDS_SMAP_REFERENCED,  PIDS_SMAP_ANONYMOUS,
		PIDS_SMAP_LAZY_FREE, PIDS_SMAP_HUGE_ANON,   PIDS_SMAP_HUGE_SHMEM,
		PIDS_SMAP_HUGE_FILE, PIDS_SMAP_HUGE_TLBPRV, PIDS_SMAP_HUGE_TLBSHR,
		PIDS_SMAP_SWAP,	     PIDS_SMAP_SWAP_PSS,    PIDS_SMAP_LOCKED,
	};
	struct pids_info *info = NULL;
	struct pids_fetch *found;

	if (procps_pids_new(&info, items, sizeof(items) / sizeof(items[0])) < 0)
		return EXIT_FAILURE;
	found = procps_pids_reap(info, PIDS_FETCH_TASKS_ONLY);
	procps_pids_unref(&info);
	return found ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_PROCESS_FILES_H
#define TESTS_UNIT_PROCESS_FILES_H

/* Files of a process, whose figures agree with each other. In kB: */
#define APP_RSS 3100
#define APP_PSS 2083 /* of the rollup */
#define APP_PSS_SUM 2080
#define APP_ANONYMOUS 1100
#define APP_SHMEM 1500
#define APP_FILE 500
#define APP_ANON_HUGE 512
#define APP_SHMEM_HUGE 1024
#define APP_PTE 40

#define APP_STATUS                                                                                 \
	"Name:\tapp\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t10\nPid:\t10\nPPid:\t7\n"          \
	"Uid:\t1000\t1001\t1000\t1000\nVmSize:\t    8192 kB\nVmHWM:\t    4000 kB\n"                \
	"VmRSS:\t    3100 kB\nRssAnon:\t    1100 kB\nRssFile:\t     500 kB\n"                      \
	"RssShmem:\t    1500 kB\nVmPTE:\t      40 kB\nVmSwap:\t       0 kB\n"                      \
	"HugetlbPages:\t       0 kB\nTHP_enabled:\t1\nThreads:\t2\n"

/* One record; @size, @rss ... in kB. */
#define RECORD(header, size, rss, pss, shared, private, anonymous, ahp, spm, flags)                \
	header "\n"                                                                                \
	       "Size:           " size " kB\n"                                                     \
	       "KernelPageSize:        4 kB\n"                                                     \
	       "MMUPageSize:           4 kB\n"                                                     \
	       "Rss:            " rss " kB\n"                                                      \
	       "Pss:            " pss " kB\n"                                                      \
	       "Shared_Clean:          0 kB\n"                                                     \
	       "Shared_Dirty:   " shared " kB\n"                                                   \
	       "Private_Clean:         0 kB\n"                                                     \
	       "Private_Dirty:  " private " kB\n"                                                  \
					  "Referenced:     " rss " kB\n"                           \
					  "Anonymous:      " anonymous " kB\n"                     \
					  "KSM:                   0 kB\n"                          \
					  "LazyFree:              0 kB\n"                          \
					  "AnonHugePages:  " ahp " kB\n"                           \
					  "ShmemPmdMapped: " spm " kB\n"                           \
					  "FilePmdMapped:         0 kB\n"                          \
					  "Shared_Hugetlb:        0 kB\n"                          \
					  "Private_Hugetlb:       0 kB\n"                          \
					  "Swap:                  0 kB\n"                          \
					  "SwapPss:               0 kB\n"                          \
					  "Locked:                0 kB\n"                          \
					  "THPeligible:           0\n"                             \
					  "VmFlags: " flags "\n"

#define APP_TEXT                                                                                   \
	RECORD("00400000-00600000 r-xp 00000000 fd:03 99                /bin/app", "    2048",     \
	       "     600", "     380", "     400", "     200", "     100", "       0", "       0", \
	       "rd ex mr mw me")
#define APP_HEAP                                                                                   \
	RECORD("00800000-00c00000 rw-p 00000000 00:00 0                 [heap]", "    4096",       \
	       "    1000", "    1000", "       0", "    1000", "    1000", "     512", "       0", \
	       "rd wr mr mw me ac hg")
#define APP_SHARED                                                                                 \
	RECORD("7f0000000000-7f0000200000 rw-s 00000000 00:01 42        /memfd:x (deleted)",       \
	       "    2048", "    1500", "     700", "    1500", "       0", "       0", "       0", \
	       "    1024", "rd wr sh mr mw me ms")
#define APP_SMAPS APP_TEXT APP_HEAP APP_SHARED

#define APP_ROLLUP                                                                                 \
	"00400000-7ffd1d052000 ---p 00000000 00:00 0                    [rollup]\n"                \
	"Rss:                3100 kB\n"                                                            \
	"Pss:                2083 kB\n"                                                            \
	"Pss_Anon:           1090 kB\n"                                                            \
	"Pss_File:            293 kB\n"                                                            \
	"Pss_Shmem:           700 kB\n"                                                            \
	"Shared_Clean:          0 kB\n"                                                            \
	"Shared_Dirty:       1900 kB\n"                                                            \
	"Private_Clean:         0 kB\n"                                                            \
	"Private_Dirty:      1200 kB\n"                                                            \
	"Referenced:         3100 kB\n"                                                            \
	"Anonymous:          1100 kB\n"                                                            \
	"KSM:                   0 kB\n"                                                            \
	"LazyFree:              0 kB\n"                                                            \
	"AnonHugePages:       512 kB\n"                                                            \
	"ShmemPmdMapped:     1024 kB\n"                                                            \
	"FilePmdMapped:         0 kB\n"                                                            \
	"Shared_Hugetlb:        0 kB\n"                                                            \
	"Private_Hugetlb:       0 kB\n"                                                            \
	"Swap:                  0 kB\n"                                                            \
	"SwapPss:               0 kB\n"                                                            \
	"Locked:                0 kB\n"

#define APP_MOUNTINFO "30 1 253:3 / / rw - ext4 /dev/x rw\n"

#endif

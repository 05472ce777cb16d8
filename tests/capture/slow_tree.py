# SPDX-License-Identifier: MIT
"""A tree that takes its time: many processes, whose files are one file each with many names."""

import os

MEBIBYTE = 1 << 20


def record(number):
    start = 0x10000000 + number * 0x10000
    fields = [("Size", 64), ("KernelPageSize", 4), ("MMUPageSize", 4), ("Rss", 64), ("Pss", 64),
              ("Shared_Clean", 0), ("Shared_Dirty", 0), ("Private_Clean", 0), ("Private_Dirty", 64),
              ("Referenced", 64), ("Anonymous", 64), ("AnonHugePages", 0), ("ShmemPmdMapped", 0),
              ("FilePmdMapped", 0), ("Shared_Hugetlb", 0), ("Private_Hugetlb", 0), ("Swap", 0),
              ("SwapPss", 0), ("Locked", 0)]
    text = f"{start:08x}-{start + 0x10000:08x} rw-p 00000000 00:00 0 \n"
    text += "".join(f"{key + ':':16}{value:8} kB\n" for key, value in fields)
    return text + "THPeligible:           0\nVmFlags: rd wr mr mw me ac \n"


def make(root, size, processes):
    """Each process reads so many bytes of smaps."""
    files = {
        "status": "Name:\tslow\nState:\tS (sleeping)\nPPid:\t1\nUid:\t0\t0\t0\t0\n"
                  "VmSize:\t 64 kB\nVmRSS:\t 64 kB\nThreads:\t1\n",
        "stat": f"1 (slow) S {'1 ' * 40}\n",
        "cgroup": "0::/\n",
        "cmdline": "slow\0",
    }
    one = record(0)
    files["smaps"] = "".join(record(i) for i in range(size // len(one)))
    (root / "proc").mkdir(parents=True)
    for name, text in files.items():
        (root / name).write_text(text)
    for pid in range(1, processes + 1):
        os.mkdir(root / "proc" / str(pid))
        for name in files:
            os.link(root / name, root / "proc" / str(pid) / name)
    return root


def about(seconds):
    """Size and number for a walk that takes about so long on a usual machine, or much longer."""
    slower = 30 if os.environ.get("THPSTAT_WRAPPER") else 4 if os.environ.get("THPSTAT_SLOW") else 1
    return int(16 * MEBIBYTE / slower), int(60 * seconds)

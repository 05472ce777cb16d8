# SPDX-License-Identifier: MIT
"""
Trees for the cases that no captured tree has. They are written out here, not kept as files, so that
each odd byte can be seen.
"""

FIELDS = ("Size", "KernelPageSize", "MMUPageSize", "Rss", "Pss", "Shared_Clean", "Shared_Dirty",
          "Private_Clean", "Private_Dirty", "Referenced", "Anonymous", "LazyFree", "AnonHugePages",
          "ShmemPmdMapped", "FilePmdMapped", "Shared_Hugetlb", "Private_Hugetlb", "Swap",
          "SwapPss", "Locked")


def mapping(first_line, flags=None, **kib):
    """One record of smaps, or smaps_rollup. Fields that are not given are 0."""
    text = first_line + b"\n"
    for field in FIELDS:
        if flags is None and field in ("Size", "KernelPageSize", "MMUPageSize"):
            continue
        usual = 4 if field.endswith("PageSize") else 0
        text += b"%-16s%8d kB\n" % (field.encode() + b":", kib.get(field, usual))
    if flags is not None:
        text += b"THPeligible:           0\nVmFlags: %s \n" % flags
    return text


def status(name, uid=1000, **kib):
    text = b"Name:\t%s\nState:\tS (sleeping)\nTgid:\t0\nPPid:\t1\n" % name
    text += b"Uid:\t%d\t%d\t%d\t%d\n" % (uid, uid, uid, uid)
    for field in ("VmSize", "VmRSS", "RssAnon", "RssFile", "RssShmem", "VmPTE", "VmSwap",
                  "HugetlbPages"):
        text += b"%s:\t%8d kB\n" % (field.encode(), kib.get(field, 0))
    return text + b"Threads:\t1\n"


def anonymous(kib, name=b""):
    """smaps of a process that touched so much anonymous memory, all of it in one mapping."""
    line = b"10000000-%08x rw-p 00000000 00:00 0 %s" % (0x10000000 + kib * 1024, name)
    return mapping(line, b"rd wr mr mw me ac", Size=kib, Rss=kib, Pss=kib, Private_Dirty=kib,
                   Anonymous=kib)


def rollup(kib):
    return mapping(b"10000000-7ffff000 ---p 00000000 00:00 0                          [rollup]",
                   Rss=kib, Pss=kib, Private_Dirty=kib, Anonymous=kib)


def ordinary(pid, name, kib, **more):
    """All files of a process with anonymous memory only."""
    files = {
        "status": status(name, VmSize=kib, VmRSS=kib, RssAnon=kib, VmPTE=20),
        "smaps": anonymous(kib),
        "smaps_rollup": rollup(kib),
        "cgroup": b"0::/\n",
        "cmdline": name + b"\0",
        **more,
    }
    return {f"proc/{pid}/{file}": text for file, text in files.items() if text is not None}


# What a name can do to a terminal, to JSON and to separated fields.
NAMES = {
    11: b"\x1b[31mred\x1b[0m",
    12: b"bell\a\r\tend",
    13: b"a\\nb\\\\c",  # as the kernel writes a newline and a backslash
    14: b"rtl\xe2\x80\xaetxt.exe",
    15: b"\xffbytes\xc3",
    16: b"\"quote'<&>%s$x",
    17: b"caf\xc3\xa9 \xe6\x97\xa5\xe6\x9c\xac",
    18: b"\xc2\x9b31mC1",  # a control character of two bytes
    19: b" ",
}


def hostile():
    files = {}
    for pid, name in NAMES.items():
        files.update(ordinary(pid, name, 40, cgroup=b"0::/" + name + b"\n"))
    # an object whose name is shown, because it is mapped twice
    twice = b"".join(
        mapping(b"%08x-%08x rw-s 00000000 00:01 77 /memfd:\x1b]0;title\a\\012end (deleted)"
                % (start, start + 0x8000), b"rd wr sh mr mw me ms", Size=32, Rss=32, Pss=16,
                Shared_Dirty=32)
        for start in (0x10000000, 0x20000000))
    files.update(ordinary(20, b"twice", 64, smaps=twice, smaps_rollup=None))
    thp = "sys/kernel/mm/transparent_hugepage/"
    files[thp + "enabled"] = b"always [\x1b[5mmadvise] never\n"
    files[thp + "defrag"] = b"always defer [madvise\xe2\x80\xae] never\n"
    files[thp + "shmem_enabled"] = b"always \"within_size adv\xffise [\"never\"]\n"
    files[thp + "hpage_pmd_size"] = b"2097152\n"
    files["proc/sys/kernel/osrelease"] = b"6.1\x1b[31m\"\n"
    return files


def bounds():
    """Two views of one object, each half touched: what is there once cannot be known."""
    views = b"".join(
        mapping(b"%08x-%08x rw-s 00000000 00:01 5 /memfd:heap (deleted)" % (start, start + 0x2000),
                b"rd wr sh mr mw me ms", Size=8, Rss=4, Pss=pss, Shared_Dirty=4)
        for start, pss in ((0x10000000, 2), (0x20000000, 2)))
    return ordinary(30, b"views", 8, smaps=views, smaps_rollup=None)


def cut():
    """Files that end in the middle."""
    whole = anonymous(64, b"[heap]")
    return {
        **ordinary(40, b"whole", 64),
        **ordinary(41, b"cut", 64, smaps=whole[:len(whole) // 2], smaps_rollup=None),
        **ordinary(42, b"rollup-cut", 64, smaps=None, smaps_rollup=rollup(64)[:300]),
        **ordinary(43, b"malformed", 64, smaps=None,
                   smaps_rollup=rollup(64).replace(b" 64 kB", b" 6x kB")),
    }


def forbidden():
    """Files that could not be read when the tree was taken."""
    errors = (b"proc/51/smaps\tEACCES\nproc/51/smaps_rollup\tEACCES\n"
              b"sys/kernel/mm/transparent_hugepage/defrag\tEACCES\n"
              b"proc/buddyinfo\tEACCES\nproc/vmstat\tEACCES\n")
    return {
        **ordinary(50, b"open", 64),
        **ordinary(51, b"closed", 128, smaps=None, smaps_rollup=None),
        "errors.tsv": errors,
        "sys/kernel/mm/transparent_hugepage/enabled": b"[always] madvise never\n",
        "sys/kernel/mm/transparent_hugepage/hpage_pmd_size": b"2097152\n",
        "proc/meminfo": b"MemTotal:        1048576 kB\nMemFree:          524288 kB\n",
    }


def large():
    """Sums that JSON readers cannot hold, and a number that does not fit in 64 bits."""
    def smaps(kib):
        return mapping(b"10000000-20000000 rw-p 00000000 00:00 0 ", b"rd wr", Size=kib, Rss=kib,
                       Pss=4, Private_Dirty=4, Anonymous=4)
    return {
        **ordinary(60, b"above-int64", 4, smaps=smaps(2 ** 53), smaps_rollup=None),
        **ordinary(61, b"above-uint64", 4, smaps=smaps(2 ** 54), smaps_rollup=None),
    }


def nodes():
    """Two nodes, one of them with a pool of its own."""
    files = {
        "proc/meminfo": b"MemTotal:        4194304 kB\nMemFree:         1048576 kB\n"
                        b"HugePages_Total:       8\nHugePages_Free:        4\n"
                        b"HugePages_Rsvd:        1\nHugePages_Surp:        2\n"
                        b"Hugepagesize:       2048 kB\nHugetlb:           16384 kB\n",
    }
    pool = {"nr_hugepages": 8, "free_hugepages": 4, "resv_hugepages": 1, "surplus_hugepages": 2,
            "nr_overcommit_hugepages": 3, "nr_hugepages_mempolicy": 8}
    for file, pages in pool.items():
        files[f"sys/kernel/mm/hugepages/hugepages-2048kB/{file}"] = b"%d\n" % pages
    for node, (total, free, used) in enumerate(((8, 4, 512), (0, 0, 0))):
        below = f"sys/devices/system/node/node{node}/"
        files[below + "meminfo"] = (
            b"Node %d MemTotal:        2097152 kB\nNode %d MemFree:          524288 kB\n"
            b"Node %d AnonHugePages:     %5d kB\nNode %d HugePages_Total:   %5d\n"
            % (node, node, node, used * 4, node, total))
        for file, pages in (("nr", total), ("free", free), ("surplus", total // 4)):
            files[f"{below}hugepages/hugepages-2048kB/{file}_hugepages"] = b"%d\n" % pages
    return files


TREES = {
    "bounds": bounds,
    "cut": cut,
    "forbidden": forbidden,
    "hostile": hostile,
    "large": large,
    "nodes": nodes,
}


def write_all(directory):
    for name, make in TREES.items():
        for path, text in make().items():
            file = directory / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
    (directory / "empty" / "proc").mkdir(parents=True)
    (directory / "nothing").mkdir()

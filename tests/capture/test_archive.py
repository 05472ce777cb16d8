#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Trees that are read from a tar.gz: every form of one, hostile ones, and that nothing of it stays.
"""

import functools
import gzip
import io
import os
import signal
import subprocess
import sys
import tarfile
import time

sys.dont_write_bytecode = True
import slow_tree  # noqa: E402
from tool import LIMITED, TESTS, answers, check, entries, files_of, main, same  # noqa: E402

CASE = TESTS / "cases" / "035-zgc-three-views"
MEMINFO = b"MemTotal:        1024 kB\nMemFree:          512 kB\n"


class Archive:
    """A tar.gz that is written member by member."""

    def __init__(self, path, **more):
        self.path = path
        self.tar = tarfile.open(path, "w:gz", **more)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tar.close()

    def add(self, name, data=b"", kind=tarfile.REGTYPE, link="", size=None):
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, link
        info.size = len(data) if size is None else size
        self.tar.addfile(info, io.BytesIO(data))


def run(tool, directory, archive, *command):
    """Runs with a TMPDIR of its own, which must be empty afterwards."""
    temporary = directory / "tmp"
    temporary.mkdir(exist_ok=True)
    done = tool.run("--sysroot", archive, *(command or ["host", "-J"]),
                    env={"TMPDIR": str(temporary)}, cwd=directory)
    same(entries(temporary), [], f"{archive}: nothing stays in TMPDIR")
    return done


def refused(tool, directory, archive, why):
    done = run(tool, directory, archive)
    lines = done.stderr.decode().splitlines()
    same((done.returncode, done.stdout, len(lines)), (1, b"", 1), f"{archive.name}: {lines}")
    check(why in lines[0], f"{archive.name}: {lines[0]}, not {why}")


def read(tool, directory, archive):
    done = run(tool, directory, archive)
    same((done.returncode, done.stderr), (0, b""), archive.name)
    check(b'"mem_total": 1048576,' in done.stdout, f"{archive.name}: meminfo is read")


def test_forms(tool, directory):
    (directory / "tmp").mkdir()
    wanted = answers(tool, CASE)
    for name, top in (("top.tar.gz", "case"), ("dot.tgz", "."), ("none.tar.gz", ""),
                      ("dots.tar.gz", "./case"), ("any name", "case")):
        with tarfile.open(directory / name, "w:gz") as tar:
            if top:
                tar.add(CASE, top)
            else:
                for path in CASE.iterdir():
                    tar.add(path, path.name)
        same(answers(tool, directory / name), wanted, name)
    os.symlink("top.tar.gz", directory / "link")
    same(answers(tool, directory / "link"), wanted, "by a link")
    # the same with --proc beside it
    with tarfile.open(directory / "none.tar.gz") as tar:
        tar.extractall(directory / "tree")
    done = run(tool, directory, directory / "top.tar.gz", "ps", "--proc", directory / "tree/proc",
               "-J")
    same(done.returncode, 0, done.stderr)
    read_forms_of_tar(tool, directory)


def read_forms_of_tar(tool, directory):
    for name, form in (("gnu.tgz", tarfile.GNU_FORMAT), ("pax.tgz", tarfile.PAX_FORMAT),
                       ("ustar.tgz", tarfile.USTAR_FORMAT)):
        with Archive(directory / name, format=form) as archive:
            archive.add("x/proc/meminfo", MEMINFO)
            archive.add("x/" + "/".join(["d" * 40] * (2 if form == tarfile.USTAR_FORMAT else 20)))
        read(tool, directory, directory / name)
    with tarfile.open(directory / "plain.tar", "w") as tar:
        info = tarfile.TarInfo("proc/meminfo")
        info.size = len(MEMINFO)
        tar.addfile(info, io.BytesIO(MEMINFO))
    read(tool, directory, directory / "plain.tar")


def test_places(tool, directory):
    """Without TMPDIR it is /tmp; a TMPDIR that is no directory is said to be none."""
    with Archive(directory / "a.tgz") as archive:
        archive.add("proc/meminfo", MEMINFO)
    places = [("", 0), (str(directory / "none"), 1), (str(directory / "a.tgz"), 1)]
    if os.environ.get("THPSTAT_WRAPPER"):  # valgrind needs a TMPDIR, too
        places = places[:1]
    for place, status in places:
        done = tool.run("--sysroot", directory / "a.tgz", "host", "-J", env={"TMPDIR": place})
        same((done.returncode, len(done.stderr.splitlines())), (status, status), place)
        check(not place or f"cannot unpack in {place}: ".encode() in done.stderr, done.stderr)
    done = tool.run("--sysroot", directory / "a.tgz", "--proc", directory / "none", "host")
    same(done.stderr.decode(),
         f"thpstat: cannot open {directory}/none: No such file or directory\n",
         "another directory is not there")


def test_links(tool, directory):
    """Links, devices and FIFOs are no part of a tree; what is behind them is not reached."""
    outside = directory / "outside"
    outside.mkdir()
    (outside / "vmstat").write_text("thp_fault_alloc 4711\n")
    before = files_of(outside)
    with Archive(directory / "links.tgz") as archive:
        archive.add("proc/meminfo", MEMINFO)
        archive.add("proc/vmstat", kind=tarfile.SYMTYPE, link=str(outside / "vmstat"))
        archive.add("proc/12", kind=tarfile.SYMTYPE, link=str(outside))
        archive.add("proc/12/status", b"Name:\tx\n")
        archive.add("sys", kind=tarfile.SYMTYPE, link=str(outside))
        archive.add("sys/vmstat", b"overwritten")
        archive.add("proc/hard", kind=tarfile.LNKTYPE, link=str(outside / "vmstat"))
        archive.add("proc/hard2", kind=tarfile.LNKTYPE, link="proc/meminfo")
        archive.add("proc/buddyinfo", kind=tarfile.FIFOTYPE)
        archive.add("proc/version", kind=tarfile.CHRTYPE)
        archive.add("proc/block", kind=tarfile.BLKTYPE)
    read(tool, directory, directory / "links.tgz")
    done = run(tool, directory, directory / "links.tgz", "host", "-J")
    check(b"4711" not in done.stdout, "a link that leads out is not followed")
    same(files_of(outside), before, "nothing outside is written")


def test_hostile(tool, directory):
    outside = directory / "outside"
    outside.mkdir()
    before = files_of(outside)
    names = {
        "up.tgz": "../outside/file", "up2.tgz": "proc/../../outside/file",
        "up3.tgz": "x/../../../../../../../.." + str(outside) + "/file", "up4.tgz": "proc/..",
        "absolute.tgz": str(outside / "file"), "absolute2.tgz": "//" + str(outside) + "/file",
        "dot.tgz": "proc/./meminfo", "double.tgz": "proc//meminfo",
        "deep.tgz": "d/" * 100 + "file", "long.tgz": "n" * 256, "empty.tgz": ".",
    }
    for name, member in names.items():
        with Archive(directory / name, format=tarfile.PAX_FORMAT) as archive:
            archive.add("proc/meminfo", MEMINFO)
            archive.add(member, b"overwritten")
        refused(tool, directory, directory / name, "not a tar.gz of a tree, or damaged")
    with Archive(directory / "updirectory.tgz") as archive:
        archive.add("../outside/new", kind=tarfile.DIRTYPE)
    refused(tool, directory, directory / "updirectory.tgz", "damaged")
    with Archive(directory / "twice.tgz") as archive:
        archive.add("proc/meminfo", MEMINFO)
        archive.add("proc/meminfo", MEMINFO)
    refused(tool, directory, directory / "twice.tgz", "damaged")
    with Archive(directory / "both.tgz") as archive:
        archive.add("proc", MEMINFO)
        archive.add("proc/meminfo", MEMINFO)
    refused(tool, directory, directory / "both.tgz", "damaged")
    same(files_of(outside), before, "nothing outside is written")


def test_damaged(tool, directory):
    with Archive(directory / "whole.tgz") as archive:
        archive.add("proc/meminfo", MEMINFO)
        archive.add("proc/noise", os.urandom(100000))
    whole = (directory / "whole.tgz").read_bytes()
    broken = bytearray(gzip.decompress(whole))
    broken[1024 + 20] ^= 1  # the name of the second member, which has a checksum
    files = {
        "cut.tgz": whole[:len(whole) // 2], "cut early.tgz": whole[:200],
        "broken.tgz": gzip.compress(broken),
        "nothing.tgz": b"", "text.tgz": b"hello\n" * 1000, "gzip.tgz": gzip.compress(b"hello"),
        "noise.tgz": os.urandom(5000),
        "zip.tgz": b"PK\3\4" + bytes(100), "tar of zeros.tgz": gzip.compress(bytes(10240)),
    }
    for name, data in files.items():
        (directory / name).write_bytes(data)
        done = run(tool, directory, directory / name)
        same((done.returncode, done.stdout, len(done.stderr.splitlines())), (1, b"", 1),
             f"{name}: {done.stderr}")
    with Archive(directory / "elsewhere.tgz") as archive:
        archive.add("a/b/proc/meminfo", MEMINFO)
    refused(tool, directory, directory / "elsewhere.tgz", "no proc, sys or sys/fs/cgroup in it")
    with Archive(directory / "two.tgz") as archive:
        archive.add("a/proc/meminfo", MEMINFO)
        archive.add("b/proc/meminfo", MEMINFO)
    refused(tool, directory, directory / "two.tgz", "no proc, sys or sys/fs/cgroup in it")
    for name in ("/dev/null", "/dev/zero"):
        done = run(tool, directory, name)
        same((done.returncode, len(done.stderr.splitlines())), (1, 1), name)


def test_too_large(tool, directory):
    """What claims to be larger than the limit is not unpacked at all; a bomb ends at the limit."""
    path = directory / "claim.tgz"
    info = tarfile.TarInfo("proc/meminfo")
    info.size = 5 << 30
    path.write_bytes(gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 16)))
    refused(tool, directory, path, "too large")


def test_many(tool, directory):
    """More members than a capture of any host has."""
    header = tarfile.TarInfo("proc").tobuf().replace(b"0000644", b"0000755")
    info = tarfile.TarInfo("proc")
    info.type = tarfile.DIRTYPE
    header = info.tobuf()
    with gzip.open(directory / "many.tgz", "wb", compresslevel=1) as file:
        for _ in range(1001):
            file.write(header * 1000)
    if os.environ.get("THPSTAT_WRAPPER"):
        return "takes too long with a wrapper"
    refused(tool, directory, directory / "many.tgz", "too large")
    return None


def test_signal(number, tool, directory):
    """Ended while it unpacks, or while it reads: nothing stays."""
    tree = slow_tree.make(directory / "tree", 1 << 20, 1)
    smaps = (tree / "proc" / "1" / "smaps").read_bytes()
    with tarfile.open(directory / "slow.tgz", "w:gz", compresslevel=1) as tar:
        for pid in range(1, 300 if not os.environ.get("THPSTAT_WRAPPER") else 20):
            info = tarfile.TarInfo(f"proc/{pid}/smaps")
            info.size = len(smaps)
            tar.addfile(info, io.BytesIO(smaps))
    for delay in (0, 0.05, 0.3):
        temporary = directory / f"tmp{delay}"
        temporary.mkdir()
        process = subprocess.Popen(
            tool.command + ["--sysroot", str(directory / "slow.tgz"), "ps", "-o",
                            "pid,resident_once"],
            env={**os.environ, "TMPDIR": str(temporary)}, stdout=subprocess.DEVNULL)
        while process.poll() is None and not entries(temporary):
            time.sleep(0.001)
        time.sleep(delay)
        process.send_signal(number)
        process.wait()
        check(process.returncode in (-number, 0), f"{process.returncode} after {delay} s")
        same(entries(temporary), [], f"TMPDIR after {delay} s")


def test_no_room(tool, directory):
    """TMPDIR is full: one line, and it is empty again."""
    with Archive(directory / "large.tgz") as archive:
        archive.add("proc/meminfo", MEMINFO)
        archive.add("proc/large", bytes(1 << 20))
    (directory / "tmp").mkdir()
    done = tool.run("--sysroot", directory / "large.tgz", "ps", before=LIMITED,
                    env={"TMPDIR": str(directory / "tmp")})
    same((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)
    same(entries(directory / "tmp"), [], "TMPDIR")


def test_closed_output(tool, directory):
    with tarfile.open(directory / "a.tgz", "w:gz") as tar:
        tar.add(CASE, ".")
    (directory / "tmp").mkdir()
    reader, writer = os.pipe()
    os.close(reader)
    done = tool.run("--sysroot", directory / "a.tgz", "ps", "-J", stdout=writer,
                    env={"TMPDIR": str(directory / "tmp")})
    os.close(writer)
    same((done.returncode, entries(directory / "tmp")), (1, []), "a reader that went away")


if __name__ == "__main__":
    sys.exit(main([("forms", test_forms), ("places", test_places), ("links", test_links),
                   ("hostile", test_hostile), ("damaged", test_damaged),
                   ("too large", test_too_large), ("many", test_many),
                   *((number.name, functools.partial(test_signal, number))
                     for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)),
                   ("no room", test_no_room), ("closed output", test_closed_output)]))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Where a capture goes to: what is refused, and that a capture that did not come to its end leaves
nothing that looks like one.
"""

import contextlib
import functools
import os
import signal
import stat
import subprocess
import sys
import tarfile
import time

sys.dont_write_bytecode = True
import slow_tree  # noqa: E402
from tool import LIMITED, TESTS, check, files_of, main, same  # noqa: E402

CASE = TESTS / "cases" / "035-zgc-three-views"


def fails(tool, *args, why, **more):
    done = tool.run("--sysroot", CASE, "capture", *args, **more)
    lines = done.stderr.decode().splitlines()
    same((done.returncode, done.stdout, len(lines)), (1, b"", 1), f"{args}: {lines}")
    check(why in lines[0], f"{args}: {lines[0]}, not {why}")


def test_refused(tool, directory):
    (directory / "full").mkdir()
    (directory / "full" / "file").write_text("mine")
    for name in ("file", "file.tar.gz"):
        (directory / name).write_text("mine")
    os.symlink("nowhere", directory / "link")
    os.symlink("nowhere", directory / "link.tgz")
    (directory / "here").mkdir()
    (directory / "directory.tgz").mkdir()
    before = files_of(directory)
    for name, why in (("full", "not empty"), ("file", "Not a directory"), ("link", "exists"),
                      ("file.tar.gz", "exists"), ("link.tgz", "exists"),
                      ("directory.tgz", "exists"), ("no/where", "No such file"),
                      ("no/where.tgz", "No such file"), ("file/below", "Not a directory"),
                      ("n" * 256, "name too long"), ("", "No such file")):
        fails(tool, directory / name if name else "", why=why)
    for name in ("/", "/proc", "/proc/thpstat", "/dev/null"):
        done = tool.run("--sysroot", CASE, "capture", name)
        same((done.returncode, len(done.stderr.splitlines())), (1, 1), name)
    fails(tool, ".", why="busy", cwd=directory / "here")
    same(files_of(directory), before, "nothing was touched")


def test_taken(tool, directory):
    """An empty directory is taken, by whatever name; what is made is for its owner only."""
    (directory / "empty").mkdir(mode=0o777)
    (directory / "real").mkdir()
    os.symlink("real", directory / "link")
    for name in ("new", "new slash/", "empty", "link", "packed.tar.gz", "packed.tgz", ".tar.gz"):
        old = os.umask(0)
        done = tool.run("--sysroot", CASE, "capture", name, cwd=directory)
        os.umask(old)
        same((done.returncode, done.stderr), (0, b""), name)
    for name in ("new", "new slash", "empty", "real"):
        check((directory / name / "manifest.json").is_file(), f"{name} is a capture")
    same(os.readlink(directory / "link"), "real", "the link")
    for path in directory.rglob("*"):
        check(path.is_symlink() or stat.S_IMODE(path.stat().st_mode) & 0o77 == 0,
              f"{path} is private")
    with tarfile.open(directory / "packed.tar.gz") as tar:
        tops = {name.split("/")[0] for name in tar.getnames()}
        same(tops, {"packed"}, "one directory in the archive")
        check(all(member.isfile() or member.isdir() for member in tar.getmembers()) and
              all(member.mode & 0o77 == 0 and not member.uname for member in tar.getmembers()),
              "members of the archive")
    same(sorted(path.name for path in directory.iterdir()),
         sorted(["new", "new slash", "empty", "real", "link", "packed.tar.gz", "packed.tgz",
                 ".tar.gz"]), "nothing else")


def start_and_signal(tool, tree, target, number):
    """Signals a capture once it has begun to write. Returns its status."""
    parent = target.parent
    parent.mkdir()
    process = subprocess.Popen(tool.command + ["--sysroot", str(tree), "capture", str(target)],
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    while process.poll() is None and not any(parent.iterdir()):
        time.sleep(0.001)
    time.sleep(0.05)
    process.send_signal(number)
    process.communicate(timeout=60)
    return process.returncode


def test_signal(number, tool, directory):
    tree = slow_tree.make(directory / "tree", *slow_tree.about(8))
    for name in ("target", "target.tar.gz"):
        parent = directory / name.replace(".", "-")
        status = start_and_signal(tool, tree, parent / name, number)
        same(status, -number, f"{name}: ended by the signal")
        left = [path.name for path in parent.iterdir()]
        if number != signal.SIGKILL:
            same(left, [], name)
            continue
        check(len(left) == 1 and left[0].startswith(f".{name}.thpstat-capture-"), left)
        # it is in nobody's way
        done = tool.run("--sysroot", CASE, "capture", parent / name)
        same(done.returncode, 0, f"{name}: again")


def test_ignored_signal(tool, directory):
    """Whoever ignores hangups, as nohup does, goes on."""
    tree = slow_tree.make(directory / "tree", *slow_tree.about(0.5))
    command = ["--sysroot", str(tree), "capture", str(directory / "target")]
    process = subprocess.Popen(tool.command + command, stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.1)
    process.send_signal(signal.SIGHUP)
    process.communicate()
    same((process.returncode, (directory / "target" / "manifest.json").exists()), (0, True), "HUP")


@contextlib.contextmanager
def small_file_system(directory):
    directory.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(directory)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield directory
    finally:
        subprocess.run(["umount", "-l", str(directory)], check=True)


def test_full(tool, directory):
    tree = slow_tree.make(directory / "tree", 1 << 20, 3)
    for pid in (1, 2, 3):  # noise does not pack
        path = tree / "proc" / str(pid) / "cmdline"
        path.unlink()
        path.write_bytes(os.urandom(120000))
    with small_file_system(directory / "small") as small:
        if not small:
            return "cannot mount a tmpfs"
        for name in ("target", "target.tar.gz"):
            done = tool.run("--sysroot", tree, "capture", small / name)
            lines = done.stderr.decode().splitlines()
            same((done.returncode, len(lines)), (1, 1), f"{name}: {lines}")
            check("No space left" in lines[0], lines[0])
            same(list(small.iterdir()), [], name)
    return None


def test_limit(tool, directory):
    """A file that may not grow fails like a disk that is full."""
    tree = slow_tree.make(directory / "tree", 1 << 20, 2)
    done = tool.run("--sysroot", tree, "capture", directory / "target", before=LIMITED)
    same((done.returncode, done.stderr.count(b"\n")), (1, 1), done.stderr)
    check(b"File too large" in done.stderr, done.stderr)
    same([path.name for path in directory.iterdir()], ["tree"], "nothing is left")


if __name__ == "__main__":
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
    sys.exit(main([("refused", test_refused), ("taken", test_taken),
                   *((number.name, functools.partial(test_signal, number)) for number in signals),
                   ("ignored SIGHUP", test_ignored_signal), ("full", test_full),
                   ("limit", test_limit)]))

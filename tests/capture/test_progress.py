#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far a walk is: shown on a terminal that waits, cleared at its end, and nowhere else."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import slow_tree  # noqa: E402
from tool import TESTS, check, main, same, without_wrapper  # noqa: E402

LINE = re.compile(rb"\r(\d+) of (\d+) processes, (\d+) s")
CASE = TESTS / "cases" / "035-zgc-three-views"
SLOW = ["ps", "-o", "pid,resident_once"]


def hold_up(process, is_shown):
    """Lets it run for moments, far apart: so it is shown on any machine, however fast."""
    while process.poll() is None and not is_shown():
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.55)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.1 if "THPSTAT_WRAPPER" in os.environ else 0.03)


def on_terminal(tool, *args, stdout=subprocess.PIPE, held=False):
    """Both streams may be the terminal; returns status, what the pipe got and the terminal."""
    master, slave = os.openpty()
    process = subprocess.Popen(tool.command + [str(arg) for arg in args], stderr=slave,
                               stdout=slave if stdout is None else stdout)
    os.close(slave)
    seen = bytearray()
    if held:
        threading.Thread(target=hold_up, args=[process, lambda: LINE.search(bytes(seen))],
                         daemon=True).start()
    try:
        while piece := os.read(master, 65536):
            seen += piece
    except OSError:  # EIO: the other side is closed
        pass
    os.close(master)
    output, _ = process.communicate()
    return process.returncode, output, without_wrapper(bytes(seen))


def screen(text):
    """What is left on the terminal."""
    lines, column = [bytearray()], 0
    for byte in text:
        if byte == ord("\n"):
            lines.append(bytearray())
        elif byte == ord("\r"):
            column = 0
        else:
            lines[-1][column:column + 1] = bytes([byte])
            column += 1
    return [bytes(line).rstrip() for line in lines]


def tree(directory, seconds):
    size, processes = slow_tree.about(seconds)
    return slow_tree.make(directory / "tree", size, processes), processes


def shown(tool, root, processes, command):
    status, output, seen = on_terminal(tool, "--sysroot", root, *command, held=True)
    found = LINE.findall(seen)
    same(status, 0, f"{command}: {seen}")
    check(found, f"{command}: nothing is shown: {seen}")
    check(all(int(total) == processes for _, total, _ in found), f"{command}: {found}")
    counts = [int(done) for done, _, _ in found]
    check(counts == sorted(counts) and 0 < counts[0] <= counts[-1] <= processes, counts)
    same(screen(seen), [b""], f"{command}: cleared")
    check(not LINE.search(output), f"{command}: stdout has none of it")


def test_shown(tool, directory):
    root, processes = tree(directory, 0.5)
    for command in (SLOW, [*SLOW, "-J"],
                    ["pid", "-o", "pid,resident_once", *range(1, processes + 1)]):
        shown(tool, root, processes, command)


def test_capture(tool, directory):
    """Writing takes longer than reading."""
    root, processes = tree(directory, 0.5)
    shown(tool, root, processes, ["capture", directory / "target.tar.gz"])


def test_quick(tool, directory):
    """Nobody wants to know of what takes a moment."""
    for command in (["ps"], ["pid", "1"], ["capture", directory / "target"]):
        _, _, seen = on_terminal(tool, "--sysroot", CASE, *command)
        check(not LINE.search(seen) or os.environ.get("THPSTAT_WRAPPER"), f"{command}: {seen}")


def test_quiet(tool, directory):
    root, processes = tree(directory, 0.5)
    forbid(root, processes)
    told = f"1 of {processes} processes not readable: permission denied\r\n".encode()
    for name, command in (("ps", SLOW), ("capture", ["capture", directory / "target"])):
        _, _, seen = on_terminal(tool, "--sysroot", root, *command, held=True)
        check(LINE.search(seen), f"{name}: {seen}")
        check(screen(seen)[0] == b"thpstat: " + told.strip(), f"{name}: {screen(seen)}")
    for name, command in (("ps", [*SLOW, "-q"]),
                          ("capture", ["capture", "--quiet", directory / "target2"])):
        same(on_terminal(tool, "--sysroot", root, *command)[2], b"", f"quiet {name}")
    # errors are no summaries
    done = tool.run("--sysroot", root, "ps", "-q", "--name", "nobody")
    same((done.returncode, done.stderr), (1, b"thpstat: no process matches\n"), "errors")
    done = tool.run("--sysroot", root, "ps", "-q", "--strict")
    same((done.returncode, done.stderr), (64, b""), "strict")


def forbid(root, pid):
    (root / "proc" / str(pid) / "smaps").unlink()
    (root / "errors.tsv").write_text(f"proc/{pid}/smaps\tEACCES\nproc/{pid}/smaps_rollup\tEACCES\n")


def test_pipe(tool, directory):
    root, _ = tree(directory, 0.5)
    for command in (SLOW, ["capture", directory / "target"]):
        done = tool.run("--sysroot", root, *command)
        same((done.returncode, done.stderr), (0, b""), f"{command[0]}: stderr is no terminal")


def test_one_terminal(tool, directory):
    """Rows and looks come between, each on a line of its own."""
    root, processes = tree(directory, 0.5)
    _, output, wanted = on_terminal(tool, "--sysroot", root, "ps", "-r", "-q", "-o",
                                    "pid,resident_once", *range(1, processes + 1), stdout=None)
    _, output, seen = on_terminal(tool, "--sysroot", root, "ps", "-r", "-o", "pid,resident_once",
                                  *range(1, processes + 1), stdout=None, held=True)
    check(output is None and LINE.search(seen), f"shown: {seen}")
    same(screen(seen), screen(wanted), "rows")
    _, _, wanted = on_terminal(tool, "--sysroot", root, "pid", "-q", *range(1, processes + 1),
                               stdout=None)
    _, _, seen = on_terminal(tool, "--sysroot", root, "pid", *range(1, processes + 1), stdout=None)
    same(screen(seen), screen(wanted), "looks")


if __name__ == "__main__":
    sys.exit(main([("shown", test_shown), ("capture", test_capture), ("quick", test_quick),
                   ("quiet", test_quiet), ("pipe", test_pipe), ("one terminal", test_one_terminal)]))

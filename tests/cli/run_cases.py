#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the golden tests of the command line tool and prints TAP; see README.md."""

import argparse
import concurrent.futures
import difflib
import fcntl
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
import tty

sys.dont_write_bytecode = True
import trees  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases"
TESTS = HERE.parent
TIMEOUT = 300  # seconds for one run; valgrind is slow


class Case:
    """One directory below cases/."""

    def __init__(self, path):
        self.path = path
        self.name = path.name
        text = (path / "args").read_text(encoding="ascii")
        self.args = [unescape(word) for word in shlex.split(text, comments=True)]
        self.environment = {}
        self.stdout = None  # where it goes, None: it is read
        self.read_conditions()

    def read_conditions(self):
        path = self.path / "with"
        if not path.exists():
            return
        for line in path.read_text(encoding="ascii").splitlines():
            word, _, rest = line.partition(" ")
            if word == "env":
                name, _, value = rest.partition("=")
                self.environment[name] = value
            elif word == "stdout" and rest.split()[0] in ("full", "closed", "pipe", "terminal"):
                self.stdout = rest.split()
            else:
                sys.exit(f"{path}: not understood: {line}")

    def captures(self):
        words = [os.fsdecode(word) for word in self.args]
        return {name for word in words for name in re.findall(r"\bcaptures/([^/]+)", word)}

    def expected(self, name):
        path = self.path / name
        return path.read_bytes() if path.exists() else b""


def unescape(word):
    """\\xHH in a word stands for that byte."""
    return re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), word.encode())


def environment(case):
    """Of what we were started with only what the program needs to run at all."""
    kept = ("PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS",
            "LLVM_PROFILE_FILE", "GCOV_PREFIX", "GCOV_PREFIX_STRIP", "MALLOC_PERTURB_")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    return {**env, "LC_ALL": "C.UTF-8", "TZ": "UTC", **case.environment}


def without_remarks(errors):
    """valgrind says there what it does not know of the machine; its findings begin with ==."""
    if "THPSTAT_WRAPPER" in os.environ:
        return re.sub(rb"^--\d+-- .*\n", b"", errors, flags=re.M)
    return errors


def run_on_terminal(command, size, **more):
    """stdout is a terminal of COLUMNSxLINES; returns what it was sent."""
    columns, lines = (int(number) for number in size.split("x"))
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    tty.setraw(slave)
    process = subprocess.Popen(command, stdout=slave, stderr=subprocess.PIPE, **more)
    os.close(slave)
    output = b""
    try:
        while piece := os.read(master, 65536):
            output += piece
    except OSError:  # EIO: the other side is closed
        pass
    os.close(master)
    _, errors = process.communicate(timeout=TIMEOUT)
    return process.returncode, output, errors


def run(case, thpstat, directory):
    """Returns exit status, stdout and stderr."""
    command = [thpstat] + case.args
    more = {"cwd": directory, "env": environment(case), "stdin": subprocess.DEVNULL}
    where = case.stdout[0] if case.stdout else "read"
    if where == "closed":
        # a wrapper would take the number of the closed file for one of its own
        command = ["sh", "-c", 'exec "$@" >&-', "sh"] + command
    else:
        command = shlex.split(os.environ.get("THPSTAT_WRAPPER", "")) + command
    if where == "terminal":
        return run_on_terminal(command, case.stdout[1], **more)
    stdout = subprocess.PIPE
    if where == "full":
        stdout = os.open("/dev/full", os.O_WRONLY)
    elif where == "pipe":  # whose reader is gone
        reader, stdout = os.pipe()
        os.close(reader)
    done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, timeout=TIMEOUT,
                          check=False, **more)
    if stdout != subprocess.PIPE:
        os.close(stdout)
    return done.returncode, done.stdout or b"", done.stderr


def without_version(output, version):
    """The version is all that may differ from one build to the next."""
    number = re.escape(version.encode())
    output = re.sub(rb'("version": ")' + number + rb'"', rb'\1@VERSION@"', output)
    return re.sub(rb"^thpstat " + number + rb"$", b"thpstat @VERSION@", output, flags=re.M)


def broken_rules(status, stdout, stderr):
    """What holds for every run, whatever the files of the case say."""
    problems = []
    lines = stderr.splitlines()
    if status == 2 and (len(lines) != 1 or stdout):
        problems.append("wrong usage: one line on stderr and nothing on stdout, please")
    if not all(line.startswith(b"thpstat: ") for line in lines):
        problems.append("a line on stderr does not start with 'thpstat: '")
    if stderr and not stderr.endswith(b"\n"):
        problems.append("stderr ends in the middle of a line")
    if re.search(rb"[\0-\x09\x0b-\x1f\x7f]", stderr):
        problems.append("control bytes on stderr")
    if re.search(rb"[\0-\x09\x0b-\x1a\x1c-\x1f\x7f]", stdout):
        problems.append("control bytes on stdout")
    if re.search(rb"\x1b(?!\[(0|1|22|36|39)?m)", stdout):
        problems.append("escapes on stdout that are no colours of ours")
    return problems


def difference(name, expected, found):
    lines = [text.decode(errors="backslashreplace").splitlines() for text in (expected, found)]
    return list(difflib.unified_diff(*lines, f"expected {name}", f"found {name}", lineterm="")) \
        or [f"{name} differs in bytes that cannot be shown, or in its last line end"]


def check(case, options, directory):
    """Returns lines that say what is wrong."""
    try:
        status, stdout, stderr = run(case, options.thpstat, directory)
        stderr = without_remarks(stderr)
    except subprocess.TimeoutExpired:
        return [f"no end after {TIMEOUT} seconds"]
    found = {
        "status": b"%d\n" % status,
        "stdout": without_version(stdout, options.version),
        "stderr": stderr,
    }
    if options.update:
        for name, text in found.items():
            (case.path / name).write_bytes(text)
    problems = broken_rules(status, stdout, stderr)
    for name, text in found.items():
        if text != case.expected(name):
            problems += difference(name, case.expected(name), text)
    return problems


def unpack(cases, directory):
    """The trees that the cases name, below @directory, and room for what they write."""
    (directory / "captures").mkdir()
    (directory / "out").mkdir()
    (directory / "archives").symlink_to(TESTS / "captures")
    for name in sorted(set().union(*(case.captures() for case in cases))):
        archive = TESTS / "captures" / f"{name}.tar.gz"
        subprocess.run(["tar", "-xzf", archive, "-C", directory / "captures"], check=True)
    (directory / "cases").symlink_to(TESTS / "cases")
    trees.write_all(directory / "trees")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thpstat", required=True, help="program to test")
    parser.add_argument("--version", required=True, help="version that it has")
    parser.add_argument("--update", action="store_true",
                        help="write what is found to the files of the cases; look at each one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("names", nargs="*", metavar="CASE", help="these only")
    options = parser.parse_args()
    options.thpstat = os.path.abspath(options.thpstat)

    cases = [Case(path) for path in sorted(CASES.iterdir()) if (path / "args").exists()]
    if options.names:
        unknown = set(options.names) - {case.name for case in cases}
        if unknown:
            parser.error(f"no such case: {' '.join(sorted(unknown))}")
        cases = [case for case in cases if case.name in options.names]
    elif "THPSTAT_WRAPPER" in os.environ:  # all of them take minutes
        cases = cases[::4]
    print(f"1..{len(cases)}")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="thpstat-cli-") as name, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        directory = pathlib.Path(name)
        unpack(cases, directory)
        results = pool.map(lambda case: check(case, options, directory), cases)
        for number, (case, problems) in enumerate(zip(cases, results), 1):
            print(f"{'not ok' if problems else 'ok'} {number} - {case.name}")
            for line in problems:
                print(f"# {line}")
            sys.stdout.flush()
            failed += bool(problems)
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())

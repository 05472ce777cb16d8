# SPDX-License-Identifier: MIT
"""What the tests of captures share: running the program, comparing its answers, printing TAP."""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT = 300  # seconds for one run; valgrind is slow

# What one and the same tree may be called differently by: how it was reached.
OF_THE_START = ("source", "sysroot", "time")


class Tool:
    def __init__(self, path):
        self.path = path
        self.command = shlex.split(os.environ.get("THPSTAT_WRAPPER", "")) + [path]

    def run(self, *args, env=None, before=(), **more):
        """
        Returns what subprocess.run() does, with stdout and stderr as bytes. @before is a program
        that runs it.
        """
        env = {**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        command = [*before, *self.command, *map(str, args)]
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, timeout=TIMEOUT,
                              check=False, **more)
        done.stderr = without_wrapper(done.stderr)
        return done

    def json(self, *args, **more):
        """The answer of a command that must work."""
        done = self.run(*args, "-J", **more)
        if done.returncode not in (0, 64):
            raise Failure(f"{shlex.join(map(str, args))}: {done.stderr.decode()}")
        return json.loads(done.stdout)


class Failure(Exception):
    pass


def without_wrapper(errors):
    """valgrind says there what it does not know of the machine; its findings begin with ==."""
    return re.sub(rb"^--\d+-- .*\n", b"", errors or b"", flags=re.M)


def entries(directory):
    """What is in a directory, less the files that valgrind has in TMPDIR."""
    return sorted(path.name for path in directory.iterdir() if not path.name.startswith("valgrind"))


# May not write more than 32 KiB into a file, and is told so, not ended.
LIMITED = ("sh", "-c", 'trap "" XFSZ; ulimit -f 64; exec "$@"', "sh")


def check(holds, what):
    if not holds:
        raise Failure(what)


def same(found, wanted, what):
    """Says where two answers differ first."""
    if found == wanted:
        return
    if isinstance(found, dict) and isinstance(wanted, dict) and found.keys() == wanted.keys():
        for key in found:
            same(found[key], wanted[key], f"{what}.{key}")
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for i, pair in enumerate(zip(found, wanted)):
            same(*pair, f"{what}[{i}]")
    raise Failure(f"{what}: {found!r:.200}, not {wanted!r:.200}")


def without_start(answer):
    """An answer without what tells how the tree was reached."""
    about = {key: value for key, value in answer["thpstat"].items() if key not in OF_THE_START}
    return {**answer, "thpstat": about}


def answers(tool, root, pids=()):
    """All that the program says of a tree, by command."""
    at = ["--sysroot", str(root)]
    found = {
        "host": without_start(tool.json(*at, "host")),
        "ps": without_start(tool.json(*at, "ps")),
        "ps all": without_start(tool.json(*at, "ps", "--output-all")),
        # figures that are read from smaps alone
        "ps once": without_start(tool.json(*at, "ps", "-o", "pid,resident_once,mappings,error")),
        "names": tool.run(*at, "ps", "-r", "-o", "pid,comm,cgroup,start_time").stdout,
    }
    if pids:
        looks = tool.run(*at, "pid", *pids)
        found["pid"] = without_start(tool.json(*at, "pid", *pids))
        found["look"] = looks.stdout
        found["look status"] = looks.returncode, looks.stderr
    return found


def files_of(root):
    """Every file and directory of a tree, and what is in it."""
    root = pathlib.Path(root)
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
            for path in sorted(root.rglob("*"))}


def pids_of(root):
    return sorted(int(path.name) for path in (pathlib.Path(root) / "proc").iterdir()
                  if path.name.isdigit())


@contextlib.contextmanager
def scratch():
    path = pathlib.Path(tempfile.mkdtemp(prefix="thpstat-test-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def main(tests):
    """Runs (name, function) one after the other, each in a directory of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("thpstat")
    parser.add_argument("only", nargs="*")
    args = parser.parse_args()
    tool = Tool(os.path.abspath(args.thpstat))
    tests = [test for test in tests if not args.only or test[0] in args.only]
    failed = False
    print(f"1..{len(tests)}")
    for number, (name, test) in enumerate(tests, 1):
        skip, problem = None, None
        try:
            with scratch() as directory:
                skip = test(tool, directory)
        except (Failure, OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
            problem = f"{type(error).__name__}: {error}"
        failed |= problem is not None
        print(f"{'not ok' if problem else 'ok'} {number} - {name}"
              f"{f' # SKIP {skip}' if skip else ''}")
        for line in (problem or "")[:2000].splitlines():
            print(f"# {line}")
        sys.stdout.flush()
    return failed

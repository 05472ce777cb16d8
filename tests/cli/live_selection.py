#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Selections on the host we run on, where libproc2 finds most processes: by name, user, command line,
cgroup and process id, of a child that is started for it. Prints TAP.
"""

import argparse
import contextlib
import datetime
import json
import os
import pwd
import re
import shlex
import signal
import subprocess
import sys
import time


class Child:
    """A process that does nothing; its command name is a word of our choice and its id."""

    def __init__(self, word, argument):
        program = ("import os, time; "
                   f"open('/proc/self/comm', 'w').write('{word}%d' % os.getpid()); "
                   "print(flush=True); time.sleep(600)")
        self.process = subprocess.Popen([sys.executable, "-c", program, argument],
                                        stdout=subprocess.PIPE)
        self.process.stdout.readline()
        self.pid = self.process.pid
        self.name = f"{word}{self.pid}"

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


class Tool:
    def __init__(self, path):
        self.command = shlex.split(os.environ.get("THPSTAT_WRAPPER", "")) + [path]

    def run(self, *args):
        env = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(self.command + list(args), capture_output=True, text=True, env=env,
                              timeout=300, check=False)
        if len(self.command) > 1:
            # valgrind says there what it does not know of the machine
            done.stderr = re.sub(r"^--\d+-- .*\n", "", done.stderr, flags=re.M)
        return done

    def pids(self, *args):
        """Those that a selection finds."""
        output = self.run("ps", "-r", "-n", "-o", "pid", *args).stdout
        return [int(line) for line in output.split()]


def own_cgroup():
    """The one that memory is charged to: of the memory controller, else the unified one."""
    paths = {}
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            for controller in controllers.split(","):
                paths[controller] = path
    return paths.get("memory", paths.get(""))


def checks(tool, first, second, word):
    """Yields (what, does it hold?, what was found)."""
    def one(what, args, expected):
        found = tool.pids(*args)
        return what, found == expected, found

    user = pwd.getpwuid(os.geteuid()).pw_name
    names = [first.name, second.name]
    yield one("by name", ["--name", names[0]], [first.pid])
    yield one("by a name that libproc2 would spell differently", ["--name", names[1]],
              [second.pid])
    yield one("by two names", ["--name", names[0], "--name", names[1]],
              sorted([first.pid, second.pid]))
    yield one("by part of a name", ["--name", names[0][:-1]], [])
    yield one("by command line", ["--full", f"{word} first$"], [first.pid])
    yield one("by either of two command lines", ["--full", f"{word} (first|second)$"],
              sorted([first.pid, second.pid]))
    yield one("by user name and name", ["--user", user, "--name", names[0]], [first.pid])
    yield one("by user number and name", ["--user", str(os.geteuid()), "--name", names[0]],
              [first.pid])
    yield one("by another user", ["--user", "4294967294", "--name", names[0]], [])
    yield one("by process id and name", ["-p", f"{first.pid},{second.pid}", "--name", names[1]],
              [second.pid])
    cgroup = own_cgroup()
    if cgroup:
        yield one("by cgroup and name", ["--cgroup", cgroup, "--name", names[0]], [first.pid])
        yield one("by another cgroup", ["--cgroup", "/no/such/cgroup", "--name", names[0]], [])

    row = tool.run("ps", "-r", "-n", "-o", "user,uid,comm,state", str(first.pid)).stdout
    expected = f"{user} {os.geteuid()} {names[0]} running\n"
    yield "who it is", row == expected, row

    frame = json.loads(tool.run("ps", "-J", "-o", "pid,user", str(first.pid)).stdout)
    about = frame["thpstat"]
    taken = datetime.datetime.strptime(about["time"], "%Y-%m-%dT%H:%M:%S%z").timestamp()
    yield "JSON says that it is live, which kernel and when", (
        about["source"] == "live" and about["sysroot"] is None and
        about["kernel"] == os.uname().release and abs(taken - time.time()) < 300), about
    yield "JSON of the process", frame["processes"][0]["user"] == user, frame["processes"]

    look = tool.run(str(first.pid))
    yield "a close look", look.returncode == 0 and look.stdout.startswith(
        f"{names[0]} ({first.pid}) {user}"), look.stdout
    everyone = tool.pids()
    yield "a look at all has both", {first.pid, second.pid} <= set(everyone), everyone

    first.end()
    gone = tool.run(str(first.pid))
    yield "one that ended meanwhile", (gone.returncode, gone.stdout, gone.stderr) == (
        1, "", f"thpstat: {first.pid}: no such process\n"), gone
    partly = tool.run("ps", "-o", "pid", str(first.pid), str(second.pid))
    yield "one of two that ended meanwhile", partly.returncode == 64 and re.search(
        rf"^ *{second.pid}$", partly.stdout, re.M), partly


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thpstat", required=True, help="program to test")
    options = parser.parse_args()
    tool = Tool(os.path.abspath(options.thpstat))
    word = f"marker-{os.getpid()}"

    first, second = Child("t", f"{word} first"), Child("t.", f"{word} second")
    failed = number = 0
    try:
        for number, (what, holds, found) in enumerate(checks(tool, first, second, word), 1):
            print(f"{'ok' if holds else 'not ok'} {number} - {what}")
            if not holds:
                print("\n".join(f"# {line}" for line in str(found).splitlines()))
                failed += 1
    finally:
        first.end()
        second.end()
    print(f"1..{number}")
    return 1 if failed or not number else 0


if __name__ == "__main__":
    sys.exit(main())

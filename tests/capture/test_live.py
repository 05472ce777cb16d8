#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Captures of the host we run on: a stopped process has the same figures in the capture as live, the
host the same keys, and without names nothing of what the process called itself is in it.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
from tool import (Failure, check, files_of, main, pids_of, same,  # noqa: E402
                  without_start)

WORKLOAD = os.environ.get("THPSTAT_WORKLOAD", "")
ATTEMPTS = 20


@contextlib.contextmanager
def workload(directory, word):
    """A stopped process, and the texts that it alone has."""
    path = directory / f"data {word}.db"
    path.write_bytes(bytes(1 << 20))
    command = [WORKLOAD, word, str(path), f"--password={word}", "-Xmx31m",
               f"-XX:HeapDumpPath=/{word}/dump", "-XX:+UseZGC"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=directory)
    try:
        check(process.stdout.readline() == b"ready\n", "the workload does not run")
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()


def of_process(tool, pid, *where):
    """All that is said of one process, less what has other processes in it."""
    return {
        "pid": without_start(tool.json(*where, "pid", pid)),
        "ps": without_start(tool.json(*where, "ps", pid)),
        "once": without_start(tool.json(*where, "ps", pid, "-o", "pid,resident_once,mappings")),
        # its first line has the user, who is known by name here only
        "look": tool.run(*where, "pid", pid).stdout.split(b"\n", 2)[2],
    }


def without_user(found):
    for answer in found.values():
        for process in answer["processes"] if isinstance(answer, dict) else []:
            process.pop("user", None)
    return found


def capture(tool, target, *options):
    done = tool.run("capture", *options, target)
    check(done.returncode == 0, f"capture: {done.returncode} {done.stderr.decode()}")


def test_process(tool, directory):
    with workload(directory, "zwq7261") as process:
        for attempt in range(ATTEMPTS):
            target = directory / f"capture{attempt}"
            before = without_user(of_process(tool, process.pid))
            capture(tool, target)
            # something that it shares with others may have moved
            if without_user(of_process(tool, process.pid)) == before:
                break
        found = without_user(of_process(tool, process.pid, "--sysroot", target))
        same(found, before, "capture of a stopped process")
        check(found["pid"]["processes"][0]["counted_again"] >= 8 << 20, "a heap mapped three times")
        capture(tool, directory / "alone", "-p", process.pid)
        check(pids_of(directory / "alone") == [process.pid], "only what was asked for is captured")
        found = without_user(of_process(tool, process.pid, "--sysroot", directory / "alone"))
        same(found["pid"]["processes"][0]["resident"], before["pid"]["processes"][0]["resident"],
             "capture of this process alone")
        check_left_out(directory)
        done = tool.run("--sysroot", directory / "alone", "capture", directory / "again")
        same((done.returncode, done.stderr), (0, b""), "capture of the capture")
        same(files_of(directory / "again"), files_of(directory / "alone"), "the same files")


def check_left_out(directory):
    names = {path.rsplit("/", 1)[-1] for path in files_of(directory / "alone")}
    check("environ" not in names, "the environment is not captured")
    manifest = json.loads((directory / "alone" / "manifest.json").read_text())
    check(manifest["format"] == 1 and manifest["architecture"] == os.uname().machine and
          manifest["kernel"] == os.uname().release and manifest["anonymised"] is False and
          manifest["page_size"] == os.sysconf("SC_PAGESIZE") and
          len(manifest["selection"]["pids"]) == 1 and manifest["completeness"]["read"] == 1,
          f"manifest: {manifest}")
    check("environments of processes" in [item["what"] for item in manifest["left_out"]],
          "the manifest says what was left out")


def test_host(tool, directory):
    capture(tool, directory / "capture", "-p", os.getpid())
    live = without_start(tool.json("host"))
    found = without_start(tool.json("--sysroot", directory / "capture", "host"))
    same(found["settings"], live["settings"], "settings")
    same(found["thpstat"], live["thpstat"], "about")
    for key in ("page_sizes", "nodes", "node_page_sizes"):
        same(len(found[key]), len(live[key]), key)
    same(shape(found), shape(live), "what is known of the host")


def shape(value):
    """Counters move; which there are does not."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items() if key not in ("absent", "missing")}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return type(value).__name__


def test_selection(tool, directory):
    with workload(directory, "zwq7262") as first, workload(directory, "zwq7263") as second:
        for name, options in (("name", ["--name", "zwq7262"]),
                              ("full", ["--full", "password=zwq726[2]"]),
                              ("pid", ["-p", first.pid]),
                              ("twice", ["-p", f"{first.pid},{first.pid}"]),
                              ("uid", ["--user", os.geteuid(), "--name", "zwq7262"])):
            capture(tool, directory / name, *options)
            same(pids_of(directory / name), [first.pid], name)
            text = b"".join(data or b"" for path, data in files_of(directory / name).items()
                            if path != "manifest.json")
            check(b"zwq7263" not in text, f"{name}: nothing of the other process is in it")
        done = tool.run("capture", directory / "word", second.pid)
        same((done.returncode, pids_of(directory / "word")), (0, [second.pid]), "a word")
        done = tool.run("capture", directory / "none", "--name", "zwq7264")
        same((done.returncode, done.stderr, (directory / "none").exists()),
             (1, b"thpstat: no process matches\n", False), "nothing matches")


def check_no_trace(root, directory):
    words = [b"zwq7265", os.fsencode(directory.name), b"password"]
    if len(os.uname().nodename) > 6:  # a short one may be in any word
        words.append(os.fsencode(os.uname().nodename))
    for word in words:
        found = [path for path, data in files_of(root).items() if word in (data or b"")]
        check(not found, f"{word} is in {found}")


def test_anonymised(tool, directory):
    with workload(directory, "zwq7265") as process:
        capture(tool, directory / "plain", "--name", "zwq7265")
        capture(tool, directory / "nameless", "--anonymise", "--name", "zwq7265")
        check_no_trace(directory / "nameless", directory)
        texts = files_of(directory / "nameless")
        arguments = texts[f"proc/{process.pid}/cmdline"].split(b"\0")
        check(len(arguments) == 8 and arguments[4] == b"-Xmx31m" and
              arguments[5].startswith(b"-XX:HeapDumpPath=name") and arguments[6] == b"-XX:+UseZGC",
              f"arguments: {arguments}")
        check_kept_names(directory, process.pid)
        # the very same moment once more, without names
        done = tool.run("--sysroot", directory / "plain", "capture", "--anonymise",
                        directory / "later")
        same(done.returncode, 0, "a capture can lose its names later")
        check_no_trace(directory / "later", directory)
        plain, later = (tool.json("--sysroot", directory / name, "pid", process.pid)
                        for name in ("plain", "later"))
        for answer in (plain, later):
            answer["processes"][0].update(comm=None, cgroup=None)
        same(without_start(later), without_start(plain), "figures without names")
        check(json.loads((directory / "later" / "manifest.json").read_text())["anonymised"],
              "the manifest says that names are gone")


def names_of(path):
    lines = path.read_text(errors="surrogateescape").splitlines()
    return [line.split(None, 5)[5] for line in lines
            if line[0] in "0123456789abcdef" and len(line.split(None, 5)) > 5]


def check_kept_names(directory, pid):
    """Names of one kind stay names of this kind, and as many as they were."""
    plain, nameless = (names_of(directory / name / f"proc/{pid}/smaps")
                       for name in ("plain", "nameless"))
    same(len(nameless), len(plain), "mappings with a name")
    pairs = set(zip(plain, nameless))
    check(len(pairs) == len(set(plain)) == len(set(nameless)), f"one to one: {pairs}")
    for before, after in pairs:
        same(after.count("/"), before.count("/"), f"components of {before}")
        same(after.endswith(" (deleted)"), before.endswith(" (deleted)"), before)
        for prefix in ("/memfd:", "/SYSV00000000", "[anon:"):
            same(after.startswith(prefix), before.startswith(prefix), before)
        if before.startswith("/dev/zero") or before in ("[heap]", "[stack]", "[vdso]", "[vvar]"):
            same(after, before, "a name that the kernel gave")


def test_forbidden(tool, directory):
    """Whoever may not read a process is told so by the capture, whatever is asked for."""
    nobody = {"user": 65534, "group": 65534, "extra_groups": []}
    if os.geteuid() != 0:
        return "not root"
    directory.chmod(0o777)
    with workload(directory, "zwq7266") as process:
        try:
            done = tool.run("capture", directory / "capture", process.pid, **nobody)
        except PermissionError:
            return "the program is in a private directory"
        same((done.returncode, done.stderr.count(b"permission denied")), (64, 1), done.stderr)
        for columns in ([], ["-o", "pid,resident_once,error"], ["-o", "pid,pss,footprint,error"],
                        ["-o", "pid,vm_rss,error"], ["-o", "pid,anonymous,error,state"],
                        ["--output-all"]):
            live, found = (tool.json(*where, "ps", process.pid, *columns, **nobody)
                           for where in ([], ["--sysroot", directory / "capture"]))
            for answer in (live, found):
                answer["processes"][0].pop("user", None)
            same(without_start(found), without_start(live), f"forbidden {columns}")
    return None


def test_options(tool, directory):
    for args, status in (([], 2), (["capture"], 2), (["capture", "-J", directory / "x"], 2),
                         (["capture", directory / "x", "word"], 2),
                         (["capture", directory / "x", "--sort", "pid"], 2),
                         (["ps", "--anonymise"], 2)):
        if args:
            done = tool.run(*args)
            same((done.returncode, len(done.stderr.splitlines()), done.stdout), (status, 1, b""),
                 f"{args}: {done.stderr}")
    check(not (directory / "x").exists(), "wrong usage leaves nothing")
    check(b"TARGET" in tool.run("capture", "--help").stdout, "help")


if __name__ == "__main__":
    if not WORKLOAD:
        raise Failure("THPSTAT_WORKLOAD is not set")
    sys.exit(main([("a stopped process", test_process), ("the host", test_host),
                   ("selections", test_selection), ("without names", test_anonymised),
                   ("forbidden", test_forbidden), ("options", test_options)]))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
What `maps` lists adds up to what `pid` says of the same process, row by row and kind by kind, in
every captured tree; and a process that lives has as many thread stacks as it started threads.
Prints TAP.
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
FIGURES = "size", "resident", "huge", "anonymous", "swap"


def rows(thpstat, tree, *words):
    """Fields of each row, and the exit status."""
    done = subprocess.run([thpstat, "--sysroot", tree, *words, "-r", "-n"], check=False,
                          capture_output=True, text=True, timeout=120)
    return [line.split(" ") for line in done.stdout.splitlines()], done.returncode


def add(totals, fields):
    for place, field in enumerate(fields):
        if field == "-" or totals[place] is None:
            totals[place] = None
        else:
            totals[place] += int(field)


def problems(thpstat, tree):
    pids = [name for name in os.listdir(tree / "proc") if name.isdigit()]
    figures = ",".join(FIGURES)
    of_processes, status = rows(thpstat, tree, "pid", "-o", f"pid,{figures}", *pids)
    of_mappings, status_of_maps = rows(thpstat, tree, "maps", "-o", f"pid,{figures}", *pids)
    of_kinds, _ = rows(thpstat, tree, "maps", "--by", "kind", "-o", f"mappings,{figures}", *pids)
    found = [] if status == status_of_maps else [f"statuses {status} and {status_of_maps}"]

    sums = collections.defaultdict(lambda: [0] * len(FIGURES))
    for pid, *fields in of_mappings:
        add(sums[pid], fields)
    compared = 0
    for pid, *fields in of_processes:
        if fields[0] == "-":  # no memory
            found += [f"{pid}: has mappings"] if pid in sums else []
            continue
        compared += 1
        expected = [None if field == "-" else int(field) for field in fields]
        if sums[pid] != expected:
            found.append(f"{pid}: {sums[pid]} in maps, {expected} in pid")

    all_kinds, all_processes = [0] * (len(FIGURES) + 1), [0] * (len(FIGURES) + 1)
    for fields in of_kinds:
        add(all_kinds, fields)
    for pid, *fields in of_mappings:
        add(all_processes, ["1", *fields])
    if all_kinds != all_processes:
        found.append(f"{all_kinds} by kind, {all_processes} by mapping")
    return found if compared else ["nothing was compared"]


THREADS = 5
THREADED = f"""
import sys
import threading
never = threading.Event()
for _ in range({THREADS}):
    threading.Thread(target=never.wait, daemon=True).start()
print("ready", flush=True)
sys.stdin.read()
"""


def stacks(thpstat):
    """Problems with those of a process of ours."""
    with subprocess.Popen([sys.executable, "-c", THREADED], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        done = subprocess.run([thpstat, "maps", "-r", "-n", "-o", "kind", str(process.pid)],
                              check=False, capture_output=True, text=True, timeout=120)
        process.stdin.close()
    kinds = collections.Counter(done.stdout.split())
    found = [] if kinds["thread-stack"] == THREADS and kinds["main-stack"] == 1 else [str(kinds)]
    return found + ([f"{done.returncode} {done.stderr}"] if done.returncode else [])


def why_no_stacks():
    """Some C libraries make guards that are no mappings."""
    try:
        name, _, version = os.confstr("CS_GNU_LIBC_VERSION").partition(" ")
        number = [int(part) for part in version.split(".")[:2]]
        return None if name == "glibc" and number < [2, 42] else f"{name} {version}"
    except (AttributeError, ValueError, OSError):
        return "another C library than glibc"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thpstat", required=True, help="program to test")
    thpstat = os.path.abspath(parser.parse_args().thpstat)
    archives = sorted(CAPTURES.glob("*.tar.gz"))
    print(f"1..{len(archives) + 1}")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="thpstat-maps-") as name:
        for number, archive in enumerate(archives, 1):
            subprocess.run(["tar", "-xzf", archive, "-C", name], check=True)
            tree = archive.name.removesuffix(".tar.gz")
            found = problems(thpstat, pathlib.Path(name) / tree)
            print(f"{'not ok' if found else 'ok'} {number} - {tree}")
            for line in found:
                print(f"# {line}")
            failed += bool(found)
    skipped = why_no_stacks()
    found = [] if skipped else stacks(thpstat)
    print(f"{'not ok' if found else 'ok'} {len(archives) + 1} - thread stacks of a living process" +
          (f" # SKIP guards of {skipped}" if skipped else ""))
    for line in found:
        print(f"# {line}")
    failed += bool(found)
    return 1 if failed or not archives else 0


if __name__ == "__main__":
    sys.exit(main())

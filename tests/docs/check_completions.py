#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Asks the completion of each shell that is there what it offers, and compares that with what the tool
has. Prints TAP.
"""

import argparse
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from program import Program  # noqa: E402
from tap import Tap  # noqa: E402

PIDS = ("1", "20", "205", "31")


class Shell:
    """Lines go in, offers come out."""

    def __init__(self, name, command, checks_syntax):
        self.name = name
        self.command = command
        self.checks_syntax = checks_syntax

    def answers(self, lines, directory):
        done = subprocess.run(self.command, input="".join(f"{line}\n" for line in lines),
                              capture_output=True, text=True, cwd=directory, timeout=300,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "HOME": str(directory),
                                   "XDG_CONFIG_HOME": str(directory)}, check=False)
        return [set(line.split(" ")) - {""} for line in done.stdout.splitlines()], done.stderr


def shells(source, program):
    completion, here = source / "cli/completion", source / "tests/docs"
    directory = os.path.dirname(program)
    return [
        Shell("bash", ["bash", here / "bash_complete.bash", completion / "thpstat.bash", program],
              ["bash", "-n", completion / "thpstat.bash"]),
        Shell("zsh", ["zsh", "-f", here / "zsh_complete.zsh", completion, directory],
              ["zsh", "-n", completion / "_thpstat"]),
        Shell("fish", ["fish", here / "fish_complete.fish", completion / "thpstat.fish", directory],
              ["fish", "-n", completion / "thpstat.fish"]),
    ]


def make_tree(directory):
    for pid in PIDS:
        process = directory / "tree/proc" / pid
        process.mkdir(parents=True)
        (process / "comm").write_text(f"name{pid}\n", encoding="ascii")
    (directory / "tree/sys").mkdir()
    (directory / "tree.tar.gz").touch()


def expectations(program):
    """Lines, and what is to be offered for them."""
    columns, of_host = program.columns(""), program.columns("host")
    of_mapping = program.columns("maps")

    def begin(names, start):
        return {name for name in names if name.startswith(start)}

    yield "thpstat p", {"pid", "ps"}
    yield "thpstat h", {"host", "help"}
    yield "thpstat m", {"maps"}
    yield "thpstat c", {"capture"}
    yield "thpstat help h", {"host", "help"}
    yield "thpstat --sysroot tree pid 2", {"20", "205"}
    yield "thpstat --proc tree/proc ps 3", {"31"}
    yield "thpstat --sysroot tree 20", {"20", "205"}
    yield "thpstat --sysroot tree ps -p 1,20", {"20", "205"}
    yield "thpstat --sysroot tree capture target 2", {"20", "205"}
    yield "thpstat --sysroot tre", {"tree", "tree/", "tree.tar.gz"}
    yield "thpstat --proc tree/pr", {"tree/proc", "tree/proc/", "proc"}
    yield "thpstat capture tre", {"tree", "tree/", "tree.tar.gz"}
    yield "thpstat ps -o rss", begin(columns, "rss")
    yield "thpstat ps --output rss_", begin(columns, "rss_")
    yield "thpstat ps --output=rss_", begin(columns, "rss_")
    yield "thpstat ps -o pid,huge_", begin(columns, "huge_")
    yield "thpstat ps -o +coverage_", begin(columns, "coverage_")
    yield "thpstat -o coverage", begin(columns, "coverage")
    yield "thpstat host -o thp_f", begin(of_host, "thp_f")
    yield "thpstat maps -o ker", begin(of_mapping, "ker")
    yield "thpstat maps --only th", {"thread-stack"}
    yield "thpstat maps --only h", {"huge", "heap", "hugetlb"}
    yield "thpstat maps --by k", {"kind"}
    yield "thpstat ps --sort anon", begin(columns, "anon")
    yield "thpstat --color=a", {"auto", "always"}
    yield "thpstat ps --user ro", begin({user.pw_name for user in pwd.getpwall()}, "ro")
    yield "thpstat help ps p", set()
    for command in ["", *program.commands]:
        names = {f"--{option.name}" for option in program.options(command)}
        yield f"thpstat {command} --".replace("  ", " "), names


def without_what_was_typed(offer, line):
    """Shells that offer whole words give back what stands before the part that is completed."""
    word = line.rpartition(" ")[2]
    kept = re.match(r"(--[a-z-]+=)?(.*[,+])?", word)[0]
    return offer.removeprefix(kept).removesuffix("=") if kept else offer.removesuffix("=")


def is_same(found, expected, line):
    found = {without_what_was_typed(offer, line) for offer in found}
    if expected and "/" in "".join(expected):
        # directories with or without what stands before them, and a slash behind
        return bool(found) and {name.rstrip("/") for name in found} <= \
            {name.rstrip("/") for name in expected}
    return found == expected


def check(tap, shell, lines, directory):
    answers, errors = shell.answers([line for line, _ in lines], directory)
    tap.check(f"{shell.name}: one answer for each line, and no complaints",
              ([] if len(answers) == len(lines) else [f"{len(answers)} of {len(lines)}"]) +
              ([errors] if errors else []))
    for (line, expected), found in zip(lines, answers):
        tap.check(f"{shell.name}: {line}", [] if is_same(found, expected, line) else [
            f"offered: {' '.join(sorted(found))}", f"wanted: {' '.join(sorted(expected))}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thpstat", required=True, help="the tool")
    parser.add_argument("source", type=pathlib.Path, help="source directory of the project")
    options = parser.parse_args()
    program = Program(options.thpstat)
    tap = Tap()
    lines = list(expectations(program))
    with tempfile.TemporaryDirectory(prefix="thpstat-completion-") as name:
        directory = pathlib.Path(name)
        make_tree(directory)
        for shell in shells(options.source.resolve(), program.path):
            if not shutil.which(shell.name):
                tap.skip(f"{shell.name}: offers", f"{shell.name} is not installed")
                continue
            done = subprocess.run(shell.checks_syntax, capture_output=True, text=True, check=False)
            tap.check(f"{shell.name}: syntax", [done.stderr] if done.returncode else [])
            check(tap, shell, lines, directory)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the sources of the tool as the build does, with installed headers in place of the source's.

cli_headers.py BUILD SOURCE INCLUDE_DIRECTORY
"""

import concurrent.futures
import json
import os
import shlex
import subprocess
import sys


def directories_of_library(build, source):
    return {os.path.realpath(os.path.join(top, name))
            for top in (build, source) for name in (".", "include", "lib")}


def syntax_only(entry, unwanted, include):
    """The command of the build, less its output and the library's directories."""
    directory = entry["directory"]
    command = []
    words = iter(shlex.split(entry["command"]))
    for word in words:
        if word in ("-o", "-MF", "-MQ", "-MT"):
            next(words)
        elif word in ("-c", "-MD", "-MMD"):
            pass
        elif word.startswith("-I") and \
                os.path.realpath(os.path.join(directory, word[2:])) in unwanted:
            pass
        else:
            command.append(word)
    return [*command, "-I", include, "-fsyntax-only"]


def main():
    build, source, include = sys.argv[1:]
    unwanted = directories_of_library(build, source)
    tool = os.path.realpath(os.path.join(source, "cli")) + os.sep
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    # tests build parts of the tool too, in their own way
    entries = [entry for entry in entries if entry.get("output", "").startswith("cli/") and
               os.path.realpath(os.path.join(entry["directory"], entry["file"])).startswith(tool)]

    def check(entry):
        return subprocess.run(syntax_only(entry, unwanted, include), cwd=entry["directory"],
                              capture_output=True, text=True, check=False)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [result.stderr for result in pool.map(check, entries) if result.returncode]
    print(*failed, sep="\n")
    if not entries:
        print("no source of the tool was found")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Captures of trees. Every command says of a capture what it says of the tree; a capture of a capture
has the same files; and without its names a capture has the same figures.
"""

import functools
import os
import re
import sys
import tarfile

sys.dont_write_bytecode = True
from tool import (Failure, TESTS, answers, check, files_of, main, pids_of,  # noqa: E402
                  same)

# Values that are names, by key. All others are figures, or words of the kernel and of ours.
NAMES = ("comm", "cgroup")


def capture(tool, root, target, *options, status=(0, 64)):
    done = tool.run("--sysroot", root, "capture", *options, target)
    check(done.returncode in status, f"capture: {done.returncode} {done.stderr.decode()}")


def unpack(archive, directory):
    with tarfile.open(archive) as tar:
        tar.extractall(directory)
    (root,) = directory.iterdir()
    return root


def check_capture(tool, root, directory):
    pids = pids_of(root)
    before = answers(tool, root, pids)
    capture(tool, root, directory / "first")
    same(answers(tool, directory / "first", pids), before, "capture")
    capture(tool, directory / "first", directory / "second")
    same(files_of(directory / "second"), files_of(directory / "first"), "capture of the capture")
    capture(tool, root, directory / "packed.tar.gz")
    (directory / "unpacked").mkdir()
    same(files_of(unpack(directory / "packed.tar.gz", directory / "unpacked")),
         files_of(directory / "first"), "packed capture")
    check_anonymised(tool, root, directory, before, pids)


def private_texts(root):
    """Paths, arguments and parts of them that only processes can have chosen."""
    texts = set()
    for path, data in files_of(root).items():
        name = path.rsplit("/", 1)[-1]
        if not data or not re.match(r"proc/\d+/", path):
            continue
        if name in ("smaps", "maps"):
            found = re.findall(rb"(?m)^[0-9a-f]+-[0-9a-f]+(?: \S+){4} +(.*)$", data)
            found = [re.sub(rb"^/(memfd:|SYSV[0-9a-f]{8}|dev/zero)| \(deleted\)$|^\[(anon:)?|\]$",
                            b"", text) for text in found if text[:1] in b"/["]
        elif name == "cmdline":
            found = [text for text in data.split(b"\0") if not text.startswith(b"-X")]
        elif name == "mountinfo":
            found = [line.split()[4] for line in data.splitlines() if len(line.split()) > 6]
            found = [text for text in found if not text.startswith((b"/proc", b"/sys"))]
        else:
            continue
        texts.update(found)
        texts.update(part for text in found for part in re.split(rb"[/\s]", text))
    # the kernel's own name for memory of hugetlb pages without a file
    texts -= {b"/anon_hugepage", b"anon_hugepage"}
    return {text for text in texts if len(text) >= 7 and re.search(rb"[a-z]", text)}


def check_private(root, nameless):
    texts = private_texts(root)
    files = {path: data for path, data in files_of(nameless).items()
             if data and path.startswith("proc/") and "/" in path[5:]}
    text = b"\n".join(files.values())
    # controllers and types of file systems have names that paths have, too
    words = set(re.split(rb"[\s/\0:,]", b"\n".join(
        data for path, data in files.items() if not path.endswith(("/cgroup", "/mountinfo")))))
    for private in texts:
        check(private not in words and (b"/" not in private or private not in text),
              f"{private} is still there")


def without_names(answer):
    if isinstance(answer, dict):
        return {key: value is None if key in NAMES else without_names(value)
                for key, value in answer.items()}
    return [without_names(item) for item in answer] if isinstance(answer, list) else answer


def check_anonymised(tool, root, directory, before, pids):
    capture(tool, root, directory / "nameless", "--anonymise")
    check_private(root, directory / "nameless")
    after = answers(tool, directory / "nameless", pids)
    for command in ("host", "ps", "ps all", "ps once", "pid"):
        if command in before:
            same(without_names(after[command]), without_names(before[command]),
                 f"anonymised {command}")
    check_one_to_one(before["ps"]["processes"], after["ps"]["processes"])
    # what people see: the same things are mapped, under other names, as often as before
    figures = rb"\d+(?:\.\d+)? (?:B|[KMGT]iB)\b|\d+%|mapped \d+ times"
    if "look" in before:
        same(re.findall(figures, after["look"]), re.findall(figures, before["look"]), "looks")


def check_one_to_one(before, after):
    """The same name has the same stand-in, and no other name has it."""
    for key in NAMES:
        pairs = {(a[key], b[key]) for a, b in zip(before, after)}
        check(len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}),
              f"{key}: {pairs}")


def test_archive(archive, tool, directory):
    (directory / "tree").mkdir()
    check_capture(tool, unpack(archive, directory / "tree"), directory)


def test_case(root, tool, directory):
    check_capture(tool, root, directory)


def tests():
    archives = sorted((TESTS / "captures").glob("*.tar.gz"))
    cases = [case for case in sorted((TESTS / "cases").iterdir()) if (case / "proc").is_dir()]
    if os.environ.get("THPSTAT_WRAPPER"):  # all of them take an hour
        archives, cases = [], cases[::20]
    elif os.environ.get("THPSTAT_SLOW"):
        archives, cases = archives[-1:], cases[::6]
    for archive in archives:
        yield archive.name[:-len(".tar.gz")], functools.partial(test_archive, archive)
    for case in cases:
        yield case.name, functools.partial(test_case, case)


if __name__ == "__main__":
    sys.exit(main(list(tests())))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Makes the scdoc text of a manual page. These lines of its source are replaced:

@include NAME@          by the file NAME.scd beside it
@metrics SUBJECT ...@   by the metrics of these subjects, as the library knows them
@ratios@                by its ratios
"""

import argparse
import csv
import pathlib
import re


def escaped(text):
    """Plain text for scdoc."""
    return re.sub(r"([\\*_])", r"\\\1", text)


def bold(text):
    return "*" + text.replace("\\", "\\\\").replace("*", "\\*") + "*"


class Table:
    def __init__(self, path):
        with open(path, encoding="ascii", newline="") as file:
            self.lines = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))

    def metrics(self, wanted):
        for kind, name, *rest in self.lines:
            if kind != "metric":
                continue
            unit, counts, subjects, field, files, description = rest
            subjects = subjects.split(",")
            if not set(wanted) & set(subjects):
                continue
            about = [unit + (" since boot" if counts == "counter" else ""), field]
            about += [files.replace(" ", ", ")] if files else []
            marks = ""
            if "mapping" in wanted and "process" in subjects and "mapping" not in subjects:
                marks = " Of processes only."
            elif "mapping" in wanted and "process" not in subjects:
                marks = " Of mappings only."
            elif wanted == ["host"] and "node" in subjects:
                marks = " Also of a node."
            yield name, f"{description} ({'; '.join(about)}).{marks}"

    def ratios(self):
        for kind, name, *rest in self.lines:
            if kind == "ratio":
                yield name, f"{rest[2]}."


def definitions(pairs):
    for name, text in pairs:
        yield bold(name)
        yield "\t" + escaped(text[0].upper() + text[1:])
        yield ""


def expanded(path, table):
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.fullmatch(r"@(\w+)((?: [\w-]+)*)@", line)
        if not match:
            yield line
            continue
        word, names = match[1], match[2].split()
        if word == "include":
            yield from expanded(path.parent / f"{names[0]}.scd", table)
        elif word == "metrics":
            yield from definitions(table.metrics(names))
        elif word == "ratios":
            yield from definitions(table.ratios())
        else:
            raise SystemExit(f"{path}: {line}")


def without_double_blanks(lines):
    before = ""
    for line in lines:
        if line or before:
            yield line
        before = line


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--metric-table", required=True, help="output of metric_table")
    parser.add_argument("page", type=pathlib.Path, help="source of the page")
    options = parser.parse_args()
    table = Table(options.metric_table)
    for line in without_double_blanks(expanded(options.page, table)):
        print(line)


if __name__ == "__main__":
    main()

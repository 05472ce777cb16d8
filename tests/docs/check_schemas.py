#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Holds the JSON Schema files against the columns that there are, and all JSON of the tool against the
schemas: that of the golden tests, and of every captured and reported tree. Prints TAP.
"""

import argparse
import concurrent.futures
import copy
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from program import Program  # noqa: E402
from tap import Tap  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

MISSING = "python3-jsonschema is not installed"

# Schemas of one line of an output.
OF_LINES = tuple(name + chosen
                 for name in ("process", "mapping", "kind", "object", "host-record")
                 for chosen in ("", "-chosen")) + ("column",)


def schema_of(words):
    """Which schema the output of a command line has; None when it is no JSON."""
    letters = "".join(word[1:] for word in words if re.fullmatch(r"-[A-Za-z]+", word))
    lines = "--json-lines" in words
    if not lines and "--json" not in words and "J" not in letters:
        return None
    if "--list-columns" in words or "H" in letters:
        return "column" if lines else "columns"
    if "capture" in words:
        return None
    chosen = "-chosen" if "o" in letters or "--output" in words else ""
    if "maps" in words:
        by = [what for what in ("kind", "object") if what in words or f"--by={what}" in words]
        record = by[0] if by else "mapping"
        return record + ("" if lines else "s") + chosen
    if "host" in words:
        return ("host-record" if lines else "host") + chosen
    return ("process" if lines else "processes") + chosen


class Schemas:
    def __init__(self, directory):
        self.texts = {path.stem: json.loads(path.read_text(encoding="ascii"))
                      for path in sorted(directory.glob("*.json"))}

    def problems(self, name, value):
        validator = jsonschema.Draft202012Validator(self.texts[name])
        return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"[:300]
                for error in validator.iter_errors(value)]

    def problems_of_output(self, name, output):
        """@output is one value, or for a schema of records one in each line."""
        try:
            lines = output.splitlines() if name in OF_LINES else [output]
            values = [json.loads(line) for line in lines]
        except json.JSONDecodeError as error:
            return [f"no JSON: {error}"]
        return [problem for value in values for problem in self.problems(name, value)]


def properties(schema, *path):
    for name in path:
        schema = schema["items"] if name == "[]" else schema["properties"][name]
    return schema["properties"]


def check_drift(tap, options, schemas, directory):
    with tempfile.TemporaryDirectory(prefix="thpstat-schema-") as scratch:
        subprocess.run([sys.executable, "-B", directory / "make_schema.py", "--thpstat",
                        options.thpstat, "--metric-table", options.metric_table, scratch],
                       check=True)
        made = {path.stem: path.read_bytes() for path in pathlib.Path(scratch).iterdir()}
    tap.same("schemas: files", set(schemas.texts), set(made))
    tap.check("schemas: as docs/schema/make_schema.py makes them", [
        f"{name}.json differs" for name, text in made.items()
        if name in schemas.texts and text != (directory / f"{name}.json").read_bytes()])


def check_columns(tap, options, schemas):
    """The lists of members, without the program that made them."""
    program = Program(options.thpstat)
    told = {"absent", "missing"}
    places = {
        "processes": ("", ["processes", "[]"]), "processes-chosen": ("", ["processes", "[]"]),
        "process": ("", []), "process-chosen": ("", []),
        "mappings": ("maps", ["mappings", "[]"]), "mappings-chosen": ("maps", ["mappings", "[]"]),
        "mapping": ("maps", []), "mapping-chosen": ("maps", []),
        "kinds": ("maps --by kind", ["kinds", "[]"]),
        "kinds-chosen": ("maps --by kind", ["kinds", "[]"]),
        "kind": ("maps --by kind", []), "kind-chosen": ("maps --by kind", []),
        "objects": ("maps --by object", ["objects", "[]"]),
        "objects-chosen": ("maps --by object", ["objects", "[]"]),
        "object": ("maps --by object", []), "object-chosen": ("maps --by object", []),
        "host": ("host", ["host"]), "host-chosen": ("host", ["host"]),
        "host-record": ("host", []), "host-record-chosen": ("host", []),
    }
    for name, (command, path) in places.items():
        members = properties(schemas.texts[name], *path)
        tap.same(f"{name}.json: members are the columns", set(members) - told,
                 set(program.columns(command)))
    with open(options.metric_table, encoding="ascii") as file:
        metrics = [line.split("\t") for line in file if line.startswith("metric\t")]
    for place, subject, own in (("page_sizes", "page_size", {"size"}), ("nodes", "node", {"node"}),
                                ("node_page_sizes", "page_size", {"node", "size"})):
        members = properties(schemas.texts["host"], place, "[]")
        tap.same(f"host.json: members of {place}", set(members) - told - own,
                 {line[1] for line in metrics if subject in line[4].split(",")})


def objects(schema):
    """All shapes of objects in a schema."""
    if isinstance(schema, dict):
        if "properties" in schema and "object" in schema.get("type", ""):
            yield schema
        for value in schema.values():
            yield from objects(value)


def check_strictness(tap, schemas):
    for name, schema in schemas.texts.items():
        problems = []
        for shape in objects(schema):
            if shape.get("additionalProperties") is not False:
                problems.append(f"other members are allowed: {list(shape['properties'])[:3]} ...")
            required = set(shape.get("required", []))
            if not name.endswith("-chosen") and required != set(shape["properties"]):
                problems.append(f"not required: {set(shape['properties']) - required}")
        tap.check(f"{name}.json: nothing else is allowed, all is required", problems)
        if jsonschema:
            try:
                jsonschema.Draft202012Validator.check_schema(schema)
                problems = []
            except jsonschema.SchemaError as error:
                problems = [error]
            tap.check(f"{name}.json: is a schema", problems)


def check_refusals(tap, schemas, frame):
    """What a schema that lets everything pass would not find."""
    def changed(change):
        value = copy.deepcopy(frame)
        change(value)
        return value

    def record(value):
        return value["processes"][0]

    changes = {
        "a member is missing": lambda value: record(value).pop("rss"),
        "a member too many": lambda value: record(value).update(more=1),
        "text for a number": lambda value: record(value).update(rss="1"),
        "a number below zero": lambda value: record(value).update(rss=-1),
        "a number with a point": lambda value: record(value).update(rss=1.5),
        "a ratio above 1": lambda value: record(value).update(coverage=1.01),
        "a state that there is not": lambda value: record(value).update(state="asleep"),
        "a reason that there is not": lambda value: record(value).update(absent={"why": ["rss"]}),
        "null where a list must be": lambda value: value.update(processes=None),
        "the frame has a member too many": lambda value: value.update(more=1),
        "the frame lacks a member": lambda value: value.pop("completeness"),
        "another version of the output": lambda value: value["thpstat"].update(schema=2),
        "no time of this form": lambda value: value["thpstat"].update(time="yesterday"),
    }
    tap.check("a frame as it is passes", schemas.problems("processes", frame))
    tap.check("and is refused with a fault", [
        f"passes: {what}" for what, change in changes.items()
        if not schemas.problems("processes", changed(change))])


def check_golden(tap, options, schemas):
    cases = {}
    for path in sorted((options.source / "tests/cli/cases").iterdir()):
        words = shlex.split((path / "args").read_text(encoding="ascii"), comments=True)
        name = schema_of(words)
        if name and (path / "stdout").stat().st_size:
            cases[path] = name
    for path, name in cases.items():
        tap.check(f"golden output {path.name}: {name}.json", schemas.problems_of_output(
            name, (path / "stdout").read_text(encoding="ascii")))
    tap.check("golden outputs: enough of them", [] if len(cases) >= 15 else [len(cases)])


def trees(options, scratch):
    for archive in sorted((options.source / "tests/captures").glob("*.tar.gz")):
        subprocess.run(["tar", "-xzf", archive, "-C", scratch], check=True)
        yield scratch / archive.name.removesuffix(".tar.gz")
    for case in sorted((options.source / "tests/cases").iterdir()):
        yield from (path for path in (case, *case.glob("*/"))
                    if (path / "proc").is_dir() or (path / "sys").is_dir())


def check_tree(program, schemas, tree):
    commands = [["host", "-J"], ["host", "--json-lines"]]
    if (tree / "proc").is_dir():
        pids = [name for name in os.listdir(tree / "proc") if name.isdigit()]
        commands += [["ps", "-J"], ["ps", "--json-lines"], ["-J"]]
        commands += [["pid", "-J", *pids], ["ps", "--json-lines", "--output-all", *pids],
                     ["maps", "-J", *pids], ["maps", "--json-lines", *pids],
                     ["maps", "-J", "--by", "kind", *pids],
                     ["maps", "--by", "kind", "--json-lines", *pids]] if pids else []
    problems = []
    for words in commands:
        done = program.run("--sysroot", str(tree), *words)
        if done.returncode not in (0, 64):
            problems.append(f"{words[:2]}: {done.returncode} {done.stderr}")
            continue
        problems += [f"{words[:2]}: {problem}" for problem in
                     schemas.problems_of_output(schema_of(words), done.stdout)]
    return problems


def check_manifests(tap, program, schemas, found, scratch):
    """Of captures of trees, also of one that has a manifest itself, and of this host."""
    tree, problems = str(found[0]), []
    pid = next(name for name in os.listdir(found[0] / "proc") if name.isdigit())
    for number, words in enumerate((["--sysroot", tree], ["--sysroot", tree, "--anonymise"],
                                    ["--sysroot", tree, "-p", pid, "--user", "0", "--full", ".",
                                     "--cgroup", "/", "--cgroup", "/x"],
                                    ["--sysroot", tree, "--anonymise", "-p", pid],
                                    ["--sysroot", str(scratch / "capture3")],
                                    ["-p", str(os.getpid())])):
        target = scratch / f"capture{number}"
        done = program.run("capture", *words, str(target))
        if not (target / "manifest.json").exists():
            problems.append(f"{words}: {done.returncode} {done.stderr}")
            continue
        problems += [f"{words}: {problem}" for problem in schemas.problems_of_output(
            "manifest", (target / "manifest.json").read_text(encoding="ascii"))]
    tap.check("manifests of captures", problems)


def check_live(tap, program, schemas):
    for words in (["-J"], ["ps", "--json-lines", "--output-all"], ["pid", "-J", str(os.getpid())],
                  ["maps", "-J", str(os.getpid())], ["maps", "--json-lines", str(os.getpid())],
                  ["host", "-J"], ["host", "--json-lines"], ["-H", "-J"],
                  ["host", "--list-columns", "--json-lines"]):
        done = program.run(*words)
        tap.check(f"this host: {' '.join(words[:2])}",
                  schemas.problems_of_output(schema_of(words), done.stdout) +
                  ([] if done.returncode == 0 else [done.stderr]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thpstat", required=True, help="the tool")
    parser.add_argument("--metric-table", required=True, help="output of metric_table")
    parser.add_argument("source", type=pathlib.Path, help="source directory of the project")
    options = parser.parse_args()
    options.thpstat = os.path.abspath(options.thpstat)
    tap = Tap()
    directory = options.source / "docs/schema"
    schemas = Schemas(directory)
    check_drift(tap, options, schemas, directory)
    check_columns(tap, options, schemas)
    check_strictness(tap, schemas)
    if not jsonschema:
        tap.skip("outputs have the form of their schema", MISSING)
        return tap.end()
    program = Program(options.thpstat)
    check_golden(tap, options, schemas)
    with tempfile.TemporaryDirectory(prefix="thpstat-schema-") as name, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(trees(options, pathlib.Path(name)))
        results = pool.map(lambda tree: check_tree(program, schemas, tree), found)
        for tree, problems in zip(found, results):
            tap.check(f"all JSON of {tree.name}", problems)
        check_manifests(tap, program, schemas, found, pathlib.Path(name))
        frame = json.loads(program.run("--sysroot", str(found[0]), "ps", "-J").stdout)
    check_refusals(tap, schemas, frame)
    check_live(tap, program, schemas)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())

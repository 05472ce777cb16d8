#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Writes the JSON Schema files of this directory from what the tool and the library say of their
columns. A test compares the result with the files that are here.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import textwrap

SCHEMA = "https://json-schema.org/draft/2020-12/schema"
WIDTH = 100

# Shapes that many members have.
DEFINITIONS = {
    "number": {"type": "integer", "minimum": 0, "maximum": 2 ** 63 - 1},
    "number_or_null": {"type": ["integer", "null"], "minimum": 0, "maximum": 2 ** 63 - 1},
    "flag_or_null": {"enum": [0, 1, None]},
    "ratio_or_null": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
    "text": {"type": "string"},
    "text_or_null": {"type": ["string", "null"]},
    "name": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
    "address": {"type": "string", "pattern": "^0x[0-9a-f]+$"},
}
NUMBER, NUMBER_OR_NULL, FLAG_OR_NULL, RATIO_OR_NULL, TEXT, TEXT_OR_NULL, NAME, _ = (
    {"$ref": f"#/$defs/{name}"} for name in DEFINITIONS)

TIME = {**TEXT_OR_NULL, "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$",
        "description": "when it was read; null when a tree does not say"}

# Columns whose values are known better than by their unit.
KNOWN = {
    "pid": {"type": "integer", "minimum": 1, "maximum": 2 ** 31 - 1},
    "ppid": {"type": ["integer", "null"], "minimum": 0, "maximum": 2 ** 31 - 1},
    "uid": {"type": ["integer", "null"], "minimum": 0, "maximum": 2 ** 32 - 1},
    "inconsistent": {"enum": [0, 1]},
    "cut": {"enum": [0, 1]},
    "names_differ": {"enum": [0, 1]},
    "start": {"$ref": "#/$defs/address"},
    "end": {"$ref": "#/$defs/address"},
    "class": {"enum": ["anon", "shmem", "file", "hugetlb"]},
    "perms": {"type": "string", "pattern": "^[r-][w-][x-][sp]$"},
    "notes": {"type": "array", "items": {"type": "string"}},
    "page_source": {"enum": ["pagemap_scan", "pagemap", None]},
}


class Facts:
    """What the tool and the library say."""

    def __init__(self, thpstat, metric_table):
        with open(metric_table, encoding="ascii", newline="") as file:
            lines = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        self.metrics = [line[1:] for line in lines if line[0] == "metric"]
        self.reasons = [line[1] for line in lines if line[0] == "reason"]
        self.methods = [line[1] for line in lines if line[0] == "method"]
        self.states = [line[1] for line in lines if line[0] == "state"]
        self.kinds = [line[1] for line in lines if line[0] == "mapping_kind"]
        self.process = self.columns(thpstat, [])
        self.host = self.columns(thpstat, ["host"])
        self.mapping = self.columns(thpstat, ["maps"])
        self.kind = self.columns(thpstat, ["maps", "--by", "kind"])
        self.object = self.columns(thpstat, ["maps", "--by", "object"])

    def columns(self, thpstat, command):
        output = subprocess.run([thpstat, *command, "--list-columns", "--json"], check=True,
                                stdout=subprocess.PIPE).stdout
        return {column["name"]: self.column(**column)
                for column in json.loads(output)["columns"]}

    def column(self, name, unit, kernel_field, description):
        if name == "state":
            # of those that are gone there is no record
            shape = {"enum": [state for state in self.states if state != "gone"]}
        elif name == "kind":
            shape = {"enum": self.kinds}
        elif name.endswith("_method"):
            shape = {"enum": [*self.methods, None]}
        elif name == "mappings" and unit == "number":  # of a kind: none is no record
            shape = NUMBER
        elif name in KNOWN:
            shape = KNOWN[name]
        elif unit == "text":
            shape = TEXT_OR_NULL
        elif unit == "ratio":
            shape = RATIO_OR_NULL
        elif unit == "flag":
            shape = FLAG_OR_NULL
        else:
            shape = NUMBER_OR_NULL
        about = [unit] if unit not in ("text", "number") else []
        about += [kernel_field] if kernel_field else []
        about = f" ({', '.join(about)})" if about else ""
        return {**shape, "description": description + about}

    def metrics_of(self, subject):
        return {name: self.column(name, unit, field, description)
                for name, unit, _, subjects, field, _, description in self.metrics
                if subject in subjects.split(",")}


def an_object(properties, required=True, **more):
    shape = {"type": "object", "properties": properties, "additionalProperties": False, **more}
    if required:
        shape["required"] = list(properties)
    return shape


def a_list(items):
    return {"type": "array", "items": items}


def explained(facts, properties, whole):
    """A record that says why figures are absent. @whole: it has all columns."""
    reasons = [*facts.reasons, "nothing to divide by"]
    shape = an_object({
        **properties,
        "absent": {"type": "object", "propertyNames": {"enum": reasons},
                   "additionalProperties": {**a_list(NAME), "minItems": 1},
                   "description": "names of the members that are null, by the reason"},
        "missing": {"type": "object", "propertyNames": NAME,
                    "additionalProperties": {"type": "integer", "minimum": 1},
                    "description": "of a sum: the number of its parts that are not in it"},
    })
    if not whole:
        shape["required"] = ["absent", "missing"]
    return shape


def envelope():
    return an_object({
        "version": {**TEXT, "description": "of the library"},
        "schema": {"const": 1, "description": "of this output"},
        "source": {"enum": ["live", "tree"]},
        "sysroot": {**TEXT_OR_NULL, "description": "argument of --sysroot"},
        "kernel": {**TEXT_OR_NULL, "description": "release of the kernel"},
        "page_size": {**NUMBER_OR_NULL, "description": "base page size in bytes"},
        "pmd_size": {**NUMBER_OR_NULL,
                     "description": "size of a PMD-mapped huge page in bytes"},
        "time": TIME,
    })


def completeness():
    return an_object({
        "read": {**NUMBER, "description": "figures were read"},
        "forbidden": {**NUMBER, "description": "alive, but not permitted"},
        "vanished": {**NUMBER, "description": "ended before or while they were read"},
        "cut": {**NUMBER, "description": "a file was malformed, ended early or failed"},
        "kernel_threads": {**NUMBER, "description": "have no memory of their own"},
        "zombies": {**NUMBER, "description": "have no memory any more"},
    })


def setting():
    return an_object({
        "knob": {**TEXT, "description": "file below /sys/kernel/mm/transparent_hugepage"},
        "value": {**TEXT_OR_NULL, "description": "the word in brackets, or the number"},
        "choices": {"type": ["array", "null"], "items": TEXT,
                    "description": "all words it offers; null for a number"},
        "page_size": {**NUMBER_OR_NULL,
                      "description": "of a setting of one page size, in bytes"},
        "error": {**TEXT_OR_NULL, "description": "why value is null"},
    })


def process(facts, whole):
    return explained(facts, facts.process, whole)


def processes(facts, whole):
    return an_object({"thpstat": envelope(), "completeness": completeness(),
                      "processes": a_list(process(facts, whole))})


def mapping(facts, whole):
    return explained(facts, facts.mapping, whole)


def mappings(facts, whole):
    return an_object({"thpstat": envelope(), "mappings": a_list(mapping(facts, whole)),
                      "completeness": completeness()})


def kind(facts, whole):
    return explained(facts, facts.kind, whole)


def kinds(facts, whole):
    return an_object({"thpstat": envelope(), "kinds": a_list(kind(facts, whole)),
                      "completeness": completeness()})


def object_record(facts, whole):
    return explained(facts, facts.object, whole)


def objects(facts, whole):
    return an_object({"thpstat": envelope(), "objects": a_list(object_record(facts, whole)),
                      "completeness": completeness()})


def host_record(facts, whole):
    return explained(facts, facts.host, whole)


def host(facts, whole):
    node = {"node": {**NUMBER, "description": "its number"}}
    size = {"size": {**NUMBER, "description": "of a page, in bytes"}}
    of_size = facts.metrics_of("page_size")
    return an_object({
        "thpstat": envelope(),
        "host": host_record(facts, whole),
        "settings": a_list(setting()),
        "page_sizes": a_list(explained(facts, {**size, **of_size}, True)),
        "nodes": a_list(explained(facts, {**node, **facts.metrics_of("node")}, True)),
        "node_page_sizes": a_list(explained(facts, {**node, **size, **of_size}, True)),
    })


def column(facts, whole):
    del facts, whole
    return an_object({"name": NAME, "unit": TEXT, "kernel_field": TEXT_OR_NULL,
                      "description": TEXT})


def columns(facts, whole):
    return an_object({"columns": a_list(column(facts, whole))})


def manifest(facts, whole):
    del facts, whole
    chosen = an_object({
        "pids": a_list({"type": "integer", "minimum": 1, "maximum": 2 ** 31 - 1}),
        "names": a_list(TEXT_OR_NULL),
        "users": a_list(TEXT_OR_NULL),
        "command_lines": {**NUMBER, "description": "how many patterns were given"},
        "cgroups": a_list(TEXT_OR_NULL),
    })
    left_out = an_object({
        "what": TEXT,
        "why": {**TEXT, "description": "in words, or the name of an error"},
        "count": {**NUMBER_OR_NULL, "description": "null where it is not counted"},
    })
    return an_object({
        "format": {"const": 1, "description": "of the capture"},
        "thpstat": {**TEXT, "description": "version that made the capture"},
        "kernel": {**TEXT_OR_NULL, "description": "release of the kernel"},
        "architecture": {**TEXT_OR_NULL, "description": "of the machine"},
        "time": TIME,
        "page_size": {**NUMBER_OR_NULL, "description": "base page size in bytes"},
        "anonymised": {"type": "boolean", "description": "were names replaced?"},
        "selection": {**chosen, "type": ["object", "null"],
                      "description": "what was asked for, names null when anonymised; null: all"},
        "completeness": completeness(),
        "left_out": a_list(left_out),
    })


# File, what makes it, has it all columns, and what it describes.
FILES = (
    ("processes", processes, True, "thpstat -J, thpstat ps -J and thpstat pid -J"),
    ("processes-chosen", processes, False, "the same with -o"),
    ("process", process, True, "one line of thpstat --json-lines, of ps and pid too"),
    ("process-chosen", process, False, "the same with -o"),
    ("mappings", mappings, True, "thpstat maps -J"),
    ("mappings-chosen", mappings, False, "the same with -o"),
    ("mapping", mapping, True, "one line of thpstat maps --json-lines"),
    ("mapping-chosen", mapping, False, "the same with -o"),
    ("kinds", kinds, True, "thpstat maps --by kind -J"),
    ("kinds-chosen", kinds, False, "the same with -o"),
    ("kind", kind, True, "one line of thpstat maps --by kind --json-lines"),
    ("kind-chosen", kind, False, "the same with -o"),
    ("objects", objects, True, "thpstat maps --by object -J"),
    ("objects-chosen", objects, False, "the same with -o"),
    ("object", object_record, True, "one line of thpstat maps --by object --json-lines"),
    ("object-chosen", object_record, False, "the same with -o"),
    ("host", host, True, "thpstat host -J"),
    ("host-chosen", host, False, "the same with -o"),
    ("host-record", host_record, True, "the line of thpstat host --json-lines"),
    ("host-record-chosen", host_record, False, "the same with -o"),
    ("columns", columns, True, "thpstat --list-columns -J, of maps and host too"),
    ("column", column, True, "one line of thpstat --list-columns --json-lines"),
    ("manifest", manifest, True, "the file manifest.json of thpstat capture"),
)


def used(value):
    """Names of the definitions that are used in it."""
    if isinstance(value, dict):
        own = {value["$ref"].rpartition("/")[2]} if "$ref" in value else set()
        return own.union(*(used(item) for item in value.values()))
    return set().union(*(used(item) for item in value)) if isinstance(value, list) else set()


def text(value, indent=0):
    """As json.dumps(), with what is short on one line."""
    line = json.dumps(value)
    is_member = isinstance(value, dict) and "description" in value and "properties" not in value
    if not value or not isinstance(value, (dict, list)) or is_member:
        return line
    if len(line) + indent + 30 <= WIDTH:
        return line
    blanks = " " * (indent + 2)
    if isinstance(value, list):
        lines = textwrap.wrap(line[1:-1], WIDTH - len(blanks))
        return f"[\n{blanks}" + f"\n{blanks}".join(lines) + f"\n{' ' * indent}]"
    parts = [f"{json.dumps(key)}: {text(item, indent + 2)}" for key, item in value.items()]
    return f"{{\n{blanks}" + f",\n{blanks}".join(parts) + f"\n{' ' * indent}}}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thpstat", required=True, help="the tool")
    parser.add_argument("--metric-table", required=True, help="output of metric_table")
    parser.add_argument("directory", type=pathlib.Path, help="where to write the files")
    options = parser.parse_args()
    facts = Facts(options.thpstat, options.metric_table)
    for name, make, whole, about in FILES:
        shape = make(facts, whole)
        definitions = {name: DEFINITIONS[name] for name in DEFINITIONS if name in used(shape)}
        schema = {"$schema": SCHEMA, "title": f"{name} of thpstat", "description": about,
                  "$defs": definitions, **shape}
        (options.directory / f"{name}.json").write_text(text(schema) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()

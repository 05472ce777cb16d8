#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Makes the scdoc text of the manual page of a public header, from the declarations and comments that
are in it; of thpstat.h the page of the whole library, which also needs the other headers.
"""

import argparse
import pathlib
import re

# What a page is called, and what it is about. The headers say all else.
PAGES = {
    "source.h": ("thpstat_source", "where figures are read from"),
    "metric.h": ("thpstat_metric", "what each figure is"),
    "usage.h": ("thpstat_usage", "records of figures, and how sure they are"),
    "host.h": ("thpstat_host", "figures and settings of the host"),
    "process.h": ("thpstat_process", "a walk over processes"),
    "mapping.h": ("thpstat_mapping", "a walk over the mappings of a process"),
    "object.h": ("thpstat_object", "what is behind the mappings of a process"),
}
MANY = 30  # constants that are too many to be repeated
WIDTH = 72


class Item:
    """A declaration and the comment before it."""

    def __init__(self, comment, declaration):
        self.declaration = declaration
        first, _, rest = comment.partition("\n")
        self.title, _, self.brief = first.partition(" - ")
        self.members = []
        self.paragraphs = []
        self.read(rest)

    def read(self, text):
        for block in re.split(r"\n\s*\n", text):
            for part in re.split(r"\n(?=@)", block.strip()):
                match = re.match(r"@(\w+): (.*)", part, re.S)
                if match:
                    self.members.append((match[1], joined(match[2])))
                elif part:
                    self.paragraphs.append(joined(part))

    @property
    def is_function(self):
        return self.declaration.endswith(");") and "typedef" not in self.declaration

    @property
    def name(self):
        return self.title.split()[-1]


def joined(text):
    return " ".join(text.split())


def without_stars(comment):
    lines = comment.strip().removeprefix("/**").removeprefix("/*").removesuffix("*/").split("\n")
    return "\n".join(re.sub(r"^\s*\* ?", "", line) for line in lines).strip()


def body_of(text):
    """What stands between the marks for C++, or all of it."""
    start = text.find('extern "C" {\n#endif\n')
    return text[start:].split("#endif\n", 1)[1].split("#ifdef __cplusplus")[0] if start >= 0 else text


def items_of(text):
    """All that has a comment of the kind /** ... */."""
    pattern = r"/\*\*\n(.*?)\*/\n(.*?;)\n(?=\n|$)"
    for comment, declaration in re.findall(pattern, body_of(text), re.S):
        yield Item(without_stars(comment), plain(declaration))


def plain(declaration):
    """Without what only the compiler needs."""
    return re.sub(r"THPSTAT_(API|CHECK)\s+", "", declaration)


def shortened(declaration):
    """An enumeration of very many constants with only its first and last ones."""
    lines = declaration.split("\n")
    if not lines[0].startswith("enum ") or len(lines) < MANY:
        return declaration
    return "\n".join([*lines[:3], "\t/* ... see thpstat-metrics(7) */", *lines[-3:]])


def wrapped(declaration):
    """A prototype on as few lines as fit, no parameter torn apart."""
    if not declaration.endswith(");"):
        return shortened(declaration)
    head, _, parameters = re.sub(r"\* (?=\w)", "*", joined(declaration)).rpartition("(")
    lines = [head + "("]
    for parameter in parameters.split(", "):
        glue = "" if lines[-1].endswith("(") else " "
        comma = "" if parameter.endswith(";") else ","
        if len(lines[-1] + glue + parameter + comma) > WIDTH:
            lines.append("    " + parameter + comma)
        else:
            lines[-1] += glue + parameter + comma
    return "\n".join(lines)


def declarations(text):
    """All declarations in their order, with the comments that are no documents of their own."""
    body = re.sub(r"/\*\*\n.*?\*/\n", "", body_of(text), flags=re.S)
    for block in re.split(r"\n\s*\n", body.strip()):
        if not block.startswith("#endif"):
            yield wrapped(plain(block)).expandtabs(8)


def escaped(text):
    """Plain text for scdoc; names of members and functions stand out."""
    text = re.sub(r"([\\*_])", r"\\\1", text)
    text = re.sub(r"@([\w\\]+)", r"_\1_", text)
    text = re.sub(r"\b(thpstat[\w\\]*)\(\)", r"*\1*()", text)
    return "\\" + text if text[:1] in "-#|.;`[]" else text


def bold(text):
    return f"*{escaped(text)}*"


def literal(text):
    return ["```", *text.replace("\\", "\\\\").split("\n"), "```", ""]


def described(item):
    yield f"## {item.title}{'()' if item.is_function else ''}"
    yield ""
    if item.brief:
        brief = item.brief[0].upper() + item.brief[1:]
        yield escaped(brief if brief.endswith("?") else brief + ".")
        yield ""
    for name, text in item.members:
        yield bold(name)
        yield "\t" + escaped(text)
        yield ""
    for paragraph in item.paragraphs:
        yield re.sub(r"^Return:", "*Return:*", escaped(paragraph))
        yield ""


def see_also(own):
    names = ["*libthpstat*(3)"] if own else []
    names += [f"*{name}*(3)" for name, _ in PAGES.values() if name != own]
    return ["# SEE ALSO", "", ", ".join([*names, "*thpstat-metrics*(7)", "*thpstat*(1)"])]


def header_page(header):
    text = header.read_text(encoding="ascii")
    name, about = PAGES[header.name]
    items = list(items_of(text))
    functions = [item for item in items if item.is_function]
    yield f"{name}(3)"
    yield ""
    yield "# NAME"
    yield ""
    yield ", ".join(escaped(own) for own in [name, *(item.name for item in functions)]) + \
        f" - {about}"
    yield ""
    yield "# SYNOPSIS"
    yield ""
    yield "*#include <thpstat/thpstat.h>*"
    yield ""
    for declaration in declarations(text):
        yield from literal(declaration)
    yield "# TYPES"
    yield ""
    for item in items:
        if not item.is_function:
            yield from described(item)
    yield "# FUNCTIONS"
    yield ""
    for item in functions:
        yield from described(item)
    yield from see_also(name)


def umbrella_sections(comment):
    """Paragraphs that begin with one word and a full stop are sections."""
    for paragraph in re.split(r"\n\s*\n", comment):
        lines = paragraph.split("\n")
        match = re.match(r"([A-Z]\w+)\. (.*)", lines[0])
        if match:
            yield f"# {match[1].upper()}"
            yield ""
            lines[0] = match[2]
        rows = [line.split("\t") for line in lines if line.startswith("\t")]
        yield escaped(joined(" ".join(line for line in lines if not line.startswith("\t"))))
        yield ""
        for row in rows:
            names, *text = [field for field in row if field]
            if text:
                yield bold(names)
                yield "\t" + escaped(text[0])
            else:
                yield escaped(names)
            yield ""


def library_page(umbrella, headers, example):
    comment = re.search(r"/\*\n \* libthpstat.*?\*/", umbrella.read_text(encoding="ascii"), re.S)
    first, *rest = re.split(r"\n\s*\n", without_stars(comment[0]))
    about = joined(first).partition(" - ")[2]
    short, _, long = about.partition(": ")
    yield "libthpstat(3)"
    yield ""
    yield "# NAME"
    yield ""
    yield f"libthpstat - {escaped(short)}"
    yield ""
    yield "# SYNOPSIS"
    yield ""
    yield "*#include <thpstat/thpstat.h>*"
    yield ""
    yield "cc _program.c_ $(pkg-config --cflags --libs libthpstat)"
    yield ""
    yield "# DESCRIPTION"
    yield ""
    yield escaped(f"{short[0].upper()}{short[1:]}: {long}")
    yield ""
    yield from umbrella_sections("\n\n".join(rest))
    yield "# FUNCTIONS"
    yield ""
    for header in headers:
        name, page_about = PAGES[header.name]
        yield f"*{name}*(3): {page_about}"
        yield ""
        for item in items_of(header.read_text(encoding="ascii")):
            if item.is_function:
                yield f"- *{escaped(item.name)}*() - {escaped(item.brief)}"
        yield ""
    yield "# EXAMPLES"
    yield ""
    program = example.read_text(encoding="ascii").split("\n", 1)[1].rstrip()
    yield from literal(program.expandtabs(8))
    yield from see_also("")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--example", type=pathlib.Path, help="program for the page of the library")
    parser.add_argument("header", type=pathlib.Path)
    parser.add_argument("others", type=pathlib.Path, nargs="*", help="headers that thpstat.h includes")
    options = parser.parse_args()
    if options.header.name == "thpstat.h":
        lines = library_page(options.header, options.others, options.example)
    else:
        lines = header_page(options.header)
    for line in lines:
        print(line)


if __name__ == "__main__":
    main()

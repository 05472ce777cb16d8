#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Holds help, manual pages and completions against the tool and the library: nothing that is there is
missing in them, and they name nothing that is not there. Prints TAP.
"""

import argparse
import csv
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from program import Program, section  # noqa: E402
from tap import Tap  # noqa: E402

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "OVERHEAD", "CAVEATS", "EXIT STATUS",
            "ENVIRONMENT", "EXAMPLES", "SEE ALSO"]
HEADERS = ["source", "metric", "usage", "host", "process", "mapping", "object"]
CAPTURE = "x86_64-6.18.15+deb13-cloud-amd64"
PID = "494"

# What an option of a command is good for only together with.
NEEDS = {("maps", "exact"): ["--by", "object"]}

# Something that an option takes; TREE and PROCESS are replaced.
ARGUMENTS = {
    "pid": PID,
    "name": "anon64",
    "user": "0",
    "full": "anon64",
    "cgroup": "/",
    "sort": "-pid",
    "output": "COLUMN",
    "sysroot": "TREE",
    "proc": "TREE/proc",
    "sys": "TREE/sys",
    "cgroup-root": "TREE/sys/fs/cgroup",
    "color": "never",
    "min": "64K",
    "only": "heap",
    "by": "kind",
}


class Documents:
    def __init__(self, options):
        self.source = options.source
        self.program = Program(options.thpstat)
        with open(options.metric_table, encoding="ascii", newline="") as file:
            self.table = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        docs = self.source / "docs"
        self.pages = {}
        for path in sorted((docs / "man").glob("*.scd.in")):
            self.pages[path.name.removesuffix(".scd.in")] = self.made(
                docs / "make_page.py", "--metric-table", options.metric_table, path)
        include = self.source / "include/thpstat"
        headers = [include / f"{name}.h" for name in HEADERS]
        for header in headers:
            self.pages[f"thpstat_{header.stem}.3"] = self.made(docs / "header_page.py", header)
        self.pages["libthpstat.3"] = self.made(
            docs / "header_page.py", "--example", docs / "example.c", include / "thpstat.h",
            *headers)

    @staticmethod
    def made(*command):
        return subprocess.run([sys.executable, "-B", *command], check=True, encoding="utf-8",
                              stdout=subprocess.PIPE).stdout

    def names(self, kind):
        return {line[1] for line in self.table if line[0] == kind}

    def page_of(self, command):
        return self.pages.get(f"thpstat-{command}.1" if command else "thpstat.1", "")

    def part(self, page, heading):
        """The text of one section."""
        match = re.search(rf"^# {heading}\n(.*?)(?=^# |\Z)", page, re.M | re.S)
        return match[1] if match else ""


def defined(text):
    """All words in bold at the beginnings of definitions."""
    words = set()
    for line in re.findall(r"^\*.*(?=\n\t)", text, re.M):
        words |= {word.replace("\\", "") for word in re.findall(r"\*([^*\s]+)\*", line)}
    return words


def check_pages(tap, documents):
    program = documents.program
    with_page = [command for command in program.commands if command != "help"]
    tap.check("each command has a page", [
        command for command in with_page if not documents.page_of(command)])
    tap.check("no page is of a command that is not there", [
        name for name in documents.pages
        if name.startswith("thpstat-") and name.endswith(".1") and
        name[len("thpstat-"):-2] not in program.commands])
    for command in ["", *with_page]:
        page = documents.page_of(command)
        name = f"thpstat{'-' if command else ''}{command}(1)"
        tap.same(f"{name}: options are those of the help",
                 {word for word in defined(documents.part(page, "OPTIONS"))
                  if word.startswith("-") and word != "-"},
                 program.spellings(command))
        headings = re.findall(r"^# (.*)$", page, re.M)
        tap.check(f"{name}: sections", [f"missing: {heading}" for heading in SECTIONS
                                        if heading not in headings])
        statuses = section(program.help[command], "Exit status")
        tap.check(f"{name}: statuses are some of the help",
                  defined(documents.part(page, "EXIT STATUS")) -
                  set(re.findall(r"^ +(\d+) ", statuses, re.M)))
    statuses = section(program.help[""], "Exit status")
    tap.same("thpstat(1): statuses are those of the help",
             defined(documents.part(documents.pages["thpstat.1"], "EXIT STATUS")),
             set(re.findall(r"^ +(\d+) ", statuses, re.M)))
    tap.same("thpstat(1): commands",
             {word for word in defined(documents.part(documents.pages["thpstat.1"], "COMMANDS")
                                       .replace("++\n", "\n\t\n"))
              if word != "thpstat"},
             set(program.commands))
    options = program.all_spellings()
    for name, page in documents.pages.items():
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*(?![\w-])", page))
        if name.endswith(".3"):
            named -= {"--cflags", "--libs"}  # of pkg-config
        tap.check(f"{name}: names no option that is not there", sorted(named - options))
        references = set(re.findall(r"\*([\w\\-]*thpstat[\w\\-]*)\*\((\d)\)", page))
        tap.check(f"{name}: refers to pages that are there", sorted(
            f"{page_name}({part})" for page_name, part in references
            if f"{page_name}.{part}".replace("\\", "") not in documents.pages))
        tap.check(f"{name}: says its own name first", [] if page.startswith(
            f"{name[:-2]}({name[-1]})\n") else [page.split("\n", 1)[0]])


def check_environment(tap, documents):
    asked = set()
    for path in (documents.source / "cli").glob("*.c"):
        asked |= set(re.findall(r'getenv\("(\w+)"\)', path.read_text(encoding="utf-8")))
    # setlocale() asks for these
    asked |= {"LC_ALL", "LC_CTYPE", "LANG"}
    for command in ["", *documents.program.commands]:
        if documents.page_of(command):
            tap.same(f"environment of thpstat{'-' if command else ''}{command}(1)",
                     defined(documents.part(documents.page_of(command), "ENVIRONMENT")), asked)


def check_figures(tap, documents):
    page = documents.pages["thpstat-metrics.7"]
    figures = documents.names("metric") | documents.names("ratio")
    tap.same("thpstat-metrics(7): figures", defined(page[page.index("\n# FIGURES OF"):]), figures)
    definitions = set(re.findall(r"^\*([^*]+)\*$", page, re.M))
    for kind in ("reason", "method"):
        names = documents.names(kind)
        tap.check(f"thpstat-metrics(7): every {kind} is explained", sorted(names - definitions))

    identities = set(documents.program.columns("")) - figures
    tap.check("thpstat-ps(1): columns that are no figures are explained", sorted(
        {name.upper() for name in identities} -
        defined(documents.part(documents.pages["thpstat-ps.1"], "COLUMNS"))))
    tap.check("thpstat-ps(1): every state is named", sorted(
        state for state in documents.names("state") - {"gone"}
        if f"_{state}_" not in joined(documents.pages["thpstat-ps.1"])))
    of_mapping = {line[1] for line in documents.table
                  if line[0] == "metric" and "mapping" in line[4].split(",")}
    own = {"maps": set(documents.program.columns("maps")) - figures}
    tap.check("thpstat-maps(1): columns that are no figures are explained", sorted(
        {name.upper() for name in own["maps"] | {"mappings"}} -
        defined(documents.part(documents.pages["thpstat-maps.1"], "COLUMNS"))))
    tap.same("thpstat-maps(1): kinds",
             defined(documents.part(documents.pages["thpstat-maps.1"], "KINDS")),
             documents.names("mapping_kind"))
    for command, subject in (("", "process"), ("host", "host"), ("maps", "mapping")):
        columns = documents.program.columns(command)
        expected = {line[1] for line in documents.table
                    if line[0] == "metric" and subject in line[4].split(",")}
        if not command:
            expected |= documents.names("ratio") | identities
        if command == "maps":
            expected |= own["maps"] | {line[1] for line in documents.table if line[0] == "ratio"
                                       and {line[2], line[3]} <= of_mapping}
        tap.same(f"--list-columns of {command or 'ps'}: figures of the library", set(columns),
                 expected)
        tap.check(f"--list-columns of {command or 'ps'}: each once", sorted(
            {name for name in columns if columns.count(name) > 1}))
        explained = documents.program.run(*filter(None, [command]), "--list-columns").stdout
        tap.same(f"--list-columns of {command or 'ps'}: for people the same",
                 set(re.findall(r"^([A-Z0-9_]+)  ", explained, re.M)),
                 {name.upper() for name in columns})
    constants = set(re.findall(r"^\tTHPSTAT_(\w+) = ",
                               (documents.source / "include/thpstat/metric.h")
                               .read_text(encoding="ascii").split("enum thpstat_unit")[0], re.M))
    tap.same("constants are THPSTAT_ and the name in capitals",
             {name.upper() for name in figures},
             {name for name in constants if not name.endswith("FORCE_INT")})


def joined(text):
    return " ".join(text.split())


def check_functions(tap, documents):
    symbols = set(re.findall(r"\bthpstat_\w+(?=;)",
                             (documents.source / "lib/libthpstat.map").read_text(encoding="ascii")))
    declared, described, named = set(), set(), set()
    for header in HEADERS:
        page = documents.pages[f"thpstat_{header}.3"].replace("\\", "")
        declared |= set(re.findall(r"\b(thpstat_\w+)\(", documents.part(page, "SYNOPSIS")))
        described |= set(re.findall(r"^## (thpstat_\w+)\(\)$", documents.part(page, "FUNCTIONS"),
                                    re.M))
        about = documents.part(page, "NAME").split(" - ")[0]
        named |= set(joined(about).split(", ")) - {f"thpstat_{header}"}
    listed = set(re.findall(r"^- \*(thpstat_\w+)\*", documents.pages["libthpstat.3"]
                            .replace("\\", ""), re.M))
    tap.same("functions are declared in a page 3", declared, symbols)
    tap.same("functions are described in a page 3", described, symbols)
    tap.same("functions are named at the top of a page 3", named, symbols)
    tap.same("functions are listed in libthpstat(3)", listed, symbols)
    tap.same("public headers have a page",
             {f"{name}.h" for name in HEADERS} | {"thpstat.h", "common.h"},
             {path.name for path in (documents.source / "include/thpstat").glob("*.h")})


def check_completions(tap, documents):
    program = documents.program
    options = program.all_spellings()
    directory = documents.source / "cli/completion"
    texts = {path.name: path.read_text(encoding="utf-8") for path in directory.iterdir()}
    fish = "\n".join(line for line in texts["thpstat.fish"].splitlines()
                     if line.startswith("complete -c thpstat"))
    found = {
        "thpstat.bash": set(re.findall(r"(?<![\w-])--[a-z][a-z-]*|(?<=[\s'])-[A-Za-z](?=[\s'])",
                                       texts["thpstat.bash"].split("local processes=")[1]
                                       .split("local commands=")[0])),
        "_thpstat": set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", texts["_thpstat"])) |
        set(re.findall(r"(?<=\{)-[A-Za-z](?=[+,])", texts["_thpstat"])),
        "thpstat.fish": {f"--{name}" for name in re.findall(r" -l ([a-z-]+)", fish)} |
        {f"-{letter}" for letter in re.findall(r" -s (\w)", fish)},
    }
    for name, spellings in found.items():
        tap.same(f"{name}: options", spellings, options)
        tap.check(f"{name}: commands", [command for command in program.commands
                                        if not re.search(rf"\b{command}\b", texts[name])])
    tap.same("completions are for these shells", set(texts), set(found))


def check_help(tap, documents):
    program = documents.program
    for command, text in program.help.items():
        name = f"help of {command}" if command else "help"
        tap.check(f"{name}: form", [line for line in text.splitlines()
                                    if len(line) > 80 or line != line.rstrip()] +
                  ([] if text.startswith(f"Usage: thpstat {command}".rstrip()) else ["no usage"]))
        tap.check(f"{name}: refers to pages that are there", [
            page for page in re.findall(r"(thpstat[\w-]*)\((\d)\)", text)
            if ".".join(page) not in documents.pages])
    tap.check("help says what each command is for", [
        command for command in program.commands
        if not re.search(rf"^  {command} .*\S", program.help[""], re.M)])


def filled(argument, tree, command):
    column = {"host": "mem_total"}.get(command, "pid")
    return argument.replace("TREE", str(tree)).replace("COLUMN", column)


def words_after(command, target):
    return {"pid": [PID], "maps": [PID], "capture": [str(target)], "help": []}.get(command, [])


def check_acceptance(tap, documents, tree, scratch):
    """Each option of each help is taken, and refused when it is used in a wrong way."""
    program = documents.program
    number = 0
    for command in program.help:
        problems = []
        for option in program.options(command):
            value = ARGUMENTS.get(option.name)
            if option.argument == "required" and value is None:
                problems.append(f"--{option.name}: no argument is known to try it with")
                continue
            value = filled(value, tree, command) if value else None
            number += 1
            words = words_after(command, scratch / f"target{number}")
            source = [] if option.name == "sysroot" or command == "help" else ["--sysroot", str(tree)]
            forms = [[f"--{option.name}"]]
            if option.letter:
                forms.append([f"-{option.letter}"])
            if option.argument == "required":
                forms = [[*form, value] for form in forms] + [[f"--{option.name}={value}"]]
            elif option.argument == "optional":
                forms.append([f"--{option.name}={value}"])
            for form in forms:
                number += 1
                words = [*NEEDS.get((command, option.name), []),
                         *words_after(command, scratch / f"target{number}")]
                done = program.run(*filter(None, [command]), *source, *form, *words)
                if done.returncode != 0 or done.stderr and option.name != "verbose":
                    problems.append(f"{form}: {done.returncode} {done.stderr}")
            wrong = {"required": [f"--{option.name}"], None: [f"--{option.name}=x"]}
            if option.argument in wrong:
                done = program.run(*filter(None, [command]), *wrong[option.argument])
                if done.returncode != 2 or len(done.stderr.splitlines()) != 1:
                    problems.append(f"{wrong[option.argument]}: {done.returncode} {done.stderr}")
        for spelling in sorted(program.all_spellings() - program.spellings(command)):
            option = next(option for other in program.help for option in program.options(other)
                          if spelling in option.spellings)
            argument = [filled(ARGUMENTS[option.name], tree, command)] if option.argument else []
            done = program.run(*filter(None, [command]), spelling, *argument)
            if done.returncode != 2:
                problems.append(f"{spelling} is not in the help, and is taken")
        tap.check(f"options of {command or 'no command'} do what the help says", problems)


def example_lines(documents):
    """Command lines that help and pages show, as far as they are of the tool."""
    for command, text in documents.program.help.items():
        for line in section(text, "Examples").splitlines()[1:]:
            yield f"help {command}", re.split(r"  +", line.strip())[0]
    for name, page in documents.pages.items():
        for line in re.findall(r"^[$#] (thpstat .*|thpstat)$", page, re.M):
            yield name, line


def check_examples(tap, documents, tree, scratch):
    problems = {}
    archive = scratch / "host.tar.gz"
    subprocess.run(["tar", "-czf", archive, "-C", tree, "."], check=True)
    for number, (where, line) in enumerate(example_lines(documents)):
        problems.setdefault(where, [])
        words = shlex.split(re.sub(r"\$\([^)]*\)", PID, line.split("|")[0]))[1:]
        words = [PID if re.fullmatch(r"\d+", word) else word for word in words]
        words = [str(tree) if word in ("DIR", "orders", "capture") and "capture" != words[0]
                 else word for word in words]
        words = [str(archive) if word == "host.tar.gz" and "capture" not in words else word
                 for word in words]
        words = [str(tree) + word.removeprefix("/host") if word.startswith("/host/") else word
                 for word in words]
        if "capture" in words:
            words[-1] = str(scratch / f"example{number}-{words[-1]}")
        if not {"--sysroot", "--proc"} & set(words):
            words = ["--sysroot", str(tree), *words]
        done = documents.program.run(*words)
        # 1: nothing matches in this tree
        if done.returncode not in (0, 1) or done.returncode == 1 and "matches" not in done.stderr:
            problems[where].append(f"{line}: {done.returncode} {done.stderr}")
    for where, lines in problems.items():
        tap.check(f"examples run: {where}", lines)
    if len(problems) < len(documents.program.help) + 4:
        tap.check("examples were found", [str(sorted(problems))])


def check_rendering(tap, documents, manuals):
    scdoc, groff = shutil.which("scdoc"), shutil.which("groff")
    name = "pages are rendered without warnings"
    if not scdoc or not groff:
        tap.skip(name, "scdoc and groff are needed")
        return
    problems = []
    for page, text in documents.pages.items():
        made = subprocess.run([scdoc], input=text.encode(), capture_output=True, check=False)
        if made.returncode:
            problems.append(f"{page}: {made.stderr.decode()}")
            continue
        done = subprocess.run([groff, "-man", "-ww", "-Tutf8", "-Kutf8", "-z"], input=made.stdout,
                              capture_output=True, check=False)
        if done.returncode or done.stderr:
            problems.append(f"{page}: {done.stderr.decode(errors='replace')}")
    tap.check(name, problems)
    if manuals:
        tap.same("pages are built, and no others",
                 {path.name for path in manuals.iterdir() if re.fullmatch(r".*\.\d", path.name)},
                 set(documents.pages))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thpstat", required=True, help="the tool")
    parser.add_argument("--metric-table", required=True, help="output of metric_table")
    parser.add_argument("--manuals", type=pathlib.Path, help="where built pages are")
    parser.add_argument("source", type=pathlib.Path, help="source directory of the project")
    options = parser.parse_args()
    tap = Tap()
    documents = Documents(options)
    check_help(tap, documents)
    check_pages(tap, documents)
    check_environment(tap, documents)
    check_figures(tap, documents)
    check_functions(tap, documents)
    check_completions(tap, documents)
    with tempfile.TemporaryDirectory(prefix="thpstat-docs-") as name:
        scratch = pathlib.Path(name)
        archive = options.source / "tests/captures" / f"{CAPTURE}.tar.gz"
        subprocess.run(["tar", "-xzf", archive, "-C", scratch], check=True)
        check_acceptance(tap, documents, scratch / CAPTURE, scratch)
        check_examples(tap, documents, scratch / CAPTURE, scratch)
    check_rendering(tap, documents, options.manuals)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())

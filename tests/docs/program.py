# SPDX-License-Identifier: MIT
"""What the tool says of itself: commands, options and columns, from its own help."""

import os
import re
import subprocess


class Option:
    def __init__(self, letter, name, argument):
        self.letter = letter  # None when there is none
        self.name = name
        self.argument = argument  # None, "required" or "optional"

    @property
    def spellings(self):
        return {f"--{self.name}"} | ({f"-{self.letter}"} if self.letter else set())


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.help = {"": self.run("--help").stdout}
        commands = section(self.help[""], "Commands")
        self.commands = re.findall(r"^  ([a-z]+) ", commands, re.M)
        for command in self.commands:
            self.help[command] = self.run(command, "--help").stdout

    def run(self, *args, directory=None):
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        for name in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        return subprocess.run([self.path, *args], capture_output=True, text=True, cwd=directory,
                              env=env, stdin=subprocess.DEVNULL, timeout=120, check=False)

    def options(self, command):
        """Those in the help of a command; "" is the one without a word."""
        pattern = r"^  (?:-(\w), |    )--([a-z-]+)( [A-Z\[]\S*|\[=[A-Z]+\])?"
        return [Option(letter or None, name,
                       "optional" if argument.startswith("[=") else "required" if argument else None)
                for letter, name, argument in re.findall(pattern, self.help[command], re.M)]

    def spellings(self, command):
        return set().union(*(option.spellings for option in self.options(command)))

    def all_spellings(self):
        return set().union(*(self.spellings(command) for command in self.help))

    def columns(self, command):
        output = self.run(*command.split(), "--list-columns", "--raw",
                          "--noheadings").stdout
        return [line.split(" ", 1)[0] for line in output.splitlines()]


def section(text, heading):
    """From a line that begins with the heading to the next blank line."""
    return re.split(r"\n\n", text[text.index(f"\n{heading}") + 1:])[0]

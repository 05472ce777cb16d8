# SPDX-License-Identifier: MIT
"""TAP for the tests of this directory."""

import sys


class Tap:
    def __init__(self):
        self.number = 0
        self.failed = 0

    def check(self, name, problems):
        """Holds when there is nothing to complain of."""
        self.number += 1
        problems = [line for problem in problems for line in str(problem).splitlines()]
        print(f"{'not ok' if problems else 'ok'} {self.number} - {name}")
        for line in problems:
            print(f"# {line}")
        self.failed += bool(problems)
        sys.stdout.flush()

    def same(self, name, documented, real):
        """Two sets of names are equal."""
        problems = [f"missing: {item}" for item in sorted(real - documented)]
        problems += [f"there is no: {item}" for item in sorted(documented - real)]
        if not real:
            problems.append("nothing to compare")
        self.check(name, problems)

    def skip(self, name, reason):
        self.number += 1
        print(f"ok {self.number} - {name} # SKIP {reason}")

    def end(self):
        print(f"1..{self.number}")
        return 1 if self.failed or not self.number else 0

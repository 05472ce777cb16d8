#!/bin/sh
# SPDX-License-Identifier: MIT
# What README.md shows is what there is.
# usage: readme.sh SOURCE

. "$(dirname "$0")/../support/tap.sh"
cd "$1" || exit 1

block=$(awk '/^```c$/ { inside = 1; found++; next } /^```/ { inside = 0 }
	inside && found == 1' README.md)
if [ -n "$block" ]; then
	tap_ok 'README.md has a block of C'
else
	tap_not_ok 'README.md has a block of C'
fi
difference=$(printf '%s\n' "$block" | diff - docs/example.c)
tap_empty 'it is docs/example.c' "$difference"

# "](path)", less places in the text and elsewhere
tap_empty 'links lead somewhere' "$(
	grep -oE '\]\([^)#]+\)' README.md | sed 's/^](//; s/)$//' | grep -vE '^(https?|mailto):' |
		while read -r path; do
			[ -e "$path" ] || echo "$path"
		done
)"
tap_empty 'no place is left to be filled in' "$(grep -nE '@[A-Z_]+@' README.md)"
tap_end

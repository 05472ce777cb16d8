#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public function, struct and enumeration has a comment that says all there is to it.
# usage: documented.sh SOURCE

here=$(dirname "$0")
. "$here/../support/tap.sh"

headers=$1/include/thpstat
found=$(awk -f "$here/documented.awk" "$headers"/*.h)
tap_empty 'comments are complete' "$(printf '%s\n' "$found" | grep -v '^checked: ')"

declared=$(awk -f "$here/../abi/declared.awk" "$headers"/*.h | wc -l)
checked=$(printf '%s\n' "$found" | sed -n 's/^checked: //p')
if [ "$checked" -gt "$declared" ] && [ "$declared" -ge 30 ]; then
	tap_ok 'declarations were found'
else
	tap_not_ok 'declarations were found' "$declared declarations, $checked checked"
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
awk -f "$here/../abi/declared.awk" "$headers"/*.h | sed 's/:.*//' | sort -u > "$work/declared"
tap_empty 'functions that comments speak of exist' "$(
	cat "$headers"/*.h | grep -oE 'thpstat_[a-z_]+\(\)' | tr -d '()' | sort -u |
		comm -23 - "$work/declared"
)"
tap_end

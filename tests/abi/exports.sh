#!/bin/sh
# SPDX-License-Identifier: MIT
# What the shared library exports, what its map lists and what the headers declare are the same.
# usage: exports.sh LIBRARY MAP INCLUDE_DIRECTORY

here=$(dirname "$0")
. "$here/../support/tap.sh"

library=$1
map=$2
include=$3

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Names with their version; the versions themselves are absolute symbols.
nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | sort > "$work/versioned"
sed 's/@.*//' "$work/versioned" | sort > "$work/exported"

# "node name" for each line of a global section.
awk '
	{ gsub(/\/\*.*\*\//, "") }
	/\/\*/ { comment = 1 }
	/\*\// { comment = 0; next }
	comment { next }
	/^[A-Za-z0-9_.]+ *\{/ { node = $1; sub(/\{.*/, "", node); next }
	/global:/ { global = 1; next }
	/local:/ { global = 0; next }
	/^\}/ { node = ""; global = 0; next }
	global && /;/ { sub(/;.*/, ""); gsub(/[ \t]/, ""); print node, $0 }
' "$map" > "$work/map"
awk '{ print $2 }' "$work/map" | sort > "$work/mapped"

cat "$include"/thpstat/*.h > /dev/null || exit 1
awk -f "$here/declared.awk" "$include"/thpstat/*.h | sed 's/:.*//' | sort > "$work/declared"

both()
{
	diff "$work/$1" "$work/$2" | sed -n "s/^< /only $1: /p; s/^> /only $2: /p"
}

tap_say "$(wc -l < "$work/exported") exported, $(wc -l < "$work/mapped") mapped," \
	"$(wc -l < "$work/declared") declared"
if [ "$(wc -l < "$work/declared")" -ge 30 ]; then
	tap_ok 'declarations were found'
else
	tap_not_ok 'declarations were found' "$(cat "$work/declared")"
fi
tap_empty 'the map lists what is exported' "$(both exported mapped)"
tap_empty 'the headers declare what the map lists' "$(both mapped declared)"
tap_empty 'each symbol is listed once' "$(uniq -d "$work/mapped")"
tap_empty 'each symbol is declared once' "$(uniq -d "$work/declared")"
tap_empty 'all names have the prefix' "$(grep -v '^thpstat_' "$work/exported")"
tap_empty 'each symbol has the version of its node' "$(
	while read -r node name; do
		grep -qxF "$name@@$node" "$work/versioned" || echo "$name is not $name@@$node"
	done < "$work/map"
)"
# "NODE {" first, then "NODE { ... } BEFORE;" for each one that follows
tap_empty 'nodes are chained' "$(awk '
	/^[A-Za-z0-9_.]+ *\{/ { before = node; node = $1; n++ }
	/^\}/ {
		chained = $0
		gsub(/[}; \t]/, "", chained)
		if (n > 1 && chained != before)
			print node " does not follow " before
		if (n == 1 && chained != "")
			print node " follows " chained
	}
' "$map")"
tap_empty 'nothing else is exported' "$(awk '/local:/ { getline; if ($1 == "*;") found = 1 }
	END { if (!found) print "no local: *;" }' "$map")"
tap_end

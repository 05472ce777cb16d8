#!/bin/sh
# SPDX-License-Identifier: MIT
# Includes point one way: include < lib/parse < lib/account < lib/judge < lib/tree < lib/pages < lib.
# The tool sees <thpstat/...> and its own headers, and so does the example.
# usage: includes.sh SOURCE

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/tap.sh"
cd "$1" || exit 1

headers=$(ls include/thpstat/*.h lib/*.h lib/*/*.h cli/*.h)
complaints=$(awk -v FILES="$(echo "$headers" | tr '\n' ' ')" -f "$here/includes.awk" \
	$headers lib/*.c lib/*/*.c cli/*.c docs/example.c) || exit 1

# none NAME RULE
none()
{
	tap_empty "$1" "$(printf '%s\n' "$complaints" | sed -n "s/^$2	//p")"
}

none 'lib has known folders' folders
none 'lib: nothing is included from below' below
none 'lib: nothing is included from elsewhere' foreign
none 'lib/parse, account and judge do no input or output; parse has no memory or errno' pure
none 'headers exist' unknown
none 'include: standard headers and <thpstat/...> only' public
none 'cli: own headers and <thpstat/...> only' tool
none 'the example includes <thpstat/thpstat.h> only' example

guards=$(awk '
	FNR == 1 { seen[FILENAME] = 1 }
	/^#ifndef [A-Z0-9_]+$/ && !(FILENAME in guard) { guard[FILENAME] = $2 }
	/^#define [A-Z0-9_]+$/ && $2 == guard[FILENAME] { good[FILENAME] = 1 }
	END {
		for (file in seen) {
			if (!good[file])
				print file " has no guard"
			else if (guard[file] in used)
				print file " and " used[guard[file]] " have the same guard"
			used[guard[file]] = file
		}
	}
' $headers)
tap_empty 'headers are guarded, each by a name of its own' "$guards"
tap_end

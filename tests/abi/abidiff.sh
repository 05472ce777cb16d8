#!/bin/sh
# SPDX-License-Identifier: MIT
# The interface is compatible with that of the last release, in baseline.abi, which is made by
#	abidw --headers-dir include --out-file tests/abi/baseline.abi build/lib/libthpstat.so
# usage: abidiff.sh LIBRARY INCLUDE_DIRECTORY

here=$(dirname "$0")
. "$here/../support/tap.sh"

name='compatible with the last release'
if ! command -v abidiff > /dev/null; then
	tap_skip "$name" 'abidiff is not installed'
elif [ ! -e "$here/baseline.abi" ]; then
	tap_skip "$name" 'no release yet, so there is no baseline'
else
	tap_run "$name" abidiff --headers-dir2 "$2" --no-added-syms "$here/baseline.abi" "$1"
fi
tap_end

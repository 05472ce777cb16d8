#!/bin/sh
# SPDX-License-Identifier: MIT
# Values of public constants never change. A new one is added to constants.txt.
# usage: constants.sh INCLUDE_DIRECTORY; CC is a compiler

here=$(dirname "$0")
. "$here/../support/tap.sh"

include=$1
list=$here/constants.txt
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cat "$include"/thpstat/*.h | awk -f "$here/constants.awk" | sort > "$work/declared"
sed -n 's/^\(THPSTAT_[A-Z0-9_]*\)=.*/\1/p' "$list" | sort > "$work/listed"

if [ "$(wc -l < "$work/declared")" -ge 200 ]; then
	tap_ok 'constants were found'
else
	tap_not_ok 'constants were found' "$(cat "$work/declared")"
fi
tap_empty 'each is listed once' "$(uniq -d "$work/listed")"
tap_empty 'none is new' "$(comm -23 "$work/declared" "$work/listed" |
	sed 's/$/: to be added to constants.txt/')"
tap_empty 'none is gone' "$(comm -13 "$work/declared" "$work/listed")"
{
	echo '#include <thpstat/thpstat.h>'
	sed -n 's/^\(THPSTAT_[A-Z0-9_]*\)=\(.*\)/_Static_assert(\1 == \2, "\1");/p' "$list"
} > "$work/unit.c"
# shellcheck disable=SC2086
tap_run 'each has its value' $CC -std=c11 -fsyntax-only -I "$include" "$work/unit.c"
# shellcheck disable=SC2086
if sed 's/ == \(.*\), / == 1 + \1, /' "$work/unit.c" |
	$CC -std=c11 -fsyntax-only -I "$include" -x c - 2> /dev/null; then
	tap_not_ok 'another value would be seen'
else
	tap_ok 'another value would be seen'
fi
tap_end

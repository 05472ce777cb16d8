#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles alone, and twice, in every dialect, without a warning.
# usage: headers.sh INCLUDE_DIRECTORY; CC and CXX are compilers, CXX may be empty

. "$(dirname "$0")/../support/tap.sh"

include=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# compile NAME COMPILER LANGUAGE FLAGS...: the unit in $work/unit
compile()
{
	name=$1
	compiler=$2
	language=$3
	shift 3
	# shellcheck disable=SC2086
	tap_run "$name" $compiler -x "$language" "$@" -Wall -Wextra -Werror -I "$include" \
		-fsyntax-only "$work/unit"
}

for path in "$include"/thpstat/*.h; do
	header=thpstat/$(basename "$path")
	printf '#include <%s>\n#include <%s>\ntypedef int there_is_something;\n' \
		"$header" "$header" > "$work/unit"
	compile "$header, C99" "$CC" c -std=c99 -pedantic -Wstrict-prototypes
	compile "$header, C11" "$CC" c -std=c11 -pedantic -Wstrict-prototypes
	compile "$header, C2x" "$CC" c -std=c2x -pedantic
	for standard in 11 17 20; do
		if [ -n "$CXX" ]; then
			compile "$header, C++$standard" "$CXX" c++ -std=c++$standard -pedantic
		else
			tap_skip "$header, C++$standard" 'there is no C++ compiler'
		fi
	done
done

# Enumerations are as wide as an int, whatever a program is built with; sizes come first.
{
	echo '#include <stddef.h>'
	echo '#include <thpstat/thpstat.h>'
	sed -n 's/^enum \([a-z_]*\) {.*/_Static_assert(sizeof(enum \1) == 4, "enum \1");/p' \
		"$include"/thpstat/*.h
	sed -n 's/^struct \([a-z_]*_options\) {.*/_Static_assert(!offsetof(struct \1, size), "\1");/p' \
		"$include"/thpstat/*.h
} > "$work/unit"
if [ "$(grep -c _Static_assert "$work/unit")" -ge 9 ]; then
	tap_ok 'enumerations and options were found'
else
	tap_not_ok 'enumerations and options were found' "$(cat "$work/unit")"
fi
compile 'enumerations are 4 bytes wide, options begin with their size' "$CC" c -std=c11
compile 'also with -fshort-enums' "$CC" c -std=c11 -fshort-enums
compile 'also with -funsigned-char' "$CC" c -std=c11 -funsigned-char

# C names with linkage of C: a C++ program would look for others
if [ -n "$CXX" ]; then
	{
		echo '#include <thpstat/thpstat.h>'
		echo 'int main() { return thpstat_version() == nullptr; }'
	} > "$work/unit"
	# shellcheck disable=SC2086
	if $CXX -x c++ -std=c++11 -I "$include" -c "$work/unit" -o "$work/unit.o" &&
		nm "$work/unit.o" | grep -q ' U thpstat_version$'; then
		tap_ok 'C++ sees C functions'
	else
		tap_not_ok 'C++ sees C functions'
	fi
else
	tap_skip 'C++ sees C functions' 'there is no C++ compiler'
fi
tap_end

#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs into a scratch directory, and builds docs/example.c with nothing but what is there.
# usage: install.sh MESON BUILD SOURCE; CC is the compiler, SANITIZE its flags for one

here=$(dirname "$0")
. "$here/../support/tap.sh"

meson=$1
build=$2
source=$3

stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT

# DESTDIR as an option: the environment is that of "meson test"
tap_run 'meson install' "$meson" install -C "$build" --no-rebuild --destdir "$stage/root"
pc=$(find "$stage/root" -name libthpstat.pc)
header=$(find "$stage/root" -path '*/thpstat/thpstat.h')
library=$(find "$stage/root" -name libthpstat.so)
if [ -z "$pc" ] || [ -z "$header" ] || [ -z "$library" ]; then
	tap_not_ok 'pkg-config file, headers and library are installed' "$(find "$stage/root")"
	tap_end
fi
tap_ok 'pkg-config file, headers and library are installed'
include=$(dirname "$(dirname "$header")")

# all headers, and no others
tap_empty 'the headers are those of the source' \
	"$(diff -r "$source/include/thpstat" "$(dirname "$header")")"
tap_empty 'the link by which programs are built leads to the library' "$(
	[ -e "$library" ] || echo "$library leads nowhere"
)"

export PKG_CONFIG_LIBDIR="${pc%/*}"
export PKG_CONFIG_SYSROOT_DIR="$stage/root"
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1

tap_run 'pkg-config knows it' pkg-config --exists --print-errors libthpstat
tap_empty 'and its version' "$(
	wanted=$(sed -n "s/.*version: '\([0-9.]*\)',.*/\1/p" "$source/meson.build" | head -n 1)
	found=$(pkg-config --modversion libthpstat)
	[ "$wanted" = "$found" ] || echo "$found is not $wanted"
)"
tap_empty 'it requires nothing else' "$(
	pkg-config --print-requires --print-requires-private libthpstat
)"
# shellcheck disable=SC2046,SC2086
tap_run 'docs/example.c is built' $CC -std=c99 -Wall -Wextra -Werror $SANITIZE \
	"$source/docs/example.c" -o "$stage/example" $(pkg-config --cflags --libs libthpstat)

lines=$(sed -n '/^int main/,$p' "$source/docs/example.c" | grep -vcE '^[{}]?$')
if [ "$lines" -le 16 ]; then
	tap_ok 'it is short'
else
	tap_not_ok 'it is short' "$lines lines of code"
fi

LD_LIBRARY_PATH=$(dirname "$library") "$stage/example" > "$stage/output" 2> "$stage/errors" &
pid=$!
if wait "$pid"; then
	tap_ok 'it runs'
else
	tap_not_ok 'it runs' "$(cat "$stage/errors")"
fi
# four columns: pid, rss, huge, coverage; huge / resident is coverage
tap_empty 'its output has this form' "$(
	grep -vE '^[0-9]+ [0-9]+ [0-9]+ [01]\.[0-9]{3}$' "$stage/output"
)"
tap_empty 'it says something of itself' "$(
	awk -v pid="$pid" '$1 == pid && $2 > 0 && $4 <= 1 { found = 1 }
		END { if (!found) print pid " is not there" }' "$stage/output"
)"

# The tool: nothing of the library but its interface.
tap_run 'the tool is built from installed headers' \
	python3 "$here/cli_headers.py" "$build" "$source" "$include"
tool=$(find "$stage/root" -type f -name thpstat -perm -u+x)
if [ -n "$tool" ]; then
	nm -D --undefined-only "$tool" | sed -n 's/.* U \(thpstat_[a-z_]*\).*/\1/p' |
		sort > "$stage/used"
	nm -D --defined-only "$library" | sed -n 's/.* T \(thpstat_[a-z_]*\).*/\1/p' |
		sort > "$stage/offered"
	tap_empty 'the tool uses what the library offers' \
		"$(comm -23 "$stage/used" "$stage/offered")"
	if [ -s "$stage/used" ]; then
		tap_ok 'the tool uses the shared library'
	else
		tap_not_ok 'the tool uses the shared library'
	fi
else
	tap_not_ok 'the tool is installed' "$(find "$stage/root" -type f)"
fi
tap_end

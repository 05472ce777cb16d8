#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library needs libc, and has the name and the properties that it was promised.
# usage: needed.sh LIBRARY

. "$(dirname "$0")/../support/tap.sh"

library=$1
dynamic=$(readelf -dW "$library") || exit 1

# a sanitizer brings its own
tap_empty 'only libc is needed' "$(echo "$dynamic" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
	grep -vE '^(libc\.so\.[0-9]+|libc\.musl-.*|ld-linux.*|lib[atu]bsan\.so.*|lib[at]san\.so.*)$')"
tap_empty 'its name is libthpstat.so.0' "$(echo "$dynamic" | grep '(SONAME)' |
	grep -v '\[libthpstat\.so\.0\]')"
case $dynamic in
*'(SONAME)'*) tap_ok 'it has a name' ;;
*) tap_not_ok 'it has a name' ;;
esac
tap_empty 'no relocations in its text' "$(echo "$dynamic" | grep TEXTREL)"
tap_empty 'no paths to look for libraries' "$(echo "$dynamic" | grep -E 'R(UN)?PATH' |
	grep -vE '\[.*san.*\]')"
tap_empty 'its stack is not executable' "$(readelf -lW "$library" | grep GNU_STACK | grep RWE)"
tap_end

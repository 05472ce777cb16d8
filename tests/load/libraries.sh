#!/bin/sh
# SPDX-License-Identifier: MIT
# Each command loads the libraries that it uses and no other, and says so when one is not there.
# usage: libraries.sh THPSTAT TESTS

. "$(dirname "$0")/../support/tap.sh"

thpstat=$1
tree=$2/cases/035-zgc-three-views
pid=4390
usual='libthpstat|libc|libdl|libm|librt|libpthread|libgcc_s|libstdc\+\+|lib[a-z]*san|ld-linux.*'
archive=$2/captures/x86_64-6.18.15+deb13-cloud-amd64.tar.gz
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# loaded ARGUMENTS...: file names of the libraries that the command loads, as glibc's loader tells
loaded()
{
	rm -f "$work"/log.*
	LD_DEBUG=files LD_DEBUG_OUTPUT=$work/log "$thpstat" "$@" > "$work/output" 2>&1
	echo $? > "$work/status"
	sed -n 's|.*file=\(.*\) \[.*generating link map.*|\1|p' "$work"/log.* 2> /dev/null |
		sed 's|.*/||' | sort -u
}

# ours ARGUMENTS...: those of them that thpstat itself asks for, in one line without versions
ours()
{
	loaded "$@" | sed -n 's/^lib\(jansson\|smartcols\|proc2\|archive\)\.so.*/\1/p' | tr '\n' ' '
}

# hold NAME FOUND WANTED: the command last run loaded these, and did what it was asked for
hold()
{
	if [ "$2" = "$3" ] && [ "$(cat "$work/status")" -eq 0 ]; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "loaded '$2', wanted '$3'" "$(cat "$work/output")"
	fi
}

# loads WORDS NAME ARGUMENTS...: of our libraries just these
loads()
{
	wanted=${1:+$1 }
	name=$2
	shift 2
	hold "$name" "$(ours "$@")" "$wanted"
}

# loads_none NAME ARGUMENTS...: just libc, what belongs to it, and what a sanitizer brings
loads_none()
{
	name=$1
	shift
	hold "$name" "$(loaded "$@" | grep -vE "^($usual)\.so")" ''
}

# fails NAME TEXT FILE: with FILE in place of libjansson, the command fails and one line says TEXT
fails()
{
	mkdir -p "$work/library"
	cp "$3" "$work/library/$jansson"
	output=$(LD_LIBRARY_PATH=$work/library "$thpstat" --sysroot "$tree" ps -J 2>&1)
	status=$?
	case $output in
	"thpstat: cannot load a library that this needs: "*"$2"*) said=$(echo "$output" | wc -l) ;;
	*) said=0 ;;
	esac
	if [ "$status" -eq 1 ] && [ "$said" -eq 1 ]; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "status $status, said" "$output"
	fi
}

if ! loaded -V | grep -q '^libthpstat\.so'; then
	echo '1..0 # SKIP the loader here does not tell what it loads'
	exit 0
fi
loads_none 'the version: nothing' -V
loads_none 'help: nothing' --help
loads_none 'a look at a process of a tree: nothing' --sysroot "$tree" pid $pid
loads '' 'a look at a process that lives' $$
loads smartcols 'a table' ps $$
loads smartcols 'a table of a tree' --sysroot "$tree" ps
loads smartcols 'raw' ps -r $$
loads smartcols 'pairs' ps -P $$
loads smartcols 'columns' --sysroot "$tree" pid $pid -o pid,rss
loads jansson 'JSON' ps -J $$
loads jansson 'JSON of a process' pid -J $$
loads jansson 'JSON lines' ps --json-lines $$
loads jansson 'JSON of the host' host -J
loads 'proc2 smartcols' 'names on this host, in a table' ps --name sh
loads 'jansson proc2' 'names on this host, in JSON' ps -J --name sh
loads smartcols 'names in a tree' --sysroot "$tree" ps --name app
loads 'archive smartcols' 'an archive' --sysroot "$archive" ps

jansson=$(loaded --sysroot "$tree" ps -J | grep '^libjansson')
: > "$work/empty"
fails 'a library that cannot be loaded is named' "$jansson" "$work/empty"
library=$(LD_DEBUG=files "$thpstat" -V 2>&1 |
	sed -n 's|.*calling init: \(.*/libthpstat\.so.*\)|\1|p')
fails 'a library without a function is named' json_ "${library:-$work/empty}"
tap_end

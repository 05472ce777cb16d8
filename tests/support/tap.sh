# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# TAP for test scripts: sourced, then one call for each thing that is held, then tap_end.

tap_number=0
tap_failed=0

# tap_say TEXT...: lines that a reader of TAP passes over
tap_say()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# tap_ok NAME
tap_ok()
{
	tap_number=$((tap_number + 1))
	echo "ok $tap_number - $1"
}

# tap_not_ok NAME [WHY...]
tap_not_ok()
{
	tap_number=$((tap_number + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_number - $1"
	shift
	[ $# -eq 0 ] || tap_say "$@"
}

# tap_skip NAME REASON
tap_skip()
{
	tap_number=$((tap_number + 1))
	echo "ok $tap_number - $1 # SKIP $2"
}

# tap_empty NAME TEXT: holds when there is nothing to complain of
tap_empty()
{
	if [ -z "$2" ]; then
		tap_ok "$1"
	else
		tap_not_ok "$1" "$2"
	fi
}

# tap_run NAME COMMAND...: holds when the command succeeds; its output is shown when it does not
tap_run()
{
	tap_name=$1
	shift
	if tap_output=$("$@" 2>&1); then
		tap_ok "$tap_name"
	else
		tap_not_ok "$tap_name" "$tap_output"
	fi
}

# tap_end: the plan, and the exit status of the script
tap_end()
{
	echo "1..$tap_number"
	[ "$tap_failed" -eq 0 ] && [ "$tap_number" -gt 0 ]
	exit
}

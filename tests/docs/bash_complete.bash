#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What bash would offer for each line of stdin, one answer per line: words separated by blanks.
# usage: bash_complete.bash FILE_OF_COMPLETION PROGRAM

# shellcheck disable=SC1090
source "$1"
program=$2
function=$(complete -p thpstat | sed -n 's/.* -F \([^ ]*\) thpstat$/\1/p')

while IFS= read -r line; do
	read -ra COMP_WORDS <<< "${line//=/ = }"
	[[ $line != *[\ =] ]] || COMP_WORDS+=('')
	# behind '=' bash has the sign alone while nothing follows it
	if [ "${COMP_WORDS[-1]}" = '' ] && [ "${COMP_WORDS[-2]}" = = ]; then
		unset 'COMP_WORDS[-1]'
	fi
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	"$function" "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	echo "${COMPREPLY[*]}"
done

#!/usr/bin/env -S zsh -f
# SPDX-License-Identifier: MIT
# What zsh would offer for each line of stdin, one answer per line: words separated by blanks.
# usage: zsh_complete.zsh DIRECTORY_OF_COMPLETION DIRECTORY_OF_PROGRAM

zmodload zsh/zpty || exit 77

# A shell of its own on a terminal; each word offered is printed behind a mark.
zpty shell zsh -f -i
zpty -w shell "PS1= PS2=; path=(${(q)2} \$path); fpath=(${(q)1} \$fpath); stty -echo columns 30000"
zpty -w shell 'autoload -Uz compinit; compinit -u -D; bindkey "^I" complete-word'
zpty -w shell 'zstyle ":completion:*" force-list always
compadd() {
	local -a offered
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
		builtin compadd "$@"
		return
	fi
	builtin compadd -A offered "$@"
	print -rl -- ${offered/#/OFFERED:}
	builtin compadd "$@"
}
end_of_offers() {
	print -r -- END_OF_OFFERS
	compstate[insert]= compstate[list]=
}
comppostfuncs=(end_of_offers); print READY; print'
while zpty -r shell answer; do
	[[ $answer == READY* ]] && break
done

while read -r line; do
	typeset -aU offers=()
	zpty -w -n shell "$line"$'\t'
	while zpty -r shell answer; do
		answer=${answer//[$'\r\n']/}
		[[ $answer == *END_OF_OFFERS* ]] && break
		[[ $answer == *OFFERED:* ]] && offers+=${answer##*OFFERED:}
	done
	print -r -- $offers
	# the line is given up, and the next function is called anew
	zpty -w -n shell $'\x15'
	zpty -w shell 'comppostfuncs=(end_of_offers)'
done
zpty -d shell

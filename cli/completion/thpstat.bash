# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2207
# Completion of thpstat for bash. Columns are asked of the program itself when they are needed.

# What follows the last comma or sign of a list is completed, the rest is kept.
_thpstat_list() {
	local kept=${1%"${1##*[,+]}"}

	COMPREPLY=($(compgen -P "$kept" -W "$2" -- "${1#"$kept"}"))
	compopt -o nospace 2>/dev/null
}

_thpstat_columns() {
	"$1" ${2:+"$2"} --list-columns --raw --noheadings 2>/dev/null | cut -d ' ' -f 1
}

# Of the tree that the command line names, else of this host.
_thpstat_pids() {
	local directory

	for directory in "$1"/[0-9]*/; do
		directory=${directory%/}
		echo "${directory##*/}"
	done
}

_thpstat_names() {
	cat "$1"/[0-9]*/comm 2>/dev/null | grep -v '[^A-Za-z0-9._+-]' | sort -u
}

_thpstat_files() {
	local IFS=$'\n' kind

	COMPREPLY=($(compgen -d -- "$1"))
	shift
	for kind; do
		COMPREPLY+=($(compgen -f -X "!*.$kind" -- "$cur"))
	done
	compopt -o filenames 2>/dev/null
}

_thpstat_cgroups() {
	local IFS=$'\n' hierarchy=$1 found

	[ -e "$hierarchy/cgroup.controllers" ] || hierarchy+=/memory # v1
	for found in $(compgen -d -- "$hierarchy/${2#/}"); do
		COMPREPLY+=("${found#"$hierarchy"}")
	done
	compopt -o nospace 2>/dev/null
}

_thpstat() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local processes='-p --pid --name --user --full --cgroup --strict -q --quiet'
	local order='--sort'
	local output='-o --output --output-all -H --list-columns -J --json --json-lines
		-r --raw -P --pairs -n --noheadings -b --bytes'
	local capture='--anonymise'
	local exact='--exact'
	local mappings='--min --only --by'
	local source='--sysroot --proc --sys --cgroup-root'
	local general='--color -v --verbose -h --help -V --version'
	local commands='pid ps maps host capture help'
	local kinds='heap java-heap main-stack thread-stack text jit binary-data shared-memory
		memfd hugetlb anonymous file special'
	local command='' proc=/proc cgroups=/sys/fs/cgroup words=0 word before=''
	local -a seen=("${COMP_WORDS[@]:1:COMP_CWORD-1}")

	COMPREPLY=()
	# an option and its argument behind '=' are three words to bash
	if [ "$cur" = = ]; then
		cur=''
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi

	for word in "${seen[@]}"; do
		[ "$word" != = ] || continue
		case $before in
		--sysroot)
			proc=$word/proc cgroups=$word/sys/fs/cgroup ;;
		--proc)
			proc=$word ;;
		--cgroup-root)
			cgroups=$word ;;
		-p | --pid | --name | --user | --full | --cgroup | --sort | -o | --output | --sys | \
			--min | --only | --by) ;;
		*)
			case $word in
			-*) ;;
			*)
				if [ $((words++)) = 0 ] && [[ " $commands " = *" $word "* ]]; then
					command=$word
				fi
				;;
			esac
			before=$word
			continue
			;;
		esac
		before=''
	done

	case $prev in
	-o | --output)
		[ "$command" = capture ] || _thpstat_list "$cur" "$(_thpstat_columns "$1" "$command")"
		return
		;;
	--sort)
		COMPREPLY=($(compgen -P "${cur%"${cur#-}"}" -W "$(_thpstat_columns "$1" "$command")" \
			-- "${cur#-}"))
		return
		;;
	-p | --pid)
		_thpstat_list "$cur" "$(_thpstat_pids "$proc")"
		return
		;;
	--name)
		COMPREPLY=($(compgen -W "$(_thpstat_names "$proc")" -- "$cur"))
		return
		;;
	--user)
		COMPREPLY=($(compgen -u -- "$cur"))
		return
		;;
	--full | --min)
		return
		;;
	--only)
		COMPREPLY=($(compgen -W "huge gap $kinds" -- "$cur"))
		return
		;;
	--by)
		COMPREPLY=($(compgen -W 'kind object none' -- "$cur"))
		return
		;;
	--cgroup)
		if [ "$command" ]; then
			_thpstat_cgroups "$cgroups" "$cur"
		else
			_thpstat_files "$cur" # it then means --cgroup-root
		fi
		return
		;;
	--color)
		[ "${COMP_WORDS[COMP_CWORD]}" = = ] || [ "${COMP_WORDS[COMP_CWORD - 1]}" = = ] &&
			COMPREPLY=($(compgen -W 'auto always never' -- "$cur")) && return
		;;
	--sysroot)
		_thpstat_files "$cur" tar.gz tgz
		return
		;;
	--proc | --sys | --cgroup-root)
		_thpstat_files "$cur"
		return
		;;
	esac

	if [[ $cur = -* ]]; then
		case $command in
		host)
			word="$output $source $general" ;;
		capture)
			word="$processes $capture $source $general" ;;
		maps)
			word="$processes $order $exact $mappings $output $source $general" ;;
		help)
			word=$general ;;
		*)
			word="$processes $order $exact $output $source $general" ;;
		esac
		COMPREPLY=($(compgen -W "$word" -- "$cur"))
		return
	fi
	case $command in
	'')
		[ "$words" = 0 ] || commands=''
		# process ids are many: they come when they are asked for
		[ "$commands" ] && [ -z "$cur" ] || commands+=" $(_thpstat_pids "$proc")"
		COMPREPLY=($(compgen -W "$commands" -- "$cur"))
		;;
	capture)
		if [ "$words" = 1 ]; then
			_thpstat_files "$cur"
		else
			COMPREPLY=($(compgen -W "$(_thpstat_pids "$proc")" -- "$cur"))
		fi
		;;
	help)
		[ "$words" != 1 ] || COMPREPLY=($(compgen -W "$commands" -- "$cur")) ;;
	pid | ps | maps)
		COMPREPLY=($(compgen -W "$(_thpstat_pids "$proc")" -- "$cur")) ;;
	esac
}

complete -F _thpstat thpstat

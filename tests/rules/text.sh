#!/bin/sh
# SPDX-License-Identifier: MIT
# What holds for all files: licence lines, top level, words that stand for work not done.
# usage: text.sh SOURCE

. "$(dirname "$0")/../support/tap.sh"
cd "$1" || exit 1
LC_ALL=C
export LC_ALL

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Files of the project: of git where there is one, else all but what a build makes.
if git -c safe.directory='*' rev-parse --git-dir > /dev/null 2>&1; then
	git -c safe.directory='*' ls-files --cached --others --exclude-standard -z |
		xargs -0 ls -d 2> /dev/null
else
	find . -name meson-private -prune -o -type f -print | sed 's|^\./||' |
		grep -vE '^(build|build-[^/]*)/'
fi | sort -u > "$work/all"

# data of tests is shown as it was found
grep -vE '^tests/(cases|captures)/[^/]*/|^tests/(cli|fuzz)/.*/|\.(tar\.gz|gz|png)$' "$work/all" \
	> "$work/files"
grep -E '\.(c|h|sh|py|awk|map|java|scd|in|md)$|(^|/)(meson\.build|meson_options\.txt)$|^tests/run$' \
	"$work/files" > "$work/sources"
grep -vE '\.md$|\.scd(\.in)?$' "$work/sources" > "$work/code"
grep -E '\.(c|h)$' "$work/sources" > "$work/c"

# of LIST COMMAND...: the command with all files of a list
of()
{
	list=$1
	shift
	tr '\n' '\0' < "$work/$list" | xargs -0 "$@"
}

if [ "$(wc -l < "$work/c")" -ge 100 ]; then
	tap_ok 'sources were found'
else
	tap_not_ok 'sources were found' "$(cat "$work/sources")"
fi

tap_empty 'sources say their licence within four lines' "$(of code awk '
	FNR == 1 { seen[FILENAME] = 1 }
	FNR <= 4 && /SPDX-License-Identifier: MIT/ { good[FILENAME] = 1 }
	END { for (file in seen) if (!good[file]) print file }
')"
tap_empty 'no other licence is named' "$(
	of code grep -HE 'SPDX-License-Identifier' | grep -v 'Identifier: MIT' |
		grep -v '^tests/rules/'
)"

allowed='meson.build README.md lib include cli tests bench docs LICENSE meson_options.txt'
tap_empty 'the top level has nothing else' "$(
	sed 's|/.*||' "$work/all" | sort -u | grep -v '^\.' | while read -r entry; do
		case " $allowed " in
		*" $entry "*) ;;
		*) echo "$entry" ;;
		esac
	done
)"
tap_empty 'the top level has all of it' "$(
	for entry in $allowed; do
		[ -e "$entry" ] || echo "$entry"
	done
)"

# written in two parts, so that this file is not found
words='TO''DO|FIX''ME|X''XX|HA''CK'
tap_empty 'no work is left for later' "$(of files grep -nHIwE "$words")"

# a tab stands for up to eight columns; a character of several bytes for one
tap_empty 'no line is longer than 100 columns' "$(of c awk '
	FNR == 1 { off = 0 }
	/clang-format off/ { off = 1 }
	/clang-format on/ { off = 0 }
	length($0) > 50 && !off {
		gsub(/[\200-\277]/, "")
		width = 0
		n = split($0, part, "\t")
		for (i = 1; i <= n; i++) {
			width += length(part[i])
			if (i < n)
				width += 8 - width % 8
		}
		if (width > 100)
			print FILENAME ":" FNR ": " width
	}
')"
tap_empty 'no blanks at the end of lines' "$(of sources grep -nHE '[[:blank:]]$')"
tap_empty 'files end with a newline' "$(
	if [ -n "$(of sources tail -q -c 1 | tr -d '\n')" ]; then
		while read -r file; do
			[ -z "$(tail -c 1 "$file")" ] || echo "$file"
		done < "$work/sources"
	fi
)"
tap_empty 'scripts can be run' "$(
	of sources awk 'FNR == 1 && /^#!/ { print FILENAME }' | while read -r file; do
		[ -x "$file" ] || echo "$file"
	done
)"
tap_end

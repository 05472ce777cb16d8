# SPDX-License-Identifier: MIT
# Public declarations of headers, one a line, without comments: "name: declaration".

FNR == 1 {
	comment = 0
	declaration = ""
}

# Takes comments out of the line.
{
	line = ""
	rest = $0
	while (rest != "") {
		if (comment) {
			at = index(rest, "*/")
			if (!at)
				break
			rest = substr(rest, at + 2)
			comment = 0
		} else {
			at = index(rest, "/*")
			if (!at) {
				line = line rest
				break
			}
			line = line substr(rest, 1, at - 1)
			rest = substr(rest, at + 2)
			comment = 1
		}
	}
}

line ~ /^#/ { next }

line ~ /(^|[ \t])THPSTAT_API([ \t]|$)/ { open = 1 }

open {
	declaration = declaration " " line
	if (line ~ /;/) {
		gsub(/[ \t]+/, " ", declaration)
		sub(/^ /, "", declaration)
		sub(/;.*/, ";", declaration)
		name = declaration
		sub(/ ?\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		print name ": " declaration
		declaration = ""
		open = 0
	}
}

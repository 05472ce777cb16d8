# SPDX-License-Identifier: MIT
# Complains of public functions, structs and enumerations whose comment is missing or incomplete.
# Prints "checked: N" at the end.

function complain(text)
{
	print FILENAME ":" FNR ": " text
}

# Is "@name:" in the comment?
function says(name)
{
	return comment ~ ("\n @" name ":")
}

# Does the comment begin with "name - "?
function is_about(name)
{
	return comment ~ ("^/\\*\\*\n (struct |enum )?" name " - [^ ]")
}

# Names of the parameters of a declaration.
function check_function(text, name, list, n, i, parameter, part)
{
	gsub(/[ \t\n]+/, " ", text)
	name = text
	sub(/ ?\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	checked++
	if (!is_about(name)) {
		complain(name " has no comment that begins with its name")
		return
	}
	if (comment !~ /\n Return: [^ ]/)
		complain(name ": no Return:")
	list = text
	sub(/^[^(]*\(/, "", list)
	sub(/\)[^)]*;.*/, "", list)
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) {
		parameter = part[i]
		sub(/ +$/, "", parameter)
		if (parameter == "void")
			continue
		sub(/.*[ *]/, "", parameter)
		known[parameter] = 1
		if (!says(parameter))
			complain(name ": @" parameter " is not described")
	}
	check_leftover(name)
}

# Parameters or members that are described and do not exist.
function check_leftover(name, list, n, i, word)
{
	n = split(comment, list, "\n")
	for (i = 1; i <= n; i++)
		if (match(list[i], /^ @[A-Za-z_0-9]+:/)) {
			word = substr(list[i], 3, RLENGTH - 3)
			if (!(word in known))
				complain(name ": @" word " is described and not there")
		}
	split("", known)
}

FNR == 1 {
	comment = ""
	state = ""
	declaration = ""
	split("", known)
}

/^\/\*\*$/ {
	comment = "/**"
	state = "comment"
	next
}

state == "comment" {
	line = $0
	sub(/^ \*/, "", line)
	comment = comment "\n" line
	if (/\*\//)
		state = ""
	next
}

/^(THPSTAT_API|typedef)/ { state = "declaration" }

state == "declaration" {
	declaration = declaration " " $0
	if (/;/) {
		if (declaration ~ /THPSTAT_API/)
			check_function(declaration)
		declaration = ""
		comment = ""
		state = ""
	}
	next
}

/^struct [a-z_]+;$/ {
	name = $2
	sub(/;/, "", name)
	if (comment !~ /^\/\*\*/ && before !~ /^\/\*/)
		complain("struct " name " has no comment")
	comment = ""
	next
}

/^(struct|enum) [a-z_]+ \{$/ {
	kind = $1
	what = $2
	state = "members"
	# the enumerations of many plain words need no more than their table
	strict = kind == "struct" || comment ~ /\n @/
	if (kind == "struct" && !is_about(what))
		complain("struct " what " has no comment that begins with its name")
	checked++
	next
}

state == "members" && /^\}/ {
	check_leftover(what)
	comment = ""
	state = ""
	next
}

state == "members" && strict {
	line = $0
	sub(/\/\*.*/, "", line)
	if (kind == "struct") {
		if (line !~ /;/)
			next
		sub(/(\[[^\]]*\])?;.*/, "", line)
		sub(/.*[ \t*]/, "", line)
	} else {
		if (line !~ /^\t[A-Z]/ || line ~ /FORCE_INT/)
			next
		sub(/ *[=,].*/, "", line)
		sub(/^\t/, "", line)
	}
	known[line] = 1
	# an array of opaque words says it all by its name
	if (!says(line) && line != "opaque")
		complain(kind " " what ": @" line " is not described")
}

{ before = $0 }

END { print "checked: " checked }

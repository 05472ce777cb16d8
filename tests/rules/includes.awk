# SPDX-License-Identifier: MIT
# Complains of includes that point the wrong way. FILES are all headers there are, blank-separated.
# Each complaint is "rule<tab>text".

BEGIN {
	n = split(FILES, list, " ")
	for (i = 1; i <= n; i++)
		exists[list[i]] = 1
	n = split("parse account judge tree pages", list, " ")
	for (i = 1; i <= n; i++)
		rank[list[i]] = i
	rank["."] = n + 1
}

function complain(rule)
{
	print rule "\t" FILENAME " includes " header
}

# The folder of a path below lib, "." for lib itself.
function folder(path)
{
	return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "."
}

FNR == 1 {
	includes_line = 0
	top = folder(FILENAME)
	layer = top == "lib" ? folder(substr(FILENAME, 5)) : ""
	if (top == "lib" && !(layer in rank)) {
		header = ""
		print "folders\tlib/" layer " is unknown"
		rank[layer] = 0
	}
}

!/^[ \t]*#[ \t]*include[ \t]*[<"]/ { next }

{
	header = $0
	sub(/^[ \t]*#[ \t]*include[ \t]*/, "", header)
	quoted = header ~ /^"/
	name = header
	sub(/^[<"]/, "", name)
	sub(/[>"].*/, "", name)
}

top == "lib" && quoted {
	if (name ~ /^(thpstat|cli|tests|bench|docs)\// || name ~ /\.\.\//)
		complain("foreign")
	else if (!(("lib/" name) in exists))
		complain("unknown")
	else if (rank[folder(name)] > rank[layer])
		complain("below")
}

top == "lib" && layer ~ /^(parse|account|judge)$/ &&
name ~ /^(stdio|fcntl|unistd|dirent|sys\/.*|poll|signal|pthread|threads|time)\.h$/ {
	complain("pure")
}

layer == "parse" && name ~ /^(stdlib|errno|malloc)\.h$/ { complain("pure") }

name ~ /^thpstat\// && !(("include/" name) in exists) { complain("unknown") }

top == "include" && (quoted || name !~ /^(thpstat\/[a-z_]+|stddef|stdint)\.h$/) {
	complain("public")
}

top == "cli" && quoted && (name ~ /\// || !(("cli/" name) in exists)) { complain("tool") }

top == "docs" && name !~ /^(thpstat\/thpstat|inttypes|stdint|stdio)\.h$/ { complain("example") }

# SPDX-License-Identifier: MIT
# Sums up every field of files of /proc/PID: prints FILE KEY LINES SUM, in kB or as it stands.
# Knows no field, and nothing of thpstat: it is what thpstat's sums are compared with.
FNR == 1 { file = FILENAME; sub(/.*\//, "", file) }
/^[A-Za-z_]+:/ {
	key = $1
	sub(/:$/, "", key)
	if ($2 ~ /^[0-9]+$/) {
		lines[file " " key]++
		sum[file " " key] += $2
		unit[file " " key] = $3
	}
}
END {
	for (name in lines)
		printf "%s %d %.0f %s\n", name, lines[name], sum[name], unit[name] == "kB" ? "kB" : "-"
}

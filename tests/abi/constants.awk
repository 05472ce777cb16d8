# SPDX-License-Identifier: MIT
# Names of all constants of public headers: enumerators and macros with a value.

/^enum [a-z_]+ \{/ { inside = 1; next }
/^\}/ { inside = 0 }
inside && match($0, /THPSTAT_[A-Z0-9_]+ =/) { print substr($0, RSTART, RLENGTH - 2) }
/^#define THPSTAT_[A-Z0-9_]+ \(/ { print $2 }

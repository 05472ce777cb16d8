#!/bin/sh
# SPDX-License-Identifier: MIT
# The library keeps no state of its own and leaves that of the process alone: by its object code.
# usage: library_code.sh STATIC_LIBRARY

. "$(dirname "$0")/../support/tap.sh"

library=$1

undefined=$(nm -u "$library" | sed -n 's/^ *U \([A-Za-z0-9_]*\).*/\1/p' | sort -u)
if [ "$(echo "$undefined" | wc -l)" -ge 20 ]; then
	tap_ok 'symbols were found'
else
	tap_not_ok 'symbols were found' "$undefined"
fi

# uses NAME REGULAR_EXPRESSION: of functions that must not be called
unused()
{
	tap_empty "$1" "$(echo "$undefined" | grep -xE "(__)?($2)(_chk)?")"
}

unused 'it does not print' \
	'v?f?w?printf|v?dprintf|f?puts|f?putc|putchar|f?puts_unlocked|perror|psignal|v?syslog|v?warnx?|stdout|stderr|fwrite|write'
unused 'it does not end the process' \
	'_?exit|_Exit|quick_exit|abort|raise|kill|v?errx?|error|assert_fail|longjmp|siglongjmp'
unused 'it does not look at the environment' \
	'(secure_)?getenv|putenv|setenv|unsetenv|clearenv|environ|program_invocation.*'
unused 'it does not depend on the locale' \
	'setlocale|uselocale|newlocale|localeconv|ctype_b_loc|ctype_tolower_loc|ctype_toupper_loc|(isoc[0-9]*_)?strto(l|ul|ll|ull|d|f|imax|umax)|ato(i|l|ll|f)|(isoc[0-9]*_)?v?s?f?scanf|strcoll|strxfrm|tolower|toupper|is(alpha|digit|space|xdigit|alnum|upper|lower|print|punct)|(mb|wc).*'
unused 'it does not touch signals or threads' \
	'signal|bsd_signal|sigaction|sigprocmask|pthread_.*|alarm|setitimer|fork|vfork|clone|execv.*|system|popen|posix_spawnp?|waitpid'
unused 'it uses no state of libc' \
	'strtok|strerror|localtime|gmtime|asctime|ctime|rand|srand|random|readdir64_r|getpw(nam|uid)|getgr(nam|gid)|tmpnam|basename|dirname|umask|chdir|fchdir|chroot'
unused 'it makes no difference between machines' 'sysconf|getpagesize|uname|gethostname'
unused 'it never writes to files' \
	'creat(64)?|unlink(at)?|rename(at)?|mkdir(at)?|ftruncate(64)?|truncate(64)?|pwrite(64)?|writev|chmod|fchmod'

# Variables: in a section that can be written to and is not made constant by the loader. Sanitizers
# and coverage have some of their own.
tap_empty 'it has no variables' "$(
	nm -f sysv "$library" | awk -F '|' '
		{ gsub(/ /, "", $1); section = $7; gsub(/[ \t]/, "", section) }
		section ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && section !~ /^\.data\.rel\.ro/ &&
		$1 !~ /^(__odr_asan|_?_?_?asan|__gcov|\.L|__ubsan|__llvm|__sancov|__unnamed_[0-9]+$|\.data|\.bss)/ {
			print $1 " in " section
		}'
)"

# The only code that opens files is in lib/tree; nothing else does the same by another name.
tap_empty 'only lib/tree opens files' "$(
	nm -A -u "$library" | awk '
		match($0, /[^\/:]*\.o:/) { object = substr($0, RSTART, RLENGTH - 1) }
		$NF ~ /^(open|openat|__open_2|__openat_2|open64|openat64|__open64_2|__openat64_2|fopen|fopen64|opendir|fdopendir|syscall|readlink|readlinkat|stat|fstatat|statx|access|faccessat)$/ &&
		object !~ /^tree_/ { print object " uses " $NF }'
)"
tap_end

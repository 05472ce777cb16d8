#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Does the fuzzer find a bug? The check for overflow is taken out of a copy of number.c; then the
# target for numbers must fail, first on the seeds and then from seeds that do not show the bug.
set -eu

clang=${CLANG:-clang}
seconds=${SECONDS_MAX:-60}
tests=$(cd "$(dirname "$0")" && pwd)
top=$tests/../..
work=$(mktemp -d "${TMPDIR:-/tmp}/thpstat-seeded-bug-XXXXXX")
trap 'rm -rf "$work"' EXIT

skip() {
  echo "1..0 # SKIP $1"
  exit 0
}

# build NAME NUMBER.C
build() {
  "$clang" -std=gnu11 -D_GNU_SOURCE -DTHPSTAT_VERSION='"0"' -O1 -g \
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    -I "$top/include" -I "$top/lib" -I "$tests" -o "$work/$1" \
    "$tests/fuzz_number.c" "$tests/fuzz.c" "$tests/reference.c" \
    "$top/lib/account/metric.c" "$2"
}

# run PROGRAM ARGUMENT...: says whether a broken invariant ended it
run() {
  program=$1
  shift
  if "$work/$program" -seed=1 -artifact_prefix="$work/" "$@" >"$work/log" 2>&1; then
    return 1
  fi
  grep -q 'does not hold: ' "$work/log" && return 0
  sed 's/^/# /' "$work/log"
  return 1
}

number=0
status=0
result() {
  number=$((number + 1))
  echo "$1 $number - $2"
  [ "$1" = ok ] || status=1
}

command -v "$clang" >"$work/log" 2>&1 || skip "no $clang"
echo 'int LLVMFuzzerTestOneInput(const char *data, long size) { return data && size < 0; }' \
  >"$work/probe.c"
"$clang" -fsanitize=fuzzer,address,undefined -o "$work/probe" "$work/probe.c" >"$work/log" 2>&1 ||
  skip "$clang has no libFuzzer"

sed 's/^\(\t*\)if (overflow)$/\1if (0)/' "$top/lib/parse/number.c" >"$work/number.c"
echo "1..4"
if cmp -s "$top/lib/parse/number.c" "$work/number.c"; then
  result "not ok" "number.c has the check that is taken out"
  exit $status
fi
result ok "number.c has the check that is taken out"
build good "$top/lib/parse/number.c"
build bad "$work/number.c" 2>"$work/log"

# what is found goes to the first directory
mkdir "$work/found" "$work/seeds"
if run good -runs=20000 "$work/found" "$tests/seeds/number"; then
  sed 's/^/# /' "$work/log"
  result "not ok" "without the bug nothing is found"
else
  result ok "without the bug nothing is found"
fi

if run bad -runs=0 "$tests/seeds/number"; then
  result ok "the seeds find the bug"
else
  result "not ok" "the seeds find the bug"
fi

for seed in zero minus tail; do
  cp "$tests/seeds/number/$seed" "$work/seeds"
done
if run bad -max_total_time="$seconds" "$work/seeds"; then
  echo "# after more than $(sed -n 's/^#\([0-9]*\).*/\1/p' "$work/log" | tail -n 1) runs:"
  sed -n 's/.*\(does not hold: .*\)/# \1/p' "$work/log"
  result ok "other seeds lead to the bug"
else
  result "not ok" "other seeds lead to the bug"
fi
exit $status

#!/bin/sh
# Benchmarks: tables on the screen and CSV files in build/bench/results.
#   sh tests/bench/run.sh [--budget SECONDS] [--keep MACHINE | --results DIR] [NAME ...]
# NAMEs: overhead dense general stacks auto eig pairs tdinv onesided svd functions mrrr
# complex jacobi; none: all.  Only if named: operations and programs, of data that stays on
# the GPU; calls, whole calls on a GPU; gpus, one GPU against several.  The budget (600 s by default, without
# the build) is divided among the NAMEs by weight; rows that do not fit are left out,
# with a note in the table; tables that need a GPU are skipped without one.  --keep: the
# tables replace those in tests/bench/results/MACHINE (all of them, without NAMEs), and
# demos/FIGURES.md is generated again.  OCTAVE=/path/to/octave-cli: use an existing
# build (on a machine to which it was copied).
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

cd "$(dirname "$0")/../.." || exit 1
budget=600 results='' keep=''
while :; do
  case ${1:-} in
    --budget) budget=$2; shift 2 ;;
    --results) results=$2; shift 2 ;;
    --keep) keep=$2; shift 2 ;;
    -*) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 1 ;;
    *) break ;;
  esac
done

if [ -n "${OCTAVE:-}" ]; then
  build=${GPUEIG_BUILD:-build}
else
  . tests/setup.sh
  OCTAVE=octave-cli
fi
results=${results:-$build/bench/results}
mkdir -p "$results"
[ -z "$keep" ] || rm -f "$results"/*.csv
all=no
[ $# -gt 0 ] || all=yes
[ $all = no ] || set -- overhead dense general stacks auto eig pairs tdinv onesided svd functions mrrr complex jacobi

commit=$(git rev-parse --short HEAD 2>/dev/null || cat "$build/commit" 2>/dev/null)
GPUEIG_COMMIT=${commit:-unknown}
export GPUEIG_COMMIT OCTAVE

octave ()
{
  "$OCTAVE" --norc --no-history --no-window-system --path "$build/inst" \
    --path tests/bench --path tests/octave --eval "$1"
}

# Weight of a benchmark in the division of the time.
weight ()
{
  case $1 in
    overhead) echo 1 ;;
    pairs) echo 6 ;;
    eig | tdinv) echo 7 ;;
    stacks) echo 8 ;;
    general) echo 9 ;;
    complex) echo 10 ;;
    jacobi) echo 15 ;;
    auto) echo 24 ;;
    *) echo 12 ;;
  esac
}

total=0
for name in "$@"; do
  total=$((total + $(weight "$name")))
done
begin=$(date +%s)
stop=$((begin + budget))
status=0
for name in "$@"; do
  part=$(weight "$name")
  left=$((stop - $(date +%s)))
  [ "$left" -gt 0 ] || left=0
  share=$((left * part / total))
  total=$((total - part))
  printf '\n==== %s: %d s of the %d s left\n' "$name" "$share" "$left"
  call="bench ('$results', $share, '$name')"
  [ ! -f "tests/bench/bench_$name.m" ] || call="bench_$name ('$results', $share)"
  octave "$call" || status=1
done
if [ -n "$keep" ] && [ "$status" = 0 ]; then
  kept=tests/bench/results/$keep
  mkdir -p "$kept"
  [ $all = no ] || rm -f "$kept"/*.csv
  cp "$results"/*.csv "$kept"
  # What other tables sum up.
  rm -f "$kept"/auto.csv
  octave "make_page ('tests/bench/results', 'demos/FIGURES.md')" || status=1
fi
printf '\n%d s in all; tables are in %s\n' "$(($(date +%s) - begin))" "${kept:-$results}"
exit $status

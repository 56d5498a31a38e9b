#!/bin/sh
# Benchmarks: tables on the screen, CSV files and plots in build/bench.
#   sh tests/bench/run.sh [--budget SECONDS] [--results DIR] [NAME ...]
# NAMEs: jacobi onesided complex tdinv mrrr eig; none: all of them.  The budget
# (600 s by default) is shared out among the NAMEs; a benchmark skips what it
# has no time for and says so.  OCTAVE=/path/to/octave-cli takes a build that
# is there already (on a machine to which it was carried).
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

cd "$(dirname "$0")/../.." || exit 1
budget=600 results=
while :; do
  case ${1:-} in
    --budget) budget=$2; shift 2 ;;
    --results) results=$2; shift 2 ;;
    -*) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 1 ;;
    *) break ;;
  esac
done

if [ -n "${OCTAVE:-}" ]; then
  build=${GPUEIG_BUILD:-build}
else
  . tests/setup.sh
  OCTAVE=octave-cli
fi
results=${results:-$build/bench}
mkdir -p "$results"

if [ $# -eq 0 ]; then
  for file in tests/bench/bench_*.m; do
    name=${file##*/bench_}
    set -- "$@" "${name%.m}"
  done
fi
commit=$(git rev-parse --short HEAD 2>/dev/null || cat "$build/commit" 2>/dev/null)
GPUEIG_COMMIT=${commit:-unknown}
export GPUEIG_COMMIT

status=0
for name in "$@"; do
  if [ ! -f "tests/bench/bench_$name.m" ]; then
    echo "There is no benchmark $name."
    status=1
    continue
  fi
  "$OCTAVE" --norc --no-history --no-window-system --path "$build/inst" \
    --path tests/bench --eval "bench_$name ('$results', $budget / $#)" || status=1
done
if command -v gnuplot >/dev/null; then
  "$OCTAVE" --norc --no-history --no-window-system --path tests/bench --eval "plot_results ('$results')" || status=1
fi
exit $status

#!/bin/sh
# Claims: the C and CUDA sources have the layout of .clang-format, compile
# without a warning with clang too, and no file passes 600 lines but tables of
# measurements.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

sources=$(find core mex cuda preload tests worker -name '*.[ch]' -o -name '*.cc' -o -name '*.cu' -o -name '*.cuh' | sort)
if command -v clang-format >/dev/null; then
  # Without the tables of measurements, which are not formatted and take minutes.
  bad=$(printf '%s\n' "$sources" | grep -v '^core/plan/times/' | xargs -P "$(nproc)" -n 50 clang-format --dry-run 2>&1 \
    | sed -n 's/^\([^:]*\):.*/\1/p' | sort -u)
  [ -z "$bad" ]
  check $? "layout of $bad"
else
  skip "clang-format is not installed"
fi

if command -v clang >/dev/null; then
  # The worker's files where there are MPI's headers.
  mpi=$(mpicc --showme:compile 2>/dev/null | tr ' ' '\n' | sed -n 's/^-I/-isystem /p')
  without='^$'
  [ -n "$mpi" ] || without='^worker/\|^tests/workers/'
  [ ! -f /usr/include/elpa/elpa/elpa.h ] || mpi="$mpi -isystem /usr/include/elpa -DWK_HAVE_ELPA=1"
  octave=$(mkoctfile -p INCFLAGS | sed 's/-I/-isystem /g')
  for scalar in 0 1 2 3; do
    pattern='_typed\.c$'
    [ $scalar != 1 ] || pattern=.
    # shellcheck disable=SC2086
    found=$(find core mex preload tests worker -name '*.c' | grep "$pattern" | grep -v "$without" \
      | xargs -P "$(nproc)" -n 20 clang -std=c17 -D_GNU_SOURCE -DGE_SCALAR=$scalar -DGE_NAMES=0 -fopenmp -fsyntax-only \
        -Wall -Wextra -Wpedantic -Wmissing-prototypes -Wstrict-prototypes -Werror -Wno-unknown-attributes -ffp-contract=off \
        -Icore -Icore/api -Icore/methods -Itests/base -Iworker -DMEX_OCTAVE=7 $mpi $octave 2>&1)
    check $? "clang, scalar type $scalar: $found"
  done
else
  skip "clang is not installed"
fi

for file in $sources inst/*.m inst/private/*.m tests/*.sh tests/octave/*.tst tests/octave/*.m demos/*.m; do
  [ -f "$file" ] || continue
  case $file in core/plan/times/*) continue ;; esac  # tables of measurements
  lines=$(wc -l < "$file")
  [ "$lines" -le 600 ]
  check $? "$file has $lines lines, 600 are enough"
done
finish

#!/bin/sh
# Claims: a call frees all memory that it allocates, for every class of argument, valid or
# not, and whichever allocation fails, see leaks.m.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

rounds=10
[ -z "${GPUEIG_TEST_LONG:-}" ] || rounds=300
output=$(LD_PRELOAD=$(realpath "$build")/tests/count_blocks.so "$octave" --norc --no-history \
  --path "$build/inst" --path tests/octave \
  --eval "[failures, calls] = leaks ($rounds); printf ('%s\n', failures{:});
          report_count ('calls looked at for leaks', calls);" 2>&1)
found=$(printf '%s\n' "$output" | grep -v '^count: [0-9]* calls\|^error: ignoring const')
printf '%s\n' "$output" | grep '^count:'
[ -z "$found" ] && [ "${output#*count:}" != "$output" ]
check $? "$found"
finish

#!/bin/sh
# Claims: a call frees all memory that it allocates, for every class of argument, valid or
# not, see leaks.m.  Without malloc's caches for threads: they keep what was freed, from
# glibc 2.41 on megabytes of it, which count as used.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh
rounds=60
[ "${GPUEIG_BACKEND:-}" != cuda ] || rounds=8
[ -z "${GPUEIG_TEST_LONG:-}" ] || rounds=2000
output=$(GLIBC_TUNABLES=glibc.malloc.tcache_count=0 "${OCTAVE:-octave-cli}" --norc --no-history \
  --path "${GPUEIG_BUILD:-build}/inst" --path tests/octave \
  --eval "[failures, calls] = leaks ($rounds); printf ('%s\n', failures{:});
          report_count ('calls looked at for leaks', calls);" 2>&1)
found=$(printf '%s\n' "$output" | grep -v '^count: [0-9]* calls\|^error: ignoring const')
printf '%s\n' "$output" | grep '^count:'
[ -z "$found" ] && [ "${output#*count:}" != "$output" ]
check $? "$found"
echo "$passed passed, $failed failed, $skipped skipped"

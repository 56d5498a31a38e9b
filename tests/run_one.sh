#!/bin/sh
# Runs the tests of one file, for tests/suite.sh: a program, a file with %! tests or a script.
# Prints one line with its counts, then, indented, what failed or was skipped.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

file=$1
name=$(basename "$file")
case $file in
  *.sh) set -- sh "$file" ;;
  *.m | *.tst)
    build=${GPUEIG_BUILD:-build}
    set -- "${OCTAVE:-octave-cli}" --norc --no-history --path "$build/inst" --path tests/octave tests/octave/run_octave.m "$file" ;;
  *) set -- "$file" ;;
esac
[ -z "${GPUEIG_TEST_SECONDS:-}" ] || set -- timeout -k 10 "$GPUEIG_TEST_SECONDS" "$@"

start=$(date +%s)
output=$("$@" 2>&1)
status=$?
seconds=$(($(date +%s) - start))
last=$(printf '%s\n' "$output" | grep ' passed, .* failed, .* skipped' | tail -n 1)
counts=$(printf ' %s\n' "$last" | sed -n 's/.*[^0-9]\([0-9]\{1,\} passed, [0-9]\{1,\} failed, [0-9]\{1,\} skipped\).*/\1/p')
# In one write, so that programs that run at the same time do not mix their lines.
if [ -n "$counts" ]; then
  text=$(printf '%-28s %s (%d s)\n' "$name" "$counts" "$seconds"
         printf '%s\n' "$output" | grep -v ' passed, .* failed, .* skipped\|^warning: \|^ *[a-z_0-9>]* at line ' | grep -i -A 2 'fail\|!!!!!\|error\|skip\|^count:' | sed 's/^/    /' | grep -v '^ *--$' | head -n 60)
else
  text=$(printf '%-28s did not finish (exit status %d, %d s)\n' "$name" "$status" "$seconds"
         printf '%s\n' "$output" | tail -n 20 | sed 's/^/    /')
fi
printf '%s\n' "$text"

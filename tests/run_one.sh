#!/bin/sh
# Runs the tests of one file, for tests/suite.sh: a program, a file with %! tests or a script.
#   sh tests/run_one.sh FILE [FOLDER]
# Prints one line with its counts, then, indented, what failed or was skipped; into the file
# FOLDER/NAME if there is a FOLDER.
# GPUEIG_TEST_SECONDS: what runs longer hangs, and is ended.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

file=$1 folder=${2:-}
name=$(basename "$file")
case $file in
  *.sh) set -- sh "$file" ;;
  *.m | *.tst)
    build=${GPUEIG_BUILD:-build}
    set -- "${OCTAVE:-octave-cli}" --norc --no-history --path "$build/inst" --path tests/octave tests/octave/run_octave.m "$file" ;;
  *) set -- "$file" ;;
esac
limit=1800
[ -z "${GPUEIG_TEST_LONG:-}" ] || limit=28800
set -- timeout -k 10 "${GPUEIG_TEST_SECONDS:-$limit}" "$@"
# timeout makes a process group of its own, which Ctrl-C does not reach: suite.sh ends it.
[ -z "$folder" ] || set -- sh -c 'echo $$ >"$0"; exec "$@"' "$folder/.pid.$name" "$@"

# What gpu_tune has measured for this user would change which methods are taken.
export GPUEIG_TIMES="${GPUEIG_TIMES:-builtin}"
# A folder for its files; sockets of MPI want a short name.
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/t.XXXXXX")
export TMPDIR
start=$(date +%s%N)
output=$("$@" 2>&1)
status=$?
rm -rf "$TMPDIR"
seconds=$(awk "BEGIN { printf \"%.1f\", ($(date +%s%N) - $start) / 1e9 }")
last=$(printf '%s\n' "$output" | grep ' passed, .* failed, .* skipped' | tail -n 1)
counts=$(printf ' %s\n' "$last" | sed -n 's/.*[^0-9]\([0-9]\{1,\} passed, [0-9]\{1,\} failed, [0-9]\{1,\} skipped\).*/\1/p')
print_result ()
{
  if [ -n "$counts" ]; then
    printf '%-28s %s (%s s)\n' "$name" "$counts" "$seconds"
    printf '%s\n' "$output" | grep -v ' passed, .* failed, .* skipped\|^warning: \|^ *[a-z_0-9>]* at line ' | grep -i -A 2 'fail\|!!!!!\|error\|skip\|^count:' | sed 's/^/    /' | grep -v '^ *--$' | head -n 60
  else
    printf '%-28s did not finish (exit status %d, %s s)\n' "$name" "$status" "$seconds"
    printf '%s\n' "$output" | tail -n 20 | sed 's/^/    /'
  fi
}
if [ -n "$folder" ]; then
  rm -f "$folder/.pid.$name"
  # An interrupted suite has written its own result, or is gone.
  [ -d "$folder" ] && [ ! -f "$folder/$name" ] || exit
  print_result >"$folder/$name.part"
  mv "$folder/$name.part" "$folder/$name"
else
  print_result
fi

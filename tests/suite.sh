# Sourced by tests/run.sh and tests/gpu/run.sh, in the root of the project:
# runs the C tests and the Octave tests of a build and counts them.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

octave=${OCTAVE:-octave-cli}
export OCTAVE="$octave"
build=${GPUEIG_BUILD:-build}
passed=0 failed=0 skipped=0

# Adds up a line "... N passed, N failed, N skipped".
count ()
{
  set -- $(printf '%s\n' "$1" | sed -n 's/.*\([^0-9]\|^\)\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed, \([0-9][0-9]*\) skipped.*/\2 \3 \4/p')
  if [ $# -ne 3 ]; then
    failed=$((failed + 1))
    return 1
  fi
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# wanted FILE WORD...: is FILE named by one of the WORDs, or is there none?
wanted ()
{
  file=$1
  shift
  [ $# -gt 0 ] || return 0
  for word in "$@"; do
    case $file in *"$word"*) return 0 ;; esac
  done
  return 1
}

# run_one NAME COMMAND...: its output indented, its last line counted.
run_one ()
{
  name=$1
  shift
  start=$(date +%s)
  output=$("$@" 2>&1)
  status=$?
  last=$(printf '%s\n' "$output" | grep ' passed, .* failed, .* skipped' | tail -n 1)
  if [ -n "$last" ]; then
    printf '%-28s %s (%d s)\n' "$name" "${last#*: }" "$(($(date +%s) - start))"
    count "$last"
    printf '%s\n' "$output" | grep -v ' passed, .* failed, .* skipped' | grep -i -A 2 'fail\|!!!!!\|error\|skip\|^count:' | sed 's/^/    /' | grep -v '^ *--$' | head -n 60
  else
    printf '%-28s did not finish (exit status %d)\n' "$name" "$status"
    printf '%s\n' "$output" | tail -n 20 | sed 's/^/    /'
    failed=$((failed + 1))
  fi
}

run_suite ()
{
  for test in "$build"/tests/test_*; do
    [ -x "$test" ] || continue
    wanted "$(basename "$test")" "$@" && run_one "$(basename "$test")" "$test"
  done
  for file in "$build"/inst/*.m tests/octave/*.tst; do
    [ -f "$file" ] || continue
    wanted "$(basename "$file")" "$@" \
      && run_one "$(basename "$file")" "$octave" --norc --no-history \
           --path "$build/inst" --path tests/octave tests/octave/run_octave.m "$file"
  done
  for script in tests/check_*.sh; do
    [ -f "$script" ] || continue
    # On a GPU machine those that say that they are for it.
    [ -z "${GPUEIG_TEST_BACKEND:-}" ] || grep -qx '# Backends: any' "$script" || continue
    wanted "$(basename "$script")" "$@" && run_one "$(basename "$script")" sh "$script"
  done
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

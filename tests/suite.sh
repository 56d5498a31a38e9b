# Sourced by tests/run.sh and tests/gpu/run.sh, in the root of the project:
# runs the C tests and the Octave tests of a build and counts them.
# GPUEIG_TEST_JOBS: so many programs at the same time (1); GPUEIG_TEST_SECONDS: limit for each.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

octave=${OCTAVE:-octave-cli}
export OCTAVE="$octave"
build=${GPUEIG_BUILD:-build}

# wanted NAME WORD...: is NAME named by one of the WORDs, or is there none?
wanted ()
{
  name=$1
  shift
  [ $# -gt 0 ] || return 0
  for word in "$@"; do
    case $name in *"$word"*) return 0 ;; esac
  done
  return 1
}

# The files of tests, one per line: programs, files with %! tests, scripts.
list_tests ()
{
  for file in "$build"/tests/test_* "$build"/inst/*.m tests/octave/*.tst tests/check_*.sh; do
    [ -f "$file" ] || continue
    case $file in
      *.sh)
        # On a GPU machine those that say that they are for it.
        [ -z "${GPUEIG_TEST_BACKEND:-}" ] || grep -qx '# Backends: any' "$file" || continue ;;
      */test_*) [ -x "$file" ] || continue ;;
    esac
    wanted "$(basename "$file")" "$@" && printf '%s\n' "$file"
  done
}

run_suite ()
{
  counts=$(mktemp)
  list_tests "$@" | xargs -r -d '\n' -n 1 -P "${GPUEIG_TEST_JOBS:-1}" sh tests/run_one.sh | tee "$counts"
  # Lines "NAME  N passed, N failed, N skipped (N s)" and "NAME  did not finish (...)".
  awk '$3 == "passed," && $5 == "failed," { passed += $2; failed += $4; skipped += $6 }
       / did not finish \(/ { failed++ }
       END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
             exit ! (failed == 0 && passed > 0) }' "$counts"
  status=$?
  rm -f "$counts"
  return $status
}

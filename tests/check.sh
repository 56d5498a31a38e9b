# Sourced by tests/check_*.sh: counts what they check; a folder for their files, which is
# removed at the end.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

# Read by the scripts that source this.
# shellcheck disable=SC2034
octave=${OCTAVE:-octave-cli}
build=${GPUEIG_BUILD:-build}
passed=0 failed=0 skipped=0
folder=$(mktemp -d)
log=$folder/log
# By its name: a script may use the variable for something else.
# shellcheck disable=SC2064
trap "rm -rf '$folder'" EXIT

# check STATUS CLAIM: 0 is a pass.
check ()
{
  if [ "$1" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL: %s\n' "$2"
  fi
}

skip ()
{
  skipped=$((skipped + 1))
  echo "skip: $1"
}

# The last line of a script.
finish ()
{
  echo "$passed passed, $failed failed, $skipped skipped"
  exit 0
}

leave_out ()
{
  skip "$1"
  finish
}

# add_counts FILE NAME: those of the last line of a program's output.
add_counts ()
{
  # shellcheck disable=SC2046
  set -- $(sed -n 's/^\(.*[^0-9]\)\{0,1\}\([0-9]*\) passed, \([0-9]*\) failed.*/\2 \3/p' "$1" | tail -n 1) "$1" "$2"
  if [ $# = 4 ]; then
    passed=$((passed + $1)) failed=$((failed + $2))
    [ "$2" = 0 ] || { echo "$4:"; grep -A 8 FAIL "$3" | head -n 40; }
  else
    check 1 "$2 did not finish: $(tail -n 3 "$1")"
  fi
}

# In Octave, with the package and the functions of the tests.
run_octave ()
{
  "$octave" --norc --no-history --no-window-system --path "$build/inst" --path tests/octave "$@"
}

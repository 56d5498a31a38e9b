# Sourced by tests/check_*.sh: counts what they check.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

# Read by the scripts that source this.
# shellcheck disable=SC2034
passed=0 failed=0 skipped=0

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

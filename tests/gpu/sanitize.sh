#!/bin/sh
# Runs C tests on a GPU under compute-sanitizer: memcheck with a search for
# leaks, racecheck and synccheck; of failures it prints the first reports and the
# end of the output; the last line counts them.
#   sh tests/gpu/sanitize.sh [TEST ...]      test_small and test_mixed by default
# GPUEIG_SANITIZE_FUNCTION: one function of these tests only, by its name in their tables.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

cd "$(dirname "$0")/../.." || exit 1
build=${GPUEIG_BUILD:-build}
export GPUEIG_TEST_BACKEND=cuda
GPUEIG_TEST_PLUGIN=$PWD/$build/inst/gpueig_cuda.so
export GPUEIG_TEST_PLUGIN
passed=0 failed=0 skipped=0
if ! command -v compute-sanitizer >/dev/null; then
  echo "skip: compute-sanitizer is not installed"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
[ $# -gt 0 ] || set -- test_small test_mixed
for test in "$@"; do
  for tool in ${GPUEIG_SANITIZE_TOOLS:-memcheck racecheck synccheck}; do
    log=$(mktemp)
    more=
    [ $tool = memcheck ] && more='--leak-check full'
    # shellcheck disable=SC2086
    timeout "${GPUEIG_SANITIZE_SECONDS:-600}" compute-sanitizer --tool $tool $more --error-exitcode 9 \
      --print-limit 5 "$build/tests/$test" ${GPUEIG_SANITIZE_ORDER:-33} quick ${GPUEIG_SANITIZE_FUNCTION:-} >"$log" 2>&1
    status=$?
    if [ $status = 0 ]; then
      passed=$((passed + 1))
      echo "pass: $test under $tool"
    elif [ $status = 124 ]; then
      skipped=$((skipped + 1))
      echo "skip: $test under $tool took too long"
    else
      failed=$((failed + 1))
      echo "FAIL: $test under $tool (exit status $status)"
      grep '^=========' "$log" | grep -v -i 'host frame' | head -n 40
      grep -v '^$' "$log" | tail -n 40
    fi
    rm -f "$log"
  done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]

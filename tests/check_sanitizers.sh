#!/bin/sh
# Claims: the C tests under the address and undefined-behaviour sanitizers, and
# calls of every function in Octave under valgrind, find nothing.  Compiling for
# the sanitizers takes minutes, so this runs with GPUEIG_TEST_LONG or CI only.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

octave=${OCTAVE:-octave-cli}
build=${GPUEIG_BUILD:-build}
. tests/check.sh

sanitized ()
{
  log=$build-sanitize/build.log
  mkdir -p "$build-sanitize"
  # Without optimisation: the compiler's time is most of this test.
  if ! { cmake -S . -B "$build-sanitize" -DGPUEIG_SANITIZE=ON -DGPUEIG_CUDA=OFF \
           -DCMAKE_C_FLAGS_RELEASE='-O0 -g1' && cmake --build "$build-sanitize" -j "$(nproc)"; } >"$log" 2>&1; then
    failed=$((failed + 1))
    echo "FAIL: the build with sanitizers: $(tail -n 3 "$log")"
    return
  fi
  # All tests when asked for, else the small problems and what is quick.
  tests='test_small test_workspace test_schedule test_rotation'
  [ -z "${GPUEIG_TEST_LONG:-}" ] || tests=$(cd "$build-sanitize/tests" && ls test_*)
  for test in $tests; do
    [ -x "$build-sanitize/tests/$test" ] || continue
    arguments=
    [ "$test" != test_small ] || arguments=33
    output=$(env ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=0:print_stacktrace=1 "$build-sanitize/tests/$test" $arguments 2>&1)
    status=$?
    if [ $status = 0 ] && ! printf '%s' "$output" | grep -q 'runtime error\|ERROR: .*Sanitizer'; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAIL: $test under the sanitizers (exit status $status)"
      printf '%s\n' "$output" | grep -A 8 'runtime error\|ERROR: .*Sanitizer\|^FAIL' | head -n 20
    fi
  done
}

# Invalid reads, writes and jumps that involve gpueig; what Octave and the
# libraries do among themselves is theirs.
under_valgrind ()
{
  log=$(mktemp)
  OMP_NUM_THREADS=2 OPENBLAS_CORETYPE=Haswell timeout 900 valgrind --error-exitcode=0 --log-file="$log" \
    "$octave" --norc --no-history --path "$build/inst" --path tests --eval "
      for call = sample_calls (5)
        text = sample_verify (call, sample_run (call));
        assert (isempty (text), text);
        for bad = {NaN, int8(1), ones(2, 3)}
          try, feval (call.name, bad{1}); end_try_catch
        endfor
      endfor
      puts ('all right');" >"$log.out" 2>&1
  if ! grep -q 'all right' "$log.out"; then
    failed=$((failed + 1))
    echo "FAIL: valgrind: $(tail -n 3 "$log.out" "$log")"
  elif grep -q '__gpueig__.mex' "$log"; then
    failed=$((failed + 1))
    echo "FAIL: valgrind:"
    grep -B 4 -A 8 '__gpueig__.mex' "$log" | head -n 40
  else
    passed=$((passed + 1))
  fi
  rm -f "$log" "$log.out"
}

if [ -z "${GPUEIG_TEST_LONG:-}${CI:-}" ]; then
  skip "sanitizers take minutes: set GPUEIG_TEST_LONG"
else
  sanitized
  if command -v valgrind >/dev/null; then
    under_valgrind
  else
    skip "valgrind is not installed"
  fi
fi
echo "$passed passed, $failed failed, $skipped skipped"

#!/bin/sh
# Claims: the address and undefined-behaviour sanitizers find nothing in random calls of every
# function from Octave and in the C tests.  Compiling all of the library for the sanitizers
# takes minutes: without GPUEIG_TEST_LONG only the gateway is, and less is called.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

sanitized ()
{
  log=$build-sanitize/build.log
  mkdir -p "$build-sanitize"
  # Without optimisation (CMakeLists.txt sets the flags of Release): the compiler's time is
  # most of this test.
  if ! { cmake -S . -B "$build-sanitize" -DGPUEIG_SANITIZE=ON -DGPUEIG_CUDA=OFF -DGPUEIG_MPI=OFF \
           -DCMAKE_BUILD_TYPE=Sanitize -DCMAKE_C_FLAGS_SANITIZE='-O0 -g1' && cmake --build "$build-sanitize" -j "$(nproc)"; } >"$log" 2>&1; then
    failed=$((failed + 1))
    echo "FAIL: the build with sanitizers: $(tail -n 3 "$log")"
    return
  fi
  echo "leak:fake_pinned_alloc" >"$folder/leaks"
  for test in $(cd "$build-sanitize/tests" && ls test_*); do
    [ -x "$build-sanitize/tests/$test" ] || continue
    arguments=
    [ "$test" != test_small ] || arguments=33
    output=$(env ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 LSAN_OPTIONS="suppressions=$folder/leaks" UBSAN_OPTIONS=halt_on_error=0:print_stacktrace=1 "$build-sanitize/tests/$test" $arguments 2>&1)
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

# in_octave WHAT CODE COMMAND...: CODE in an Octave that COMMAND starts, which must
# print "all right"; the log is left in $log.
in_octave ()
{
  what=$1 code=$2
  shift 2
  "$@" "$octave" --norc --no-history --path "$folder/inst" --path tests/octave --path tests/octave/usage --eval "$code puts ('all right');" >"$log" 2>&1
  grep -q 'all right' "$log" && ! grep -q 'runtime error\|ERROR: .*Sanitizer' "$log"
  status=$?
  check $status "$what"
  [ $status = 0 ] || grep -A 8 'runtime error\|ERROR: .*Sanitizer\|^FAIL\|^error' "$log" | head -n 30
}

# The gateway compiled for the sanitizers, with the build's own library.
gateway ()
{
  # shellcheck disable=SC2046
  gcc -std=c17 -D_GNU_SOURCE -fPIC -fvisibility=hidden -fopenmp -O0 -g1 \
    -fno-omit-frame-pointer -fsanitize=address,undefined -Icore -Icore/api -Icore/methods -DMEX_OCTAVE="$(mkoctfile -p OCTAVE_VERSION | sed 's/\..*//')" $(mkoctfile -p INCFLAGS) \
    -r -o "$folder/gateway.o" mex/*.c >"$log" 2>&1 \
    && mkoctfile --mex -o "$folder/inst/__gpueig__.mex" "$folder/gateway.o" "-Wl,$build/core/libgpueig.a" \
      -fsanitize=address,undefined $(mkoctfile -p LAPACK_LIBS) $(mkoctfile -p BLAS_LIBS) -lgomp -ldl -lm >>"$log" 2>&1
  status=$?
  check $status "the gateway compiles for the sanitizers: $(head -n 3 "$log")"
  [ $status = 0 ] || return
  in_octave "Octave with the sanitizers in the gateway" "assert (fuzz (3, $1) == 0);" env LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0 \
    UBSAN_OPTIONS=print_stacktrace=1
}

# The gateway with the library, both compiled for the sanitizers.
gateway_and_library ()
{
  [ -f "$build-sanitize/inst/__gpueig__.mex" ] || return
  cp "$build-sanitize/inst/__gpueig__.mex" "$folder/inst"
  in_octave "Octave with the sanitizers in gateway and library" "assert (fuzz (4, 4000) == 0);" \
    env LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
}

mkdir "$folder/inst"
cp -R "$build"/inst/*.m "$build"/inst/*.oct "$build/inst/private" "$folder/inst"
preload="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
if ! command -v gcc >/dev/null || [ ! -f "$(gcc -print-file-name=libasan.so)" ]; then
  skip "gcc's sanitizers are not installed"
elif [ -z "${GPUEIG_TEST_LONG:-}" ]; then
  gateway 400
  skip "the other sanitizers take minutes: set GPUEIG_TEST_LONG"
else
  gateway 4000
  sanitized
  gateway_and_library
fi
finish

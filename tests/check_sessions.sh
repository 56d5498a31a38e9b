#!/bin/sh
# Claims: random calls (tests/octave/fuzz.m), in any locale, with any number of
# threads and little address space, end with right answers or gpueig:out-of-memory; under
# every limit of address space under which Octave's eig ends, gpu_eig ends.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

seed=${GPUEIG_TEST_SEED:-1}
# A GPU reserves more address space than the machine has memory.
short=2500000
[ "$GPUEIG_BACKEND" != cuda ] || short=unlimited
# In the short run every second of the combinations, with fewer calls.
count=2000
[ -n "${GPUEIG_TEST_LONG:-}" ] || count=200
for locale in C C.UTF-8; do
  for threads in 1 2 5; do
    for space in unlimited $short; do
      seed=$((seed + 1))
      [ -n "${GPUEIG_TEST_LONG:-}" ] || [ $((seed % 2)) = 0 ] || continue
      is_short=$([ "$space" = unlimited ] || echo short)
      (
        # shellcheck disable=SC3045
        ulimit -v $space
        LC_ALL=$locale OMP_NUM_THREADS=$threads \
          OPENBLAS_NUM_THREADS=$((1 + seed % 3)) "$octave" --norc --no-history \
          --path "$build/inst" --path tests/octave \
          --eval "n = fuzz ($seed, $count, '$is_short'); printf ('%d failed\\n', n)"
      ) >"$log" 2>&1
      grep -qx '0 failed' "$log"
      check $? "seed $seed, locale $locale, $threads threads, space $space: $(head -n 3 "$log")"
    done
  done
done

# within LIMIT FUNCTION
within ()
{
  (
    # shellcheck disable=SC3045
    ulimit -v "$1"
    OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2 timeout -s KILL 60 "$octave" --norc --no-history \
      --path "$build/inst" --eval "A = cos ((1:700)' * (1:700)); try, [V, D] = $2 (A); catch err, assert (err.identifier, 'gpueig:out-of-memory'), end; disp ('ended')"
  ) 2>&1
}
if [ "$short" != unlimited ]; then
  for limit in 500000 550000 600000 650000 700000 900000; do
    within $limit eig | grep -qx ended || continue
    within $limit gpu_eig >"$log"
    grep -qx ended "$log"
    check $? "gpu_eig ends with $limit KiB of address space: $(head -n 3 "$log")"
  done
fi
finish

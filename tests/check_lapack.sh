#!/bin/sh
# Claims: with libgpueig_lapack.so preloaded and every order taken, LAPACK's own test
# programs (Debian's liblapack-test) fail in no more tests than without, except those
# that compare two calls bit by bit; the drivers keep LAPACK's promises that those
# programs do not vary, and who is served and who is not (preload/program.py); Octave gives the
# answers it gives without it, NumPy the same in every call.  With GPUEIG_TEST_LONG: more orders and sizes of blocks, the tests of
# numpy.linalg and scipy.linalg; all files of those programs for all types.  The packages are installed if that is possible.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

run=$build/inst/gpueig-run
long=${GPUEIG_TEST_LONG:-}
bits=/usr/lib/$(uname -m)-linux-gnu/lapack

# --- gpueig-run and the files -----------------------------------------------------

sh "$run" --help | grep -q '^Usage: gpueig-run'
check $? "gpueig-run --help"
sh "$run" 2>/dev/null
[ $? = 125 ]
check $? "gpueig-run without a program"
sh "$run" sh -c 'exit 7'
[ $? = 7 ]
check $? "gpueig-run returns the program's status"
if command -v nm >/dev/null; then
  others=$(nm -D --defined-only "$build/inst/libgpueig_lapack.so" | sed 's/.* //' | grep -vE '^(scipy_)?[sdcz](syev|heev|sygv|hegv|stev|stemr|geev|gees|gesvd|gesdd)[a-z]?_(64_)?$')
  [ -z "$others" ]
  check $? "libgpueig_lapack.so exports $others"
  for name in dsyevd_ dsyevd_64_ scipy_dsyevd_ scipy_dsyevd_64_; do
    nm -D --defined-only "$build/inst/libgpueig_lapack.so" | grep -q " $name\$"
    check $? "libgpueig_lapack.so exports $name"
  done
  [ "$(nm -D --defined-only "$build/inst/gpueig_engine.so" | wc -l)" = 1 ]
  check $? "gpueig_engine.so exports one function"
  needed=$(readelf -d "$build/inst/libgpueig_lapack.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^libc\.so\|^ld-linux\|^libdl\.so')
  [ -z "$needed" ]
  check $? "libgpueig_lapack.so needs $needed"
fi

# --- packages -----------------------------------------------------------------------

packages='liblapack-test python3-numpy'
[ -z "$long" ] || packages="$packages python3-scipy liblapack64-dev python3-pytest python3-hypothesis"
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] && [ -z "${GPUEIG_TEST_BACKEND:-}" ]; then
  # shellcheck disable=SC2086
  dpkg-query -W $packages >/dev/null 2>&1 \
    || DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages >"$folder/apt" 2>&1
fi
python=$(command -v /usr/bin/python3 || command -v python3)
[ -n "$python" ] || leave_out "no python3"

# --- a program --------------------------------------------------------------------

orders='33 130'
[ -z "$long" ] || orders='1 2 3 26 45 64 130 520'
# part NAME COMMAND...: adds the counts of the program's last line.
part ()
{
  name=$1
  shift
  timeout 600 "$@" >"$log" 2>&1
  add_counts "$log" "$name"
}
# shellcheck disable=SC2086
GPUEIG_LAPACK_MIN=1 GPUEIG_LAPACK_VERBOSE=1 part drivers sh "$run" "$python" tests/preload/program.py drivers $orders
for driver in syev syevd syevr sygv sygvd stev stevd stevr geev gees gesvd gesdd heev hegv; do
  grep -q "gpueig: [sdcz]$driver, .* calls taken" "$log"
  check $? "calls of $driver were taken: $(grep "gpueig:.*$driver" "$log")"
done
GPUEIG_LAPACK_MIN=1 GPUEIG_LAPACK_VERBOSE=1 part "NaN and Inf" sh "$run" "$python" tests/preload/program.py nonfinite 2 7 33
! grep -q 'calls taken' "$log"
check $? "NaN and Inf are LAPACK's: $(grep -m 1 'calls taken' "$log")"
part callers sh "$run" "$python" tests/preload/program.py callers
GPUEIG_BACKEND=cpu GPUEIG_LAPACK_VERBOSE=1 part "small orders" sh "$run" "$python" tests/preload/program.py drivers 9
! grep -q 'calls taken' "$log"
check $? "small orders are LAPACK's"
GPUEIG_BACKEND=cpu GPUEIG_LAPACK_VERBOSE=1 part "order 200" sh "$run" "$python" tests/preload/program.py drivers 200
for driver in dsyev zheev dsygv zhegv dgeev zgeev dgees zgees; do
  grep -q "gpueig: $driver, .* calls taken" "$log"
  check $? "$driver of order 200 is taken, where the CPU backend is faster"
done
grep -q 'gpueig: python3, process [0-9]*: .* [1-9][0-9]* calls left to LAPACK' "$log"
check $? "calls that were not taken are counted: $(grep -m 1 'gpueig:' "$log")"

# --- the report and the environment ---------------------------------------------------

GPUEIG_LAPACK_VERBOSE=1 sh "$run" "$python" tests/preload/program.py drivers 9 >"$log" 2>&1
grep -q ': 0 taken .* 0 calls left to LAPACK, [1-9][0-9]* of orders below' "$log"
check $? "the report counts small orders: $(grep 'gpueig:' "$log")"
GPUEIG_LAPACK_VERBOSE=1 sh "$run" true 2>"$log"
grep -q 'gpueig: true, process [0-9]*: 0 taken .* 0 calls left' "$log"
check $? "the report of a program without calls: $(cat "$log")"
GPUEIG_LAPACK_VERBOSE=1 GPUEIG_LAPACK_MIN=1 sh "$run" "$python" tests/preload/program.py callers >"$log" 2>&1
# A process that uses a GPU leaves its forked children to LAPACK.
[ -n "${GPUEIG_TEST_BACKEND:-}" ] || grep -q 'taken (1 in forked children)' "$log"
check $? "the report counts calls of forked children: $(grep 'process' "$log")"
grep -q ': dsyev, [0-9]* calls taken, orders 140 to 140, ' "$log"
check $? "the report has the orders: $(grep 'dsyev' "$log")"
GPUEIG_LAPACK_MIN=many GPUEIG_BACKEND=gpu sh "$run" "$python" tests/preload/program.py drivers 3 >"$log" 2>&1
grep -q 'gpueig: GPUEIG_LAPACK_MIN is "many"' "$log" && grep -q 'gpueig: GPUEIG_BACKEND is "gpu"' "$log"
check $? "wrong environment variables are told"
if command -v cmake >/dev/null && [ -f "$build/CMakeCache.txt" ] && [ -z "${GPUEIG_TEST_BACKEND:-}" ]; then
  cmake --install "$build" --prefix "$folder/tree" >"$log" 2>&1
  GPUEIG_LAPACK_MIN=1 GPUEIG_LAPACK_VERBOSE=1 part "as installed" sh "$folder/tree/bin/gpueig-run" "$python" tests/preload/program.py drivers 9
  grep -q 'gpueig: dsyev, .* calls taken' "$log"
  check $? "as installed it takes calls"
fi

# --- other names -------------------------------------------------------------------

# Debian has no LAPACK with the names of 64-bit integers or of the packages from PyPI: both
# are made from its LAPACK with 64-bit integers.
libraries=/usr/lib/$(uname -m)-linux-gnu
if [ -n "$long" ] && [ -f "$libraries/liblapack64_pic.a" ]; then
  for prefix in '' scipy_; do
    wide=$folder/liblapack_${prefix}64_.so
    for name in liblapack64_pic blas64/libblas64; do
      nm -g --defined-only "$libraries/$name.a" 2>/dev/null
    done | awk -v "prefix=$prefix" 'NF == 3 { print $3, prefix $3 "64_" }' | sort -u >"$folder/names"
    objcopy --redefine-syms="$folder/names" "$libraries/liblapack64_pic.a" "$folder/lapack.a" \
      && objcopy --redefine-syms="$folder/names" "$libraries/blas64/libblas64.a" "$folder/blas.a" \
      && cc -shared -o "$wide" -Wl,--whole-archive "$folder/lapack.a" -Wl,--no-whole-archive "$folder/blas.a" -l:libgfortran.so.5 -lm
    check $? "a LAPACK with names ${prefix}dsyev_64_"
    GPUEIG_LAPACK_MIN=1 GPUEIG_LAPACK_VERBOSE=1 part "names ${prefix}dsyev_64_" \
      sh "$run" "$python" tests/preload/program.py wide "$prefix" "$wide" 3 20 150
    [ "$(grep -c 'gpueig: .*, 3 calls taken' "$log")" = 42 ]
    check $? "calls by 42 of the names were taken: $(tail -n 2 "$log")"
  done
fi

# --- LAPACK's own tests ---------------------------------------------------------------

# failures FILE: "routine number" of each test that failed.  Not those that compare the
# results of two calls, with other outputs or workspaces, bit by bit:
#   xEV, xVX: xgeev, xgeevx  5, 6, 7: eigenvalues, right and left vectors
#   xES, xSX: xgees, xgeesx  5, 6, 11, 12: Schur form and eigenvalues
failures ()
{
  awk '/^ *[SDCZ][A-Z]+ *-- /{ name = $1 }
       /test\( *[0-9]+\) *=/ {
         match ($0, /test\( *[0-9]+/); number = substr ($0, RSTART + 5, RLENGTH - 5) + 0
         if (name ~ /(EV|VX)$/ && number >= 5 && number <= 7) next
         if (name ~ /(ES|SX)$/ && (number == 5 || number == 6 || number == 11 || number == 12)) next
         print name, number
       }
       /error exits.*fail|\*\*\* .*failed|did not|INFO *=/ { print }' "$1" | sort | uniq -c
}

if [ -x "$bits/xeigtstd" ]; then
  for p in s d c z; do
    for name in sep "${p}ed" "${p}sg" se2 svd; do
      # In the short run every program with one file, and each of the kinds.
      case $long$p:$name in
        d:sep | z:zed | c:csg | s:svd) ;;
        [sdcz]:*) continue ;;
      esac
      # With an order at which other solvers are used than for those of LAPACK's file; the
      # complex programs have no room for more.
      case $name:$long in
        [cz]sg:?*) sed '2s/^[0-9]*/4/; 3s/.*/2 5 33 64/; 4s/^[0-9]*/1/' "$bits/$name.in" >"$folder/in" ;;
        ?sg:?*) sed '2s/^[0-9]*/4/; 3s/.*/2 5 33 130/; 4s/^[0-9]*/1/' "$bits/$name.in" >"$folder/in" ;;
        # Of LAPACK's sizes of blocks one.
        sep:) sed '4s/^[0-9]*/1/' "$bits/$name.in" >"$folder/in" ;;
        svd:) sed '5s/^[0-9]*/1/' "$bits/$name.in" >"$folder/in" ;;
        *) cp "$bits/$name.in" "$folder/in" ;;
      esac
      # One thread each: on a busy machine OpenBLAS's wait for each other.
      OPENBLAS_NUM_THREADS=1 GPUEIG_LAPACK_MIN=1 timeout 900 sh "$run" "$bits/xeigtst$p" <"$folder/in" >"$folder/with" 2>&1
      check $? "xeigtst$p $name ends"
      [ "$(grep -c 'End of tests' "$folder/with")" = 1 ]
      check $? "xeigtst$p $name: $(tail -n 2 "$folder/with")"
      failures "$folder/with" >"$folder/after"
      : >"$folder/before"
      if [ -s "$folder/after" ]; then
        OPENBLAS_NUM_THREADS=1 timeout 900 "$bits/xeigtst$p" <"$folder/in" >"$folder/without" 2>&1
        failures "$folder/without" >"$folder/before"
      fi
      # As many of each kind, or fewer.
      awk 'NR == FNR { n = $1; $1 = ""; allowed[$0] = n; next }
           { n = $1; $1 = ""; if (n > allowed[$0] + 0) print n ":" $0 }' "$folder/before" "$folder/after" >"$folder/more"
      [ ! -s "$folder/more" ]
      check $? "xeigtst$p $name: $(head -n 5 "$folder/more" | tr '\n' ';')"
      done=$(sed -n 's/.*( *\([0-9]*\) tests run).*/\1/p; s/.*out of *\([0-9]*\) tests.*/\1/p' "$folder/with" | awk '{ s += $1 } END { print s + 0 }')
      [ "$done" -gt 1000 ]
      check $? "xeigtst$p $name ran $done tests"
    done
  done
else
  skip "liblapack-test is not installed"
fi

# --- Octave ---------------------------------------------------------------------------

cat >"$folder/answers.m" <<'END'
rand ("twister", 1);
bad = 0;
for n = [3, 40, 150]
  A = rand (n) - 0.5;  S = A + A';  B = A * A' + n * eye (n);
  [V, D] = eig (S);
  bad += norm (S*V - V*D, 1) > 10 * n * eps * norm (S, 1);
  [V, D] = eig (S, B);
  bad += norm (S*V - B*V*D, 1) > 100 * n * eps * norm (S, 1);
  [V, D] = eig (A);
  bad += norm (A*V - V*D, 1) > 20 * n * eps * norm (A, 1) * norm (V, 1);
  [U, T, V] = svd (A);
  bad += norm (A*V - U*T, 1) > 10 * n * eps * norm (A, 1);
  bad += norm (svd (S(:,1:2)) - sqrt (eig (S(:,1:2)' * S(:,1:2)))([2, 1])) > 100 * n * eps * norm (S, 1);
  [U, T, V] = svd (complex (A, S)(:,1:end-1));
  bad += norm (complex (A, S)(:,1:end-1)*V - U*T, 1) > 10 * n * eps * norm (A, 1);
  [U, T] = schur (A);
  bad += norm (A*U - U*T, 1) > 20 * n * eps * norm (A, 1);
  [V, D] = eig (complex (A, S));
  bad += norm (complex (A, S)*V - V*D, 1) > 20 * n * eps * norm (A, 1) * norm (V, 1);
endfor
try, eig ([1, NaN; 1, 2]);  bad += 1; end_try_catch
printf ("answers: %d passed, %d failed, 0 skipped\n", 25 - bad, bad);
END
GPUEIG_LAPACK_MIN=1 GPUEIG_LAPACK_VERBOSE=1 part Octave sh "$run" "$octave" --norc --no-history "$folder/answers.m"
for driver in dsyev dsygv dgeevx dgeesx zgeevx dgesvd zgesvd; do
  grep -q "gpueig: $driver, .* calls taken" "$log"
  check $? "Octave's calls of $driver were taken"
done
grep -q 'gpueig: dgesvd, 6 calls taken' "$log"
check $? "Octave's calls of dgesvd were taken, of long matrices too: $(grep ': dgesvd' "$log")"

# --- Python: LAPACK comes with dlopen (RTLD_LOCAL) ------------------------------------

if "$python" -c 'import numpy' 2>/dev/null; then
  # The same matrix has the same vectors in every call, thread and forked child.
  cat >"$folder/same.py" <<'END'
import os, threading
import numpy as np
rng = np.random.default_rng (1)
bad = 0
for n, solve in (40, np.linalg.eigh), (300, np.linalg.eigh), (100, np.linalg.eig):
    A = rng.standard_normal ((n, n)); A = A + A.T if solve is np.linalg.eigh else A
    first = solve (A)[1]
    def same ():
        return np.array_equal (solve (A)[1], first)
    bad += not all (same () for i in range (5))
    others = []
    threads = [threading.Thread (target=lambda: others.append (same ())) for i in range (9)]
    [t.start () for t in threads]
    [t.join () for t in threads]
    bad += not all (others)
    child = os.fork ()
    if child == 0:
        os._exit (not same ())
    bad += os.waitpid (child, 0)[1] != 0
print ("same: %d passed, %d failed, 0 skipped" % (9 - bad, bad))
END
  GPUEIG_LAPACK_MIN=1 GPUEIG_LAPACK_VERBOSE=1 part "the same vectors" sh "$run" "$python" "$folder/same.py"
  for driver in dsyevd dgeev; do
    grep -q "gpueig: $driver, .* calls taken" "$log"
    check $? "NumPy's calls of $driver were taken"
  done
  # The workspace is as large as a query answered, which differs by shape and job.
  cat >"$folder/svd.py" <<'END'
import numpy as np
rng = np.random.default_rng (1)
passed = failed = 0
for kind in "dD":
    for m, n in (40, 40), (40, 33), (33, 40), (70, 40), (40, 73), (200, 9), (9, 200), (150, 130):
        A = rng.standard_normal ((m, n)) + (1j * rng.standard_normal ((m, n)) if kind == "D" else 0)
        values = np.linalg.svd (A, compute_uv=False)
        for full in False, True:
            U, s, V = np.linalg.svd (A, full_matrices=full)
            k = len (s)
            error = max (np.linalg.norm (U[:, :k] * s @ V[:k] - A), np.linalg.norm (s - values)) / (np.linalg.norm (A) * np.finfo (kind).eps)
            passed += error < 100
            failed += not error < 100
print ("svd: %d passed, %d failed, 0 skipped" % (passed, failed))
END
  GPUEIG_LAPACK_MIN=1 GPUEIG_LAPACK_VERBOSE=1 part "NumPy's svd" sh "$run" "$python" "$folder/svd.py"
  [ "$(grep -c 'gpueig: [dz]gesdd, 24 calls taken' "$log")" = 2 ]
  check $? "NumPy's calls of xGESDD were taken: $(grep 'gesdd' "$log")"
  # Without address space for OpenBLAS's buffers the engine would wait for them forever: the least
  # limit under which Python alone solves the problem.
  call="import numpy; numpy.linalg.eigh (numpy.eye (600))"
  for limit in 500000 700000 1000000 1400000; do
    (ulimit -v $limit && timeout 60 "$python" -c "$call") >/dev/null 2>&1 && break
  done
  (ulimit -v $limit && timeout 300 sh "$run" "$python" -c "$call") >"$log" 2>&1
  check $? "a call with little address space ends: $(tail -n 1 "$log")"
  # Some versions of NumPy have an xerbla of their own, which raises exceptions.
  cat >"$folder/xerbla.py" <<'END'
import numpy as np
from numpy.linalg import lapack_lite
np.linalg.eigh (np.eye (50))
x = np.zeros ((2, 2))
try:
    lapack_lite.dgeqrf (2, 2, x, 1, x[0], x[0], 2, 0)
    print ("no exception")
except ValueError:
    print ("exception")
END
  without=$("$python" "$folder/xerbla.py" 2>/dev/null)
  [ "$(GPUEIG_LAPACK_MIN=1 sh "$run" "$python" "$folder/xerbla.py" 2>/dev/null)" = "$without" ]
  check $? "NumPy's xerbla: $without without gpueig"
else
  skip "Debian's python3-numpy is not installed"
fi

# suite MODULE: as many failures of its tests with every order taken as without.
suite ()
{
  if ! "$python" -c "import pytest, $1" 2>/dev/null; then
    skip "Debian's packages for the tests of $1 are not installed"
    return
  fi
  "$python" -m pytest -q -p no:cacheprovider --pyargs "$1" 2>&1 | grep '^FAILED\|^ERROR\|passed' | sed 's/ - .*//; s/ in .*//' >"$folder/without"
  GPUEIG_LAPACK_MIN=1 sh "$run" "$python" -m pytest -q -p no:cacheprovider --pyargs "$1" 2>&1 | grep '^FAILED\|^ERROR\|passed' | sed 's/ - .*//; s/ in .*//' >"$folder/with"
  [ -s "$folder/without" ] && cmp -s "$folder/without" "$folder/with"
  check $? "tests of $1: $(diff "$folder/without" "$folder/with" | head -n 6 | tr '\n' ';')"
  echo "$1: $(tail -n 1 "$folder/with")"
}

if [ -n "$long" ]; then
  suite numpy.linalg
  suite scipy.linalg
fi
finish

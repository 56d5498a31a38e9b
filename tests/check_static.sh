#!/bin/sh
# Claims: cppcheck and clang-tidy find nothing in the C sources, and every
# source file names its licence; nothing that is loaded into Octave can end it
# (nvcc makes a call of a __device__ function from the host an exit); the lanes
# of a warp work together through the tiles of cuda/base/teams.cuh alone; threads of
# the CPU are those of core/base/threads.c.  clang-tidy's analyzer of paths, which takes
# minutes, with GPUEIG_TEST_LONG only.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

for file in $(find core cuda preload worker -type f) mex/*.[ch]* mex/package/* tests/*/*.[chm] tests/octave/*.tst tests/*.sh \
            tests/gpu/* tests/bench/* inst/*.m inst/private/*.m demos/*.m demos/*.sh demos/private/*.m; do
  case $file in *CMakeLists.txt | *.def | *.metainfo.xml) continue ;; esac
  [ -f "$file" ] || continue
  grep -q 'SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING\|with the additional permission' "$file"
  check $? "$file does not name its licence"
done

for file in "${GPUEIG_BUILD:-build}"/inst/*.so "${GPUEIG_BUILD:-build}"/inst/*.mex; do
  [ -f "$file" ] || continue
  # The gateway's _exit ends a process that is ending, see core/base/system_process.c.
  case $file in *.mex) ends='exit\|quick_exit\|abort' ;; *) ends='exit\|_exit\|quick_exit\|abort' ;; esac
  found=$(nm -D --undefined-only "$file" | grep " \($ends\)\(@.*\)\?$")
  [ -z "$found" ]
  check $? "$file calls$found"
done

# A mask written by hand names lanes that may take another branch.
masks='0x[fF]{8}([^0-9a-fA-F]|$)|~0[uU]|__activemask|coalesced_threads|__syncwarp|__[a-z_]+_sync[^a-z_]'
masks="$masks|(shfl|vote|redux|match|elect|bar\.warp)\.sync"
for file in $(find cuda -name '*.cu' -o -name '*.cuh' | sort); do
  found=$(grep -nE "$masks" "$file")
  [ -z "$found" ]
  check $? "$file has a mask of lanes or a warp intrinsic: $found"
done
# OpenMP ends the process where it cannot create a thread; its simd loops may stay.
found=$(grep -rnE 'pragma +omp|_Pragma *\( *"omp' core cuda mex preload | grep -v 'omp simd')
[ -z "$found" ]
check $? "parallel regions of OpenMP, core/base/threads.c has threads: $found"
# A launch that is not noted by name would be missing in the message of a fault.
found=$(grep -rln '<<<' cuda | grep -v '/cuda\.cuh$\|/status\.cu$')
[ -z "$found" ]
check $? "launches without GE_LAUNCH in $found"

if command -v cppcheck >/dev/null; then
  # A complex number is a pair of reals, and workspaces are cut out of bytes; calls of
  # FN (name) count as calls of one function, whatever the name,
  # so that its analysis across functions is off.
  # Other files do not depend on the type.
  typed=$(ls core/*/*_typed.c core/*/published/*_typed.c preload/*_typed.c worker/*_typed.c tests/*/*_typed.c 2>/dev/null)
  for scalar in 1 3; do
    files=$typed
    [ $scalar = 3 ] || files="$(ls core/*/*.c core/*/published/*.c mex/*.c preload/*.c worker/*.c tests/*/*.c)"
    # shellcheck disable=SC2086
    found=$(cppcheck --quiet --std=c11 --enable=warning,performance --inline-suppr \
      --suppress=objectIndex --suppress=uninitvar:core/base/scalar.h --suppress=ctunullpointer --suppress=ctuuninitvar \
      -D_GNU_SOURCE -DGE_SCALAR=$scalar -DGE_NAMES=0 -U__cplusplus -Icore -Icore/api -Icore/methods -Itests/base -Iworker $files 2>&1)
    [ -z "$found" ]
    check $? "cppcheck, scalar type $scalar: $found"
  done
else
  skip "cppcheck is not installed"
fi

if command -v clang-tidy >/dev/null; then
  # The checks stand in .clang-tidy; its analyzer of paths takes minutes.
  [ -n "${GPUEIG_TEST_LONG:-}" ] || quick='--checks=-clang-analyzer-*'
  # shellcheck disable=SC2046
  found=$(ls core/*/*.c core/*/published/*.c mex/*.c preload/*.c | grep -v _typed | quick=${quick:-} xargs -n 4 -P "$(nproc)" sh -c '
    clang-tidy --quiet ${quick:+"$quick"} "$@" -- -std=c17 -D_GNU_SOURCE -DMEX_OCTAVE=7 -fopenmp -Icore -Icore/api -Icore/methods \
      $(mkoctfile -p INCFLAGS | sed "s/-I/-isystem /g") 2>/dev/null' sh | grep 'warning:\|error:')
  [ -z "$found" ]
  check $? "clang-tidy: $found"
else
  skip "clang-tidy is not installed"
fi
finish

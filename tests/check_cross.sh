#!/bin/sh
# Claims: for other machines, with the cross compilers that are there,
#   Linux, 64-bit Arm: all but CUDA and C++ compiles as it is built (gcc 12 has failed there in
#     its vectoriser)
#   Windows: core and four C tests build, and these pass under Wine with an OpenBLAS for
#     Windows; the gateway compiles
#   macOS: core builds and needs nothing but LAPACK, OpenMP and the system; the gateway compiles
# With GPUEIG_TEST_LONG: Windows optimised and with all tests, macOS with its tests and also of
# x86-64, gpu_array.
# Tools: Debian's gcc-aarch64-linux-gnu, g++-mingw-w64-x86-64-posix and wine64; from PyPI,
# into the folder cross/ of the build, ziglang and scipy-openblas32.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh
[ -n "${GPUEIG_TEST_CROSS:-}${GPUEIG_TEST_LONG:-}" ] || leave_out 'other machines take minutes: set GPUEIG_TEST_CROSS or GPUEIG_TEST_LONG'
mkdir -p "$build/cross"
cross=$(realpath "$build/cross")
jobs=$(nproc)
flags='-D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -ffp-contract=off -fno-math-errno -fno-trapping-math -Icore -Icore/api -Icore/methods'
c_flags="-std=c17 -fopenmp -Wmissing-prototypes -Wstrict-prototypes $flags"

# compile WHAT COMMAND FILE ...: typed files for all four types.
compile ()
{
  what=$1 command=$2
  shift 2
  found=$(for file; do
    case $file in
      *_typed.c) for scalar in 0 1 2 3; do printf '%s -DGE_SCALAR=%s\n' "$file" $scalar; done ;;
      *) printf '%s\n' "$file" ;;
    esac
  done | xargs -P "$jobs" -I LINE sh -c "$command -c LINE -o $folder/\$\$.o || echo LINE" 2>&1)
  [ -z "$found" ]
  check $? "$what: $(printf '%s\n' "$found" | head -n 30)"
}

headers=$(mkoctfile -p INCFLAGS 2>/dev/null | sed 's/-I/-isystem /g; s/$/ -DMEX_OCTAVE=7/')

# compile_gateway WHAT C-COMPILER C++-COMPILER
compile_gateway ()
{
  if [ -z "$headers" ]; then
    skip "$1: no mkoctfile, thus no headers of Octave"
    return
  fi
  compile "$1" "$2 $c_flags $headers -O0" mex/*.c
  [ -z "${GPUEIG_TEST_LONG:-}" ] || compile "$1, gpu_array" "$3 -std=c++17 $flags $headers -O0" mex/*.cc
}

# build_all WHAT FOLDER TARGETS OPTION ...: core and tests, by CMake; their build type "Cross"
# has the flags that are given.
build_all ()
{
  what=$1 at=$cross/$2 targets=$3
  shift 3
  # shellcheck disable=SC2086
  { cmake -S . -B "$at" -DGPUEIG_CUDA=OFF -DMKOCTFILE= "$@" && cmake --build "$at" -j "$jobs" $targets; } >"$log" 2>&1
  built=$?
  check $built "$what: $(grep -A 5 -m 1 -i 'error' "$log" || tail -n 5 "$log")"
}

# from_pypi PACKAGE VERSION FILE OPTION ...: FILE of it in $cross.
from_pypi ()
{
  package=$1 version=$2 file=$3
  shift 3
  [ -e "$cross/$file" ] || python3 -m pip install -q --no-deps --target "$cross" "$@" "$package==$version" >/dev/null 2>&1
  [ -e "$cross/$file" ] || skip "no $package of PyPI"
  [ -e "$cross/$file" ]
}

# --- Linux, 64-bit Arm ---

gcc=aarch64-linux-gnu-gcc
if [ "$(uname -m)" = aarch64 ] || ! command -v $gcc >/dev/null; then
  skip "Linux, 64-bit Arm: $gcc is not for another machine or not there"
else
  mpi=$(mpicc --showme:incdirs 2>/dev/null | tr ' ' '\n' | sed 's/^/-isystem /' | tr '\n' ' ')
  # shellcheck disable=SC2046
  compile "Linux, 64-bit Arm" "$gcc $c_flags -O3 -fPIC -Iworker -DGE_NAMES=0 -DWK_HAVE_ELPA=0 $mpi $headers" \
    $(find core preload ${headers:+mex} ${mpi:+worker} -name '*.c' | sort)
fi

# --- Windows ---

gcc=x86_64-w64-mingw32-gcc-posix
windows_tests='test_small test_accuracy test_threads test_memory'
[ -z "${GPUEIG_TEST_LONG:-}" ] || windows_tests=

# An import library with LAPACK's names of the DLL, which has a prefix.
import_blas ()
{
  {
    echo 'LIBRARY libscipy_openblas.dll'
    echo EXPORTS
    x86_64-w64-mingw32-objdump -p "$1/libscipy_openblas.dll" | sed -n 's/.*[^a-z0-9_]scipy_\([a-z0-9_]*\)$/\1 == scipy_\1/p' | sort -u
  } >"$folder/blas.def"
  x86_64-w64-mingw32-dlltool -d "$folder/blas.def" -l "$2"
}

# Folders of DLLs, as Windows names them.
dll_folders ()
{
  printf 'Z:%s;' "$cross/scipy_openblas32/lib" "$(dirname "$($gcc -print-file-name=libgomp-1.dll)")" /usr/x86_64-w64-mingw32/lib | tr / '\\'
}

run_windows_tests ()
{
  wine=$(command -v wine64 || ls /usr/lib/wine/wine64 2>/dev/null)
  if [ -z "$wine" ]; then
    skip 'Windows: no wine64, the tests do not run'
    return
  fi
  export WINEPREFIX="$cross/wine" WINEDEBUG=-all GPUEIG_TIMES=builtin
  WINEPATH=$(dll_folders)
  export WINEPATH
  for program in "$cross"/windows/tests/test_*.exe; do
    OPENBLAS_NUM_THREADS=1 "$wine" "$program" >"$log" 2>&1
    add_counts "$log" "$(basename "$program") under Wine"
  done
}

if ! command -v $gcc >/dev/null; then
  skip "Windows: no $gcc"
else
  if from_pypi scipy-openblas32 0.3.34.481.3 scipy_openblas32 --platform win_amd64 --only-binary=:all:; then
    blas=$cross/libopenblas.dll.a
    import_blas "$cross/scipy_openblas32/lib" "$blas"
    build_all Windows windows "${windows_tests:+--target $windows_tests}" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=x86_64 \
      -DCMAKE_C_COMPILER=$gcc -DBLAS_LIBRARIES="$blas" -DLAPACK_LIBRARIES="$blas" \
      -DCMAKE_BUILD_TYPE=Cross -DCMAKE_C_FLAGS_CROSS="-O$([ -n "$windows_tests" ] && echo 1 || echo 3)"
    [ $built != 0 ] || run_windows_tests
  fi
  compile_gateway "Windows, the gateway" $gcc x86_64-w64-mingw32-g++-posix
fi

# --- macOS ---

# tool NAME COMMAND: the program NAME in $cross, which runs a COMMAND of ziglang.
tool ()
{
  printf '#!/bin/sh\nexec "%s/ziglang/zig" %s "$@"\n' "$cross" "$2" >"$cross/$1"
  chmod +x "$cross/$1"
}

if from_pypi ziglang 0.17.1 ziglang; then
  export ZIG_GLOBAL_CACHE_DIR="$cross/zig" ZIG_LOCAL_CACHE_DIR="$cross/zig"
  mkdir -p "$cross/omp"
  cp "$(gcc -print-file-name=include/omp.h)" "$cross/omp"
  tool ar ar
  tool ranlib ranlib
  # Of LAPACK and OpenMP nothing is there.
  later=-Wl,-undefined,dynamic_lookup
  for machine in aarch64 ${GPUEIG_TEST_LONG:+x86_64}; do
    tool cc-$machine "cc -target $machine-macos"
    tool c++-$machine "c++ -target $machine-macos"
    build_all "macOS, $machine" macos-$machine "$([ -n "${GPUEIG_TEST_LONG:-}" ] || echo --target gpueig_shared)" -DCMAKE_SYSTEM_NAME=Darwin -DCMAKE_SYSTEM_PROCESSOR=$machine \
      -DCMAKE_C_COMPILER="$cross/cc-$machine" -DCMAKE_AR="$cross/ar" -DCMAKE_RANLIB="$cross/ranlib" -DCMAKE_INSTALL_NAME_TOOL=true \
      -DBLAS_LIBRARIES=-lm -DLAPACK_LIBRARIES=-lm "-DOpenMP_C_FLAGS=-fopenmp -isystem $cross/omp" -DOpenMP_C_LIB_NAMES=m -DOpenMP_m_LIBRARY=-lm \
      -DCMAKE_EXE_LINKER_FLAGS=$later -DCMAKE_SHARED_LINKER_FLAGS=$later -DCMAKE_BUILD_TYPE=Cross -DCMAKE_C_FLAGS_CROSS=-O0
    if [ $built = 0 ]; then
      missing=$(find "$at/core" -name '*.o' -exec "$cross/cc-$machine" -shared -o "$folder/core.dylib" {} + 2>&1 | sed -n 's/.*undefined symbol: _//p' \
                | grep -vE '^[a-z0-9]+_$|^__kmpc_|^omp_')
      [ -z "$missing" ]
      check $? "macOS, $machine: core needs $missing"
    fi
    compile_gateway "macOS, $machine, the gateway" "$cross/cc-$machine -Wno-unused-command-line-argument -isystem $cross/omp" \
      "$cross/c++-$machine -Wno-unused-command-line-argument"
  done
fi
finish

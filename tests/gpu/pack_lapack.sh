#!/bin/sh
# Packs LAPACK's own test programs (Debian's liblapack-test) for a GPU machine:
#   sh tests/gpu/pack_lapack.sh [FOLDER]     (build/lapack-tests, 8 MB)
# There: GPUEIG_LAPACK_TESTS=FOLDER sh tests/gpu/run.sh OCTAVE-CLI check_lapack
# The machine needs liblapack.so.3 and libblas.so.3, or libopenblas.so.0.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

cd "$(dirname "$0")/../.." || exit 1
folder=${1:-${GPUEIG_BUILD:-build}/lapack-tests}
libraries=/usr/lib/$(uname -m)-linux-gnu
if [ ! -x "$libraries/lapack/xeigtstd" ]; then
  echo "liblapack-test is not installed"
  exit 1
fi
mkdir -p "$folder"
for p in s d c z; do
  cp "$libraries/lapack/xeigtst$p" "$folder" && strip "$folder/xeigtst$p"
  cp "$libraries/lapack/${p}ed.in" "$libraries/lapack/${p}sg.in" "$folder"
done
cp "$libraries/lapack/sep.in" "$libraries/lapack/se2.in" "$folder"
for name in libtmglib.so.3 libgfortran.so.5 libquadmath.so.0; do
  cp -L "$libraries/$name" "$folder"
done
du -sh "$folder"

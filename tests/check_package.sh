#!/bin/sh
# Claims: the archive of the target "dist" is reproducible; the package installs, loads,
# passes its tests, has help texts and uninstalls completely, without nvcc and, if nvcc
# is found, with the CUDA plugin; that plugin and the build's own have no undefined
# symbols but those of the driver; version numbers agree.  With GPUEIG_TEST_LONG each
# package is compiled from the archive, which takes minutes; otherwise, where nvcc is
# found, both are linked from the build's CUDA objects, but for one file with OpenMP, and
# from C objects that make compiles once.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

octave=${OCTAVE:-octave-cli}
build=${GPUEIG_BUILD:-build}
. tests/check.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# --- the archive ---------------------------------------------------------------

cmake --build "$build" --target dist >"$folder/dist.log" 2>&1
check $? "target dist: $(tail -n 3 "$folder/dist.log")"
package=$(sed -n 's/^-- Package: //p' "$folder/dist.log")
cp "$package" "$folder/first.tar.gz"
touch -r core/run/run.c "$folder/time"
touch core/run/run.c
(umask 077 && TZ=Asia/Tokyo LC_ALL=C cmake --build "$build" --target dist) >"$folder/dist.log" 2>&1
touch -r "$folder/time" core/run/run.c
cmp "$package" "$folder/first.tar.gz"
check $? "two runs of dist give the same bytes"

# Its entry for packages.octave.org, as the checker there wants it.
entry=$(dirname "$package")/gpueig.yaml
[ "$(sed -n 's/^\([a-z]*\):.*/\1/p' "$entry" | tr '\n' ' ')" = "layout permalink description icon links maintainers versions " ]
check $? "keys of gpueig.yaml"
[ "$(grep -o '^  [a-z0-9]*:\|^- [a-z]*:' "$entry" | tail -n 5 | tr -d ' \n-')" = "id:date:sha256:url:depends:" ]
check $? "keys of the version in gpueig.yaml"
grep -qF "$(sha256sum <"$package" | cut -d ' ' -f 1)" "$entry"
check $? "gpueig.yaml has the sum of the archive"
! grep -q '@' "$entry" && ! grep -v '"' "$entry" | grep -q '.\{81\}'
check $? "gpueig.yaml has no long line and no open field"

version=$(sed -n 's/^Version: *//p' DESCRIPTION)
check "$([ "$(basename "$package")" = "gpueig-$version.tar.gz" ]; echo $?)" "the archive has the version's name"
for place in 'core/gpueig.h:GPUEIG_VERSION' 'NEWS:gpueig'; do
  grep "${place#*:}" "${place%%:*}" | grep -qwF "$version"
  check $? "version $version in ${place%%:*}"
done
for file in inst/gpu_*.m; do
  name=$(basename "$file" .m)
  grep -qx " $name" INDEX
  check $? "INDEX has $name"
done
for name in $(sed -n 's/^ //p' INDEX); do
  [ -f "inst/$name.m" ]
  check $? "INDEX's $name exists"
done
! grep -q '^$' DESCRIPTION
check $? "no blank line inside DESCRIPTION"

# --- installing it ---------------------------------------------------------------

# session NAME PACKAGE cpu|cuda VARIABLE=VALUE...: a clean home and environment.
session ()
{
  name=$1 file=$2 wanted=$3
  shift 3
  home="$folder/$name home"
  mkdir -p "$home/tmp"
  log=$folder/$name.log
  env -i HOME="$home" TMPDIR="$home/tmp" PATH="$PATH" LANG=C.UTF-8 "$@" \
    "$octave" --norc --no-history tests/octave/package_session.m "$file" "$home" "$wanted" >"$log" 2>&1
  last=$(grep ' passed, .* failed' "$log" | tail -n 1)
  # shellcheck disable=SC2086
  set -- $last
  if [ $# -ge 4 ]; then
    passed=$((passed + $1)) failed=$((failed + $3))
    grep FAIL "$log"
  else
    check 1 "package session $name did not finish: $(tail -n 5 "$log")"
  fi
  rest=$(find "$home" -newer "$folder/dist.log" -type f ! -name '*_list' ! -name fntests.log)
  check "$([ -z "$rest" ]; echo $?)" "package session $name left files: $rest"
}

# loads FILE NAME: no symbol is undefined, and the run path has the toolkit, so
# that a loader that does not know it finds its libraries.
loads ()
{
  undefined=$(env -i PATH="$PATH" ldd -r "$1" 2>&1 | grep 'undefined symbol\|not found')
  [ -z "$undefined" ]
  check $? "$2: $(printf '%s\n' "$undefined" | head -n 3)"
  path=$(readelf -d "$1" | sed -n 's/.*R[UN]*PATH.*\[\(.*\)\].*/\1/p')
  found=1
  for place in $(printf '%s' "$path" | tr ':' ' '); do
    ls "$place"/libcublas.so.* >/dev/null 2>&1 && found=0
  done
  check $found "$2: no libcublas in its run path \"$path\""
}

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
objects=$build/cuda/CMakeFiles/gpueig_cuda.dir
# No optimisation: the compiler's time is what this test costs.
if [ -n "${GPUEIG_TEST_LONG:-}" ] || [ -z "$nvcc" ] || [ ! -d "$objects" ]; then
  session cpu "$package" cpu GPUEIG_CUDA=OFF CFLAGS=-O0
  if [ -n "${GPUEIG_TEST_LONG:-}" ] && [ -n "$nvcc" ]; then
    session cuda "$package" cuda CFLAGS=-O0 CUDAARCHS=90-real GPUEIG_CUDA=ON
  else
    skip "no nvcc, or no objects of CUDA in the build: no package with CUDA"
  fi
else
  # Compiled once, for both packages, as pkg install does it.
  loads "$build/inst/gpueig_cuda.so" "the build's plugin"
  tar -xzf "$package" -C "$folder"
  tree=$folder/gpueig-$version
  (cd "$objects" && find . -name '*.cu.o') | while read -r object; do
    cp "$objects/$object" "$tree/src/cuda/${object%.cu.o}.o"
  done
  rm "$tree"/src/cuda/transfer.o
  make -C "$tree/src" CFLAGS=-O0 CUDAARCHS=90-real GPUEIG_CUDA=ON >"$folder/make.log" 2>&1
  check $? "make: $(tail -n 3 "$folder/make.log")"
  loads "$tree/src/gpueig_cuda.so" "the package's plugin"
  rm -f "$tree"/src/*.so "$tree"/src/*.mex "$tree"/src/*.a "$tree"/src/FILES
  tar -czf "$folder/with-objects.tar.gz" -C "$folder" "gpueig-$version"
  rm -rf "$tree"
  session cpu "$folder/with-objects.tar.gz" cpu GPUEIG_CUDA=OFF CFLAGS=-O0
  session cuda "$folder/with-objects.tar.gz" cuda CFLAGS=-O0 CUDAARCHS=90-real GPUEIG_CUDA=ON
fi
echo "$passed passed, $failed failed, $skipped skipped"

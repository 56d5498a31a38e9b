#!/bin/sh
# Claims: core compiles for Linux on 64-bit Arm as it is built (gcc 12 has failed there in its
# vectoriser) and for Windows, and its part that knows the operating system for macOS: with
# the cross compilers that are there (Debian: gcc-aarch64-linux-gnu,
# gcc-mingw-w64-x86-64-posix; PyPI: ziglang).
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh
if [ -z "${GPUEIG_TEST_LONG:-}" ]; then
  skip 'other machines take minutes: set GPUEIG_TEST_LONG'
  finish
fi

flags='-std=c17 -D_GNU_SOURCE -fopenmp -Wall -Wextra -Wpedantic -Wmissing-prototypes -Wstrict-prototypes -Werror -ffp-contract=off
       -fno-math-errno -fno-trapping-math -Icore -Icore/api -Icore/methods'

# compile COMMAND FILE ...: typed files for all four types.
compile ()
{
  command=$1
  shift
  for file; do
    case $file in
      *_typed.c) for scalar in 0 1 2 3; do printf '%s -DGE_SCALAR=%s\n' "$file" $scalar; done ;;
      *) printf '%s\n' "$file" ;;
    esac
  done | xargs -P "$(nproc)" -I LINE sh -c "$command $(echo $flags) -c LINE -o $folder/\$\$.o || echo LINE" 2>&1
}

all=$(find core -name '*.c' | sort)
# As core/CMakeLists.txt.
elsewhere=$(printf '%s\n' "$all" | grep -v '^core/workers/[^n]')

# try NAME COMMAND FLAGS FILE ...
try ()
{
  name=$1 command=$2 more=$3
  shift 3
  if ! $command --version >/dev/null 2>&1; then
    skip "no compiler for $name: $command"
    return
  fi
  found=$(compile "$command $more" "$@")
  [ -z "$found" ]
  check $? "$name: $found"
}

# shellcheck disable=SC2086
{
try "Linux, 64-bit Arm" aarch64-linux-gnu-gcc '-O3 -fPIC' $all
try "Windows" x86_64-w64-mingw32-gcc-posix '-O1 -Wa,-muse-unaligned-vector-move' $elsewhere
for machine in aarch64 x86_64; do
  try "macOS, $machine" "python3 -m ziglang cc" "-target $machine-macos -O0" core/base/system.c core/base/workspace.c core/base/detached.c
done
}
finish

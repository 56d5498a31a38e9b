#!/bin/sh
# Claims: the plugin can be built of portable code (PTX) for the earliest architecture
# alone; on a GPU of a later one, where its functions for clusters and bulk copies are stubs,
# every solver is right (test_small_devices).
# Building takes minutes: GPUEIG_TEST_LONG.  The folder portable/ of a build, with the plugin,
# can be copied to a GPU machine without nvcc.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

at=$build/portable
plugin=$at/inst/gpueig_cuda.so
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -n "${GPUEIG_TEST_LONG:-}" ] && [ -n "$nvcc" ] && command -v cmake >/dev/null; then
  { cmake -S . -B "$at" -DCMAKE_CUDA_ARCHITECTURES=80-virtual -DGPUEIG_TESTS=OFF -DGPUEIG_MPI=OFF \
    && cmake --build "$at" --target gpueig_cuda -j "$(nproc)"; } >"$log" 2>&1
  check $? "the plugin is built for 80-virtual: $(tail -n 5 "$log")"
fi
[ -f "$plugin" ] || leave_out "no plugin of portable code: set GPUEIG_TEST_LONG where nvcc is"

if command -v cuobjdump >/dev/null; then
  check "$(cuobjdump --list-elf "$plugin" 2>/dev/null | grep -c cubin)" "the plugin has no machine code"
fi
if [ "${GPUEIG_TEST_BACKEND:-cpu}" = cuda ]; then
  GPUEIG_TEST_PLUGIN=$(realpath "$plugin") "$build/tests/test_small_devices" >"$log" 2>&1
  add_counts "$log" "test_small_devices with portable code"
else
  skip "no GPU is tested"
fi
finish

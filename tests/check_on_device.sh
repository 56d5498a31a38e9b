#!/bin/sh
# Claims: demos/c/on_device.c, whose data stays on the GPU, runs with the plugin of the
# build.  It is not built without CUDA, and not run without a GPU.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

build=$PWD/${GPUEIG_BUILD:-build}
. tests/check.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [ ! -x "$build/demos/on_device" ]; then
  skip "the build has no CUDA"
elif [ "${GPUEIG_TEST_BACKEND:-cpu}" != cuda ]; then
  skip "no GPU is tested"
else
  # The library searches for the plugin beside the program.
  cp "$build/demos/on_device" "$folder" && ln -s "$build/inst/gpueig_cuda.so" "$folder"
  "$folder/on_device" >"$folder/log" 2>&1
  check $? "demos/c/on_device.c: $(cat "$folder/log")"
fi
echo "$passed passed, $failed failed, $skipped skipped"

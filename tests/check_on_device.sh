#!/bin/sh
# Claims: demos/c/on_device.c, whose data stays on the GPU, runs with the plugin of the
# build.  It is not built without CUDA, and not run without a GPU.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

[ -x "$build/demos/on_device" ] || leave_out "the build has no CUDA"
[ "${GPUEIG_TEST_BACKEND:-cpu}" = cuda ] || leave_out "no GPU is tested"
# The library searches for the plugin beside the program.
cp "$build/demos/on_device" "$folder" && ln -s "$(realpath "$build")/inst/gpueig_cuda.so" "$folder"
"$folder/on_device" >"$log" 2>&1
check $? "demos/c/on_device.c: $(cat "$log")"
finish

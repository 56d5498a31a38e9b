#!/bin/sh
# Runs the tests of a build that was copied to a GPU machine with backend
# "cuda"; the last line counts them.
#   sh tests/gpu/run.sh [OCTAVE-CLI [WORD ...]]
# GPUEIG_TEST_JOBS=6 runs six at the same time, see tests/suite.sh.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

cd "$(dirname "$0")/../.." || exit 1
OCTAVE=${1:-octave-cli}
[ $# -gt 0 ] && shift
export OCTAVE
export GPUEIG_TEST_BACKEND=cuda GPUEIG_BACKEND=cuda
GPUEIG_TEST_PLUGIN=$PWD/${GPUEIG_BUILD:-build}/inst/gpueig_cuda.so
export GPUEIG_TEST_PLUGIN
. tests/suite.sh
run_suite "$@"

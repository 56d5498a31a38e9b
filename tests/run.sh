#!/bin/sh
# Builds everything and runs every test; the last line counts them.
#   sh tests/run.sh             all tests, some minutes on two cores
#   sh tests/run.sh WORD ...    only tests whose file name contains a WORD
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

cd "$(dirname "$0")/.." || exit 1
. tests/setup.sh
. tests/suite.sh
run_suite "$@"

#!/bin/sh
# Claims: see tests/workers/worker_problems.c; on 2 ranks, with GPUEIG_TEST_LONG on 1 and 4 too.
# Without files left behind.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

[ -x "$build/tests/worker_problems" ] && command -v mpirun >/dev/null || leave_out "no gpueig-worker, or no mpirun"
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
mkdir "$folder/files"
for ranks in 2 ${GPUEIG_TEST_LONG:+1 4}; do
  mpirun --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 -n $ranks "$build/tests/worker_problems" "$folder/files" >"$log" 2>&1
  add_counts "$log" "$ranks ranks"
done
rm -f "$folder"/files/A
rmdir "$folder/files"
check $? "files are left: $(ls "$folder/files" 2>/dev/null)"
finish

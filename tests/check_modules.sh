#!/bin/sh
# Claims: a file of core or cuda includes headers of its own module, of base, of
# lapack and the permitted ones below alone; no two modules of one side include each other,
# nor do their functions call each other, nor those of layers above; who copies matrices is
# listed; every module's main header has a map that names all
# of its source files; of core, cuda and mex core/base/system*.[ch] alone knows the operating system.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

# Permitted includes: who may include which header of another module, and for what.
permitted='
core/shroff      eig/general.h          LAPACK finishes what does not converge
core/mrrr        tridiagonal/tridiagonal.h  dense matrices
core/eig         onesided/plan.h        definite pairs
core/eig         onesided/exponents.h   definite pairs of any range
core/jacobi      eig/symmetric.h        windows of columns
core/shroff      run/solvers.h          entry in the table of solvers, ge_run
core/eig         run/solvers.h          entry in the table of solvers, ge_run
core/jacobi      run/solvers.h          entry in the table of solvers, ge_run
core/mrrr        run/solvers.h          entry in the table of solvers, ge_run
core/functions   run/run.h              gpueig_funm
core/api         plan/plan.h            what a context owns
core/api         run/devices.h          what a context owns
core/api         run/solvers.h          the table of solvers
core/run         plan/plan.h            attempts, methods
core/functions   plan/plan.h            where functions are computed
core/functions   array/array.h          products on a GPU
core/functions   array/cpu.h            square roots
core/functions   schur/balance.h        pages far from their balanced form
core/onesided    run/solvers.h          entry in the table of solvers, ge_run
core/schur       run/solvers.h          entry in the table of solvers, ge_run
core/svd         run/solvers.h          entry in the table of solvers, ge_run
core/svd         run/run.h              gpueig_pinv
core/svd         onesided/lanes.h       matrices in SIMD lanes
core/svd         onesided/rotate.h      end of the sweeps
core/svd         onesided/exponents.h   values of any range
core/tdinv       run/solvers.h          entry in the table of solvers, ge_run
core/tune        plan/times.h            the measurements
core/tune        plan/plan.h             the machine and its table
core/tune        run/run.h              names of methods
core/workers     run/solvers.h          gpueig_eig_file, gpueig_query
core/eig         schur/qr.h             the QR algorithm
cuda/base        eig/cusolver_mg.h            table of the plugin
cuda/shroff      schur/schur.cuh        the QR algorithm
cuda/eig         mrrr/solve.cuh         dense matrices
cuda/eig         tridiagonal/tridiagonal.cuh  dense matrices
cuda/eig         tridiagonal/stack.cuh  stacks
cuda/mrrr        tridiagonal/tridiagonal.cuh  dense matrices
cuda/mrrr        tridiagonal/stack.cuh  stacks
cuda/jacobi      eig/symmetric.cuh      clusters
cuda/array       svd/svd.cuh           singular values
cuda/schur       tridiagonal/block_reflectors.cuh  products of reflectors
cuda/svd         eig/symmetric.cuh      Gram matrices
cuda/svd         onesided/columns.cuh   rotations
cuda/svd         onesided/tile.cuh      rotations in registers
cuda/svd         tridiagonal/stack.cuh  Gram matrices of stacks
'

includes ()
{
  sed -nE 's/^ *# *(include|define GE_SHARED_MATH) "([a-z_]+\/[^"]+)"/\2/p' "$1"
}

edges=$(for file in $(find core cuda -mindepth 2 -name '*.[ch]' -o -mindepth 2 -name '*.cu' -o -mindepth 2 -name '*.cuh' | sort); do
  side=${file%%/*} module=${file#*/} module=${module#methods/} module=${module%%/*}
  for header in $(includes "$file"); do
    other=${header%%/*}
    [ "$other" = "$module" ] || [ "$other" = base ] || [ "$other" = lapack ] || [ "$header" = plan/forms.h ] || echo "$file $side/$module $header"
  done
done)

bad=$(printf '%s\n' "$edges" | while read -r file module header; do
  [ -z "$file" ] || printf '%s' "$permitted" | grep -q "^$module  *$header " || echo "$file: $header"
done)
[ -z "$bad" ]
check $? "headers of other modules that are not permitted: $bad"

unused=$(printf '%s' "$permitted" | while read -r module header _; do
  [ -z "$module" ] || printf '%s\n' "$edges" | grep -q " $module $header$" || echo "$module $header"
done)
[ -z "$unused" ]
check $? "permitted includes that are not used: $unused"

# tsort fails where there is a circle.
circle=$(printf '%s\n' "$edges" | while read -r file module header; do
  [ -z "$file" ] || echo "$module ${module%%/*}/${header%%/*}"
done | sort -u | tsort 2>&1 >/dev/null)
[ -z "$circle" ]
check $? "modules that include each other: $circle"

# The same of core by symbol, tables included.
calls=$(find "$build/core" -name '*.o' | while read -r object; do
  source=${object#*.dir/} module=${source#methods/} module=${module%%/*}
  [ -f "core/${source%.o}" ] || continue
  nm "$object" | sed -n "s/^[0-9a-f]* [A-TV-Z] /defines $module /p; s/^ *U /needs $module /p"
done | sort | awk '$1 == "defines" { of[$3] = $2 } $1 == "needs" && $3 in of && of[$3] != $2 { print $2, of[$3] }' | sort -u)
[ -n "$calls" ] && circle=$(printf '%s\n' "$calls" | tsort 2>&1 >/dev/null) && [ -z "$circle" ]
check $? "modules that call each other: $circle"

# The layers: what calls no module above, and what nothing below calls.
bad=$(printf '%s\n' "$calls" | grep -E '^base |^plan |^run | tune$' | grep -vxE 'plan base|run (base|plan)|api tune')
[ -z "$bad" ]
check $? "calls against the order of layers: $bad"

# Matrices are copied between host and GPU by core/run; these files copy values of the user,
# panels of an inverse, and a large general matrix for its balancing.
copying='cuda/array/array.cu cuda/schur/schur.cu cuda/tdinv/tdinv.cu'
bad=$(grep -rlwE 'ge_(up|down)load(_bytes)?' cuda --include='*.cu' | grep -v '^cuda/base/' | grep -vxF "$(printf '%s\n' $copying)")
[ -z "$bad" ]
check $? "files that copy matrices: $bad"

# The backend "mpi", its program and preloaded LAPACK are of Linux.
bad=$(grep -rnE '"/(proc|sys|dev|tmp)/?|# *include <(sys|linux|mach)/|# *include <(dlfcn|unistd|dirent|fcntl|signal|sched|spawn|poll|libgen|windows)\.h>' core cuda mex \
  | grep -vE '^core/(base/system|workers/)')
[ -z "$bad" ]
check $? "files that name the operating system: $bad"

for map in core/base/solver.h core/methods/eig/symmetric.h core/methods/jacobi/jacobi.h core/methods/onesided/plan.h core/methods/shroff/shroff.h \
           core/methods/mrrr/mrrr.h core/methods/tdinv/tdinv.h core/methods/tridiagonal/tridiagonal.h cuda/base/cuda.cuh cuda/eig/symmetric.cuh \
           cuda/jacobi/jacobi.cuh cuda/onesided/onesided.cuh cuda/shroff/shroff.cuh cuda/mrrr/mrrr.cuh \
           cuda/tdinv/tdinv.cuh core/run/run.h core/plan/plan.h core/tune/tune.h core/workers/workers.h core/methods/schur/schur.h core/methods/svd/svd.h core/methods/functions/functions.h core/array/array.h cuda/schur/schur.cuh cuda/svd/svd.cuh cuda/array/array.cuh cuda/tridiagonal/tridiagonal.cuh preload/preload.h; do
  module=${map%/*}
  for file in $(cd "$module" && find . -name '*.c' -o -name '*.cu' | sed 's,^\./,,'); do
    sed '/\*\//q' "$map" | grep -qF "$file"
    check $? "$map: the map lacks $file"
  done
done
for module in core/*/ core/methods/*/ cuda/*/; do
  grep -q " ${module%/}/[a-z_]*\.[ch]" tests/check_modules.sh || [ "$module" = core/lapack/ ] || [ "$module" = core/api/ ] || [ "$module" = core/methods/ ]
  check $? "$module has no main header"
done
finish

#!/bin/sh
# Claims: in a memory control group without swap, whatever its limit, a call ends with
# its result or with gpueig:out-of-memory; the kernel never ends Octave.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

# A group within the one that this process is in, of version 1 or 2.
path=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
if [ -n "$path" ]; then
  group=/sys/fs/cgroup/memory${path%/}
  limits='memory.limit_in_bytes memory.memsw.limit_in_bytes'
else
  path=$(sed -n 's/^0:://p' /proc/self/cgroup)
  group=/sys/fs/cgroup${path%/}
  limits=memory.max
fi
group=$(mktemp -d "$group/gpueig-test.XXXXXX" 2>/dev/null)
out=$log
trap 'rm -rf "$folder"; rmdir "$group" 2>/dev/null' EXIT

# set_limit MIB: without swap.
set_limit ()
{
  # Version 1 wants the limit of the sum never below that of the memory.
  for file in $limits $limits; do
    echo $(($1 << 20)) >"$group/$file" || true
  done 2>/dev/null
  [ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
  for file in $limits; do
    [ "$(cat "$group/$file")" = $(($1 << 20)) ] || return 1
  done
}

# inside CODE: run by Octave in the group.
inside ()
{
  sh -c 'echo $$ >"$1/cgroup.procs" || exit 99; shift; exec "$@"' sh "$group" \
    "$octave" --norc --no-history --path "$build/inst" --eval "$1" >"$out" 2>&1
}

if [ -z "$group" ] || ! set_limit 2000 2>/dev/null || ! inside '1;' 2>/dev/null; then
  leave_out "no control group with a limit of memory can be made here"
fi

# try NAME CODE LIMIT...: the kernel's signal is status 137.  In the long run one limit more is random.
ended=0 refused=0
seed=${GPUEIG_TEST_SEED:-1}
try ()
{
  name=$1 code=$2
  shift 2
  seed=$(awk "BEGIN { srand ($seed); print int (1e6 * rand ()) }")
  # In the short run one limit, which is too small or nearly so.
  [ -n "${GPUEIG_TEST_LONG:-}" ] && set -- "$@" $((120 + seed % 180)) || set -- "$1"
  for limit; do
    set_limit "$limit"
    inside "try, $code; disp ('solved'), catch err, disp (err.identifier), end"
    status=$?
    last=$(grep -x 'solved\|gpueig:out-of-memory\|Octave:.*' "$out" | tail -n 1)
    case $last in
      solved) ended=$((ended + 1)) ;;
      gpueig:out-of-memory) refused=$((refused + 1)) ;;
    esac
    check "$([ $status = 0 ] && [ -n "$last" ]; echo $?)" "$name with $limit MiB: status $status, $(tail -n 1 "$out")"
  done
}

random='rand ("twister", 1); A = rand (n); '
try gpu_onesided_eig "n = 1500; $random A += A'; [V, D] = gpu_onesided_eig (A)" 190 220 260
try gpu_jacobi_eig "n = 1500; $random A += A'; [V, D] = gpu_jacobi_eig (A)" 190 230 280
try gpu_eig "n = 1500; $random A += A'; [V, D] = gpu_eig (A)" 190 230
try gpu_schur "n = 1200; $random [U, S] = gpu_schur (A)" 150 180
try gpu_mrrr "n = 2000; rand (\"twister\", 1); [V, D] = gpu_mrrr (rand (n, 1), rand (n - 1, 1))" 150 200
try gpu_tdinv "rand (\"twister\", 1); n = 1e6; c = rand (n - 1, 1); a = 4 + rand (n, 1); x = gpu_tdinv (c, a, c, 'Columns', 1)" 140 180 240
try "gpu_tdinv, small" "rand (\"twister\", 1); n = 2500; c = rand (n - 1, 1); a = 4 + rand (n, 1); x = gpu_tdinv (c, a, c)" 140 170

check "$([ $refused -gt 0 ]; echo $?)" "some calls are refused: $refused; solved: $ended"
echo "count: $((ended + refused)) calls in a control group"
finish

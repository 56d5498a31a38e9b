#!/bin/sh
# Claims, without a GPU: the kernels compile for every architecture of GPUs that are
# supported; a kernel with dynamic shared memory has at most GE_STATIC_SHARED bytes of static
# one, which the host code assumes (what it may need of the dynamic one is compared with
# GE_LEAST_SHARED at compile time); a block of as many threads as a kernel may have finds
# enough registers; CMake and the package's Makefile refuse older architectures.
# Compiling takes minutes: GPUEIG_TEST_LONG.  GPUEIG_TEST_ARCHITECTURES="90" and
# GPUEIG_TEST_SOURCES="cuda/schur/form.cu" choose some.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)

# The kernels that compute their own static shared memory, and its bound.
exceptions='generate_in_cluster 20480 rotate_kernel 4096'

# inspect PTX LOG LIMIT: one line per fault; "kernels N" at the end.
inspect ()
{
  awk -v limit="$3" -v exceptions="$exceptions" '
    BEGIN { n = split (exceptions, e); for (i = 1; i < n; i += 2) bound[e[i]] = e[i + 1] }
    FNR == NR {
      if ($1 == ".extern" && $2 == ".shared") { name = $NF; sub (/\[.*/, "", name); dynamic[name] = 1 }
      if (/\.entry/) { kernel = $NF; sub (/\(.*/, "", kernel); inside = 1 }
      if (inside && /\.maxntid/) { gsub (/,/, ""); threads[kernel] = $2 * ($3 ? $3 : 1) * ($4 ? $4 : 1) }
      if (inside) for (name in dynamic) if (index ($0, name)) uses[kernel] = 1
      if (/^}/) inside = 0
      next
    }
    /Compiling entry function/ { kernel = $7; gsub (/'"'"'/, "", kernel) }
    /Used [0-9]+ registers/ {
      registers = shared = 0
      for (i = 2; i <= NF; i++) {
        if ($i ~ /^registers/) registers = $(i - 1)
        if ($i ~ /^smem/) shared = $(i - 2)
      }
      kernels++
      most = limit
      for (name in bound) if (index (kernel, name)) most = bound[name]
      if (uses[kernel] && shared > most) print kernel, "has", shared, "bytes of static shared memory"
      # registers are allocated to warps in units of 256
      warps = (threads[kernel] + 31) / 32
      if (int ((registers * 32 + 255) / 256) * 256 * int (warps) > 65536)
        print kernel, "has", registers, "registers and", threads[kernel], "threads"
    }
    END { print "kernels", kernels + 0 }' "$1" "$2"
}

# compile SOURCE ARCHITECTURE: faults to a file of the folder.
compile ()
{
  place=$folder/$2/$(echo "$1" | tr / _)
  mkdir -p "$place"
  if ! "$nvcc" -std=c++17 -O3 --fmad=false -D_GNU_SOURCE -Icuda -Icore -Icore/api -Icore/methods -cubin -Xptxas -v \
         -gencode "arch=compute_$2,code=sm_$2" --keep --keep-dir "$place" -o "$place/cubin" "$1" \
         >"$place/log" 2>&1; then
    echo "does not compile: $(grep -m 1 error "$place/log")" >"$place/faults"
    return
  fi
  cat "$place"/*.ptx >"$place/ptx"
  inspect "$place/ptx" "$place/log" "$static" >"$place/faults"
  rm -f "$place"/*.ii "$place"/*.cubin "$place/cubin"
}

if [ "${1:-}" = compile ]; then
  rm -rf "$folder"
  trap - EXIT
  folder=$2 static=$3
  compile "$5" "$4"
  exit 0
fi

if [ -z "$nvcc" ]; then
  skip "architectures: nvcc was not found"
elif [ -z "${GPUEIG_TEST_LONG:-}" ]; then
  skip "compiling for all architectures takes minutes: set GPUEIG_TEST_LONG"
else
  static=$(sed -n 's/.*GE_STATIC_SHARED = \([0-9]*\).*/\1/p' cuda/base/cuda.cuh)
  check "$([ "${static:-0}" -gt 0 ]; echo $?)" "GE_STATIC_SHARED is found"
  for architecture in ${GPUEIG_TEST_ARCHITECTURES:-80 86 89 90 100 120}; do
    "$nvcc" --list-gpu-arch | grep -qx "compute_$architecture" \
      || { skip "architecture $architecture: this nvcc does not know it"; continue; }
    mkdir -p "$folder/$architecture"
    # shellcheck disable=SC2086
    printf '%s\n' ${GPUEIG_TEST_SOURCES:-$(find cuda -name '*.cu')} \
      | xargs -n 1 -P "$(nproc)" sh "$0" compile "$folder" "$static" "$architecture"
    for faults in "$folder/$architecture"/*/faults; do
      file=$(basename "$(dirname "$faults")")
      check "$(grep -qv '^kernels ' "$faults"; [ $? = 1 ]; echo $?)" \
        "$file, sm_$architecture: $(grep -v '^kernels ' "$faults" | head -n 3)"
    done
    kernels=$(cat "$folder/$architecture"/*/faults | awk '{ n += $2 } END { print n + 0 }')
    check "$([ "$kernels" -gt 0 ]; echo $?)" "kernels are found for sm_$architecture: $kernels"
    rm -rf "${folder:?}/$architecture"
  done
fi

# --- older architectures -----------------------------------------------------------

# refused COMMAND...: it fails and says what gpueig needs.
refused ()
{
  "$@" >"$folder/refused.log" 2>&1 && return 1
  grep -q 'gpueig needs 80' "$folder/refused.log"
}

if [ -n "$nvcc" ] && command -v cmake >/dev/null; then
  for architectures in 75 '80;75-real'; do
    refused cmake -S . -B "$folder/cmake" "-DCMAKE_CUDA_ARCHITECTURES=$architectures" \
      -DGPUEIG_TESTS=OFF -DGPUEIG_MPI=OFF
    check $? "CMake refuses architectures $architectures"
    rm -rf "$folder/cmake"
  done
  sed 's/@[A-Z_]*@//g' mex/package/Makefile.in >"$folder/Makefile"
  for architectures in 75 '90 70-real'; do
    refused make -n -f "$folder/Makefile" "CUDAARCHS=$architectures" NVCC="$nvcc" MKOCTFILE=echo FILES
    check $? "the package's Makefile refuses architectures $architectures"
  done
fi

finish

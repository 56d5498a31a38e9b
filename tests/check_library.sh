#!/bin/sh
# Claims: cmake --install installs a C library that a program outside of the build
# can use, by pkg-config and by find_package, also after the tree was moved; it exports
# only the functions of gpueig.h, and the gateway only mexFunction; the CUDA plugin is
# in a folder where the library finds it; gpueig.h compiles as C++; the hooks for tests
# are not installed; with a BLAS of 64-bit integers every function says so.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

cmake --install "$build" --prefix "$folder/first" >"$log" 2>&1
check $? "cmake --install: $(tail -n 3 "$log")"
mv "$folder/first" "$folder/moved tree"
prefix="$folder/moved tree"
library=$(find "$prefix" -name libgpueig.so)
[ -n "$library" ]
check $? "libgpueig.so is installed"
lib=$(dirname "$library")

nm -D --defined-only "$library" | sed -n 's/^[0-9a-f]* [A-Z] //p' | sort -u >"$folder/exported"
grep '^gpueig_' "$folder/exported" | while read -r name; do
  grep -qw "$name" "$prefix"/include/gpueig*.h || echo "$name"
done >"$folder/private"
[ ! -s "$folder/private" ] && ! grep -v '^gpueig_' "$folder/exported" >"$folder/private"
check $? "exported, but not in gpueig.h: $(head -n 5 "$folder/private" | tr '\n' ' ')"
for solver in jacobi_eig onesided_eig complex_eig eig_symmetric eig_general mrrr tdinv create destroy message; do
  grep -qx "gpueig_$solver" "$folder/exported"
  check $? "gpueig_$solver is exported"
done
exported=$(nm -D --defined-only "$build/inst/__gpueig__.mex" | grep -c ' gpueig_\| ge_')
[ "$exported" = 0 ]
check $? "the gateway exports $exported functions of the library"
[ -f "$prefix/include/gpueig.h" ] && ! find "$prefix" -name 'gpueig_testing*' | grep -q .
check $? "gpueig.h is installed, gpueig_testing.h is not"
if [ -f "$build/inst/gpueig_cuda.so" ]; then
  [ -f "$lib/gpueig/gpueig_cuda.so" ] && [ -f "$prefix/share/gpueig/gpueig_cuda.so" ]
  check $? "the plugin lies in the folder gpueig beside the library, and beside the gateway"
fi

cc=${CC:-cc}
if command -v pkg-config >/dev/null; then
  # Through a link: the names that pkg-config gives are split at blanks.
  ln -s "$prefix" "$folder/link"
  flags=$(PKG_CONFIG_PATH="$folder/link/${lib#"$prefix"/}/pkgconfig" pkg-config --cflags --libs gpueig)
  check $? "pkg-config finds gpueig"
  # shellcheck disable=SC2086
  "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror demos/c/vibration.c $flags -lm -o "$folder/one" 2>"$log"
  check $? "built by pkg-config: $(head -n 3 "$log")"
  LD_LIBRARY_PATH="$lib" "$folder/one" >"$log" 2>&1
  check $? "runs: $(tail -n 3 "$log")"
else
  skip "pkg-config is not installed"
fi
cmake -S demos/c -B "$folder/two" -DCMAKE_PREFIX_PATH="$prefix" >"$log" 2>&1 \
  && cmake --build "$folder/two" >"$log" 2>&1
check $? "built by find_package: $(tail -n 3 "$log")"
"$folder/two/vibration" >"$log" 2>&1
check $? "runs: $(tail -n 3 "$log")"

cat >"$folder/blas.c" <<'END'
#include <stdint.h>
int64_t
idamax_ (const int64_t *n, const double *x, const int64_t *incx)
{
  return *n > 0 && *incx > 0 && x != 0;
}
END
"$cc" -shared -fPIC "$folder/blas.c" -o "$folder/blas.so" 2>"$log"
check $? "a BLAS of 64-bit integers: $(head -n 3 "$log")"
for call in 'gpu_eig (eye (2))' 'gpu_info' 'gpu_array (1)'; do
  LD_PRELOAD=$folder/blas.so run_octave --eval "
    try, $call; catch e, printf ('%s: %s\n', e.identifier, e.message); end" >"$log" 2>&1
  grep -q '^gpueig:wrong-blas: .*integers of 64 bits' "$log"
  check $? "$call: $(head -n 3 "$log")"
done

printf '#include <gpueig.h>\nint main () { return gpueig_default_options ().tol != 0; }\n' >"$folder/three.cc"
if command -v c++ >/dev/null; then
  c++ -Wall -Wextra -Wpedantic -Werror "-I$prefix/include" "$folder/three.cc" "-L$lib" -lgpueig -o "$folder/three" 2>"$log" \
    && LD_LIBRARY_PATH="$lib" "$folder/three"
  check $? "from C++: $(head -n 3 "$log")"
fi
finish

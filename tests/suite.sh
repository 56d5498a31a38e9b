# Sourced by tests/run.sh and tests/gpu/run.sh, in the root of the project:
# runs the C tests and the Octave tests of a build and counts them.
# GPUEIG_TEST_JOBS: so many programs at the same time; what they print does not depend on it.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

octave=${OCTAVE:-octave-cli}
export OCTAVE="$octave"
build=${GPUEIG_BUILD:-build}
# One at a time on a GPU machine, whose memory they share.
jobs=${GPUEIG_TEST_JOBS:-$([ -n "${GPUEIG_TEST_BACKEND:-}" ] && echo 1 || nproc)}

# wanted NAME WORD...: is NAME named by one of the WORDs, or is there none?
wanted ()
{
  name=$1
  shift
  [ $# -gt 0 ] || return 0
  for word in "$@"; do
    case $name in *"$word"*) return 0 ;; esac
  done
  return 1
}

# The files of tests, one per line: scripts, programs, files with %! tests.  The longest are
# the first, so that at the end no processor is idle for long; the one whose processes wait for
# each other is the last, beside short ones.
list_tests ()
{
  for file in tests/check_*.sh "$build"/tests/test_* tests/octave/*.tst "$build"/inst/*.m; do
    [ -f "$file" ] || continue
    case $file in
      *.sh)
        # On a GPU machine those that say that they are for it.
        [ -z "${GPUEIG_TEST_BACKEND:-}" ] || grep -qx '# Backends: any' "$file" || continue ;;
      */test_*) [ -x "$file" ] || continue ;;
    esac
    wanted "$(basename "$file")" "$@" && printf '%s\n' "$file"
  done | awk '/mpi.tst$/ { worker = $0; next } { print } END { if (worker) print worker }'
}

# What each file printed, in the order of the list, as soon as that is there.
print_results ()
{
  while read -r file; do
    result=$folder/$(basename "$file")
    until [ -f "$result" ] || [ -f "$folder/.ended" ]; do
      sleep 0.1
      [ -d "$folder" ] || return
    done
    cat "$result" || printf '%s did not finish (lost)\n' "$(basename "$file")"
  done <"$folder/.list"
}

# On INT and TERM: the results that are there are printed, and what still ran counts as failed.
interrupt_suite ()
{
  trap '' INT TERM
  rest=
  while read -r file; do
    name=$(basename "$file")
    if [ -f "$folder/$name" ]; then
      continue
    elif [ -f "$folder/.pid.$name" ]; then
      printf '%-28s did not finish (interrupted)\n' "$name" >"$folder/.now"
      mv "$folder/.now" "$folder/$name"
    else
      rest="$rest $name"
      : >"$folder/$name"
    fi
  done <"$folder/.list"
  kill $!
  cat "$folder"/.pid.* | xargs -r kill
} 2>/dev/null

# OpenBLAS takes its oldest kernels for processors that it does not know (its version 0.3.21 does so
# for some virtual machines); their ssymv reads memory that has not been written, and its results
# are NaN or not by what other threads have left there.  Take kernels that the processor has.
choose_kernels ()
{
  printf '%s\n' '#include <stdio.h>' 'char *openblas_get_corename (void);' \
    'int main (void) { puts (openblas_get_corename ()); }' >"$folder/core.c"
  core=$(${CC:-cc} -o "$folder/core" "$folder/core.c" -l:libopenblas.so.0 2>/dev/null && "$folder/core")
  if [ "$core" = Prescott ] && grep -q -w avx2 /proc/cpuinfo; then
    export OPENBLAS_CORETYPE=Haswell
    echo "OpenBLAS does not know this processor: tested with OPENBLAS_CORETYPE=Haswell"
  fi
}

run_suite ()
{
  folder=$(mktemp -d) rest=
  begin=$(date +%s)
  choose_kernels
  list_tests "$@" >"$folder/.list"
  (trap '' INT TERM; print_results | tee "$folder/.lines") &
  printer=$!
  trap interrupt_suite INT TERM
  # In the background, since traps wait for what is in the foreground, but not deaf to Ctrl-C.
  env --default-signal=INT,QUIT xargs -r -d '\n' -I FILE -P "$jobs" sh tests/run_one.sh FILE "$folder" <"$folder/.list" &
  wait $!
  : >"$folder/.ended"
  wait "$printer"
  [ -z "$rest" ] || echo "interrupted before:$rest"
  # Lines "NAME  N passed, N failed, N skipped (N s)" and "NAME  did not finish (...)".
  echo "the slowest:"
  sed -n 's/^\([^ ]*\) .*(\([0-9.]*\) s)$/\2 \1/p; s/^\([^ ]*\) .* did not finish .*, \([0-9.]*\) s)$/\2 \1/p' "$folder/.lines" | sort -rn | head -n 10 | awk '{ printf "%8.1f s  %s\n", $1, $2 }'
  echo "$(($(date +%s) - begin)) s in all, $jobs programs at a time"
  awk '$3 == "passed," && $5 == "failed," { passed += $2; failed += $4; skipped += $6 }
       / did not finish \(/ { failed++ }
       END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
             exit ! (failed == 0 && passed > 0) }' "$folder/.lines"
  status=$?
  rm -rf "$folder"
  return $status
}

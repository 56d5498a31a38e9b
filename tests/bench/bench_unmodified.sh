# Sourced by tests/bench/run.sh: unmodified FOLDER SECONDS measures programs and LAPACK's
# drivers with and without gpueig-run; tables unmodified and unmodified_calls.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

# A fresh process that makes one call of order n after a small one; prints seconds.
unmodified_octave ()
{
  "$OCTAVE" --norc --no-history --no-window-system --eval "rand ('twister', 1); A = rand ($1); A += A'; [V, D] = eig ([2 1; 1 2]); tic; [V, D] = eig (A); printf ('%.4g', toc)" 2>"$messages"
}

unmodified_numpy ()
{
  /usr/bin/python3 -c "
import time, numpy as np
A = np.random.default_rng (1).random (($1, $1)); A = A + A.T; np.linalg.eigh (np.eye (2))
t = time.perf_counter (); np.linalg.eigh (A); print ('%.4g' % (time.perf_counter () - t), end='')" 2>"$messages"
}

unmodified_scipy ()
{
  /usr/bin/python3 -c "
import time, numpy as np, scipy.linalg as la
A = np.random.default_rng (1).random (($1, $1)); la.eig (np.eye (2))
t = time.perf_counter (); la.eig (A); print ('%.4g' % (time.perf_counter () - t), end='')" 2>"$messages"
}

unmodified_R ()
{
  Rscript --vanilla -e "set.seed (1); n <- $1; A <- matrix (runif (n * n), n); A <- A + t (A); e <- eigen (diag (2)); s <- proc.time ()[[3]]; e <- eigen (A); cat (sprintf ('%.4g', proc.time ()[[3]] - s))" 2>"$messages"
}

# unmodified_head FILE TITLE COLUMNS
unmodified_head ()
{
  printf '# %s\n# %s, gpueig %s, commit %s\n# %s CPU threads\n' "$2" "$(date +%F)" \
    "$(sed -n 's/^Version: *//p' DESCRIPTION)" "$GPUEIG_COMMIT" "$(nproc)" >"$1"
  if command -v nvidia-smi >/dev/null; then
    printf '# %s\n' "$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)" >>"$1"
  fi
  printf '# compare: with [s] | without [s]\n# bar: none\n# note: %s\n%s\n' "$3" "$4" >>"$1"
}

unmodified ()
{
  folder=$1
  messages=$(mktemp)
  until_all=$(($(date +%s) + $2 * 6 / 10))
  file=$folder/unmodified.csv
  unmodified_head "$file" "programs that are not changed, with and without gpueig-run" \
    "one call in a fresh process, the shortest of seven in turns, of three from order 2000 on; with: includes loading gpueig; calls taken: 0 where gpueig hands the call on" \
    "program,n,with [s],without [s],without/with,calls taken"
  # Functions cannot be given to gpueig-run: the library is named as it does.
  library=$(readlink -f "$build/inst/libgpueig_lapack.so")
  programs=4
  for program in octave numpy scipy R; do
    seconds=0
    until_one=$(($(date +%s) + (until_all - $(date +%s)) / programs))
    programs=$((programs - 1))
    for n in 100 200 500 1000 2000 4000; do
      # The next order takes about ten times as long.
      if [ $((until_one - $(date +%s))) -lt "$seconds" ]; then
        printf '# left out: no time for %s from %s on\n' "$program" "$n" >>"$file"
        break
      fi
      from=$(date +%s) with='' without=''
      turns=7
      [ $n -lt 2000 ] || turns=3
      for turn in $(seq $turns); do
        without="$without $(unmodified_$program $n)"
        with="$with $(GPUEIG_LAPACK_VERBOSE=1 LD_PRELOAD=$library unmodified_$program $n)"
      done
      taken=$(awk '/^gpueig: .* calls taken/ { calls += $3 } END { print calls + 0 }' "$messages")
      seconds=$(((($(date +%s) - from) + 1) * 8))
      [ -n "${with# *}" ] || { printf '# %s is not installed\n' "$program" >>"$file"; break; }
      echo "$program,$n" $with $without | awk -v turns=$turns -v taken="$taken" '{
        a = $2; for (i = 3; i <= 1 + turns; i++) if ($i < a) a = $i
        b = $(2 + turns); for (i = 3 + turns; i <= NF; i++) if ($i < b) b = $i
        printf "%s,%s,%s,%.3g,%s\n", $1, a, b, (a > 0 ? b / a : 1), taken }' >>"$file"
    done
  done
  cat "$file"
  file=$folder/unmodified_calls.csv
  unmodified_head "$file" "LAPACK's drivers with vectors, with and without gpueig-run, every order taken" \
    "random matrices; the shortest of several calls in one process; peaks: memory beside the matrices, in n^2 numbers" \
    "driver,n,with [s],without [s],without/with,peak with,peak without"
  # About 250 measurements of so many seconds, twice.
  limit=$(awk "BEGIN { s = $2 * 0.4 / 500; print (s < 0.3 ? s : 0.3) }")
  orders='32 48 64 96 128 250 500 1000 2000'
  export TYPES=dz
  # shellcheck disable=SC2086
  "$build/bench/bench_lapack" "$limit" $orders >"$folder/without.txt"
  # shellcheck disable=SC2086
  GPUEIG_LAPACK_MIN=1 sh "$build/inst/gpueig-run" "$build/bench/bench_lapack" "$limit" $orders >"$folder/with.txt"
  awk -F, '$3 != "yes" { next }
           NR == FNR { t[$1 FS $2] = $5; peak[$1 FS $2] = $6; next }
           ($1 FS $2) in t { k = $1 FS $2; printf "%s,%s,%s,%.3g,%s,%s\n", k, t[k], $5, $5 / t[k], peak[k], $6 }' \
    "$folder/with.txt" "$folder/without.txt" >>"$file"
  rm "$folder/with.txt" "$folder/without.txt"
  cat "$file"
}

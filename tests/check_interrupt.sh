#!/bin/sh
# Claims, for every public function: an interrupt at any point where the library polls or
# prints stops the call before it prints another two lines, leaves no memory allocated and
# the number of threads unchanged; a computation that cannot be stopped continues detached,
# at most one, and exit has its status.  Ctrl-C stops a call, all scratch memory is
# released, and the next call is correct; with GPUEIG_TEST_LONG for every public function
# within a second, also while other programs use all processors, and exit does not wait for
# a detached computation.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

# long run: seconds between the signal and the end of the call; where other programs
# share the processors, as much longer as they make us wait.
load=$(awk -v n="$(nproc)" '{ x = $1 / n; print (x > 1 ? x : 1) }' /proc/loadavg 2>/dev/null || echo 1)
limit=$(awk "BEGIN { print ${GPUEIG_TEST_INTERRUPT_LIMIT:-1.5} * ${load:-1} }")

# An order for which NAME takes some seconds on a processor of today.
order ()
{
  case $1 in
    gpu_eig) echo 3000 ;;
    gpu_eig_general) echo 2000 ;;
    gpu_complex_eig) echo 1500 ;;
    gpu_complex_eig_shroff) echo 1500 ;;
    gpu_jacobi_eig) echo 3000 ;;
    gpu_tdinv) echo 2000000 ;;
    gpu_mrrr) echo 300000 ;;
    *) echo 2000 ;;
  esac
}

# Seconds from the start of a call to its interrupt.
delay=0.3

# Wait until FILE has a line that begins with WORD, COUNT fiftieths of a second.
wait_for ()
{
  ticks=$3
  until grep -q "^$2" "$1" 2>/dev/null; do
    ticks=$((ticks - 1))
    [ $ticks -gt 0 ] || return 1
    sleep 0.02
  done
}

within_limit ()
{
  awk "BEGIN { exit ! ($1 < $limit) }"
}

# interrupt NAME ORDER [forever]: "too fast", or "SECONDS text on the next call".
interrupt ()
{
  out=$folder/out
  : >"$out"
  # A job in the background of a script ignores SIGINT; Octave sets its own.
  "$octave" --norc --no-history --path "$build/inst" --path tests/octave \
    tests/octave/interrupt_session.m "$1" "$2" "${3:-once}" >"$out" 2>"$folder/err" &
  pid=$!
  if ! wait_for "$out" start 30000; then
    kill -9 $pid
    echo "no start: $(head -c 300 "$folder/err")"
    return
  fi
  sleep "$delay"
  sent=$(date +%s.%N)  # long run
  kill -INT $pid
  if ! wait_for "$out" '\(done\|next\)' 30000; then
    kill -9 $pid
    echo "999 it did not stop"
    return
  fi
  wait $pid 2>/dev/null
  if grep -q '^done' "$out"; then
    echo "too fast"
  else
    awk -v sent="$sent" '/^stopped/ { printf "%.2f ", $2 - sent } /^next/ { sub (/^next call: /, ""); print }' "$out"
  fi
}

# Interrupts of gpu_eig_file's processes: check_mpi.sh; of a long gpu_ordschur:
# tests/schur/test_ordschur.c.
short='gpu_info\|gpu_eig_file\|gpu_array\|gpu_replace\|gpu_tune\|gpu_ordschur'
names=$(cd inst && ls gpu_*.m 2>/dev/null | sed 's/\.m$//' | grep -vx "$short")
[ -f inst/gpu_eig.m ] || names=$(cd "$build/inst" && ls gpu_*.m | sed 's/\.m$//' | grep -vx "$short")
# check_names WHERE NAME...
check_names ()
{
  where=$1
  shift
  for name; do
    n=$(order "$name")
    [ -n "${GPUEIG_TEST_BACKEND:-}" ] && n=$((n * 2))
    # Three tries: what a busy machine adds is not always the same.
    for try in 1 2 3; do
      result=$(interrupt "$name" "$n")
      seconds=${result%% *}
      case $result in
        "too fast") n=$((n * 7 / 5)) ;;
        *right) within_limit "$seconds" && break ;;
        *) break ;;
      esac
    done
    case $result in
      # A call that ends by itself in less than that time.
      "too fast") check 0 "$name" ;;
      *"does not have this solver"*) skip "$name$where: $result" ;;
      *right)
        within_limit "$seconds"
        check $? "$name$where, order $n: stopped $seconds s after the interrupt" ;;
      *) check 1 "$name$where, order $n: $result" ;;
    esac
    echo "count: 1 interrupt of $name$where, order $n: $result"
  done
}

if [ -n "${GPUEIG_TEST_LONG:-}" ]; then
  check_names "" $names gpu_eig_general gpu_complex_eig_shroff
else
  delay=0
  for name in gpu_jacobi_eig gpu_mrrr; do
    result=$(interrupt $name 400 forever)
    check "$([ "${result#* }" = right ]; echo $?)" "$name: $result"
  done
fi

# --- at every point ---------------------------------------------------------------

run_octave tests/octave/interrupt_points.m >"$log" 2>/dev/null
add_counts "$log" "interrupts at every point"
count=$(sed -n 's/^\([0-9]*\) points$/\1/p' "$log")
[ "${count:-0}" -gt 100 ]
check $? "calls were interrupted at ${count:-0} points"

# --- the end of the process ---------------------------------------------------------

# polls_until K: of a call in which SIGTERM comes at poll K; 0: never.
polls_until ()
{
  "$octave" --norc --no-history --path "$build/inst" --eval "sigterm_dumps_octave_core (false);
    function last_words (), [~, polls] = __gpueig__ ('testing', 'interrupt', 0); disp (polls); end
    A = cos ((1:150)' * (1:150)); A += A'; atexit ('last_words'); [~, ~] = __gpueig__ ('testing', 'interrupt', $1, 15);
    gpu_jacobi_eig (A, 'Method', 'classical');" 2>/dev/null
}
all=$(polls_until 0)
ended=$(polls_until 2)
[ "${all:-0}" -gt 5 ] && [ "${ended:-9}" -le 3 ]
check $? "SIGTERM at the second poll: it ended at ${ended:-none} of ${all:-none}"

# --- a detached job ----------------------------------------------------------------

run_octave tests/octave/detached_session.m 1500 >"$folder/out" 2>"$folder/err"
status=$?
ended=$(date +%s.%N)  # long run
check "$([ $status = 5 ]; echo $?)" "exit with a detached job has status $status, not 5"
check "$(grep -qx 'first: detached 1' "$folder/out"; echo $?)" "the interrupted call leaves a job"
check "$(grep -qx 'second: detached 1' "$folder/out"; echo $?)" "it is there after the second call"
[ "$(grep -c '^waiting' "$folder/out")" = 1 ]
check $? "the second call says that it waits"
check "$(grep -q 'not interrupted' "$folder/out"; echo $((1 - $?)))" "both calls stop when they are interrupted"
[ $failed = 0 ] || cat "$folder/out"

if [ -n "${GPUEIG_TEST_LONG:-}" ]; then
  left=$(awk -v ended="$ended" '/^exit:/ { print ended - $2 }' "$folder/out")
  within_limit "${left:-99}"
  check $? "exit took $left s"
  small=$(awk '/^small call:/ { print $3 }' "$folder/out")
  within_limit "${small:-99}"
  check $? "a small call beside the job took $small s"
  hogs=
  for k in $(seq $(($(nproc) + 1))); do
    yes >/dev/null &
    hogs="$hogs $!"
  done
  trap 'kill $hogs; rm -rf "$folder"' EXIT
  sleep 1
  limit=${GPUEIG_TEST_INTERRUPT_LIMIT:-2.5}
  check_names " beside other programs" $names gpu_eig_general \
    gpu_complex_eig_shroff
fi
finish

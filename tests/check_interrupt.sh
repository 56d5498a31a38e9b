#!/bin/sh
# Claims, for every public function: an interrupt at any point where the library polls or
# prints stops the call before it prints another two lines, leaves no memory allocated and
# the number of threads unchanged; a computation that cannot be stopped continues detached,
# at most one, and exit has its status.  Ctrl-C stops a call, all scratch memory is
# released, and the next call is correct.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

# wait_for FILE WORD: until FILE has a line that begins with WORD, ten minutes at most.
wait_for ()
{
  ticks=30000
  until grep -q "^$2" "$1" 2>/dev/null; do
    ticks=$((ticks - 1))
    [ $ticks -gt 0 ] || return 1
    sleep 0.02
  done
}

# A job in the background of a script ignores SIGINT; Octave sets its own.
for name in gpu_jacobi_eig gpu_mrrr; do
  out=$folder/$name
  "$octave" --norc --no-history --path "$build/inst" --path tests/octave \
    tests/octave/interrupt_session.m $name >"$out" 2>"$folder/err" &
  pid=$!
  wait_for "$out" start && kill -INT $pid && wait_for "$out" next || kill -9 $pid
  wait $pid 2>/dev/null
  grep -qx 'next call: right' "$out"
  check $? "$name: $(tail -n 2 "$out" "$folder/err")"
done

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
check "$([ $status = 5 ]; echo $?)" "exit with a detached job has status $status, not 5"
check "$(grep -qx 'first: detached 1' "$folder/out"; echo $?)" "the interrupted call leaves a job"
check "$(grep -qx 'second: detached 1' "$folder/out"; echo $?)" "it is there after the second call"
[ "$(grep -c '^waiting' "$folder/out")" = 1 ]
check $? "the second call says that it waits"
check "$(grep -q 'not interrupted' "$folder/out"; echo $((1 - $?)))" "both calls stop when they are interrupted"
[ $failed = 0 ] || cat "$folder/out"
finish

#!/bin/sh
# Claims: two Octave processes at the same time, on one GPU where there is one,
# give correct results and exit normally, also if a third one is killed.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

session ()
{
  run_octave --eval "
    count = 0;
    text = '';
    for round = 1:$2
      for call = [sample_calls(7), sample_calls(60)]
        text = [text sample_verify(call, sample_run (call))];
        count += 1;
      endfor
      puts (\"round\\n\"); fflush (stdout);
    endfor
    printf ('%s%d calls\n', text, count);" >"$folder/$1" 2>&1
  echo "status $?" >>"$folder/$1"
}

session one 6 & one=$!
session two 6 & two=$!
session killed Inf & killed=$!
until grep -q round "$folder/killed" 2>/dev/null; do
  sleep 0.1
done
# The shell of the third goes, and its Octave with it.
child=$(pgrep -P $killed 2>/dev/null | head -n 1)
kill -9 ${child:-$killed}
wait $one $two
for name in one two; do
  grep -q '^[1-9][0-9]* calls$' "$folder/$name" && grep -qx 'status 0' "$folder/$name"
  check $? "process $name: $(tail -n 3 "$folder/$name")"
  echo "count: $(grep calls "$folder/$name") in process $name of two"
done
wait
finish

#!/bin/sh
# Claims: with gpu_replace ("on") and matrices of all orders taken, Octave's own tests of eig, inv,
# schur, svd, pinv and of functions that call them pass as without it; with GPUEIG_TEST_LONG also if
# only those are taken of which that is faster (replace.tst has both kinds).
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

# "all": matrices of every order are ours, not only those of which that is faster.
states=all
[ -z "${GPUEIG_TEST_LONG:-}" ] || states='on all'
for state in off $states; do
  switch=on
  [ $state != off ] || switch=off
  if [ $state = all ]; then
    export GPUEIG_REPLACE_MIN=1
  fi
  "$octave" --norc --no-history --no-window-system --path "$build/inst" --path tests/octave/usage tests/octave/replace_session.m $switch \
    >"$folder/$state" 2>&1
  grep '^result: ' "$folder/$state" >"$folder/$state.results"
done
grep -q 'eig.cc-tst [1-9][0-9]* of' "$folder/off.results" || skip "Octave's own tests are not installed"
for state in $states; do
  while read -r _ name wanted _ total; do
    # Some of their tests are of the signs of vectors of orders 2 and 3, which are LAPACK's.
    # One of sqrtm wants 5 eps of a matrix of order 4 and norm 4.
    case $state:$name in
      all:*svd.cc-tst | all:*/null.m) wanted=$((wanted / 2)) ;;
      all:*sqrtm.cc-tst) wanted=$((wanted - 1)) ;;
    esac
    got=$(grep -F "result: $name " "$folder/$state.results" | cut -d ' ' -f 3)
    [ "${got:-0}" -ge "$wanted" ]
    check $? "$state: $name: ${got:-none} of $total pass, $wanted without gpu_replace"
  done <"$folder/off.results"
done
check "$([ -s "$folder/off.results" ]; echo $?)" "results without gpu_replace: $(tail -n 3 "$folder/off")"
# The functions outlast clear all; with the package's folder off the path they are Octave's.
"$octave" --norc --no-history --no-window-system --eval "addpath (canonicalize_file_name ('$build/inst'))" --eval '
  gpu_replace ("on");
  clear all
  for name = {"eig", "expm"}
    assert (which (name{1}), which ("gpu_replace"));
  endfor
  rmpath (fileparts (which ("gpu_replace")));
  A = toeplitz ([4, 1, zeros(1, 62)]);
  assert (eig (A), builtin ("eig", A), 1e-12);
  assert (inv (A) * A, eye (64), 1e-12);
  [U, S] = schur (A);
  assert (U * S, A * U, 1e-12);
  assert (fileparts (which ("expm")), fileparts (which ("cond")));
  puts ("right\n");' >"$folder/off_path" 2>&1
grep -q '^right' "$folder/off_path"
check $? "off the path: $(head -n 2 "$folder/off_path")"
finish

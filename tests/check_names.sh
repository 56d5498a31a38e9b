#!/bin/sh
# Claim: with the package in the path Octave's own tests of the functions that know arrays by name
# (zeros, ones, rand, randi, cast, cell2mat ...) have the results that they have without it.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

session ()
{
  out=$1
  shift
  "$octave" --norc --no-history --no-window-system "$@" tests/octave/names_session.m >"$folder/$out" 2>&1
  grep '^result: ' "$folder/$out" >"$folder/$out.results"
}
session without &
session with --path "$build/inst"
wait $!
grep -q '^result: rand [1-9]' "$folder/without.results" || leave_out "Octave's own tests are not installed"
while read -r _ name wanted _ total; do
  got=$(sed -n "s/^result: $name \([0-9]*\) of .*/\1/p" "$folder/with.results")
  [ "$got" = "$wanted" ]
  check $? "$name: ${got:-none} of $total pass, $wanted without the package"
done <"$folder/without.results"
finish

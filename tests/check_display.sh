#!/bin/sh
# Claims: lines of progress reach the terminal while the call runs, also where
# output is paged, and the pager works afterwards; evalc gets them.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

# Three calls in one command: more lines than a terminal has, so that what stays
# in the buffer goes to the pager.
cat >"$folder/commands" <<'END'
page_screen_output (true); PAGER ("sed 's/^/paged:/'");
A = reshape (sin ((1:22500) .^ 2), 150, 150); options = {"Method", "shroff", "Display", "iter"};
for k = 1:3, x = gpu_complex_eig (A, options{:}); end, fdisp (stdout, (101:160)')
text = evalc ("x = gpu_complex_eig (A, options{:});"); printf ("captured %d lines\n", sum (text == "\n") > 5);
exit
END

if ! command -v script >/dev/null; then
  skip "the command script is not installed"
elif ! script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  skip "script cannot open a pseudo-terminal (/dev/pts)"
else
  # A terminal of 24 rows; the typed commands are part of what script records.
  COLUMNS=80 LINES=24 script -qec "$octave --norc --no-history --path '$build/inst' --path tests/octave" /dev/null \
    <"$folder/commands" >"$folder/out" 2>&1
  lines=$(tr -d '\r' <"$folder/out" | grep -c '\(^\|[^:]\)sweep *[0-9]* *off')
  [ "$lines" -ge 24 ]
  check $? "$lines lines of progress on the terminal, 24 wanted"
  ! grep -q 'paged:.*sweep' "$folder/out"
  check $? "lines of progress went to the pager, at the end of the command"
  [ "$(grep -c 'paged: *1[0-9][0-9]' "$folder/out")" -ge 60 ]
  check $? "the pager gets a large result after that"
  grep -q 'captured 1 lines' "$folder/out"
  check $? "evalc gets the lines"
fi
finish

#!/bin/sh
# Claims: in a Turkish locale, whose lower-case letter for I is not i, names and words of
# options are recognised as everywhere; in a German one, with decimal commas, files of
# measured times are the same.
# Backends: any
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

if ! localedef -i tr_TR -f UTF-8 "$folder/tr_TR.UTF-8" >"$log" 2>&1; then
  skip "localedef cannot make tr_TR.UTF-8 (Debian: package locales)"
else
  for locale in C tr_TR.UTF-8; do
    LOCPATH=$folder LC_ALL=$locale "$octave" --norc --no-history --path "$build/inst" --eval '
      [V, x] = gpu_mrrr ([2 1; 1 2], "INDEX", [1 1], "DISPLAY", "OFF", "BACKEND", "CPU");
      [~, y] = gpu_jacobi_eig ([2 1; 1 2], "DISPLAY", "off", "METHOD", "CLASSICAL", "VECTOR");
      printf ("%d %d", abs (full (x) - 1) < 1e-14, norm (y - [1; 3]) < 1e-14);' >"$folder/out" 2>&1
    grep -q '^1 1' "$folder/out"
    check $? "locale $locale: $(head -n 3 "$folder/out")"
  done
  localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >"$log" 2>&1
  LOCPATH=$folder LC_ALL=de_DE.UTF-8 "$build/tests/test_times" >"$folder/out" 2>&1
  check $? "test_times in German: $(grep -m 1 FAIL "$folder/out")"
fi
finish

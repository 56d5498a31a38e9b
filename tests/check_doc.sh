#!/bin/sh
# Claims: the manual is made without a warning, has a page for every public function, the
# contents on every page, and every link and picture in it exists.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

command -v makeinfo >/dev/null || leave_out "makeinfo is not installed"

"$octave" --norc --no-history --no-window-system --path doc \
  --eval "make_manual ('.', '$folder/html')" >"$log" 2>&1 && [ ! -s "$log" ]
check $? "make_manual: $(head -n 3 "$log")"

cd "$folder/html" || exit 1
for name in $(sed -n 's/^ //p' "$OLDPWD/INDEX"); do
  grep -lq "<title>$name " ./*.html
  check $? "no page of $name"
done
[ "$(grep -c '^<nav>' ./*.html | grep -vc ':1$')" = 0 ]
check $? "pages without the contents"
for link in $(sed -n 's/.*\(href\|src\)="\([^":]*\)".*/\2/p' ./*.html | sort -u); do
  page=${link%%#*} anchor=${link#*#}
  [ -f "${page:-index.html}" ] && { [ "$anchor" = "$link" ] || grep -q "id=\"$anchor\"" ./*.html; }
  check $? "broken link $link"
done

finish

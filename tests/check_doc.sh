#!/bin/sh
# Claims: the manual is made without a warning, has a page for every public function, and
# every link and picture in it exists.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

command -v makeinfo >/dev/null || leave_out "makeinfo is not installed"

mkdir "$folder/html"
"$octave" --norc --no-history --no-window-system --path doc \
  --eval "write_functions ('inst', 'INDEX', '$folder/functions.texi')" >"$log" 2>&1
check $? "functions.texi: $(head -n 3 "$log")"
cp demos/speed.png "$folder" && cp demos/speed.png "$folder/html"
makeinfo --html --error-limit=1 -I "$folder" -o "$folder/html" doc/gpueig.texi >"$log" 2>&1 && [ ! -s "$log" ]
check $? "makeinfo: $(head -n 3 "$log")"

cd "$folder/html" || exit 1
for name in $(sed -n 's/^ //p' "$OLDPWD/INDEX"); do
  grep -lq "<title>$name " ./*.html
  check $? "no page of $name"
done
for link in $(sed -n 's/.*\(href\|src\)="\([^":]*\)".*/\2/p' ./*.html | sort -u); do
  page=${link%%#*} anchor=${link#*#}
  [ -f "${page:-index.html}" ] && { [ "$anchor" = "$link" ] || grep -q "id=\"$anchor\"" ./*.html; }
  check $? "broken link $link"
done

finish

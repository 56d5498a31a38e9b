#!/bin/sh
# Claims about the tests themselves: every seed of random problems is a constant, or comes
# from GPUEIG_TEST_SEED; an Octave that a script starts sets its seed before it draws
# numbers; nothing reads a clock, the date or a process number, but for times that are
# printed or on a line marked "long run"; none asserts a resident size.  A suite that gets
# SIGTERM prints what ended, and counts what did not.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

# none CLAIM: the file found, lines FILE:LINE:TEXT, is empty.
none ()
{
  check "$([ ! -s "$found" ]; echo $?)" "$1: $(cat "$found")"
}
found=$log
build=$folder

files=$(find tests -type f \( -name '*.[chm]' -o -name '*.tst' -o -name '*.sh' \) ! -path 'tests/bench/*' ! -name check_tests.sh | sort)
files="$files $(ls inst/*.m)"

# Generators of Octave: a number, test_seed, a state that was saved, or the seed that a
# function was given by its callers, who are looked at too.
# shellcheck disable=SC2086
grep -nHE '\brand[negpi]? *\((\\?"|'"'"')(seed|state|twister)' $files \
  | sed -E 's/\brand[neg]? *\(\\?"(seed|state|twister)\\?"(, *([0-9]+|k|seed|\[seed, k\]|test_seed \(([0-9]+|k)\)|saved|(saved|state)\{[0-9]\}))?\)//g; s/\b(rand|randn|rande|randg|randp) *\("twister"\)//g' \
  | grep -E '\brand[negpi]? *\((\\?"|'"'"')(seed|state|twister)' >"$found"
none "seeds of Octave"
# shellcheck disable=SC2086
grep -nHE '\bseed *= *[^=]' $files \
  | grep -vE '\bseed *= *(test_seed \(default\)|\{ [0-9]+ \}|\(uint64_t\) i \+ 1 \}|test_seed \([0-9]+\)|default;|str2double \(getenv \("GPUEIG_TEST_SEED"\)\)|getenv \("GPUEIG_TEST_SEED"\)|[0-9]+)|seed=(\$\{GPUEIG_TEST_SEED:-[0-9]+\}|\$\(\(seed \+ 1\)\)|\$\(awk "BEGIN \{ srand \(\$seed\);)' >"$found"
none "seeds that are variables"
# shellcheck disable=SC2086
grep -nHE '\b(fuzz|arrays) *\(' $(find tests -name '*.tst' -o -name 'check_*.sh' ! -name check_tests.sh) \
  | grep -E '= (fuzz|arrays) *\(' \
  | grep -vE '\((.[a-z]+., )?(seed|test_seed \([0-9]+\)|\$seed|[0-9]+), ' >"$found"
none "seeds that are arguments"

# Generators of C: numbers and sizes of the problem, no address and no call of a function.
# shellcheck disable=SC2086
grep -nHE '(measure_random[ )*a-z]*(= )?\{|[a-z](\.|->)state = )[^;}]*(&|[a-z_0-9]+ \()' $files | grep -v '^tests/base/check\.c:' >"$found"
none "seeds of C"

# Other sources of numbers, of C, of the shell and of Octave; gputimeit is for measuring.
sources='\bnow *\(|\bclock *\(|\btime *\((NULL|0|)\)|\bdate\b *\+|\bgetpid\b|gettimeofday|clock_gettime|\bge_now\b|/dev/u?random|\$RANDOM\b|[^$]\$\$[^(]|\bsrand(om)? *\(|\bdrand48|default_rng *\(\)|\b(tic|toc) *\('
# shellcheck disable=SC2086
grep -nHE "$sources" $files \
  | grep -vE '^tests/(run_one|suite)\.sh:|^inst/gputimeit\.m:|long run|echo \$\$ >|kill -9 \$\$|srand \(\$seed\)' >"$found"
none "clocks and process numbers"
# shellcheck disable=SC2086
grep -nHE 'VmHWM|VmRSS|mallinfo|ru_maxrss' $files | grep -v 'long run' >"$found"
none "resident sizes"

# A script, of the shell or of Octave, is no function and has no caller that set the seed.
for file in $files; do
  case $file in
    *.sh | *_session.m | *_points.m) ;;
    *) continue ;;
  esac
  grep -qE '(^|[^_a-z])randn? *\((n|str2double|[0-9])' "$file" || continue
  grep -qE 'rand *\(\\?"twister\\?", ' "$file"
  check $? "$file draws random numbers and sets no seed"
done

# Of three programs, two at a time, the first hangs, and the last ends the suite.
mkdir "$build/tests"
printf '#!/bin/sh\n: >"$SUITE.0"\nexec sleep 1000\n' >"$build/tests/test_0"
printf '#!/bin/sh\necho "1 passed, 0 failed, 0 skipped"\n' >"$build/tests/test_1"
printf '#!/bin/sh\nuntil [ -f "$SUITE.0" ]; do sleep 0.1; done\nkill $(cat "$SUITE")\nexec sleep 1000\n' >"$build/tests/test_2"
chmod +x "$build"/tests/test_*
SUITE=$build/suite GPUEIG_BUILD=$build GPUEIG_TEST_JOBS=2 OCTAVE=false \
  sh -c 'echo $$ >"$SUITE"; . tests/suite.sh; run_suite test_0 test_1 test_2' >"$found" 2>"$build/errors"
check $(($? == 0)) "an interrupted suite fails"
sed -n 's/ (.* s)$//; s/   */ /; 1,3p; $p' "$found" >"$build/lines"
printf '%s\n' "test_0 did not finish (interrupted)" "test_1 1 passed, 0 failed, 0 skipped" \
  "test_2 did not finish (interrupted)" "1 passed, 2 failed, 0 skipped" | cmp -s - "$build/lines"
check $? "an interrupted suite prints: $(cat "$found" "$build/errors")"
finish

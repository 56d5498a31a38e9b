#!/bin/sh
# Claims about the tests themselves: every seed of random problems is a constant, or comes
# from GPUEIG_TEST_SEED; an Octave that a script starts sets its seed before it draws
# numbers; nothing reads a clock, the date or a process number, but for times that are
# printed or on a line marked "long run"; none asserts a resident size.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

# none CLAIM: the file found, lines FILE:LINE:TEXT, is empty.
none ()
{
  check "$([ ! -s "$found" ]; echo $?)" "$1: $(cat "$found")"
}
found=$(mktemp)
trap 'rm -f "$found"' EXIT

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
grep -nHE '\b(fuzz|stress|session|arrays) *\(' $(find tests -name '*.tst' -o -name 'check_*.sh' ! -name check_tests.sh) \
  | grep -E '= (fuzz|stress|session|arrays) *\(' \
  | grep -vE '\((kind, |"[a-z]+", )?(seed|test_seed \([0-9]+\)|\$seed|[0-9]+), ' >"$found"
none "seeds that are arguments"

# Other sources of numbers, of C, of the shell and of Octave.
sources='\bnow *\(|\bclock *\(|\btime *\((NULL|0|)\)|\bdate\b *\+|\bgetpid\b|gettimeofday|clock_gettime|\bge_now\b|/dev/u?random|\$RANDOM\b|[^$]\$\$[^(]|\bsrand(om)? *\(|\bdrand48|default_rng *\(\)|\b(tic|toc) *\('
# shellcheck disable=SC2086
grep -nHE "$sources" $files \
  | grep -vE '^tests/(run_one|suite)\.sh:|long run|echo \$\$ >|kill -9 \$\$|srand \(\$seed\)' >"$found"
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
echo "$passed passed, $failed failed, $skipped skipped"

#!/bin/sh
# Claims: a page can be made from the stored results, and FIGURES.md is that page;
# with GPUEIG_TEST_LONG, also from new ones: the benchmarks run, also with almost no time, and
# every table has rows.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

OCTAVE=$octave
export OCTAVE

run_all ()
{
  mkdir "$folder/here"

  GPUEIG_BUILD="$build" sh tests/bench/run.sh --budget 12 --results "$folder/here" >"$log" 2>&1
  check $? "run.sh: $(grep -A 3 '^error' "$log" | head -n 8)"
  ! grep '^warning' "$log"
  check $? "warnings"

  for table in overhead auto auto_worst eig_symmetric eig_general eig_parts jacobi_methods jacobi_guess \
               jacobi_classical_orders onesided_pages_double onesided_pages_single onesided_pages_complex_double \
               onesided_paper svd_pages_double svd_pages_single svd_dense_double complex_pages complex_single \
               complex_poster mrrr_141_double mrrr_141_single mrrr_wilkinson_double mrrr_wilkinson_single \
               mrrr_random_double mrrr_random_single tdinv tdinv_poster functions_sqrtm_dense functions_sqrtm_pages; do
    [ -f "$folder/here/$table.csv" ] && [ "$(grep -vc '^#' "$folder/here/$table.csv")" -ge 2 ]
    check $? "table $table has no row"
  done

  # What needs a GPU is passed over where there is none.
  for name in dense general stacks $(command -v nvidia-smi >/dev/null || echo gpus); do
    GPUEIG_BUILD="$build" sh tests/bench/run.sh --budget 20 --results "$folder/$name" "$name" >"$log" 2>&1
    check $? "run.sh $name: $(tail -n 3 "$log")"
  done
}

stored=tests/bench/results
if [ -n "${GPUEIG_TEST_LONG:-}" ]; then
  run_all
  stored="$folder $stored"
else
  skip "the benchmarks take a minute: set GPUEIG_TEST_LONG"
fi

# read_table asks every row for as many cells as there are columns.
for results in $stored; do
  "$OCTAVE" --norc --no-history --no-window-system --path tests/bench \
    --eval "make_page ('$results', '$folder/page.md')" >"$log" 2>&1
  check $? "make_page of $results: $(head -n 3 "$log")"
  grep -q '^| `gpu_eig` |' "$folder/page.md"
  check $? "the page of $results has no summary"
done
cmp -s "$folder/page.md" demos/FIGURES.md
check $? "demos/FIGURES.md is not what make_page makes of tests/bench/results"

finish

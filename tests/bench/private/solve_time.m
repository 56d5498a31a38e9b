## info.time.solve, median of three after a warm-up, for the inverse of
## (1, 4, 1) of order N, by the recursive Sherman-Morrison formula unless
## METHOD says otherwise.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function seconds = solve_time (n, backend, method = "sherman-morrison")
  times = zeros (1, 4);
  for run = 1:4
    [~, ~, info] = gpu_tdinv (ones (n-1, 1), 4 * ones (n, 1), ones (n-1, 1),
                              "Method", method, "Backend", backend);
    times(run) = info.time.solve;
  endfor
  seconds = median (times(2:4));
endfunction

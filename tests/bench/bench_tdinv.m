## The inverse of a random diagonally dominant tridiagonal matrix, in double:
## gpu_tdinv against zeros (n), a lower bound for producing the result,
## sparse T \ eye (n) and inv; the
## recursive Sherman-Morrison method as in the paper's comparison; bands; on a GPU
## also the time on the device, and libraries where build/bench/device_tdinv
## exists.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_tdinv (folder, budget)
  rand ("twister", 3);
  randn ("twister", 3);
  tables = {@(s) poster(folder, s), 4;
            @(s) bands(folder, s), 0.5;
            @(s) peers(folder, s), 5};
  if (has_gpu ())
    tables = [{@(s) libraries(folder), 1; @(s) device(folder, s), 1.5}; tables];
  endif
  share_out (budget, tables);
endfunction

function [c, a, b] = dominant (n)
  c = 2 * rand (n - 1, 1) - 1;
  b = 2 * rand (n - 1, 1) - 1;
  a = (2 + rand (n, 1)) .* sign (randn (n, 1));
endfunction

## Whole calls in Octave.
function peers (folder, seconds)
  t = table_open (folder, "tdinv", "gpu_tdinv, end to end, double",
                  {"n", "vectors [s]", "full T [s]", "zeros [s]", ...
                   "over zeros", "T\\eye [s]", "inv [s]", ...
                   "T\\eye/ours", "inv/ours", "backend", "residual", ...
                   "others' worst", "wrong"},
                  "compare", {"vectors [s] | T\\eye [s]", ...
                              "full T [s] | inv [s]"},
                  "note", {["residual: |T X - I| / (|T| |X|) of three columns in ", ...
                            "units of eps; zeros is what such a result costs in ", ...
                            "Octave at least"]});
  orders = [100 500 1000 2000 4096 8192 16384];
  plan = plan_open (seconds, orders, 6, 2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    [c, a, b] = dominant (n);
    S = gallery ("tridiag", c, a, b);
    T = full (S);
    sample = unique (ceil (n * rand (3, 1)));
    check = @(out) deviation (S, out{1}, sample);
    [plan, zero] = measure (plan, "zeros", n, @() zeros (n), 1, true);
    [plan, ours, ~, out] = measure (plan, "ours", n, @() gpu_tdinv (c, a, b), 3,
                                    true, check);
    where = "-";
    if (! isempty (out))
      where = out{3}.backend;
    endif
    out = {};
    [plan, full_input] = measure (plan, "full T", n, @() gpu_tdinv (T), 1, true,
                                  check);
    solve = dense = NaN;
    if (n <= 8192)
      [plan, solve] = measure (plan, "T\\eye", n, @() S \ eye (n), 1, false,
                               check);
      [plan, dense] = measure (plan, "inv", n, @() inv (T), 1, false, check);
    endif
    [own, worst, wrong] = plan_quality (plan, "ours");
    table_row (t, n, ours, full_input, zero, ours / zero, solve, ...
               dense, solve / ours, dense / full_input, where, own, worst, ...
               wrong);
  endfor
  table_close (t, plan);
endfunction

## Residual of columns J, |T X - I| / (|T| |X|) in units of eps.
function r = deviation (S, X, J)
  n = rows (S);
  E = sparse (J, 1:numel (J), 1, n, numel (J));
  R = S * X(:,J) - E;
  r = full (max (max (abs (R), [], 1)
                 ./ (norm (S, 1) * max (abs (X(:,J)), [], 1)))) / eps ();
endfunction

## The poster's comparison: the recursive method on a GPU against the same method on
## one core and on all cores.  One core needs a process of its own, because OpenMP
## reads its number of threads when a process starts.
function poster (folder, seconds)
  cuda = has_gpu ();
  t = table_open (folder, "tdinv_poster",
                  ["the poster on tridiagonal inverses (n up to 2^14): ", ...
                   "recursive Sherman-Morrison, double"],
                  {"n", "GPU [s]", "one core [s]", "all cores [s]", ...
                   "one core/all cores", "one core/GPU", "paper's one core/GPU", ...
                   "all cores/GPU", "paper's all cores/GPU", "generators [s]", ...
                   "residual", "wrong"},
                  "compare", {"GPU [s] | one core [s] | all cores [s]", ...
                              "all cores [s] | one core [s]"},
                  "note", {["The poster: a Tesla K20c (single precision, cuBLAS ", ...
                            "sgemm) at least 24 times as fast as its sequential ", ...
                            "code and 5 times as its 16 cores for large n."], ...
                           ["Here double; the solver's clock, data resident, ", ...
                            "where the poster copies. The sequential code is this ", ...
                            "library's own. generators: the method that auto ", ...
                            "takes, all cores."]});
  octave = getenv ("OCTAVE");
  if (isempty (octave))
    octave = "octave-cli";
  endif
  here = fileparts (mfilename ("fullpath"));
  inst = fileparts (which ("gpu_tdinv"));
  orders = 2 .^ (10:14);
  plan = plan_open (seconds, orders, 4, 2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    command = sprintf (["OMP_NUM_THREADS=1 \"%s\" --norc --no-history ", ...
                        "--no-window-system --path \"%s\" --path \"%s\" ", ...
                        "--eval \"printf ('%%g', solve_time (%d, 'cpu'))\""], ...
                       octave, inst, fullfile (here, "private"), n);
    [status, text] = system (command);
    one = str2double (text);
    all_cores = solve_time (n, "cpu");
    gpu = NaN;
    if (cuda)
      gpu = solve_time (n, "cuda");
    endif
    generators = solve_time (n, "cpu", "generators");
    [~, backend] = has_gpu ();
    X = gpu_tdinv (ones (n-1, 1), 4 * ones (n, 1), ones (n-1, 1), "Method",
                   "sherman-morrison", "Backend", backend);
    r = deviation (gallery ("tridiag", n, 1, 4, 1), X, [1, ceil(n/2), n]);
    clear X;
    plan.quality.own = r;
    [own, ~, wrong] = plan_quality (plan, "own");
    table_row (t, n, gpu, one, all_cores, one / all_cores, one / gpu, ...
               paper_figure ("tdinv-poster", n, "ratio one core"), ...
               all_cores / gpu, ...
               paper_figure ("tdinv-poster", n, "ratio all cores"), ...
               generators, own, wrong);
  endfor
  table_close (t, plan);
endfunction

## Bands of the inverse; the time must grow linearly with n.
function bands (folder, seconds)
  t = table_open (folder, "tdinv_band", "gpu_tdinv (..., \"Band\", 3), double",
                  {"n", "time [s]", "ns a row", "nonzeros"},
                  "note", {["end to end, Backend auto; no peer computes a ", ...
                            "band of an inverse"]});
  orders = 10 .^ (3:6);
  plan = plan_open (seconds, orders, 1, 1);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    [c, a, b] = dominant (n);
    [plan, s, ~, out] = measure (plan, "band", n, @() gpu_tdinv (
        c, a, b, "Band", 3), 1, true);
    count = NaN;
    if (! isempty (out))
      count = nnz (out{1});
    endif
    table_row (t, n, s, 1e9 * s / n, count);
  endfor
  table_close (t, plan);
endfunction

## Time on the device, and of the copy to the host.
function device (folder, seconds)
  t = table_open (folder, "tdinv_cuda", "gpu_tdinv on the GPU, double",
                  {"n", "device [s]", "GB/s written", "copy [s]", ...
                   "GB/s copied", "total [s]", "CPU backend [s]", "residual", ...
                   "wrong"});
  orders = [1024 2048 4096 8192 16384];
  plan = plan_open (seconds, orders, 2, 2);
  for n = orders
    [plan, go] = plan_row (plan, n);
    if (! go)
      break;
    endif
    [c, a, b] = dominant (n);
    S = gallery ("tridiag", c, a, b);
    check = @(out) deviation (S, out{1}, [1, ceil(n/2), n]);
    [plan, ~, dev, out] = measure (plan, "cuda", n, @() gpu_tdinv (
        c, a, b, "Backend", "cuda"), 3, true, check);
    if (isempty (out))
      break;
    endif
    time = out{3}.time;
    out = {};
    [plan, ~, host] = measure (plan, "cpu", n, @() gpu_tdinv (
        c, a, b, "Backend", "cpu"), 3, true, check);
    gb = 8e-9 * n ^ 2;
    [own, ~, wrong] = plan_quality (plan, "cuda");
    table_row (t, n, dev, gb / dev, time.transfer, gb / time.transfer, ...
               time.total, host, own, wrong);
  endfor
  table_close (t, plan);
endfunction

## The table printed by the program device_tdinv of the build: gpu_tdinv's methods,
## cuSOLVER's getrf and getrs with the identity, and cudaMemset, timed on the device.
function libraries (folder)
  inst = fileparts (which ("gpu_tdinv"));
  program = fullfile (inst, "..", "bench", "device_tdinv");
  plugin = fullfile (inst, "gpueig_cuda.so");
  if (! exist (program, "file") || ! exist (plugin, "file"))
    printf ("no table of the GPU's libraries: %s is not there\n", program);
    return;
  endif
  t = table_open (folder, "tdinv_device",
                  "gpu_tdinv and the GPU's libraries, double",
                  {"n", "generators [s]", "memset [s]", "% of memset's rate", ...
                   "sherman-morrison [s]", "getrf+getrs [s]", ...
                   "memset behind an upload [s]", "% of that rate"},
                  "compare", {"generators [s] | getrf+getrs [s]"},
                  "note", {["device clock, medians; getrf+getrs: cuSOLVER's ", ...
                            "dense LU with the identity, as it has no getri; ", ...
                            "memset in a loop, and behind an upload that is in ", ...
                            "flight when it is launched, as the solver is timed"]});
  [status, text] = system (sprintf ("timeout 120 \"%s\" \"%s\" 1024 2048 4096 8192 16384",
                                    program, plugin));
  lines = strsplit (regexprep (strtrim (text), "^.*copy s[^\n]*\n", ""), "\n");
  for i = 1:numel (lines)
    x = sscanf (lines{i}, "%f %f %f %f%% %f %f %f %f %f %f%%");
    if (numel (x) < 10)
      printf ("  device_tdinv: %s\n", lines{i});
      continue;
    endif
    n = x(1);
    x(x == 0) = NaN;
    table_row (t, n, x(3) * 1e-6, x(2) * 1e-6, x(4), x(5) * 1e-6, ...
               x(6) * 1e-6, x(9) * 1e-6, x(10));
  endfor
  table_close (t);
endfunction

## Operations on arrays that stay on the GPU (gpu_array), and the same of CuPy.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_operations (folder, budget)
  if (! has_gpu ())
    printf ("operations: needs a GPU\n");
    return;
  endif
  out = table_open (folder, "operations", "operations of gpu_array against CuPy's",
                  {"operation", "elements", "array us", "cupy us", "ratio"}, "note", ...
                  {["time of one of many operations in a row, with the wait at their end; results that ", ...
                    "Octave has on the host (masks, positions, numbers) with CuPy's transfer"]});
  operations = {"plus", "R = G + H;"; "times", "R = G .* H;"; "scaled", "R = 2 * G;"
                "broadcast", "R = G + v;"; "exp", "R = exp (G);"; "log", "R = log (G);"
                "sin", "R = sin (G);"; "sqrt", "R = sqrt (G);"; "square", "R = G .^ 2;"
                "power", "R = G .^ 1.5;"; "compare", "R = G > 0.5; R(1);"; "isnan", "R = isnan (G); R(1);"
                "sum", "R = sum (G);"; "sum of rows", "R = sum (G, 2);"; "sum of all", "R = sum (c);"
                "prod", "R = prod (G);"; "mean", "R = mean (G);"; "std", "R = std (G);"
                "max", "R = max (G);"; "max and position", "[R, i] = max (G); i(1);"; "any", "R = any (G); R(1);"
                "cumsum", "R = cumsum (c);"; "cumsum of columns", "R = cumsum (G);"; "sort", "R = sort (c);"
                "sort with positions", "[R, i] = sort (c); i(1);"; "sort of columns", "R = sort (G);"
                "median", "R = median (c);"; "find", "R = find (z);"; "transpose", "R = G';"
                "part", "R = G(:,1:2:end);"; "by list", "R = c(list);"; "concatenate", "R = [G, H];"
                "repmat", "R = repmat (v, 1, m);"; "matrix by vector", "R = G * v;"
                "norm", "R = norm (c);"; "dot", "R = c' * c;"; "assign", "G(2,:) = 1;"};
  for n = 10 .^ [3, 4, 5, 6, 7]
    m = round (sqrt (n));
    peer = 1e6 * peer_times ("operations", n, operations(:,1));
    G = gpu_array (rand (m));
    H = gpu_array (rand (m));
    v = gpu_array (rand (m, 1));
    c = gpu_array (rand (n, 1));
    z = gpu_array (double (rand (n, 1) < 0.1));
    list = gpu_array (ceil (rand (n, 1) * n));
    us = Inf (rows (operations), 1);
    for pass = 1:4
      for k = 1:rows (operations)
        code = operations{k,2};
        eval ([code, " wait (G);"]); # what is opened and taken once
        for repeats = [2, 20, 105]
          eval (sprintf ("start = tic (); for times = 1:%d, %s, endfor; wait (G); t = toc (start);",
                         repeats, code));
          us(k) = min (us(k), 1e6 * t / repeats);
          if (us(k) > 1e6 * budget / 4000)
            break;
          endif
        endfor
      endfor
    endfor
    for k = 1:rows (operations)
      table_row (out, operations{k,1}, n, us(k), peer(k), us(k) / peer(k));
    endfor
  endfor
  table_close (out);
endfunction

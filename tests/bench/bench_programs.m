## Programs on arrays that stay on the GPU (gpu_array), and the same in CuPy.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_programs (folder, budget)
  if (! has_gpu ())
    printf ("programs: needs a GPU\n");
    return;
  endif
  t = table_open (folder, "programs", "programs on gpu_array against the same in CuPy",
                  {"program", "order", "array ms", "cupy ms", "ratio"}, "note", ...
                  {"the least of a few runs, with the transfer of the result; double"});
  programs = {"conjugate gradients", @conjugate_gradients, @definite
              "power iteration", @power_iteration, @definite
              "k means", @k_means, @points
              "kernel pca", @kernel_pca, @points};
  for n = [2000, 8000]
    peer = 1e3 * peer_times ("programs", n, programs(:,1));
    for k = 1:rows (programs)
      [name, program, problem] = programs{k,:};
      args = cellfun (@gpu_array, problem (n), "UniformOutput", false);
      ms = Inf;
      start = tic ();
      do
        once = tic ();
        [~] = program (args{:});
        ms = min (ms, 1e3 * toc (once));
      until (toc (start) > budget / 20)
      table_row (t, name, n, ms, peer(k), ms / peer(k));
    endfor
  endfor
  table_close (t);
endfunction

function args = definite (n)
  A = rand (n);
  args = {A + A' + 2 * n * eye(n), rand(n, 1)};
endfunction

function args = points (n)
  args = {rand(n, 32)};
endfunction

## As many steps as there are, whatever the residual, which is looked at in each.
function x = conjugate_gradients (A, b)
  x = zeros (size (b), "like", b);
  r = p = b;
  old = r' * r;
  for step = 1:50
    q = A * p;
    alpha = old / (p' * q);
    x += alpha * p;
    r -= alpha * q;
    new = r' * r;
    if (new == 0)
      break;
    endif
    p = r + (new / old) * p;
    old = new;
  endfor
  x = gather (x);
endfunction

function lambda = power_iteration (A, v)
  for step = 1:100
    v = A * v;
    lambda = norm (v);
    v /= lambda;
  endfor
endfunction

function C = k_means (X)
  k = 16;
  C = X(1:k,:);
  squares = sumsq (X, 2);
  for step = 1:20
    distances = squares - 2 * X * C' + sumsq (C, 2)';
    [~, nearest] = min (distances, [], 2);
    member = gpu_array (nearest == 1:k);
    C = (member' * X) ./ max (sum (member), 1)';
  endfor
  C = gather (C);
endfunction

function scores = kernel_pca (X)
  squares = sumsq (X, 2);
  K = exp ((2 * X * X' - squares - squares') / columns (X));
  K = K - mean (K) - mean (K, 2) + mean (mean (K));
  [V, lambda] = eig ((K + K') / 2, "vector");
  scores = gather (V(:,end-1:end) .* sqrt (lambda(end-1:end)'));
endfunction

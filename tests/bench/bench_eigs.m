## Seconds of gpu_eigs and gpu_svds beside CuPy's eigsh and svds and Octave's eigs and svds: a 2-D Laplacian of
## N unknowns, its 10 largest and 10 smallest eigenvalues, and 20 singular values of a sparse random
## matrix of order N with 10 elements in a row; and of 500 iterations of Octave's pcg with arrays, CuPy's cg, medians
## of 5 runs, and pcg with Octave's matrices.
##   octave-cli --path build/inst --path tests/bench --eval "bench_eigs (1e6)"
## Names after N choose rows: "largest", "smallest", "svds", "pcg"; SKIP_OCTAVE leaves Octave's out, which may take
## an hour.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_eigs (n = 1e6, varargin)

  skips = any (strcmp (varargin, "SKIP_OCTAVE"));
  names = setdiff (varargin, {"SKIP_OCTAVE"});
  if (isempty (names))
    names = {"largest", "smallest", "svds", "pcg"};
  endif
  m = round (sqrt (n));
  printf ("%-10s %10s %10s %10s %12s\n", "", "gpueig", "CuPy", "Octave", "difference");
  for name = names
    switch (name{1})
      case "largest"
        A = gallery ("poisson", m);
        ours = @() gpu_eigs (A, 10, "la", struct ("p", 50, "maxit", 3000));
        theirs = @() eigs (A, 10, "la", struct ("p", 50, "maxit", 3000));
      case "smallest"
        A = gallery ("poisson", m);
        ours = @() gpu_eigs (A, 10, "sm");
        theirs = @() eigs (A, 10, "sm");
      case "svds"
        A = random_matrix_of (m ^ 2);
        ours = @() gpu_svds (A, 20);
        theirs = @() svds (A, 20);
      case "pcg"
        A = gallery ("poisson", m);
        b = sin ((1:m^2)');
        G = gpu_array (A);
        h = gpu_array (b);
        ours = @() norm_of_solution (G, h);
        theirs = @() norm_of_solution (A, b);
    endswitch
    gpu_eigs (speye (6000), 2);  # so that the libraries are loaded
    seconds = zeros (1, merge (strcmp (name{1}, "pcg"), 6, 1));
    for run = 1:numel (seconds)
      tic;
      d = ours ();
      seconds(run) = toc;
    endfor
    seconds = median (seconds(max (1, end-4):end));
    [~, text] = system (sprintf ("python3 %s %s %d", fullfile (fileparts (mfilename ("fullpath")), "peers_eigs.py"), name{1}, m));
    words = sscanf (text, "%f");
    difference = NaN;
    if (numel (words) == numel (d) + 1)
      difference = norm (sort (words(2:end)) - sort (d), Inf) / max (abs (d));
    else
      words = NaN;
      printf ("%s", text);
    endif
    octave = NaN;
    if (! skips)
      tic;
      theirs ();
      octave = toc;
    endif
    printf ("%-10s %10.3f %10.3f %10.3f %12.1e\n", name{1}, seconds, words(1), octave, difference);
  endfor

endfunction

function x = norm_of_solution (A, b)
  [x, ~] = pcg (A, b, 1e-14, 500);
  x = double (norm (x));
endfunction

## Row i has elements in 10 columns, which peers_eigs.py computes as well.
function A = random_matrix_of (n)
  i = repmat ((0:n-1)', 1, 10);
  j = mod (i .* [1, 3, 7, 11, 13, 17, 19, 23, 29, 31] * 7919 + [1, 2, 3, 5, 8, 13, 21, 34, 55, 89] * 104729, n);
  A = sparse (i(:) + 1, j(:) + 1, sin (i(:) + 2 * j(:)), n, n);
endfunction

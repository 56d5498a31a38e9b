## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {} demo_same_script ()
## @deftypefnx {} {@var{errors} =} demo_same_script (@var{n})
## A script with @code{eig}, @code{inv} and @code{*} runs on a GPU after one line has been
## added, @code{A = gpu_array (A)}: the demo prints the script and evaluates it for a
## covariance matrix of order @var{n} without and with that line.  Without a GPU the arrays
## are in host memory.  Printed are the times; @var{errors} are the residuals that both
## runs compute, which are of the size of rounding errors.
## @end deftypefn

function errors = demo_same_script (n = 500)

  script = {
    '[V, lambda] = eig (A, "vector");'
    'half = V * (sqrt (lambda) .* V'');                 # square root of A'
    'whiten = inv (half);'
    'residual = norm (whiten * A * whiten - eye (rows (A)), 1);'
    'share = norm (lambda(end-9:end), 1) / norm (lambda, 1);'
    };
  added = "A = gpu_array (A);";
  gpu_info ();
  randn ("twister", 2026);
  X = randn (n, 2 * n) .* linspace (1, 0.1, n)';
  data = X * X' / (2 * n);
  run_script (script, gpu_array (data));   # load the gateway, warm up

  errors = zeros (1, 2);
  [errors(1), share(1), seconds(1)] = run_script (script, data);
  [errors(2), share(2), seconds(2)] = run_script ([{added}; script], data);
  printf ("\n+ %s\n", added);
  printf ("  %s\n", script{:});
  printf ("\n%-28s%12s%12s\n", "", "as it was", "with line 1");
  printf ("%-28s%10.3f s%10.3f s\n", "time", seconds);
  printf ("%-28s%12.1e%12.1e\n", "residual", errors);
  printf ("%-28s%12.8f%12.8f\n", "share of ten components", share);

endfunction

function [residual, share, seconds] = run_script (script, A)
  start = tic ();
  eval (strjoin (script(:)', "\n"));
  seconds = toc (start);
endfunction

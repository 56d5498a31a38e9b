## Claims: eigenvalues do not depend on the number of outputs, beyond rounding errors, in
## the same order; every kind of matrix for which that was ever otherwise, at random.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function agree (f, make, count, names, varargin)
%!  for b = names
%!    for k = 1:count
%!      A = make ();
%!      options = [varargin, {"Backend", b{1}}];
%!      one = f (A, options{:});
%!      [V, two] = f (A, options{:}, "vector");
%!      [V, three, W] = f (A, options{:}, "vector");
%!      n = rows (V);
%!      size_of = max (abs (A(:)));
%!      limit = 40 * n * eps (class (V)) * size_of;
%!      d = max (abs ([one - two; one - three; two - three]));
%!      if (! (d <= limit))
%!        error ("%s on %s: %g units\n%s", func2str (f), b{1}, d / limit,
%!               disp (A));
%!      endif
%!    endfor
%!  endfor
%!endfunction
%!function names = backends ()
%!  names = {"cpu"};
%!  info = gpu_info ();
%!  if (! isempty (info.devices))
%!    names{2} = "cuda";
%!  endif
%!endfunction
%!function A = part (n)
%!  classes = {@double, @single};
%!  A = randn (n) + 1i * (rand () < 0.5) * randn (n);
%!  A = classes{randi (2)} (A);
%!endfunction
%!function A = skew (n)
%!  A = part (n);
%!  A -= A';
%!endfunction
%!function A = unbalanced (n)
%!  A = part (n) .* 10 .^ (-16 * (rand (n) < 0.3));
%!endfunction
%!function A = hermitian (n)
%!  A = part (n);
%!  A += A';
%!endfunction

%!test  # real parts that are zero up to rounding errors
%! randn ("twister", test_seed (1));  rand ("twister", test_seed (1));
%! for method = {"auto", "shroff", "qr"}
%!   agree (@gpu_complex_eig, @() skew (randi ([2, 12])), 100, backends (),
%!          "Method", method{1});
%! endfor

%!test  # pages for which balancing is harmful
%! randn ("twister", test_seed (2));  rand ("twister", test_seed (2));
%! agree (@gpu_eig, @() unbalanced (randi ([4, 8])), 500, {"cpu"});
%! agree (@gpu_complex_eig, @() unbalanced (randi ([4, 8])), 300, {"cpu"});

%!test  # general matrices by the Jacobi-like method
%! randn ("twister", test_seed (3));  rand ("twister", test_seed (3));
%! for method = {"auto", "shroff"}
%!   agree (@gpu_complex_eig, @() part (randi ([2, 20])), 100, backends (),
%!          "Method", method{1});
%! endfor

%!test  # Hermitian pages: real largest component, as eig
%! randn ("twister", test_seed (6));  rand ("twister", test_seed (6));
%! for b = backends ()
%!   for k = 1:50
%!     A = cat (3, hermitian (6), hermitian (6)) + 1i * 0;
%!     [V, lambda] = gpu_complex_eig (A, "Backend", b{1}, "vector");
%!     for p = 1:2
%!       [~, at] = max (abs (V(:,:,p)));
%!       top = V(:,:,p)(sub2ind ([6, 6], at, 1:6));
%!       assert (max (abs (imag (top))) == 0);
%!       assert (norm (V(:,:,p)' * V(:,:,p) - eye (6), 1) < 60 * eps (class (V)));
%!     endfor
%!   endfor
%! endfor

%!function A = graded (n)
%!  A = part (n);
%!  switch (randi (3))
%!    case 1
%!      A .*= 10 .^ (10 * (rand (n, 1) - 0.5));
%!    case 2
%!      A = unbalanced (n);
%!  endswitch
%!  A *= 10 ^ (ifelse_single (A, 20, 250) * (2 * rand () - 1));
%!endfunction
%!function x = ifelse_single (A, x, y)
%!  if (isa (A, "double"))
%!    x = y;
%!  endif
%!endfunction

%!test  # general matrices of any scale: the order of eig
%! randn ("twister", test_seed (7));  rand ("twister", test_seed (7));
%! compared = 0;
%! for k = 1:2000
%!   A = graded (randi ([2, 12]));
%!   lambda = gpu_eig (A, "Backend", "cpu");
%!   [V, D, W] = gpu_eig (A, "Backend", "cpu", "vector");
%!   reference = eig (A);
%!   size_of = norm (A, 1);
%!   ## Where rounding errors, which differ between versions of LAPACK, may move two past
%!   ## each other, they also decide about the order of the others.
%!   moved = 10 * rows (A) * eps (class (A)) * size_of / min (abs (sum (conj (W) .* V, 1)));
%!   gap = min (abs (reference - reference.' + diag (Inf (1, rows (A))))(:));
%!   order = @(x) max (abs (x - reference)) <= 1e-2 * size_of;
%!   compared += moved < gap;
%!   if (moved < gap && ! (order (lambda) && order (D)))
%!     error ("matrix %d: \n%s", k, disp ([reference, lambda, D] / size_of));
%!   endif
%!   n = rows (A);
%!   limit = 20 * n * eps (class (A)) * size_of;
%!   assert (norm (A * V - V .* D.', 1) <= limit * norm (V, 1));
%!   assert (norm (W' * A - D .* W', 1) <= 20 * n * limit);
%! endfor
%! assert (compared > 800, "%d compared", compared);

%!test  # equal pairs stay together
%! for Q = {eye(2), orth(magic (4)(1:2,1:2))}
%!   A = kron (eye (3), Q{1} * [1, 2; -2, 1] / Q{1});
%!   for b = backends ()
%!     for B = {A, cat(3, A, 2 * A, A', A, A)}
%!       for f = {@gpu_eig, @gpu_complex_eig}
%!         [V, D] = f{1} (B{1}, "Backend", b{1}, "vector");
%!         for lambda = {f{1}(B{1}, "Backend", b{1}), D}
%!           assert (sign (imag (lambda{1}(:,:))),
%!                   repmat ([1; -1], 3, size (B{1}, 3)));
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor

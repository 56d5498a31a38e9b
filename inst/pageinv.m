## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{Y} =} pageinv (@var{X})
## Inverses of the pages of @var{X}, @code{Y(:,:,k) = inv (X(:,:,k))}.
##
## @example
## @group
## pageinv (cat (3, [2, 0; 0, 1], [4, 0; 0, 1]))(1,1,:)
##   @result{} cat (3, 0.5, 0.25)
## @end group
## @end example
##
## @seealso{gpu_array, pagemldivide, gpu_tdinv}
## @end deftypefn

function Y = pageinv (X)

  if (nargin != 1)
    print_usage ();
  endif
  Y = __pages__ (@inv, X);

endfunction

%!test
%! X = reshape (sin ((1:54) .^ 2), 3, 3, 3, 2);
%! for Y = {pageinv(X), gather(pageinv (gpu_array (X)))}
%!   assert (size (Y{1}), size (X));
%!   assert (Y{1}(:,:,5), inv (X(:,:,5)), 1e-13);
%! endfor
%! assert (size (pageinv (zeros (2, 2, 0))), [2 2 0]);
%! A = randn (130) + 20 * eye (130);
%! assert (gather (pageinv (gpu_array (cat (3, A, 2 * A))))(:,:,2), inv (2 * A), 1e-12);
## One warning for all pages, by arrays of either kind; none if it is turned off.
%!test
%! X = cat (3, magic (3), zeros (3), magic (4)(1:3,1:3), ones (3));
%! for G = {X, gpu_array(X)}
%!   lastwarn ("");
%!   evalc ("Y = gather (pageinv (G{1}));");
%!   [text, id] = lastwarn ();
%!   assert (id, "Octave:singular-matrix");
%!   assert (text, "pageinv: 2 of 4 pages are singular to machine precision");
%!   assert (Y(:,:,2), Inf (3));
%!   assert (Y(:,:,1), inv (magic (3)), 1e-14);
%!   warning ("off", "Octave:singular-matrix", "local");
%!   assert (evalc ("Y = gather (pageinv (G{1}));"), "");
%!   warning ("on", "Octave:singular-matrix", "local");
%! endfor
%! evalc ("pagemldivide (ones (2, 2, 3), [1; 2]);");
%! assert (lastwarn (), "pagemldivide: 3 of 3 pages are singular to machine precision");

%!error <Invalid call> pageinv ()
%!error <square> pageinv (ones (2, 3, 2))

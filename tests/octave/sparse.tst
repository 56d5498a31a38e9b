## Claims: gpu_array of a sparse matrix stays sparse, with the operators and functions of Octave's sparse
## matrices; full results of it and of other arrays are on the GPU; nothing becomes full by itself.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function r = outcome (f, varargin)
%!  try
%!    r = gather (f (varargin{:}));
%!    r = {class(r), issparse(r), size(r), r};
%!  catch err
%!    r = {merge(isempty (err.identifier), err.message, err.identifier)};
%!  end_try_catch
%!endfunction

%!function x = assigned (x, value, varargin)
%!  x(varargin{:}) = value;
%!endfunction

%!test
%! warning ("off", "all", "local");
%! A = [4 0 1 0; 0 5 0 0; 1 0 6 2; 0 0 2 7];
%! G = magic (4) / 3;
%! x = G(:,1);
%! uses = {@(S) S, @size, @nnz, @nzmax, @issparse, @isreal, @iscomplex, @isfloat, @islogical, @isnumeric, @isempty, @numel, ...
%!         @(S) isa (S, "float"), @full, @find, @(S) nthargout (1:3, @find, S){3}, @nonzeros, @diag, @(S) diag (S, 1), @transpose, ...
%!         @ctranspose, @(S) -S, @(S) +S, @not, @(S) 2 * S, @(S) S / 2, @(S) S + 1, @(S) S .^ 2, @(S) S ^ 2, @(S) S * S, @(S) S + S, ...
%!         @(S) S - S', @(S) S .* S, @(S) S & S, @(S) S > 1, @(S) S == S', @abs, @sqrt, @real, @(S) sum (S), @(S) sum (S, 2), ...
%!         @(S) sum (S(:)), @(S) prod (S), @(S) max (S), @(S) max (S, [], 2), @(S) any (S), @(S) all (S), @(S) cumsum (S), ...
%!         @(S) S(2,:), @(S) S(:,3), @(S) S(2:3,[1 4]), @(S) S(3,3), @(S) S(:), @(S) S(logical (eye (4))), @(S) S(20), @(S) S(S > 1), ...
%!         @tril, @triu, @(S) kron (S, [1 2]), @(S) [S, S], @(S) [S; 1:4], @(S) [1:4; S], @(S) reshape (S, 2, 8), @spones, ...
%!         @(S) spfun (@exp, S), @(S) norm (S, 1), @(S) norm (S, "fro"), @trace, @(S) det (S), @(S) inv (S), @(S) S \ x, @(S) x' / S, ...
%!         @(S) chol (S), @(S) lu (S), @(S) S * x, @(S) S' * x, @(S) x' * S, @(S) S * G, @(S) G * S, @(S) S .* G, @(S) S + G, @(S) G ./ S, ...
%!         @(S) S .* x, @(S) S * 1i, @(S) single (G) * S, @(S) isequal (S, S'), @(S) double (S), @(S) logical (S), @(S) repmat (S, 2, 1), ...
%!         @(S) assigned (S, 9, 1, 2), @(S) assigned (S, [], 2, ":"), @(S) assigned (S, 0, ":", 1), @(S) assigned (S, 1, 6, 6), ...
%!         @(S) assigned (G, S, ":"), @(S) assigned (S, G, ":"), @issymmetric, @(S) ishermitian (S), @(S) permute (S, [2, 1]), ...
%!         @(S) zeros (2, 3, "like", S), @mat2str, @(S) sprintf ("%d,", S), @(S) num2str (S), @(S) sparse (S), @(S) circshift (S, 1), ...
%!         @(S) pcg (S, x, 1e-10, 50), @(S) mean (S), @(S) ichol (S), @(S) S(:,[1 1]), @(S) S(0), @(S) S + {1}, @(S) S * ones (3), ...
%!         @(S) S * gpu_array (x), @(S) S' * gpu_array (x), @(S) gpu_array (x)' * S, @(S) S * gpu_array (G), @(S) gpu_array (G) * S, ...
%!         @(S) S .* gpu_array (G), @(S) S + gpu_array (G), @(S) gpu_array (G)' * S, @(S) S \ gpu_array (x), @(S) gpu_array (x)' / S, ...
%!         @(S) [S, gpu_array(G)], @(S) [gpu_array(G); S], @(S) gpu_array (G) > S, @(S) max (gpu_array (G), S), @(S) kron (gpu_array (x), S), ...
%!         @(S) gpu_array (G)(logical (S)), @(S) assigned (gpu_array (G), 0, logical (S)), @(S) assigned (gpu_array (G), S, ":"), ...
%!         @(S) pcg (S, gpu_array (x), 1e-10, 50), @(S) pcg (@(v) S * v, gpu_array (x), 1e-10, 50), @(S) S * int8 (2), ...
%!         @(S) S .* gpu_array (logical (A)), @(S) sparse (gpu_array (G)) + S};
%! n = 0;
%! for M = {sparse(A), sparse(A * (1 + 2i)), sparse(A > 0)}
%!   for f = uses
%!     wanted = outcome (f{1}, M{1});
%!     got = outcome (f{1}, gpu_array (M{1}));
%!     near = isequaln (got, wanted) || (numel (got) == 4 && isequal (got(1:3), wanted(1:3)) && isnumeric (got{4}) ...
%!                                       && norm (double (full (got{4} - wanted{4})), 1) <= 1e-12 * norm (double (full (wanted{4})), 1));
%!     assert (near, "%s of %s %s: %s", func2str (f{1}), {"real", "complex"}{iscomplex(M{1}) + 1}, class (M{1}), disp (got));
%!     n++;
%!   endfor
%! endfor
%! report_count ("operations of sparse arrays", n);

## What is an array, sparse or full; what it takes.
%!test
%! S = gpu_array (sparse ([2 -1 0; -1 2 -1; 0 -1 2]));
%! G = gpu_array ([1 2; 3 4; 5 6]);
%! for r = {S, S', 2 * S, S .^ 2, S + S, S(2:3,:), S(:,1), [S, S], sum(S), tril(S), spones(S), sparse(G), zeros(2, "like", S), cast(G, "like", S)}
%!   assert (isgpuarray (r{1}) && issparse (r{1}), disp (r{1}));
%! endfor
%! for r = {S * G, S \ G, G' * S, S + 1, full(S), nonzeros(S)}
%!   assert (isgpuarray (r{1}) && ! issparse (r{1}), disp (r{1}));
%! endfor
%! assert ({underlyingType(S), class(S), nnz(S), issparse(gather (S))}, {"double", "gpuArray", 7, true});
%! text = evalc ("S");
%! assert (! isempty (strfind (text, "3x3 gpu_array, sparse double, in host memory")) && ! isempty (strfind (text, "(2, 2)")), text);
%! before = gpu_info ().arrays;
%! L = gpu_array (speye (200000));
%! x = L * gpu_array (ones (200000, 1));
%! L = (L + L)' * 2;
%! y = zeros (200000, 200000, "like", L);
%! assert ({nnz(L), sum(x), nnz(y), issparse(y)}, {200000, 200000, 0, true});
%! now = gpu_info ().arrays;
%! assert (now.host + now.device - before.host - before.device <= 16 * 200000);

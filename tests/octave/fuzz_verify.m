## Verify the outputs OUT of a successful call of fuzz_call: "" or a description of
## the error.  ID is the last warning's identifier.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function text = fuzz_verify (call, out, id)
  text = "";
  if (strcmp (call.name, "gpu_eig") && has_empty (call.args))
    if (! all (cellfun (@(x) isequal (x, []), out(1:min (3, end)))))
      text = "outputs for an empty matrix that are not empty";
    endif
    return;
  endif
  if (call.refused)
    text = "an answer for an argument that must be refused";
  elseif (! call.loose && isempty (id) && numel (out) >= 1)
    if (strcmp (call.name, "gpu_tdinv"))
      text = verify_inverse (call, out);
    else
      text = verify_eigenvalues (call, out);
    endif
  endif
endfunction

## Matrices whose norm's square neither overflows nor vanishes: what this file
## computes with them is exact enough.
function tf = moderate (A)
  tf = all (isfinite (A(:)));
  if (! isempty (A) && tf)
    a = norm (A(:), Inf);
    if (isa (A, "single"))
      tf = a > 1e-30 && a < 1e30;
    else
      tf = a > 1e-290 && a < 1e290;
    endif
  endif
endfunction

function text = verify_eigenvalues (call, out)
  text = "";
  n_matrices = find ([cellfun(@ischar, call.args), true], 1) - 1;
  A = full (call.args{1});
  if (n_matrices == 2 && strcmp (call.name, "gpu_mrrr"))
    A = tridiagonal (call.args{1}, call.args{[2, 2]});
  elseif (n_matrices == 2 || (strcmp (call.name, "gpu_mrrr") && isvector (A) && ! isscalar (A)))
    return;  # pairs: stress.m
  endif
  if (! isfloat (A) || rows (A) != columns (A))
    text = "an answer for no square matrix";
    return;
  endif
  pages = prod (size (A)(3:end));
  ## These treat a symmetric matrix as if it were general.
  symmetric = ! any (ismember (call.args(cellfun (@ischar, call.args)), {"geev", "qr"}));
  for p = 1:pages
    symmetric &= isequal (A(:,:,p), A(:,:,p)');
  endfor
  if (! all (cellfun (@(x) all (isfinite (x(:))), out(1:min (3, end)))))
    text = "NaN or Inf in the answer";
  elseif (! strcmp (class (out{1}), class (A)))
    text = ["the answer is of class " class(out{1})];
  elseif (numel (out) < 2 && isempty (A) != isempty (out{1}))
    text = "an answer of another size for an empty matrix";
  elseif (symmetric && ! isreal (out{min (2, end)}))
    text = "complex eigenvalues of a symmetric matrix";
  endif
  for p = 1:pages * (isempty (text) && ! isempty (A))
    if (moderate (A(:,:,p)) && numel (out) > 1)
      text = [text, verify_page(A(:,:,p), out{1}(:,:,p), out{2}(:,:,p), symmetric)];
      if (! symmetric && numel (out) > 2)
        text = [text, verify_page(A(:,:,p)', out{3}(:,:,p), conj (out{2}(:,:,p)), false)];
      endif
    elseif (moderate (A(:,:,p)) && symmetric && columns (out{1}) == 1 && rows (out{1}) == rows (A))
      error = norm (double (out{1}(:,1,p)) - eig (double (A(:,:,p))), Inf) / (rows (A) * eps (class (A)));
      if (! (error < 20 * max (norm (double (A(:,:,p)), 1), realmin ())))
        text = sprintf ("page %d: eigenvalues alone are off by %g", p, error);
      endif
    endif
  endfor
endfunction

function text = verify_page (A, V, D, symmetric)
  text = "";
  if (columns (D) == columns (V))
    D = diag (D);
  endif
  [residual, orthogonality] = eigen_errors (A, [], V, D);
  lengths = max ([0, abs(norm (double (V), 2, "columns") - 1)]) / (rows (A) * eps (class (V)));
  if (! (residual < 20 * max (norm (V, 1), 1)) && (symmetric || ! graded (A)))
    text = sprintf ("residual %g", residual);
  elseif (symmetric && ! (orthogonality < 20 && isreal (D) && issorted (D)))
    text = sprintf ("orthogonality %g, eigenvalues real and ascending %d", orthogonality, isreal (D) && issorted (D));
  elseif (! symmetric && ! (lengths < 20))
    text = sprintf ("a vector's norm is not 1: %g", lengths);
  endif
endfunction

## Of many magnitudes: balancing, eig's default too, then trades the residual of
## the matrix for that of the balanced one.
function tf = graded (A)
  a = abs (A(A != 0));
  tf = ! isempty (a) && max (a) > 1e8 * min (a);
endfunction

function text = verify_inverse (call, out)
  text = "";
  args = call.args(1:find ([cellfun(@ischar, call.args), true], 1) - 1);
  if (numel (args) == 1)
    T = full (args{1});
  else
    T = tridiagonal (args{[2, 3, 1]});
  endif
  X = full (out{1});
  if (! moderate (T) || ndims (T) > 2 || isempty (T))
    return;
  endif
  scale = norm (T, 1);
  T /= scale;
  X *= scale;
  kappa = 1 / rcond (double (T));
  if (! (kappa * eps (class (T)) < 1e-3))
    return;
  endif
  ratio = norm (T*X - eye (rows (T)), 1) / (rows (T) * eps (class (T)) * kappa);
  if (! (ratio < 20))
    text = sprintf ("residual %g", ratio);
  endif
endfunction

## The matrix with the diagonals A, B above and C below.
function T = tridiagonal (a, b, c)
  T = full (diag (a(:)));
  if (numel (b) > 0)
    T = T + diag (full (b(:)), 1) + diag (full (c(:)), -1);
  elseif (isa (b, "single"))
    T = single (T);
  endif
endfunction

## Nonzero for arguments that begin with matrices of class double or single, one or two,
## of which one is empty.
function result = has_empty (args)
  n = find ([cellfun(@ischar, args), true], 1) - 1;
  matrices = args(1:min (n, 2));
  result = all (cellfun (@isfloat, matrices)) ...
           && any (cellfun (@(x) isempty (x) && ndims (x) == 2, matrices));
endfunction

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
  n_matrices = find (cellfun (@ischar, call.args), 1) - 1;
  if (isempty (n_matrices))
    n_matrices = numel (call.args);
  endif
  A = full (call.args{1});
  B = [];
  if (n_matrices == 2 && strcmp (call.name, "gpu_mrrr"))
    d = full (call.args{1}(:));
    e = full (call.args{2}(:));
    A = diag (d);
    if (numel (d) > 1)
      A += diag (e, 1) + diag (e, -1);
    endif
    if (isa (d, "single") || isa (e, "single"))
      A = single (A);
    endif
  elseif (n_matrices == 2)
    return;  # pairs: the tests of gpu_eig check these
  endif
  if (strcmp (call.name, "gpu_mrrr") && n_matrices == 1 && isvector (A) ...
      && ! isscalar (A))
    return;
  endif
  if (! isfloat (A) || rows (A) != columns (A))
    text = "an answer for no square matrix";
    return;
  endif
  n = rows (A);
  ## These treat a symmetric matrix as if it were general.
  symmetric = ! any (ismember (call.args(cellfun (@ischar, call.args)), {"geev", "qr"}));
  for p = 1:prod (size (A)(3:end))
    symmetric &= isequal (A(:,:,p), A(:,:,p)');
  endfor
  if (! all (cellfun (@(x) all (isfinite (x(:))), out(1:min (3, end)))))
    text = "NaN or Inf in the answer";
  elseif (! strcmp (class (out{1}), class (A)))
    text = ["the answer is of class " class(out{1})];
  elseif (numel (out) < 2)
    if (isempty (A) && ! isempty (out{1}))
      text = "an answer that is not empty for an empty matrix";
    elseif (symmetric && ! isreal (out{1}))
      text = "complex eigenvalues of a symmetric matrix";
    elseif (symmetric && columns (out{1}) == 1)
      text = verify_values (A, out{1}, n);
    endif
  else
    text = verify_vectors (A, out{1}, out{2}, symmetric, n);
    if (isempty (text) && ! symmetric && numel (out) > 2)
      text = verify_vectors (adjoint_pages (A), out{3}, conj (out{2}), false, n);
    endif
  endif
endfunction

## The conjugate transpose of every page: left vectors are its right ones.
function A = adjoint_pages (A)
  A = conj (permute (A, [2, 1, 3:ndims(A)]));
endfunction

## All eigenvalues of symmetric pages; those of a part of the spectrum are left to
## the tests of gpu_mrrr.
function text = verify_values (A, lambda, n)
  text = "";
  for p = 1:prod (size (A)(3:end)) * (rows (lambda) == n && n > 0)
    Ap = double (A(:,:,p));
    if (! moderate (A(:,:,p)))
      continue;
    endif
    reference = eig ((Ap + Ap') / 2);
    error = norm (double (lambda(:,1,p)) - reference, Inf) ...
            / (n * eps (class (A)) * max (norm (Ap, 1), realmin ()));
    if (! (error < 20))
      text = sprintf ("page %d: eigenvalues alone are off by %g", p, error);
    endif
  endfor
endfunction

function text = verify_vectors (A, V, D, symmetric, n)
  text = "";
  unit = n * eps (class (A));
  for p = 1:prod (size (A)(3:end))
    Ap = A(:,:,p);
    if (! moderate (Ap) || n == 0)
      continue;
    endif
    scale = norm (Ap, 1);
    if (scale == 0)
      scale = 1;
    endif
    Ap /= scale;
    Vp = V(:,:,p);
    if (columns (D) == columns (V))
      L = full (D(:,:,p)) / scale;
    else
      L = diag (D(:,:,p)) / scale;
    endif
    residual = norm (Ap*Vp - Vp*L, 1) / (max (norm (Vp, 1), 1) * unit);
    if (! (residual < 20) && (symmetric || ! graded (Ap)))
      text = sprintf ("page %d: residual %g", p, residual);
    elseif (symmetric && ! (norm (Vp'*Vp - eye (columns (Vp)), 1) < 20 * unit))
      text = sprintf ("page %d: orthogonality %g", p,
                      norm (Vp'*Vp - eye (columns (Vp)), 1) / unit);
    elseif (symmetric && ! (isreal (L) && issorted (diag (L))))
      text = sprintf ("page %d: eigenvalues are not real and ascending", p);
    elseif (! symmetric && any (abs (norm (Vp, 2, "columns") - 1) > 20 * unit))
      text = sprintf ("page %d: a vector's norm is not 1", p);
    endif
  endfor
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
  elseif (numel (args{2}) == 1)
    T = full (args{2});
  else
    T = diag (full (args{2}(:))) + diag (full (args{1}(:)), -1) ...
        + diag (full (args{3}(:)), 1);
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

## Nonzero for arguments that begin with matrices of class double or single, one or two,
## of which one is empty.
function result = has_empty (args)
  n = find ([cellfun(@ischar, args), true], 1) - 1;
  matrices = args(1:min (n, 2));
  result = all (cellfun (@isfloat, matrices)) ...
           && any (cellfun (@(x) isempty (x) && ndims (x) == 2, matrices));
endfunction

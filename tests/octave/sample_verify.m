## Verify OUT, the outputs of a call of sample_calls: "" or a description of the error.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function text = sample_verify (call, out)
  text = "";
  if (strcmp (call.name, "gpu_tdinv"))
    ratios = inverse_ratio (call.args, out{1});
  elseif (strcmp (call.name, "gpu_schur"))
    ratios = schur_ratios (call.args{1}, out{1}, out{2});
  elseif (strcmp (call.name, "gpu_ordschur"))
    ratios = schur_ratios (call.args{2}, out{1}, out{2});
  elseif (any (strcmp (call.name, public_functions ("matrix"))))
    ratios = function_ratios (call.name, call.args{1}, out{1});
  elseif (strcmp (call.name, "gpu_polar"))
    ratios = polar_ratios (call.args{1}, out{1:2});
  elseif (strcmp (call.name, "gpu_svd"))
    ratios = svd_ratios (call.args{1}, out{1:3});
  elseif (strcmp (call.name, "gpu_pinv"))
    ratios = pinv_ratios (call.args{1}, out{1});
  else
    ratios = eigen_ratios (call.args, out{:});
  endif
  if (! all (ratios < 20))
    text = sprintf ("%s: ratios %s", call.text, mat2str (ratios, 3));
  endif
endfunction

function ratio = inverse_ratio (args, X)
  T = dense_tridiagonal (args, "gpu_tdinv");
  ratio = norm (T*X - eye (rows (T)), 1) ...
          / (rows (T) * eps (class (X)) * cond (double (T), 1));
endfunction

function ratios = schur_ratios (A, U, S)
  unit = rows (A) * eps (class (S));
  ratios = [norm(A * U - U * S, 1) / (norm (A, 1) * unit), ...
            norm(U' * U - eye (rows (A)), 1) / unit];
endfunction

## The matrices' eigenvalues are positive and no condition number is large.
function ratios = function_ratios (name, A, X)
  for p = 1:size (A, 3)
    Ap = double (A(:,:,p));
    Xp = double (X(:,:,p));
    switch (name)
      case "gpu_sqrtm"
        difference = Xp * Xp - Ap;
      case "gpu_logm"
        difference = expm (Xp) - Ap;
      case "gpu_expm"
        difference = (Xp - expm (Ap)) / norm (Xp, 1) * norm (Ap, 1);
      otherwise
        difference = (Xp * Xp - Ap^3) / norm (Xp, 1)^2 * norm (Ap, 1);
    endswitch
    ratios(p) = norm (difference, 1) / (norm (Ap, 1) * rows (A) * eps (class (X)));
  endfor
endfunction

function ratios = polar_ratios (A, U, H)
  ratios = [];
  unit = rows (A) * eps (class (H));
  for p = 1:size (A, 3)
    ratios(end+1) = norm (U(:,:,p)' * U(:,:,p) - eye (columns (A)), 1) / unit;
    ratios(end+1) = norm (A(:,:,p) - U(:,:,p) * H(:,:,p), 1) / (norm (A(:,:,p), 1) * unit);
    ratios(end+1) = -min (eig (H(:,:,p))) / (norm (H(:,:,p), 1) * unit);
  endfor
endfunction

function ratios = svd_ratios (A, U, S, V)
  ratios = [];
  unit = max (size (A)(1:2)) * eps (class (S));
  for p = 1:size (A, 3)
    for X = {U(:,:,p), V(:,:,p)}
      ratios(end+1) = norm (X{1}' * X{1} - eye (columns (X{1})), 1) / unit;
    endfor
    ratios(end+1) = norm (A(:,:,p) - U(:,:,p) * S(:,:,p) * V(:,:,p)', 1) / (norm (A(:,:,p), 1) * unit);
  endfor
endfunction

## Moore's and Penrose's conditions.
function ratios = pinv_ratios (A, X)
  ratios = [];
  unit = max (size (A)(1:2)) * eps (class (X));
  for p = 1:size (A, 3)
    B = A(:,:,p);
    Y = X(:,:,p);
    k = norm (B) * norm (Y) * unit;
    ratios = [ratios, norm(B*Y*B - B) / (k * norm (B)), norm(Y*B*Y - Y) / (k * norm (Y)), ...
              norm(B*Y - (B*Y)') / k, norm(Y*B - (Y*B)') / k];
  endfor
endfunction

## For each page: the residuals of V and, of a general matrix, of W; how far V is
## from orthonormal (from V'*B*V = I), or of a general matrix the lengths of the
## columns of V and W from 1.  In units of n eps, where NaN is no number below 20.
function ratios = eigen_ratios (args, V, D, W, varargin)
  A = args{1};
  B = eye (rows (A));
  if (isvector (A) && numel (args) > 1)
    A = dense_tridiagonal (args, "gpu_mrrr");
    B = eye (rows (A));
  elseif (numel (args) > 1 && ! ischar (args{2}))
    B = args{2};
  endif
  A = full (A);
  ratios = [];
  for p = 1:size (A, 3)
    Ap = A(:,:,p);
    Vp = V(:,:,p);
    Dp = D(:,:,p);
    [residual, orthogonality] = eigen_errors (Ap, B(:,:,min (p, end)), Vp, diag (Dp));
    if (ishermitian (Ap))
      ratios = [ratios, residual, orthogonality];
    else
      Wp = W(:,:,p);
      ratios(end+1) = residual;
      ratios(end+1) = eigen_errors (Ap', [], Wp, diag (Dp')) / norm (Wp, 1);
      ratios(end+1) = norm (norm ([Vp, Wp], 2, "columns") - 1, Inf) / (rows (A) * eps (class (V)));
    endif
  endfor
endfunction

function T = dense_tridiagonal (args, name)
  if (numel (args) == 1)
    T = full (args{1});
  elseif (strcmp (name, "gpu_mrrr"))
    T = diag (args{1}) + diag (args{2}, 1) + diag (args{2}, -1);
  else
    T = diag (args{2}) + diag (args{1}, -1) + diag (args{3}, 1);
  endif
endfunction

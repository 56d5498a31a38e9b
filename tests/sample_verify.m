## Is OUT, the outputs of a call of sample_calls, right?  "" or what is wrong.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function text = sample_verify (call, out)
  text = "";
  if (strcmp (call.name, "gpu_tdinv"))
    ratio = inverse_ratio (call.args, out{1});
  else
    ratio = eigen_ratio (call.args, out{1}, out{2});
  endif
  if (! (ratio < 20))
    text = sprintf ("%s: ratio %g", call.text, ratio);
  endif
endfunction

function ratio = inverse_ratio (args, X)
  T = dense_tridiagonal (args, "gpu_tdinv");
  ratio = norm (T*X - eye (rows (T)), 1) ...
          / (rows (T) * eps (class (X)) * cond (double (T), 1));
endfunction

function ratio = eigen_ratio (args, V, D)
  A = args{1};
  B = eye (rows (A));
  if (isvector (A) && numel (args) > 1)
    A = dense_tridiagonal (args, "gpu_mrrr");
    B = eye (rows (A));
  elseif (numel (args) > 1)
    B = args{2};
  endif
  A = full (A);
  ratio = 0;
  for p = 1:size (A, 3)
    R = A(:,:,p) * V(:,:,p) - B * V(:,:,p) * D(:,:,p);
    unit = norm (A(:,:,p), 1) * norm (V(:,:,p), 1) * cond (B) ...
           * rows (A) * eps (class (V));
    ratio = max (ratio, norm (R, 1) / unit);
    if (! all (isfinite (V(:,:,p)(:))))
      ratio = Inf;
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

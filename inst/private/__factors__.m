## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{out} =} __factors__ (@var{name}, @var{n}, @var{args})
## The @var{n} outputs of the function @code{lu} or @code{qr} of the array in @var{args}.
## @end deftypefn

function out = __factors__ (name, n, args)

  a = args{1};
  out = cell (1, max (n, 1));
  is_qr = strcmp (name, "qr");
  economy = numel (args) == 2 && isequal (args{2}, 0);
  if (ndims (a) > 2 || numel (a) < 2 || n > 3 - is_qr || (is_qr && n < 2)
      || (numel (args) > 1 && ! (is_qr && economy)))
    [out{:}] = __array__ (name, "host", Inf, args{:});
    return;
  endif
  if (is_qr)
    [out{1:2}] = __array__ (name, "qr", a, double (economy));
    return;
  endif
  [f, p] = __array__ (name, "lu", a);
  out{1} = f;
  if (n > 1)
    [m, k] = size (f);
    least = 1:min (m, k);
    L = tril (f, -1)(:,least);
    L(1:m+1:m*numel(least)) = 1;
    out{2} = triu (f(least,:));
    back(p) = 1:m;
    out{1} = L;
    if (n < 3)
      out{1} = L(back,:);
    else
      out{3} = real (double (zeros (m, "like", a)));
      out{3}((1:m)' + (p - 1) * m) = 1;
    endif
  endif

endfunction

## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{out} =} __lu__ (@var{n}, @var{args})
## The @var{n} outputs of @code{lu} of the array in @var{args}.
## @end deftypefn

function out = __lu__ (n, args)

  a = args{1};
  out = cell (1, max (n, 1));
  if (ndims (a) > 2 || numel (a) < 2 || n > 3 || numel (args) > 1)
    [out{:}] = __array__ ("lu", "host", Inf, args{:});
    return;
  endif
  [f, p] = __array__ ("lu", "lu", a);
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

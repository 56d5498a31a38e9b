## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} __made_like__ (@var{name}, @var{args})
## The array @code{@var{name} (@dots{}, "like", G)}, in the place and of the class of @var{G}.
## @end deftypefn

function r = __made_like__ (name, args)

  at = find (cellfun (@ischar, args) & strcmpi (args, "like"));
  if (numel (at) != 1 || at != numel (args) - 1 || ! isobject (args{end}))
    error ("Octave:invalid-fun-call", ...
           "%s: sizes must be numbers; of a gpu_array, use size (G) or gather (G)", name);
  endif
  like = args{end};
  constant = any (strcmp (name, {"zeros", "ones", "Inf", "NaN"}));
  dims = args(1:at-1);
  if (constant)
    ## Checks the sizes, and makes no array.
    dims = [dims{:}](:)';
    if (isscalar (dims)), dims = [dims, dims]; endif
    x = feval (name, underlyingType (like));
  else
    x = feval (name, dims{:}, underlyingType (like));
  endif
  if (iscomplex (like) && strcmp (name(1:3), "ran") == 0)
    x = complex (x);
  endif
  r = __array__ (name, "put", x, like);
  if (constant && ! isempty (dims) && any (dims != 1))
    r = repmat (r, max (dims, 0));
  endif

endfunction

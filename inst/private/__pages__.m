## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{r} =} __pages__ (@var{f}, @var{A}, @var{B})
## @code{@var{f} (A(:,:,k), B(:,:,k))} for all pages, further dimensions of 1 being repeated;
## @var{B} may be left out.  @code{@@inv}, @code{@@mldivide} and @code{@@mrdivide} warn once of
## singular pages, with their number, under the name of the page function.
## @end deftypefn

function r = __pages__ (f, varargin)

  dims = size (varargin{1})(3:end);
  at = {reshape(1:prod (dims), [dims, 1, 1])};
  if (nargin > 2)
    dims = size (varargin{2})(3:end);
    of_b = reshape (1:prod (dims), [dims, 1, 1]);
    at = {at{1} + 0 * of_b, of_b + 0 * at{1}};
  endif
  name = func2str (f);
  ids = {};
  if (any (strcmp (name, {"inv", "mldivide", "mrdivide"})))
    ids = {"Octave:singular-matrix", "Octave:nearly-singular-matrix"};
  endif
  ## A warning that the caller turned off, or made an error, stays that.
  ids = ids(cellfun (@(id) strcmp (warning ("query", id).state, "on"), ids));
  [x, warned] = results_of_pages (f, ids, at, varargin);
  if (any (warned))
    warning ("off", "backtrace", "local");
    warning (ids{find (warned, 1)}, "page%s: %d of %d pages are singular to machine precision", ...
             name, sum (warned), numel (x));
  endif
  if (isempty (x))
    samples = {eye(size (varargin{1})(1:2))};
    if (nargin > 2)
      samples{2} = ones (rows (varargin{2}), columns (varargin{2}));
    endif
    r = zeros ([size(f (samples{:})), size(at{1})]);
  elseif (isscalar (x))
    r = x{1};
  else
    r = reshape (cat (3, x{:}), [size(x{1}), size(x)]);
  endif

endfunction

## X{k}: F of pages AT{i}(k) of ARGS{i}.  WARNED: how many had each of the warnings IDS.
function [x, warned] = results_of_pages (f, ids, at, args)
  for id = ids
    warning ("error", id{1}, "local");
  endfor
  x = cell (size (at{1}));
  warned = zeros (size (ids));
  [a, at_a] = deal (args{1}, at{1});
  [b, at_b] = deal (args{end}, at{end});
  for k = 1:numel (x)
    try
      if (numel (args) > 1)
        x{k} = f (page (a, at_a(k)), page (b, at_b(k)));
      else
        x{k} = f (page (a, at_a(k)));
      endif
    catch err
      is = strcmp (err.identifier, ids);
      if (! any (is))
        rethrow (err);
      endif
      warned += is;
      pages = {page(a, at_a(k)), page(b, at_b(k))}(1:numel (args));
      x{k} = without_warnings (f, ids, pages);
    end_try_catch
  endfor
endfunction

## Sparse matrices take two indices only.
function x = page (a, k)
  if (issparse (a))
    x = a;
  else
    x = a(:,:,k);
  endif
endfunction

function r = without_warnings (f, ids, pages)
  for id = ids
    warning ("off", id{1}, "local");
  endfor
  r = f (pages{:});
endfunction

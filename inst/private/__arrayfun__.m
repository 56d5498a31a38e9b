## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@dots{}] =} __arrayfun__ (@var{f}, @var{args})
## @code{arrayfun (@var{f}, @var{args}@{:@})}, of which an argument is an array.  Dimensions of 1
## are repeated, as by MATLAB for its arrays.  A function that is made of elementwise operations is
## called once with whole arrays, if elements of the result are those of calls with numbers; any
## other one with one number after the other, in host memory.
## @end deftypefn

function varargout = __arrayfun__ (f, args)

  last = find ([cellfun(@ischar, args), true], 1) - 1;
  data = args(1:last);
  like = data{find ([cellfun(@isobject, data(1:end-1)), true], 1)};
  plain = cellfun (@gather, data, "UniformOutput", false);
  if (! size_equal (plain{:}))
    [data, plain] = expanded (data, plain);
  endif
  ## A few hundred calls take as long as the translation of the function.
  if (nargout < 2 && last == numel (args) && numel (plain{1}) > 256)
    [varargout{1}, done] = of_whole (f, data, plain);
    if (done)
      return;
    endif
  endif
  if (of_arrays (f))
    f = @(varargin) __gather_results__ (f, varargin{:});
  endif
  [varargout{1:nargout}] = arrayfun (f, plain{:}, args(last+1:end){:});
  for i = 1:nargout
    x = varargout{i};
    if ((isfloat (x) || isinteger (x)) && numel (x) != 1)
      varargout{i} = __array__ ("arrayfun", "put", x, like);
    endif
  endfor

endfunction

## The data with the dimensions that are 1 repeated; what does not fit is left to Octave's error.
function [data, plain] = expanded (data, plain)
  most = max (cellfun (@ndims, plain));
  sizes = cell2mat (cellfun (@(x) postpad (size (x), most, 1), plain(:), "UniformOutput", false));
  largest = max (sizes, [], 1);
  if (! all ((sizes == largest | sizes == 1)(:)))
    return;
  endif
  for i = 1:numel (plain)
    if (any (sizes(i,:) != largest))
      data{i} = repmat (data{i}, largest ./ sizes(i,:));
      plain{i} = repmat (plain{i}, largest ./ sizes(i,:));
    endif
  endfor
endfunction

## The result of one call with whole arrays, and whether it is that of calls with numbers.
function [r, done] = of_whole (f, data, plain)
  r = [];
  done = false;
  g = __vectorized__ (f);
  if (isempty (g))
    return;
  endif
  at = unique (round (linspace (1, numel (plain{1}), 8)));
  sample = cellfun (@(x) x(at), plain, "UniformOutput", false);
  try
    r = g (data{:});
    done = size_equal (r, plain{1});
    if (done)
      wanted = arrayfun (f, sample{:});
      got = reshape (gather (r(at)), size (wanted));
      near = got == wanted | (isnan (got) & isnan (wanted)) ...
             | abs (double (got) - double (wanted)) <= 100 * eps (abs (double (wanted))) * (1 + 2^29 * isa (wanted, "single"));
      done = strcmp (class (got), class (wanted)) && all (near(:));
    endif
  catch
    done = false;
  end_try_catch
endfunction

## Nonzero if F has arrays among its variables, so that its results may be arrays.
function has = of_arrays (f)
  has = false;
  if (is_function_handle (f))
    s = functions (f);
    has = isfield (s, "workspace") && any (cellfun (@isobject, struct2cell (s.workspace{1})));
  endif
endfunction

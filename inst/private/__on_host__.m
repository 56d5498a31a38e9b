## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {[@dots{}] =} __on_host__ (@var{name}, @var{count}, @var{args})
## Call Octave's function @var{name} with the arguments @var{args} in host memory.  The first
## @var{count} results that are numbers, more than one, become arrays in the place of the first
## argument that is one.
## @end deftypefn

function varargout = __on_host__ (name, count, args)

  like = [];
  for i = 1:numel (args)
    if (isobject (args{i}))
      if (isempty (like) && builtin ("isa", args{i}, "gpuArray"))
        like = args{i};
      endif
      args{i} = gather (args{i});
    elseif (is_function_handle (args{i}))
      f = args{i};
      args{i} = @(varargin) __gather_results__ (f, varargin{:});
    endif
  endfor
  [varargout{1:nargout}] = feval (name, args{:});
  for i = 1:min (count, nargout)
    x = varargout{i};
    if ((isfloat (x) || isinteger (x)) && numel (x) != 1)
      varargout{i} = __array__ (name, "put", x, like);
    endif
  endfor

endfunction

## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn  {} {@var{G} =} gpuArray (@var{X}, @dots{})
## @deftypefnx {} {@var{G} =} gpuArray.@var{name} (@dots{})
## As @code{gpu_array}, under the name that MATLAB's programs use, or a new array.
##
## @example
## @group
## G = gpuArray ([1, 2]);
## gather (3 * G)
##   @result{} [3 6]
## gather (gpuArray.ones (2, 3))
##   @result{} [1 1 1; 1 1 1]
## @end group
## @end example
##
## @var{name} is @code{zeros}, @code{ones}, @code{eye}, @code{rand}, @code{randn}, @code{randi},
## @code{randperm}, @code{inf}, @code{nan}, @code{true}, @code{false}, @code{linspace},
## @code{logspace} or @code{colon}, with the arguments of Octave's function:
## @code{gpuArray.zeros (2, "single")} is @code{zeros (2, "single", "gpuArray")}.
##
## @seealso{gpu_array, gather}
## @end deftypefn

function G = gpuArray (varargin)

  persistent constructors;
  if (nargin == 0)
    if (isempty (constructors))
      constructors = __constructors__ ();
    endif
    G = constructors;  # what gpuArray.zeros asks for zeros
  else
    G = gpu_array (varargin{:});
  endif

endfunction

%!demo
%! gpuArray (magic (4)) * 2

%!assert (class (gpuArray (1)), "gpuArray")
%!test
%! for name = {"zeros", "ones", "eye", "inf", "Inf", "nan", "NaN", "true", "false"}
%!   f = str2func (name{1});
%!   assert (isequaln (gather (eval (["gpuArray." name{1} " (2, 3)"])), f (2, 3)), name{1});
%! endfor
%! for name = {"zeros", "ones", "eye", "inf", "nan"}
%!   G = eval (["gpuArray." name{1} " ([2, 2], 'single')"]);
%!   assert ({underlyingType(G), size(G)}, {"single", [2, 2]});
%! endfor
%! for name = {"rand", "randn"}
%!   rand ("twister", 1);
%!   randn ("twister", 1);
%!   G = eval (["gpuArray." name{1} " (2, 3)"]);
%!   rand ("twister", 1);
%!   randn ("twister", 1);
%!   assert (gather (G), feval (name{1}, 2, 3));
%! endfor
%! assert (isgpuarray (gpuArray.rand ()) && isgpuarray (gpuArray.zeros));
%! G = gpuArray.randi ([3, 5], 2, 7);
%! assert (size (G) == [2, 7] && all ((G >= 3 & G <= 5 & G == fix (G))(:)));
%! assert (gather (gpuArray.zeros (1, 2, "uint8")), zeros (1, 2, "uint8"));
%! assert (gather (sort (gpuArray.randperm (5))), 1:5);
%! assert (gather (gpuArray.linspace (0, 1, 5)), linspace (0, 1, 5));
%! assert (gather (gpuArray.logspace (0, 1, 5)), logspace (0, 1, 5));
%! assert ({gather(gpuArray.colon (1, 3)), gather(gpuArray.colon (1, 2, 6))}, {1:3, 1:2:6});
%! assert (gather (gpuArray.ones (2, 3) + gpuArray.eye (2, 3))(2,:), [1 2 1]);
%! assert (! isempty (strfind (evalc ("gpuArray"), "linspace")));
%! fail ("gpuArray.sparse (2)");

function [lambda, info] = gpu_eig_file (varargin)

  for i = 1:min (nargin, 2)
    if (ischar (varargin{i}))
      varargin{i} = tilde_expand (varargin{i});
    endif
  endfor
  [rest, lambda, info] = __gpueig__ ("eig_file", nargout, varargin{:});
  if (rest)
    if (rest < 0)
      print_usage ();
    endif
    __gpueig_finish__ ("gpu_eig_file", rest);
  endif

endfunction

## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{text} =} __describe__ (@var{G}, @var{most})
## @samp{3x2 gpu_array, complex single, in GPU 0}, with the values of up to @var{most} elements.
## @end deftypefn

function text = __describe__ (o, most)

  [name, is_complex, device] = __array__ ("disp", "type", o);
  place = "host memory";
  if (device >= 0)
    place = sprintf ("GPU %d", device);
  endif
  kind = [{"", "sparse "}{issparse(o) + 1}, {"", "complex "}{is_complex + 1}];
  text = sprintf ("%s gpu_array, %s%s, in %s", strjoin (cellfun (@num2str, num2cell (size (o)), "uniformoutput", false), "x"),
                  kind, name, place);
  if (! isempty (o) && numel (o) <= most && ndims (o) == 2 && ! issparse (o))
    text = sprintf ("%s: %s", text, mat2str (gather (o), 5));
  endif

endfunction

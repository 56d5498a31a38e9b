## Claims: errors of indices and of concatenations of gpu_array are those of plain arrays, with
## the name of the variable.  A long general matrix reports its progress every second (only in the long
## run, since that takes seconds).
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function text = message_of (code, G, T, I)
%!  text = "";
%!  try
%!    eval ([code ";"]);
%!  catch err
%!    text = [err.identifier "|" err.message];
%!  end_try_catch
%!endfunction

%!test
%! plain = {magic(4), ones(3, 4, 2), [1, 99]};
%! arrays = cellfun (@(x) gpu_array (x), plain, "UniformOutput", false);
%! for code = {"G(5,1)", "G(:,[1 99])", "G(17)", "G(0)", "G(end+1)", "G(true (5))", "G(I)", "G(I,1)", ...
%!             "G(repmat (30, 200, 200))", "T(4,1)", "T(:,:,3)", "T(1,2,3,4)", "T(1,9)", "s.G = G; s.G(5,1)", ...
%!             "c = {G}; c{1}(5,1)", "(G + G)(5,1)", "f = @(A) A(9,1); f (G)", "x = G([]); x(1)", ...
%!             "[G, ones(3)]", "[ones(3); G]", "x = [G, ones(3)]", "[[G, ones(3)]; G]", "size ([G, ones(3)])", ...
%!             "x = {[G, G; G, 1]}", "if [G, 1], end", "[G, I] + 1", "f = @() [G, I]; f ()", "[T, G]", ...
%!             "x = [G, {1}]; size (x){3}", "[sparse(G), ones(3)]", "[G > 1, I]", "x(7) = [G, I]", ...
%!             "G' * I'", "T(:,:,1)' * G", "I' * G'", "assert (G, G + 1)"}
%!   want = message_of (code{1}, plain{:});
%!   assert (! isempty (want));
%!   assert (message_of (code{1}, arrays{:}), want);
%! endfor

## cellfun keeps results without looking at them.
%!error <horizontal dimensions mismatch \(2x2 vs 3x3\)>
%! cellfun (@horzcat, {gpu_array(ones (2))}, {ones(3)}, "UniformOutput", false);

%!test
%! G = gpu_array (magic (3));
%! x = [G, {1}, []];
%! assert (size (x), [1, 2]);
%! assert (gather (x{1}), magic (3));

%!test
%! if (! isempty (getenv ("GPUEIG_TEST_LONG")))
%!   text = evalc ("gpu_eig (reshape (sin ((1:4e6) .^ 2), 2000, 2000), 'Backend', 'cpu', 'Display', 'iter');");
%!   assert (! isempty (regexp (text, "qr: \\d+ of 2000 eigenvalues deflated")), text);
%! endif

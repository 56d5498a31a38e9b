## Run the programs of a folder with plain arrays and with arrays of gpu_array.
##   [differ, total] = run_programs (FOLDER, NAME, ...)
## A program is a file of blocks, each with a title after "%%"; one of MATLAB's style is one block.
## Every block is run twice: with gpuArray as the identity and without the class that gpuArray.zeros
## and zeros (2, "gpuArray") name, and with the package's.  DIFFER has a row per block whose two runs
## differ: {"program: title", what differs}.  After such a block the arrays are made anew from
## the plain ones, so that one difference is counted once.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [differ, total] = run_programs (folder, varargin)
  folder = fullfile (fileparts (mfilename ("fullpath")), folder);
  names = varargin;
  if (isempty (names))
    names = sort ({dir(fullfile (folder, "*.m")).name});
  endif
  differ = cell (0, 2);
  total = 0;
  saved = warning ();
  last = lasterr ();
  unwind_protect
    warning ("off", "all");
    for name = names
      blocks = strsplit (["\n", fileread(fullfile (folder, name{1}))], "\n%% ");
      is_whole = isscalar (blocks);
      blocks(! is_whole & (1:numel (blocks)) == 1) = [];  # what is before the first title
      plain = on = struct ();
      for block = blocks
        [title, code] = strtok (block{1}, "\n");
        without = regexprep (code, {"\\<gpuArray\\.(?=[a-zA-Z])", ",\\s*'gpuArray'"}, "");
        [plain, plain_text] = run_block (without, plain, @(x) x, total);
        [on, on_text] = run_block (code, on, [], total);
        total++;
        text = compare (plain, plain_text, on, on_text);
        if (is_whole && iscell (plain_text))
          text = strjoin (plain_text);
        endif
        if (! isempty (text))
          differ(end+1,:) = {[name{1}(1:end-2), ": ", title], text};
          on = move (plain, on);
        endif
      endfor
    endfor
  unwind_protect_cleanup
    warning (saved);
    lasterr (last);
  end_unwind_protect
endfunction

## Run CODE in a workspace of the variables of P__V; P__TEXT: what it printed and the identifier
## of its error.
function [p__v, p__text] = run_block (p__code, p__v, gpuArray, seed)
  for p__k = fieldnames (p__v)'
    eval ([p__k{1}, " = p__v.(p__k{1});"]);
  endfor
  if (isempty (gpuArray))
    clear gpuArray
  endif
  rand ("twister", seed);
  randn ("twister", seed);
  p__text = "";
  try
    p__text = evalc (p__code);
  catch p__error
    p__text = sprintf ("error <%s>", p__error.identifier);
    p__message = p__error.message;
  end_try_catch
  p__v = struct ();
  for p__k = who ()'
    if (! strncmp (p__k{1}, "p__", 3) && ! any (strcmp (p__k{1}, {"gpuArray", "seed"})))
      p__v.(p__k{1}) = eval (p__k{1});
    endif
  endfor
  if (exist ("p__message", "var"))
    p__text = {p__text, p__message};
  endif
endfunction

## What differs, "" if nothing does.
function text = compare (plain, plain_text, on, on_text)
  text = "";
  messages = {"", ""};
  if (iscell (plain_text)), [plain_text, messages{1}] = plain_text{:}; endif
  if (iscell (on_text)), [on_text, messages{2}] = on_text{:}; endif
  if (! strcmp (plain_text, on_text))
    text = sprintf ("\"%s %s\", wanted \"%s %s\"", on_text, messages{2}, plain_text, messages{1});
    return;
  endif
  for name = union (fieldnames (plain), fieldnames (on))(:)'
    if (! isfield (plain, name{1}) || ! isfield (on, name{1}))
      text = sprintf ("only one run has the variable %s", name{1});
    else
      text = difference (on.(name{1}), plain.(name{1}));
    endif
    if (! isempty (text))
      text = sprintf ("%s: %s", name{1}, text);
      return;
    endif
  endfor
endfunction

function text = difference (got, wanted)
  text = "";
  got = gather (got);
  if (is_function_handle (wanted))
    return;
  elseif (! strcmp (class (got), class (wanted)))
    text = sprintf ("class %s, wanted %s", class (got), class (wanted));
  elseif (! isequal (size (got), size (wanted)))
    text = sprintf ("size %s, wanted %s", mat2str (size (got)), mat2str (size (wanted)));
  elseif (isstruct (wanted))
    text = difference (struct2cell (got), struct2cell (wanted));
  elseif (iscell (wanted))
    for i = 1:numel (wanted)
      text = [text, difference(got{i}, wanted{i})];
    endfor
  elseif (isobject (wanted) || (! isfloat (wanted) && isequal (got, wanted)))
    return;
  elseif (! isfloat (wanted))
    text = "other values";
  elseif (iscomplex (got) != iscomplex (wanted) && ! is_rounding (imag ([got(:); wanted(:)]), wanted))
    text = sprintf ("iscomplex %d, wanted %d", iscomplex (got), iscomplex (wanted));
  else
    got = full (got);  wanted = full (wanted);
    same = got == wanted | (isnan (got) & isnan (wanted));
    scale = max ([1; abs(wanted(isfinite (wanted))(:))]);
    d = abs (got(! same) - wanted(! same));
    if (! all (d <= 1e4 * eps (class (wanted)) * scale))
      text = sprintf ("differs by %g", max (d));
    endif
  endif
endfunction

## Imaginary parts that are zero or not by rounding, as of z .* conj (z) where Octave is compiled with
## fused products and sums.
function yes = is_rounding (y, wanted)
  largest = full (max (abs (y)));
  yes = largest > 0 && largest <= 1e4 * eps (class (wanted)) * max (1, full (max (abs (wanted(:)))));
endfunction

## The plain variables, on the card where they are full matrices that were there or are missing.
function on = move (plain, on)
  old = on;
  on = plain;
  for name = fieldnames (plain)'
    x = plain.(name{1});
    if (isfloat (x) && ! issparse (x) && ! isscalar (x)
        && ! (isfield (old, name{1}) && isnumeric (old.(name{1})) && ! isa (old.(name{1}), "gpu_array")))
      on.(name{1}) = gpu_array (full (x));
    endif
  endfor
endfunction

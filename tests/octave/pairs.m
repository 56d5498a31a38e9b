## Pairs every class of argument with every other one in every call that has several:
## the answer is, bit for bit, that of full matrices of the answer's class.
##   [failures, calls] = pairs ()    what failed as a cellstr, and how many calls
##   ... = pairs (STRIDE)            every STRIDE-th of the calls only
## Calls that the backend under test does not have count as right.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [failures, calls] = pairs (stride = 1)
  list = argument_calls ([1, 3, 66])(1:stride:end,:);
  failures = {};
  saved = warning ();
  unwind_protect
    warning ("off", "all");
    for k = 1:rows (list)
      text = attempt (list{k,2:end});
      if (! isempty (text))
        failures{end+1} = sprintf ("%s (%s): %s", list{k,2}, list{k,1}, text);
      endif
    endfor
  unwind_protect_cleanup
    warning (saved);
  end_unwind_protect
  calls = rows (list);
endfunction

## "" or what is wrong with the answer.
function text = attempt (name, args, nout, id)
  text = "";
  [out, got] = answer (name, args, nout);
  if (strcmp (got, "gpueig:no-device") && strcmp (getenv ("GPUEIG_BACKEND"), "cuda"))
    return;
  endif
  ## Matrices come before the first name of an option, but for a guess, which becomes of
  ## their class.
  last = find ([cellfun(@ischar, args) & ! strcmp(args, "Guess"), true], 1) - 1;
  numbers = find (cellfun (@isnumeric, args));
  data = numbers(numbers <= last);
  wide = "double";
  first = find ([cellfun(@ischar, args), true], 1);
  if (any (cellfun (@(x) isa (x, "single"), args(1:first-1))))
    wide = "single";
  endif
  if (isempty (id))
    plain = args;
    plain(numbers) = cellfun (@(x) as_full (x, "double"), args(numbers), "UniformOutput", false);
    plain(data) = cellfun (@(x) as_full (x, wide), args(data), "UniformOutput", false);
    [want, id] = answer (name, plain, nout);
  endif
  if (! strcmp (got, id))
    text = sprintf ("\"%s\" instead of \"%s\"", got, id);
  elseif (isempty (id))
    for i = 1:nout
      x = full (out{i});
      if (! (strcmp (class (x), wide) && isequaln (x, full (want{i}))))
        text = sprintf ("output %d is not that of full matrices of class %s", i, wide);
      elseif (iscomplex (x) && ! any (imag (x(:))))
        text = "complex without imaginary parts";
      endif
    endfor
  endif
endfunction

## X as a full matrix of a class; complex if it was, also without imaginary parts.
function y = as_full (x, class)
  y = cast (full (x), class);
  if (iscomplex (x))
    y = complex (real (y), imag (y));
  endif
endfunction

## The outputs, or the error's identifier.
function [out, id] = answer (name, args, nout)
  out = cell (1, nout);
  id = "";
  try
    [out{:}] = feval (name, args{:});
  catch err
    id = err.identifier;
  end_try_catch
endfunction

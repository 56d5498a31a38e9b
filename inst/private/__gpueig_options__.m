## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{opt} =} __gpueig_options__ (@var{caller}, @var{spec}, @var{args})
## The one option parser.
##
## @var{spec} is a struct: its field @code{methods} lists the methods of the
## function @var{caller} (first @qcode{"auto"}), its field @code{options} the
## options that it takes besides those that all functions take, and its field
## @code{flags} the bare words that it takes, such as @qcode{"vector"}.
## @var{args} is the caller's list of further arguments.
##
## The result has a lower case field for every option that was given, plus
## @code{method}, @code{backend}, and a field for every flag: @code{form} is
## @qcode{"vector"}, @qcode{"matrix"} or @qcode{""}; another flag's field holds
## true.
## @end deftypefn

function opt = __gpueig_options__ (caller, spec, args)

  persistent defaults = struct ("method", "auto", "backend", "", "form", "");
  persistent backends = {"auto", "cpu", "cuda"};
  opt = defaults;
  count = numel (args);
  i = 1;
  while (i <= count)
    name = args{i};
    if (! (ischar (name) && isrow (name)))
      error ("gpueig:bad-option",
             "%s: expected the name of an option, got a value of class %s",
             caller, class (name));
    endif
    key = lower (name);
    if (any (strcmp (key, spec.flags)))
      switch (key)
        case {"vector", "matrix"}
          opt.form = key;
        otherwise
          opt.(key) = true;
      endswitch
      i += 1;
      continue;
    endif
    if (i == count)
      check_name (caller, spec, key, name);
      error ("gpueig:bad-option", "%s: option \"%s\" needs a value",
             caller, name);
    endif
    value = args{i+1};
    switch (key)
      case "backend"
        opt.backend = one_of (caller, name, value, backends);
      case "method"
        opt.method = one_of (caller, name, value, spec.methods);
      case "display"
        opt.display = one_of (caller, name, value, {"off", "iter"});
      case "device"
        opt.device = whole (caller, name, value, 0, intmax ("int32"));
      otherwise
        check_name (caller, spec, key, name);
        opt.(key) = special (caller, key, name, value);
    endswitch
    i += 2;
  endwhile

  if (isempty (opt.backend))
    value = getenv ("GPUEIG_BACKEND");
    if (isempty (value))
      opt.backend = "auto";
    else
      opt.backend = one_of (caller, "GPUEIG_BACKEND", value, backends);
    endif
  endif

endfunction

function check_name (caller, spec, key, name)
  known = [{"backend", "method", "display", "device"}, spec.options];
  if (! any (strcmp (key, known)))
    error ("gpueig:bad-option", "%s: unknown option \"%s\"; there are %s",
           caller, name, strjoin ([known, spec.flags], ", "));
  endif
endfunction

## The value of an option that some functions have.
function value = special (caller, key, name, value)
  switch (key)
    case "accuracy"
      value = one_of (caller, name, value, {"normal", "high"});
    case {"maxsweeps", "maxrotations"}
      value = whole (caller, name, value, 1, flintmax ());
    case "tol"
      if (! (isnumeric (value) && isreal (value) && isscalar (value)
             && value > 0 && value < 1))
        error ("gpueig:bad-option",
               "%s: \"%s\" must be a positive scalar below 1", caller, name);
      endif
      value = double (value);
    otherwise
      ## An option of one function only: that function checks the value.
  endswitch
endfunction

function value = one_of (caller, name, value, list)
  if (ischar (value) && isrow (value))
    match = strcmpi (value, list);
    if (any (match))
      value = list{match};
      return;
    endif
    got = sprintf ("\"%s\"", value);
  else
    got = sprintf ("a value of class %s", class (value));
  endif
  error ("gpueig:bad-option", "%s: \"%s\" must be one of %s, but is %s",
         caller, name, strjoin (strcat ("\"", list, "\""), ", "), got);
endfunction

function value = whole (caller, name, value, least, most)
  if (! (isnumeric (value) && isreal (value) && isscalar (value)
         && value >= least && value <= most && value == fix (value)))
    error ("gpueig:bad-option", "%s: \"%s\" must be an integer from %d to %d",
           caller, name, least, most);
  endif
  value = double (value);
endfunction

## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{opt} =} __gpueig_options__ (@var{caller}, @var{spec}, @var{args})
## The one option parser.
##
## @var{spec} is a struct: its field @code{methods} lists the methods of the
## function @var{caller} (first @qcode{"auto"}), its field @code{options} the
## options that it takes besides those that all functions take, and its field
## @code{flags} the bare words that it takes besides @qcode{"vector"} and
## @qcode{"matrix"}.  @var{args} is the caller's list of further arguments.
##
## The result has a lower case field for every option that was given, plus
## @code{method}, @code{backend}, and a field for every flag: @code{form} is
## @qcode{"vector"}, @qcode{"matrix"} or @qcode{""}; another flag's field holds
## true.
## @end deftypefn

function opt = __gpueig_options__ (caller, spec, args)

  persistent defaults = struct ("method", "auto", "backend", "", "form", "");
  opt = defaults;
  i = 1;
  while (i <= numel (args))
    name = args{i};
    if (! (ischar (name) && isrow (name)))
      error ("gpueig:bad-option",
             "%s: expected the name of an option, got a value of class %s",
             caller, class (name));
    endif
    key = lower (name);
    if (any (strcmp (key, {"vector", "matrix"})) && isfield (spec, "flags"))
      opt.form = key;
      i += 1;
    elseif (isfield (spec, "flags") && any (strcmp (key, spec.flags)))
      opt.(key) = true;
      i += 1;
    else
      if (i == numel (args))
        check_name (caller, spec, key, name);
        error ("gpueig:bad-option", "%s: option \"%s\" needs a value",
               caller, name);
      endif
      opt = set_option (opt, caller, spec, key, name, args{i+1});
      i += 2;
    endif
  endwhile

  if (isempty (opt.backend))
    opt.backend = getenv ("GPUEIG_BACKEND");
    if (isempty (opt.backend))
      opt.backend = "auto";
    else
      opt.backend = one_of (caller, "GPUEIG_BACKEND", opt.backend,
                            {"auto", "cpu", "cuda"});
    endif
  endif

endfunction

function names = known_options (spec)
  names = [{"backend", "method", "display", "device"}, spec.options];
endfunction

function check_name (caller, spec, key, name)
  if (! any (strcmp (key, known_options (spec))))
    words = known_options (spec);
    if (isfield (spec, "flags"))
      words = [words, {"vector", "matrix"}, spec.flags];
    endif
    error ("gpueig:bad-option", "%s: unknown option \"%s\"; there are %s",
           caller, name, strjoin (words, ", "));
  endif
endfunction

function opt = set_option (opt, caller, spec, key, name, value)
  check_name (caller, spec, key, name);
  switch (key)
    case "backend"
      opt.backend = one_of (caller, name, value, {"auto", "cpu", "cuda"});
    case "method"
      opt.method = one_of (caller, name, value, spec.methods);
    case "display"
      opt.display = one_of (caller, name, value, {"off", "iter"});
    case "accuracy"
      opt.accuracy = one_of (caller, name, value, {"normal", "high"});
    case "device"
      opt.device = whole (caller, name, value, 0);
    case {"maxsweeps", "maxrotations"}
      opt.(key) = whole (caller, name, value, 1);
    case "tol"
      if (! (isnumeric (value) && isreal (value) && isscalar (value)
             && value > 0 && value < 1))
        error ("gpueig:bad-option",
               "%s: \"%s\" must be a positive scalar below 1", caller, name);
      endif
      opt.tol = double (value);
    otherwise
      ## An option of one function only: that function checks the value.
      opt.(key) = value;
  endswitch
endfunction

function value = one_of (caller, name, value, list)
  if (! (ischar (value) && any (strcmpi (value, list))))
    if (ischar (value))
      got = sprintf ("\"%s\"", value);
    else
      got = sprintf ("a value of class %s", class (value));
    endif
    error ("gpueig:bad-option", "%s: \"%s\" must be one of %s, but is %s",
           caller, name, strjoin (strcat ("\"", list, "\""), ", "), got);
  endif
  value = list{strcmpi (value, list)};
endfunction

function value = whole (caller, name, value, least)
  if (! (isnumeric (value) && isreal (value) && isscalar (value)
         && value >= least && value <= flintmax () && value == fix (value)))
    error ("gpueig:bad-option", "%s: \"%s\" must be an integer from %d on",
           caller, name, least);
  endif
  value = double (value);
endfunction

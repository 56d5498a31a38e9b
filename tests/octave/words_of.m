## The methods and the options of a function, from the texts of its own errors.  ARGS: valid
## arguments, small_arguments by default.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [methods, options] = words_of (name, args = small_arguments (name))
  try
    feval (name, args{:}, "Method", "?");
  catch err
    methods = regexp (err.message, '"([\w-]+)"(?=,|$| but)', "tokens");
    methods = [methods{:}];
  end_try_catch
  try
    feval (name, args{:}, "?", 1);
  catch err
    options = strsplit (regexp (err.message, "there are (.*)", "tokens"){1}{1}, ", ");
  end_try_catch
endfunction

## Copyright (C) 2026 The gpueig developers
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

## -*- texinfo -*-
## @deftypefn {} {@var{g} =} __vectorized__ (@var{f})
## A function @var{g} of arrays that does with each element what @var{f} does with a number: @var{f}
## itself if it is an elementwise function, or a handle of an anonymous function with @code{.*} in
## place of @code{*} and so on.  It is empty if @var{f} has anything but elementwise operations.
## @end deftypefn

function g = __vectorized__ (f)

  persistent last = "" translation = "";
  g = [];
  if (! is_function_handle (f))
    return;
  endif
  text = func2str (f);
  if (text(1) != "@")
    if (any (arities (text) > 0) && strcmp (functions (f).type, "simple"))
      g = f;
    endif
    return;
  endif
  variables = functions (f).workspace{1};
  if (! all (structfun (@(x) (isnumeric (x) || islogical (x)) && isscalar (x) && ! isobject (x), variables)))
    return;
  endif
  if (! strcmp (text, last))
    [last, translation] = deal (text, translated (text));
  endif
  if (! isempty (translation) && all (known (translation, fieldnames (variables))))
    g = handle_of (strjoin (translation, " "), variables);
  endif

endfunction

## How many arguments the elementwise function NAME may have.
function n = arities (name)
  persistent table;
  if (isempty (table))
    table = {1, {"abs" "acos" "acosh" "angle" "arg" "asin" "asinh" "atan" "atanh" "cbrt" "ceil" "conj" "cos" "cosh" "cot" ...
                 "csc" "double" "erf" "erfc" "exp" "expm1" "fix" "floor" "gamma" "imag" "isfinite" "isinf" "isnan" "lgamma" ...
                 "log" "log10" "log1p" "log2" "logical" "not" "real" "round" "sec" "sign" "sin" "single" "sinh" "sqrt" "tan" ...
                 "tanh" "uminus"}
             2, {"and" "atan2" "eq" "ge" "gt" "hypot" "le" "lt" "max" "min" "minus" "mod" "ne" "or" "plus" "power" "rdivide" ...
                 "rem" "times" "xor"}
             3, {"ifelse" "merge"}};
  endif
  n = [table{cellfun(@(names) any (strcmp (name, names)), table(:,2)), 1}];
endfunction

## The parts of the anonymous function TEXT with operators of elements, or {}.
function parts = translated (text)
  [parts, between] = regexp (text, "(\\d+\\.?\\d*|\\.\\d+)([eEdD][+-]?\\d+)?[ij]?|[A-Za-z_]\\w*|&&|\\|\\||[<>!=~]=|\\.[*/^]|[-+*/^<>&|!~(),@]", ...
                             "match", "split");
  is_other = cellfun (@(x) ! isempty (strtrim (x)), between);
  logic = ismember ({"&&", "||", "&", "|"}, parts);
  if (any (is_other) || (any (logic(1:2)) && any (logic(3:4))) || sum (strcmp (parts, "@")) != 1 || ! has_arities (parts))
    parts = {};
    return;
  endif
  for swap = {"*", "/", "^", "&&", "||"; ".*", "./", ".^", "&", "|"}
    parts(strcmp (parts, swap{1})) = swap{2};
  endfor
endfunction

## Whether every name before a parenthesis is an elementwise function with as many arguments.
function good = has_arities (parts)
  good = true;
  names = {};
  commas = [];
  for i = 2:numel (parts)
    switch (parts{i})
      case "("
        names{end+1} = {"", parts{i-1}}{1 + isvarname (parts{i-1})};
        commas(end+1) = 0;
      case ","
        commas(end) += 1;
      case ")"
        good = good && (isempty (names{end}) || (any (arities (names{end}) == commas(end) + 1) && ! strcmp (parts{i-1}, "(")));
        good = good && (commas(end) == 0 || ! isempty (names{end}) || i == find (strcmp (parts, ")"), 1));
        names(end) = [];
        commas(end) = [];
    endswitch
  endfor
endfunction

## For each name among PARTS whether it is a function that is called, a parameter, one of
## VARIABLES, or a constant.
function is = known (parts, variables)
  head = find (strcmp (parts, ")"), 1);
  names = find (cellfun (@isvarname, parts(head+1:end))) + head;
  numbers = [parts(3:head-1), variables', {"pi", "e", "Inf", "inf", "NaN", "nan", "i", "j", "true", "false"}];
  called = strcmp ([parts(2:end), {""}](names), "(");
  is = called != ismember (parts(names), numbers);
endfunction

function p__g = handle_of (p__text, p__variables)
  for p__name = fieldnames (p__variables)'
    eval ([p__name{1}, " = p__variables.(p__name{1});"]);
  endfor
  p__g = eval (p__text);
endfunction

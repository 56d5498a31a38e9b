## The tables of a GROUP of calls in Octave that make sense on a GPU only: rows {f, weight} for
## share_out, made by table (WEIGHT, ...), the other arguments those of compare_table.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function list = gpu_tables (group, table)
  list = {};
  first = {"first", {"call", "n", "pages"}, "cost", @(varargin) 1, "quality", {}, "power", 1};
  switch (group)
    case "calls"
      list = table (1, "calls", "whole calls of gpu_eig with data of Octave, a page",
                    {"symmetric", 8, 100000; "symmetric", 32, 20000; "symmetric", 64, 8000
                     "symmetric", 128, 2000; "symmetric", 256, 400; "symmetric", 4000, 1
                     "general", 32, 10000; "complex", 32, 10000; "general", 4096, 1; "general", 8192, 1},
                    @matrices, {"four", @(A) gpu_eig(A, "vector", "Backend", "cuda"), 4, true
                                "one", @(A) gpu_eig(A, "Backend", "cuda"), 1, true}, [],
                    {"one output [s]", "one"; "four outputs [s]", "four"; "solver [s]", "four@"
                     "copies [s]", @(seen, kind, n, pages) seen.four.info.time.transfer / pages},
                    first{:}, "note", {"copies and solver may overlap; double, random"});
    case "gpus"
      if (numel (gpu_info ().devices) < 2)
        return;
      endif
      list = table (1, "gpus", "one GPU and several: the device clock and the whole call",
                    {"onesided_eig", 64, 40000; "onesided_eig", 128, 8000; "onesided_eig", 256, 4000
                     "onesided_eig", 32, 100000; "onesided_eig", 512, 400; "complex_eig", 32, 40000
                     "onesided_eig array", 64, 40000; "onesided_eig array", 128, 8000
                     "onesided_eig array", 256, 4000; "onesided_eig array", 32, 100000
                     "mrrr", 20000, 1; "tdinv", 20000, 1; "mrrr", 47000, 1}, @on_first,
                    {"all", @(p) with_info(p{:}, "Device", "all"), 2, true
                     "one", @(p) with_info(p{:}, "Device", 0), 2, true
                     "call_all", @(p) run(p{:}, "Device", "all"), 1, true
                     "call_one", @(p) run(p{:}, "Device", 0), 1, true}, [],
                    {"devices", @(seen, varargin) numel(seen.all.info.device)
                     "solve one [s]", "one@"; "solve all [s]", "all@"; "gain of solve", "one@/all@"
                     "call one [s]", "call_one"; "call all [s]", "call_all"
                     "gain of call", "call_one/call_all"},
                    first{:}, "note", {"double precision, complex_eig complex; seconds a page; array: data on the first GPU; calls for [V, D]"});
  endswitch
endfunction

## Pages beyond 1000 are those before, which takes a third of the time of making them.
function A = matrices (kind, n, pages)
  A = randn (n, n, min (pages, 1000));
  if (any (strcmp (kind, {"symmetric", "onesided_eig"})))
    A = hermitian (A);
  elseif (any (strcmp (kind, {"complex", "complex_eig"})))
    A = complex (A, randn (size (A)));
  endif
  A = A(:,:,mod (0:pages-1, 1000) + 1);
endfunction

## {NAME, the arguments of gpu_NAME}; "NAME array": on the first GPU.
function problem = on_first (name, n, pages)
  [name, place] = strtok (name);
  switch (name)
    case "mrrr"
      args = {4 * ones(n, 1), ones(n - 1, 1), "vector"};
    case "tdinv"
      args = {rand(n - 1, 1), 4 + rand(n, 1), rand(n - 1, 1)};
    otherwise
      args = {matrices(name, n, pages), "vector"};
  endswitch
  if (! isempty (place))
    args{1} = gpu_array (args{1});
  endif
  problem = {name, args};
endfunction

## A result and the info of gpu_NAME, which has more outputs than its whole call needs.
function [x, info] = with_info (name, args, varargin)
  args = [args, {"Backend", "cuda"}, varargin];
  if (strcmp (name, "tdinv"))
    [x, ~, info] = gpu_tdinv (args{:});
  else
    [x, ~, ~, info] = feval (["gpu_" name], args{:});
  endif
endfunction

## [V, D], or the inverse.
function x = run (name, args, varargin)
  args = [args, {"Backend", "cuda"}, varargin];
  if (strcmp (name, "tdinv"))
    x = gpu_tdinv (args{:});
  else
    [x, ~] = feval (["gpu_" name], args{:});
  endif
endfunction

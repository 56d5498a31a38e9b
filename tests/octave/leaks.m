## Test that the number of blocks of memory that the process holds does not grow with the
## number of calls.  Every function is called with arguments of all kinds, good and bad, and with
## allocations that fail; arrays on the GPU are used.
##   [failures, calls] = leaks (COUNT)   rounds of COUNT calls each
## A leak grows in every round, what a library makes once in one of them only, so that one
## round without growth after a warm-up is enough.
## tests/check_leaks.sh starts it.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [failures, calls] = leaks (count)
  failures = {};
  list = [random_calls(); sampled_calls()];
  saved = warning ();
  last = lasterr ();
  unwind_protect
    warning ("off", "all");
    for k = 1:rows (list)
      blocks = growth (list{k,2:end}, count);
      if (blocks != 0)
        failures{end+1} = sprintf ("%s (%s): %d blocks in %d calls", disp (list{k,2})(1:end-1), ...
                                   list{k,1}, blocks, count);
      endif
    endfor
  unwind_protect_cleanup
    warning (saved);
    lasterr (last);
  end_unwind_protect
  calls = rows (list) * count;
endfunction

function blocks = growth (name, args, nout, count)
  repeat (name, args, nout, count);
  for round = 1:6
    before = live_blocks ();
    repeat (name, args, nout, count);
    blocks = live_blocks () - before;
    if (blocks <= 0)
      blocks = 0;
      break;
    endif
  endfor
endfunction

function repeat (name, args, nout, count)
  out = cell (1, nout);
  for i = 1:count
    try
      [out{:}] = feval (name, args{:});
    end_try_catch
  endfor
endfunction

function blocks = live_blocks ()
  [~, blocks] = __gpueig__ ("testing", "blocks");
  assert (blocks > 0, "count_blocks.so is not preloaded");
endfunction

## Operations on arrays, one of them an error.
function varargout = use_arrays (A)
  B = (A + 1) * A';
  B(2,:) = 3;
  x = B \ [1; 2; 3; 4; 5];
  try
    B + ones (4);
  end_try_catch
  s = sum (B(:,[1 3 2])) + gather (x(1));
endfunction

## CALL, with each of its first allocations failing.
function varargout = fail_allocations (call)
  for k = 1:8
    [~, ~] = __gpueig__ ("testing", "allocation", k);
    try
      sample_run (call);
    end_try_catch
  endfor
  [~, ~] = __gpueig__ ("testing", "allocation", 0);
endfunction

function list = sampled_calls ()
  list = {"arrays", @use_arrays, {gpu_array(magic (5) + eye (5))}, 0};
  for order = [3, 40]
    calls = sample_calls (order);
    [~, first] = unique ({calls.name});
    for call = calls(first)
      list(end+1,:) = {[call.text ", order " num2str(order)], @sample_run, {call}, 0};
      list(end+1,:) = {["allocations of " call.text " fail, order " num2str(order)], @fail_allocations, {call}, 0};
    endfor
  endfor
endfunction

## Of fuzz.m.
function list = random_calls ()
  list = {};
  names = public_functions ("eigenvalues");
  saved = rand ("twister");
  seed = test_seed (1);
  for k = 1:300
    rand ("twister", [seed, k]);
    call = fuzz_call ([names, {"gpu_tdinv"}]);
    if (! call.iter)
      list(end+1,:) = {sprintf("random call %d", k), call.name, call.args, call.nout};
    endif
  endfor
  rand ("twister", saved);
endfunction

## What tests/check_interrupt.sh does in Octave: a long call of the function
## that argument 1 names, of order argument 2, again and again if argument 3 is "forever".
## Prints "start", then "stopped TIME" when it was interrupted or "done TIME"; then
## whether all memory was released and the next call is correct.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

1;

function args = long_arguments (name, n)
  switch (name)
    ## Long work with a small result: how long Octave takes to fill a large
    ## array with zeros, which nothing can interrupt, is not the claim.
    case "gpu_tdinv"
      args = {ones(n-1, 1), 4 * ones(n, 1), ones(n-1, 1), "Band", 3};
    case "gpu_mrrr"
      args = {zeros(n, 1), ones(n-1, 1), "Index", [1, 50]};
    case "gpu_complex_eig"
      args = {rand(n) + 1i * rand(n)};
    case "gpu_complex_eig_shroff"
      args = {rand(n) + 1i * rand(n), "Method", "shroff"};
    case "gpu_eig_general"
      args = {rand(n)};
    otherwise
      A = rand (n);
      args = {A + A'};
  endswitch
endfunction

function text = next_call (name)
  calls = sample_calls ();
  text = "";
  for call = calls(strcmp ({calls.name}, name))
    text = [text sample_verify(call, sample_run (call))];
  endfor
  [~, ~] = __gpueig__ ("testing", "trim");
  [~, bytes] = __gpueig__ ("testing", "memory");
  if (bytes != 0)
    text = [text sprintf("%d bytes of scratch memory are still held", bytes)];
  endif
endfunction

rand ("twister", test_seed (1));
name = argv (){1};
args = long_arguments (name, str2double (argv (){2}));
name = strrep (strrep (name, "_general", ""), "_shroff", "");
out = cell (1, 3);
## A first call starts threads, libraries and devices.
next_call (name);
finished = false;
unwind_protect
  puts ("start\n");
  fflush (stdout);
  try
    do
      [out{:}] = feval (name, args{:});
    until (! strcmp (argv (){3}, "forever"))
    puts ("done\n");
  catch err
    printf ("next call: the long call failed: %s\n", err.message);
  end_try_catch
  finished = true;
unwind_protect_cleanup
  if (! finished)
    printf ("stopped %.6f\n", time ());  # long run
    fflush (stdout);
    text = next_call (name);
    if (isempty (text))
      text = "right";
    endif
    printf ("next call: %s\n", text);
  endif
  fflush (stdout);
end_unwind_protect

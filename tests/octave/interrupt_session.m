## What tests/check_interrupt.sh does in Octave: calls of the function that argument 1 names, again
## and again, until one is interrupted.  Prints "start" before, and then whether all memory was
## released and the next call has the bits of the first.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

1;

function text = next_call (name)
  persistent bits = sample_bits (name);
  text = "";
  if (! strcmp (sample_bits (name), bits))
    text = "other bits";
  endif
  [~, ~] = __gpueig__ ("testing", "trim");
  [~, bytes] = __gpueig__ ("testing", "memory");
  if (bytes != 0)
    text = [text sprintf("%d bytes of scratch memory are still held", bytes)];
  endif
endfunction

rand ("twister", test_seed (1));
name = argv (){1};
A = rand (400);
A += A';
## A first call starts threads, libraries and devices.
next_call (name);
unwind_protect
  puts ("start\n");
  fflush (stdout);
  do
    [V, D] = feval (name, A);
  until (false)
unwind_protect_cleanup
  text = next_call (name);
  if (isempty (text))
    text = "right";
  endif
  printf ("next call: %s\n", text);
  fflush (stdout);
end_unwind_protect

## What tests/check_interrupt.sh does in Octave: a call that cannot be stopped,
## of order argument 1, is interrupted and leaves a detached job; small calls go
## on, a second long call waits for the job and can be interrupted, and exit
## does not wait.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

1;

function interrupted_call (A)
  ## Some tenths of a second: waiting for LAPACK polls every 20 ms.
  [~, ~] = __gpueig__ ("testing", "interrupt", 15);
  gpu_eig (A, "Method", "geev", "Backend", "cpu");
  puts ("it was not interrupted\n");
endfunction

function state (what)
  [~, ~] = __gpueig__ ("testing", "interrupt", 0);
  [~, detached] = __gpueig__ ("testing", "detached");
  printf ("%s: detached %d\n", what, detached);
endfunction

rand ("twister", test_seed (1));
A = rand (str2double (argv (){1}));
gpu_eig ([2 1; 1 2]);
unwind_protect
  interrupted_call (A);
unwind_protect_cleanup
  state ("first");
  x = gpu_eig ([2 1; 1 2]);
  unwind_protect
    interrupted_call (A);
  unwind_protect_cleanup
    state ("second");
    exit (5);
  end_unwind_protect
end_unwind_protect

## What tests/check_interrupt.sh does in Octave: sample_calls and longer ones with
## "Display", "iter" that are interrupted at each of the places where the library polls for an
## interrupt or prints, one after the other.  After each one a small call must use as
## much memory and as many threads as before.  Prints "N points" and, of calls, because
## waiting for LAPACK polls by the clock, "N passed, N failed, 0 skipped".
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

1;

function list = long_calls ()
  S = cos ((1:150)' * (1:150) / 7);
  S += S';
  L = cos ((1:450)' * (1:450) / 7);
  n = 3000;
  list = {"gpu_eig", {S}; "gpu_eig", {sin(S)(:,end:-1:1)}; "gpu_eig", {L + L', 1e3 * eye(450)}
          "gpu_jacobi_eig", {S, "Method", "block", "Backend", "cpu"}
          "gpu_jacobi_eig", {S, "Method", "classical"}
          "gpu_complex_eig", {S(2:61,1:60), "Method", "shroff"}
          "gpu_mrrr", {(1:n)', ones(n-1, 1)}
          "gpu_tdinv", {ones(n-1, 1), (3:n+2)', ones(n-1, 1), "Band", 2}};
  for call = [sample_calls(60), sample_calls(60, true)]
    list(end+1,:) = {call.name, call.args};
  endfor
endfunction

function state = state_of_session ()
  state.memory = gpu_memory ();
  info = gpu_info ();
  state.threads = [info.threads, info.blas_threads];
  [~, state.unwound] = __gpueig__ ("testing", "unwound");
endfunction

function bytes = gpu_memory ()
  [~, ~, ~, info] = gpu_eig ([1 2; 2 1]);
  bytes = info.memory;
endfunction

function interrupt_at (call, k, last, before)
  global failed points
  ended = false;
  unwind_protect
    [~, ~] = __gpueig__ ("testing", "interrupt", k);
    try
      evalc ("feval (call{1}, call{2}{:}, 'Display', 'iter');");
    end_try_catch
    ended = true;
  unwind_protect_cleanup
    [~, polls] = __gpueig__ ("testing", "interrupt", 0);
    text = sprintf ("%s interrupted at point %d of %d", call{1}, k, last);
    if (ended && polls >= k)
      failed += 1;
      printf ("FAIL: %s: it went on, or made an error of it\n", text);
    elseif (polls > k + 9)  # lines of the plan, of at most 8 attempts, and the poll after them
      failed += 1;
      printf ("FAIL: %s: it went on to point %d\n", text, polls);
    elseif (! isequal (state_of_session (), before))
      failed += 1;
      printf ("FAIL: %s changed the state:\n", text);
      disp (state_of_session ());
    else
      points += 1;
    endif
    step = max (1, ceil (last / 8));
    if (k < last)
      interrupt_at (call, min (k + step, last), last, before);
    endif
  end_unwind_protect
endfunction

function all_calls (list)
  global passed failed
  call = list(1,:);
  before_this = failed;
  evalc ("feval (call{1}, call{2}{:}, 'Display', 'iter');");
  before = state_of_session ();
  [~, ~] = __gpueig__ ("testing", "interrupt", 0);
  evalc ("feval (call{1}, call{2}{:}, 'Display', 'iter');");
  [~, last] = __gpueig__ ("testing", "interrupt", 0);
  unwind_protect
    if (last > 0)
      interrupt_at (call, 1, last, before);
    endif
  unwind_protect_cleanup
    passed += failed == before_this;
    if (rows (list) > 1)
      all_calls (list(2:end,:));
    endif
  end_unwind_protect
endfunction

global passed failed points
passed = failed = points = 0;
## After a first warm call the workspace keeps what it needs.
state_of_session ();
unwind_protect
  all_calls (long_calls ());
unwind_protect_cleanup
  printf ("%d points\n%d passed, %d failed, 0 skipped\n", points, passed, failed);
end_unwind_protect

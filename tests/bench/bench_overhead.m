## Overhead of a call: every function with matrices of order 2 against Octave's own
## function.  The shortest time of many loops is reported, since other processes can
## only increase the time.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_overhead (folder, budget)
  A = [2 1; 1 2];
  G = [1 2; 3 4];
  H = [2 1i; -1i 3];
  B = [4 1; 1 5];
  d = [2; 3];
  e = 1;
  eig_A = @() eig (A);
  calls = {"gpu_eig (A)", @() gpu_eig(A), eig_A, 1
           "gpu_eig (A)", @() gpu_eig(A), eig_A, 2
           "gpu_eig (A)", @() gpu_eig(A), eig_A, 3
           "gpu_eig (A) with info", @() gpu_eig(A), eig_A, [4, 3]
           "gpu_eig (A \"vector\")", @() gpu_eig(A, "vector"), ...
           @() eig(A, "vector"), 2
           "gpu_eig (A \"Backend\" \"cpu\")", @() gpu_eig(A, "Backend", "cpu"), ...
           eig_A, 1
           "gpu_eig (single A)", @() gpu_eig(single (A)), @() eig(single (A)), 1
           "gpu_eig (general)", @() gpu_eig(G), @() eig(G), 1
           "gpu_eig (general)", @() gpu_eig(G), @() eig(G), 2
           "gpu_eig (Hermitian)", @() gpu_eig(H), @() eig(H), 2
           "gpu_eig (A B)", @() gpu_eig(A, B), @() eig(A, B), 1
           "gpu_eig (A B) by QZ", @() gpu_eig(G, B), @() eig(G, B), 1
           "gpu_jacobi_eig (A)", @() gpu_jacobi_eig(A), eig_A, 1
           "gpu_jacobi_eig (A)", @() gpu_jacobi_eig(A), eig_A, 2
           "gpu_onesided_eig (A)", @() gpu_onesided_eig(A), eig_A, 2
           "gpu_complex_eig (general)", @() gpu_complex_eig(G), @() eig(G), 2
           "gpu_mrrr (d e)", @() gpu_mrrr(d, e), eig_A, 2
           "gpu_mrrr (A)", @() gpu_mrrr(A), eig_A, 2
           "gpu_tdinv (T)", @() gpu_tdinv(B), @() inv(B), 1
           "gpu_tdinv (c a b)", @() gpu_tdinv(e, d, e), @() inv(B), 1};
  replaced = {"eig (A) after gpu_replace", @() eig(A), @() eig(A), 1
              "eig (A) after gpu_replace", @() eig(A), @() eig(A), 2
              "inv (B) after gpu_replace", @() inv(B), @() inv(B), 1
              "schur (G) after gpu_replace", @() schur(G), @() schur(G), 2};
  t = table_open (folder, "overhead",
                  "calls with matrices of order 2 against eig and inv",
                  {"call", "outputs", "gpueig us", "Octave us", "more us"},
                  "note", {["microseconds a call; the shortest of many ", ...
                            "loops of 20 calls"], ...
                           ["targets on two idle cores: gpu_eig (A) 25 more, ", ...
                            "after gpu_replace 15, all others 30"]});
  seconds = budget / (2 * (rows (calls) + rows (replaced)));
  measure (t, calls, seconds, "off");
  measure (t, replaced, seconds, "on");
  table_close (t);
endfunction

## STATE: of gpu_replace while ours is measured.
function measure (t, calls, seconds, state)
  for i = 1:rows (calls)
    nout = calls{i,4};
    theirs = shortest (calls{i,3}, nout(end), seconds);
    gpu_replace (state);
    unwind_protect
      ours = shortest (calls{i,2}, nout(1), seconds);
    unwind_protect_cleanup
      gpu_replace ("off");
    end_unwind_protect
    table_row (t, calls{i,1}, nout(1), ours, theirs, ours - theirs);
  endfor
endfunction

## Microseconds per call of F with NOUT outputs.
function us = shortest (f, nout, seconds)
  count = 20;
  us = Inf;
  begin = tic ();
  do
    start = tic ();
    switch (nout)
      case 1
        for i = 1:count, x = f (); endfor
      case 2
        for i = 1:count, [x, y] = f (); endfor
      case 3
        for i = 1:count, [x, y, z] = f (); endfor
      otherwise
        for i = 1:count, [x, y, z, w] = f (); endfor
    endswitch
    us = min (us, toc (start) / count * 1e6);
  until (toc (begin) > seconds)
endfunction

## golden (FILE): write a line for each of some 200 calls: the call, what ran, its number
## of sweeps, and a hash of the results' bits.  Two builds whose files are the same give
## the same results; for a deletion, the differences that it explains.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function golden (file)
  fid = fopen (file, "w");
  unwind_protect
    for type = {"double", "single", "complex double", "complex single"}
      for n = [2, 7, 33, 80]
        for pages = [1, 5]
          write_group (fid, type{1}, n, pages);
        endfor
      endfor
      write_group (fid, type{1}, 150, 1);
      write_group (fid, type{1}, 6, 300);
    endfor
  unwind_protect_cleanup
    fclose (fid);
  end_unwind_protect
endfunction

function write_group (fid, type, n, pages)
  A = matrix (type, n, pages, 1);
  S = (A + permute (conj (A), [2, 1, 3])) / 2;
  B = S / 20 + n * full (eye (n));
  calls = {"gpu_eig", {S}
           "gpu_eig", {S, "vector"}
           "gpu_eig", {A}
           "gpu_eig", {S, B}
           "gpu_eig", {A, B}
           "gpu_eig", {S, "Index", [1, 2]}
           "gpu_jacobi_eig", {S}
           "gpu_jacobi_eig", {S, "Method", "block", "Backend", "cpu"}
           "gpu_jacobi_eig", {B, "Accuracy", "high"}
           "gpu_jacobi_eig", {S, B}
           "gpu_onesided_eig", {S}
           "gpu_onesided_eig", {S, "Method", "hestenes"}
           "gpu_onesided_eig", {B, "Accuracy", "high"}
           "gpu_complex_eig", {A}
           "gpu_complex_eig", {A, "Method", "shroff"}
           "gpu_complex_eig", {A, "Method", "qr"}};
  if (pages == 1)
    a = real (diag (S)) + 4;
    b = diag (S, 1);
    calls = [calls
             {"gpu_mrrr", {a, abs(b)}
              "gpu_jacobi_eig", {S, "Method", "preconditioned"}
              "gpu_tdinv", {b, a, b}
              "gpu_tdinv", {b, a, b, "Method", "sherman-morrison"}
              "gpu_schur", {A}
              "gpu_svd", {A}}];
    if (n < 20)
      calls(end+1,:) = {"gpu_jacobi_eig", {S, "Method", "classical"}};
    endif
  endif
  for i = 1:rows (calls)
    write_call (fid, sprintf ("%s %d %d", type, n, pages), calls{i,:});
  endfor
endfunction

function write_call (fid, problem, name, args)
  outputs = cell (1, nargout (name));
  words = sprintf (" %s", args{cellfun (@ischar, args)});
  text = sprintf ("%s%s (%d), %s", name, words, sum (cellfun (@isnumeric, args)), problem);
  try
    [outputs{:}] = feval (name, args{:});
    info = outputs{end};
    bits = "";
    for x = outputs(1:end-1)
      bits = hash ("md5", [bits, typecast([real(x{1}(:)); imag(x{1}(:))].', "char")]);
    endfor
    sweeps = 0;
    if (isfield (info, "sweeps"))
      sweeps = info.sweeps;
    endif
    fprintf (fid, "%s: %s %s [%s] %d %s\n", text, info.backend, info.method, ...
             info.fallback, sweeps, bits);
  catch err
    fprintf (fid, "%s: %s\n", text, err.identifier);
  end_try_catch
endfunction

## Pseudorandom elements of the middle bits of squares, the same in every Octave.
function A = matrix (type, n, pages, seed)
  k = reshape (1:n*n*pages, n, n, pages);
  A = fraction (k, seed) - 0.5;
  if (strncmp (type, "complex", 7))
    A += 1i * (fraction (k, seed + 1) - 0.5);
  endif
  if (! isempty (strfind (type, "single")))
    A = single (A);
  endif
endfunction

function x = fraction (k, seed)
  x = mod (k .* mod (k * 7919 + seed * 104729, 65521), 65521) / 65521;
endfunction

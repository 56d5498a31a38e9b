## Claims about the backend "mpi" and gpu_eig_file: results meet the accuracy limits
## for all types, a pair and a part of the spectrum, by both engines, in shared memory
## and with a scratch folder; input files are never written, and the file of V is
## complete or does not exist; each failure has its identifier, leaves no files, and
## the next call works.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function set_launcher (program = "mpirun --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 -n %d")
%!  setenv ("GPUEIG_LAUNCH", program);
%!endfunction

%!function there = has_mpi ()
%!  set_launcher ();
%!  there = gpu_info ().mpi;
%!endfunction

## gpu_eig by two workers.
%!function varargout = solve (varargin)
%!  varargout = cell (1, max (nargout, 1));
%!  [varargout{:}] = gpu_eig (varargin{:}, "Backend", "mpi", "Workers", 2);
%!endfunction

%!function A = matrix (n, type)
%!  A = reshape (sin ((1:n*n) .^ 2), n, n);
%!  if (any (type == "cz"))
%!    A += 1i * reshape (cos ((1:n*n) .^ 2), n, n);
%!  endif
%!  A = (A + A') / 2;
%!  if (any (type == "sc"))
%!    A = single (A);
%!  endif
%!endfunction

%!function check (A, B, V, lambda, index)
%!  ## LAPACK's test ratios.  Eigenvalues index of the pair A, B.
%!  assert (class (lambda), class (A));
%!  assert (isreal (lambda) && iscolumn (lambda) && issorted (lambda));
%!  assert (size (V), [rows(A), numel(index)]);
%!  [residual, orthogonality] = eigen_errors (A, B, V, lambda);
%!  all_values = eig (double (A), double (B));
%!  scale = norm (A, 1) + norm (B, 1) * max (abs (all_values)) * ! isequal (B, eye (rows (A)));
%!  scale += scale == 0;
%!  assert ([residual, orthogonality, max(abs (lambda - all_values(index))) / (scale * rows (A) * eps (class (A)))] < 10);
%!endfunction

%!function expect (id, f, words = "")
%!  got = text = "no error";
%!  try
%!    f ();
%!  catch err
%!    got = err.identifier;
%!    text = err.message;
%!  end_try_catch
%!  assert (got, id, text);
%!  assert (isempty (words) || ! isempty (strfind (text, words)), "\"%s\" is not in \"%s\"", words, text);
%!endfunction

%!function list = left ()
%!  ## Folders of sessions, in which MPI's shared memory is too (check_mpi.sh).
%!  list = glob ([tempdir() "/gpueig-??????"]);
%!endfunction

## Calling forms and classes of gpu_eig; a page; more workers than cores.
%!testif ; has_mpi ()
%! before = left ();
%! A = matrix (70, "c");
%! [V, D, W, info] = solve (A);
%! assert (regexp (typeinfo (D), "diagonal matrix$") > 0);
%! assert (W, V);
%! assert (isempty (info.fallback));
%! check (A, eye (70), V, diag (D), 1:70);
%! assert (info.backend, "mpi");
%! assert (info.workers, 2);
%! assert (info.residual < 10 && info.orthogonality < 10);
%! assert (fieldnames (info)(1:9), fieldnames (nthargout (4, @gpu_eig, A))(1:9));
%! assert (left (), before);
%! A = cat (3, [2 1; 1 2], [5 0; 0 4]);
%! text = evalc ("[V, lambda] = gpu_eig (A, 'vector', 'Backend', 'MPI', 'Workers', 1, 'Display', 'iter');");
%! assert (lambda, cat (3, [1; 3], [4; 5]), 8*eps);
%! assert (size (V), [2 2 2]);
%! assert (! isempty (strfind (text, "1 workers")) && ! isempty (regexp (text, "elpa1|syevd")), text);
%! assert (gpu_eig ([], "Backend", "mpi"), []);
%! assert (size (gpu_eig (zeros (0, 0, 3), "Backend", "mpi")), [0 1 3]);
%! A = matrix (200, "z");
%! [V, lambda, ~, info] = gpu_eig (sparse (A), "vector", "Backend", "mpi", "Workers", 4);
%! assert (info.workers, 4);
%! check (A, eye (200), V, lambda, 1:200);

## Matrices that are hard for eigensolvers, of all types and orders, by all engines, of which ELPA
## may have been built without single precision.
%!testif ; has_mpi ()
%! rand ("twister", test_seed (1));
%! randn ("twister", test_seed (1));
%! orders = [1, 2, 3, 5, 16, 33, 64, 100, 129, 190, 70, 600];
%! count = {12, 240}{1 + ! isempty(getenv ("GPUEIG_TEST_LONG"))};
%! for k = 1:count
%!   n = orders(1 + mod (k, 12));
%!   type = "dzsc"(1 + mod (k, 4));
%!   method = {"elpa1", "elpa2", "syevd"}{1 + mod(k, 3)};
%!   if (any (type == "sc") && mod (k, 3) < 2)
%!     method = "auto";
%!   endif
%!   A = random_matrix ("symmetric", n, any (type == "zc"));
%!   if (any (type == "sc"))
%!     A = single (A);
%!   endif
%!   try
%!     [V, lambda] = solve (A, "vector", "Method", method);
%!   catch err
%!     assert (! isempty (strfind (err.message, "ELPA")), "%s", err.message);
%!     continue;
%!   end_try_catch
%!   check (A, eye (n), V, lambda, 1:n);
%! endfor

## Pairs, and parts of a spectrum from both ends.
%!testif ; has_mpi ()
%! A = matrix (90, "c");
%! B = matrix (90, "c") * (1/90) + 3 * eye (90, "single");
%! [V, lambda] = solve (A, B, "Index", [81, 90], "vector");
%! check (A, B, V, lambda, 81:90);
%! expect ("gpueig:bad-option", @() solve (A, B, "Range", [0 1]), "Index");
%! B(5,5) = -1;
%! expect ("gpueig:not-definite", @() solve (A, B), "order 5");
%! A = matrix (100, "d");
%! [V, lambda] = gpu_mrrr (A, "Index", [1, 3], "vector", "Backend", "mpi", "Workers", 2);
%! check (A, eye (100), V, lambda, 1:3);
%! T = full (gallery ("tridiag", 40));
%! assert (gpu_mrrr (T, "Backend", "mpi", "Workers", 2), eig (T), 1e-13);

## A scratch folder, with a blank in its name; it is left as it was.
%!testif ; has_mpi ()
%! folder = [tempname() " scratch"];
%! mkdir (folder);
%! unwind_protect
%!   setenv ("GPUEIG_SCRATCH", folder);
%!   A = matrix (50, "d");
%!   [V, lambda] = solve (A, "vector");
%!   check (A, eye (50), V, lambda, 1:50);
%!   assert (numel (dir (folder)), 2);
%!   setenv ("GPUEIG_SCRATCH", "/nonexistent");
%!   expect ("gpueig:io", @() gpu_eig (A, "Backend", "mpi"), "/nonexistent");
%! unwind_protect_cleanup
%!   unsetenv ("GPUEIG_SCRATCH");
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

## Files.
%!function write_file (name, A)
%!  f = fopen (name, "w");
%!  if (isreal (A))
%!    fwrite (f, A, class (A));
%!  else
%!    fwrite (f, [real(A(:)).'; imag(A(:)).'], class (A));
%!  endif
%!  fclose (f);
%!endfunction

%!function V = read_file (name, n, type)
%!  f = fopen (name);
%!  x = fread (f, Inf, ["*" type]);
%!  fclose (f);
%!  V = reshape (complex (x(1:2:end), x(2:2:end)), n, []);
%!endfunction

%!testif ; has_mpi ()
%! folder = tempname ();
%! mkdir (folder);
%! file = @(name) fullfile (folder, name);
%! relative = @(name) [repmat("../", 1, 20) file(name)(2:end)];
%! unwind_protect
%!   A = matrix (80, "c");
%!   write_file (file ("A.bin"), A);
%!   [lambda, info] = gpu_eig_file (relative ("A.bin"), relative ("V.bin"), 80, "Class", "single", "Complex", true, "Index", [71 80], "Workers", 2);
%!   check (A, eye (80), read_file (file ("V.bin"), 80, "single"), lambda, 71:80);
%!   assert (info.backend, "mpi");
%!   assert (isempty (info.fallback));
%!   assert (sort ({dir(folder).name}), {".", "..", "A.bin", "V.bin"});
%!   f = fopen (file ("A.bin"));
%!   assert (fread (f, Inf, "*single"), [real(A(:)).'; imag(A(:)).'](:));
%!   fclose (f);
%!   D = matrix (64, "d");
%!   write_file (file ("D.bin"), D);
%!   assert (gpu_eig_file (file ("D.bin"), "", 64, "Workers", 2), eig (D), 1e-12);
%!   assert (gpu_eig_file (file ("D.bin"), "", 0), []);
%!
%!   expect ("gpueig:io", @() gpu_eig_file (file ("none.bin"), "", 64, "Workers", 1), "none.bin");
%!   expect ("gpueig:io", @() gpu_eig_file (file ("D.bin"), "", 65, "Workers", 1), "33800");
%!   expect ("gpueig:io", @() gpu_eig_file (file ("D.bin"), file ("no/V.bin"), 64, "Workers", 1), "no/V.bin");
%!   expect ("gpueig:bad-option", @() gpu_eig_file (file ("D.bin"), relative ("D.bin"), 64, "Workers", 1), "D.bin");
%!   write_file (file ("D.bin"), D + triu (ones (64), 1));
%!   expect ("gpueig:not-symmetric", @() gpu_eig_file (file ("D.bin"), file ("W.bin"), 64, "Workers", 2));
%!   D(7,9) = NaN;
%!   write_file (file ("D.bin"), D);
%!   expect ("gpueig:nonfinite", @() gpu_eig_file (file ("D.bin"), file ("W.bin"), 64, "Workers", 2), "(7, 9)");
%!   ## Files without blocks: for the matrix the memory is too small.
%!   system (["truncate -s 8000000000000 " file("big.bin")]);
%!   expect ("gpueig:out-of-memory", @() gpu_eig_file (file ("big.bin"), file ("W.bin"), 1000000, "Workers", 2), "MiB");
%!   assert (sort ({dir(folder).name}), {".", "..", "A.bin", "D.bin", "V.bin", "big.bin"});
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

## V: refused before the computation where it is no regular file that may be written;
## written through links; permissions stay.
%!testif ; has_mpi ()
%! folder = tempname ();
%! mkdir (folder);
%! file = @(name) fullfile (folder, name);
%! unwind_protect
%!   D = matrix (30, "d");
%!   write_file (file ("A"), D);
%!   system (["cd " folder " && mkdir dir && mkfifo fifo && ln -s A link && ln A hard && ln -s fifo pipe && ln -s loop loop && cp A fixed && chmod 444 fixed && cp A private && chmod 600 private && ln -s private old && ln -s dir/new new && if mknod null c 1 3 2>/dev/null; then :; else ln -s /dev/null null; fi"]);
%!   before = evalc ('system (["ls -lR --time-style=full-iso " folder]);');
%!   ## Sizes that are compared after the computation would take its time.
%!   write_file (file ("big"), 0);
%!   for bad = {"dir", "fifo", "pipe", "loop", "fixed", "null", "dir/", "none/V", "fixed/V"}
%!     expect ("gpueig:io", @() gpu_eig_file (file ("A"), file (bad{1}), 30, "Workers", 1), strtok (bad{1}, "/"));
%!   endfor
%!   for bad = {"A", "link", "hard", "dir/../A"}
%!     expect ("gpueig:bad-option", @() gpu_eig_file (file ("A"), file (bad{1}), 30, "Workers", 1), "same file");
%!   endfor
%!   expect ("gpueig:io", @() gpu_eig_file (file ("fifo"), "", 30, "Workers", 1), "no regular file");
%!   expect ("gpueig:io", @() gpu_eig_file (file ("big"), "", 2^31 - 1, "Workers", 1), "8 bytes");
%!   unlink (file ("big"));
%!   assert (evalc ('system (["ls -lR --time-style=full-iso " folder]);'), before);
%!   for good = {"new", "old"; "dir/new", "private"}
%!     lambda = gpu_eig_file (file ("A"), file (good{1}), 30, "Workers", 1);
%!     assert (S_ISREG (stat (file (good{2})).mode));
%!     f = fopen (file (good{2}));
%!     V = fread (f, [30 Inf], "double");
%!     fclose (f);
%!     check (D, eye (30), V, lambda, 1:30);
%!   endfor
%!   assert (S_ISLNK (lstat (file ("old")).mode) && S_ISLNK (lstat (file ("new")).mode));
%!   assert (bitand (stat (file ("private")).mode, 511), 384);
%!   assert (numel (glob (file ("*part*"))) + numel (glob (file ("dir/*part*"))), 0);
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

## A launcher that is more than one simple command; a number of workers that nothing can start
## is bounded or refused at once.
%!testif ; has_mpi ()
%! usual = getenv ("GPUEIG_LAUNCH");
%! unwind_protect
%!   set_launcher (["f () { \"$@\"; }; cd / && test %d = 2 && A='=' B=2 f " usual]);
%!   assert (gpu_info ().mpi);
%!   [V, lambda, ~, info] = solve (matrix (80, "d"), "vector");
%!   assert (info.workers, 2);
%!   set_launcher ("A=1 no-such -n %d");
%!   assert (gpu_info ().mpi, false);
%! unwind_protect_cleanup
%!   set_launcher ();
%! end_unwind_protect
%! [~, ~, ~, info] = gpu_eig (matrix (9, "d"), "Backend", "mpi", "Workers", 1e6);
%! assert (info.workers, 1);
%! expect ("gpueig:out-of-memory", @() gpu_eig (eye (2000), "Backend", "mpi", "Workers", 1e6), "workers");

%!test
%! expect ("gpueig:bad-option", @() gpu_eig_file ("a", "", 2.5));
%! expect ("gpueig:bad-option", @() gpu_eig_file ("a", "", [1 2]));
%! expect ("gpueig:bad-option", @() gpu_eig_file ("a", "", 3, "Complex", 2));
%! expect ("gpueig:bad-option", @() gpu_eig_file ("a", "", 3, "Index", [0 1]));
%! expect ("gpueig:bad-option", @() gpu_eig_file ("a", "", 3, "nonsense", 1), "workers");

## Inputs and options that the backend does not support.
%!test
%! S = [2 1; 1 2];
%! general = @(varargin) gpu_eig (varargin{:}, "Backend", "mpi");
%! expect ("gpueig:bad-option", @() general ([1 2; 3 4]), "symmetric");
%! expect ("gpueig:bad-option", @() general ([1 1i; 1i 1]), "Hermitian");
%! expect ("gpueig:bad-option", @() general (S, [1 2; 3 4]), "B is not");
%! expect ("gpueig:bad-option", @() general (S, S, "qz"));
%! expect ("gpueig:bad-option", @() general (S, "Method", "geev"));
%! expect ("gpueig:bad-option", @() general (S, "Method", "ql"));
%! expect ("gpueig:bad-option", @() general (S, "Workers", 0));
%! expect ("gpueig:nonfinite", @() general ([1 NaN; NaN 1]));
%! expect ("gpueig:nonfinite", @() general ([1 NaN; 2 1]));
%! expect ("gpueig:bad-option", @() gpu_eig (S, "Workers", 2, "Backend", "cpu"), "mpi");
%! expect ("gpueig:bad-option", @() gpu_eig (S, "Method", "elpa1", "Backend", "cpu"), "mpi");
%! expect ("gpueig:bad-option", @() gpu_mrrr (S, "Range", [0 1], "Backend", "mpi"), "Index");
%! expect ("gpueig:bad-option", @() gpu_mrrr ([1 2], 1, "Backend", "mpi"), "dense");
%! expect ("gpueig:bad-option", @() gpu_mrrr (S, "Method", "mrrr", "Backend", "mpi"));
%! expect ("gpueig:not-symmetric", @() gpu_mrrr ([1 2; 3 4], "Backend", "mpi"));
%! for f = {@gpu_jacobi_eig, @gpu_onesided_eig, @gpu_complex_eig, @gpu_tdinv}
%!   expect ("gpueig:bad-option", @() f{1} (S, "Backend", "mpi"), "\"auto\", \"cpu\", \"cuda\"");
%! endfor

## No program, and one that fails.
%!test
%! S = [2 1; 1 2];
%! set_launcher ();
%! unwind_protect
%!   setenv ("GPUEIG_WORKER", "/nonexistent/worker");
%!   expect ("gpueig:no-worker", @() gpu_eig (S, "Backend", "mpi"), "/nonexistent/worker");
%!   info = gpu_info ();
%!   assert (! info.mpi && ! isempty (strfind (info.mpi_reason, "GPUEIG_WORKER")));
%!   setenv ("GPUEIG_WORKER", "/bin/false");
%!   expect ("gpueig:worker", @() gpu_eig (S, "Backend", "mpi"), "exit status 1");
%!   assert (! gpu_info ().mpi);
%! unwind_protect_cleanup
%!   unsetenv ("GPUEIG_WORKER");
%! end_unwind_protect

%!testif ; has_mpi ()
%! S = [2 1; 1 2];
%! before = left ();
%! unwind_protect
%!   set_launcher ("no-such-launcher -n %d");
%!   expect ("gpueig:no-worker", @() gpu_eig (S, "Backend", "mpi", "Workers", 2), "openmpi-bin");
%!   assert (gpu_info ().mpi, false);
%!   set_launcher ("mpirun --no-such-option -n %d");
%!   expect ("gpueig:worker", @() gpu_eig (S, "Backend", "mpi", "Workers", 2), "no-such-option");
%!   ## Each of these is a whole launcher: this one starts no worker.
%!   set_launcher ("echo the last words %d; true");
%!   expect ("gpueig:worker", @() gpu_eig (eye (40), "Backend", "mpi", "Workers", 2), "the last words 2");
%!   ## The variables of an MPI job that this process belongs to.
%!   set_launcher ();
%!   setenv ("OMPI_COMM_WORLD_SIZE", "7");
%!   setenv ("PMIX_RANK", "3");
%!   assert (gpu_eig (S, "Backend", "mpi", "Workers", 2), [1; 3], 8*eps);
%! unwind_protect_cleanup
%!   set_launcher ();
%!   unsetenv ("OMPI_COMM_WORLD_SIZE");
%!   unsetenv ("PMIX_RANK");
%! end_unwind_protect
%! assert (left (), before);

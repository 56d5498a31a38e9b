## Copyright (C) 2026 The gpueig developers
##
## This file is part of gpueig.
##
## gpueig is free software: you can redistribute it and/or modify it
## under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version, with the additional permission
## in the file COPYING.

## -*- texinfo -*-
## @deftypefn  {} {@var{lambda} =} gpu_eig_file (@var{file_A}, @var{file_V}, @var{n})
## @deftypefnx {} {[@var{lambda}, @var{info}] =} gpu_eig_file (@dots{})
## @deftypefnx {} {[@dots{}] =} gpu_eig_file (@dots{}, @var{name}, @var{value}, @dots{})
## Eigenvalues and eigenvectors of a symmetric or Hermitian matrix in a file, which
## may be larger than the memory of one machine, by MPI processes.
##
## @smallexample
## lambda = gpu_eig_file ("A.bin", "V.bin", 200000, "Workers", 64);
## @end smallexample
##
## @var{file_A} has the elements of the n-by-n matrix column by column, without a
## header, in the byte order of the machine; complex numbers are pairs of real and
## imaginary part.  The matrix must be equal to its conjugate transpose to the last
## bit; the file is not changed.  The eigenvectors, orthonormal columns, are written
## to @var{file_V} in the same format; with @qcode{""} none are computed.  It is
## written under a temporary name in its folder and renamed when it is complete; it
## must be a new or a writable regular file, or a link to one, and not @var{file_A}.
## @var{lambda} are the eigenvalues, ascending.
##
## @strong{Options}
##
## @table @asis
## @item "Class": "double" (default), "single"
## The class of the numbers in the files.
##
## @item "Complex": false (default), true
## Whether these numbers are complex.
##
## @item "Index": [il iu]
## Only eigenpairs @var{il} to @var{iu}, counted from 1 in ascending order;
## @var{file_V} then has @code{@var{iu} - @var{il} + 1} columns.
##
## @item "Workers": positive integer
## The number of processes; one for each core of this machine by default.
##
## @item "Method": "auto" (default), "elpa1", "elpa2", "syevd"
## ELPA with reduction to tridiagonal form in one stage (@qcode{"elpa1"}) or in two
## (@qcode{"elpa2"}); ScaLAPACK's divide and conquer (@qcode{"syevd"}).  @qcode{"auto"}
## is @qcode{"elpa1"} if the program was built with ELPA, else @qcode{"syevd"}.
##
## @item "Display": "off" (default), "iter"
## One line per stage while it runs.
## @end table
##
## @strong{Processes}
##
## The matrix is solved by MPI processes of the program @code{gpueig-worker}; the manual,
## ``Options of all functions'', describes the environment variables @env{GPUEIG_LAUNCH},
## @env{GPUEIG_SCRATCH} and @env{GPUEIG_WORKER}.
## If the processes run on several hosts, the files must be accessible on all of them
## under the same names, and @env{GPUEIG_SCRATCH} must be set.  All processes together
## need memory for about four matrices.  The equivalent command without Octave is
##
## @smallexample
## mpirun -n 64 gpueig-worker --class double --n 200000 A.bin V.bin lambda.bin
## @end smallexample
##
## @strong{Outputs}
##
## @var{info} is a struct with the fields of all functions (the manual).
##
## @strong{Files}
##
## A script that writes such a file column by column and reads three eigenvectors:
##
## @smallexample
## f = fopen ("A.bin", "w");
## for j = 1:n
##   fwrite (f, column (j), "double");
## endfor
## fclose (f);
## lambda = gpu_eig_file ("A.bin", "V.bin", n, "Workers", 8);
## f = fopen ("V.bin");
## fseek (f, 8 * n * (k - 1), SEEK_SET);
## V = fread (f, [n, 3], "double");  # eigenvectors k to k + 2
## fclose (f);
## @end smallexample
##
## @strong{Errors}
##
## @code{Octave:invalid-fun-call}, @code{gpueig:wrong-type} (file names that are not
## strings), @code{gpueig:bad-option}, @code{gpueig:io} (a file is missing or does not
## have the size of the matrix, or there is no space for @var{file_V}) and
## @code{gpueig:out-of-memory} (of a host), both checked before the computation,
## @code{gpueig:not-symmetric}, @code{gpueig:nonfinite}, @code{gpueig:no-worker}
## (launcher or program not found), @code{gpueig:worker} (a process failed; the text
## has its output, of a long one begin and end), @code{gpueig:solver-failed}; the warning
## @code{gpueig:fallback} (ELPA failed, ScaLAPACK was used).
##
## @strong{Accuracy}: as @code{gpu_eig}; residual and orthogonality of a sample of
## the vectors are verified.  References: A. Marek et al., J. Phys.: Condens.
## Matter 26 (2014) 213201; F. Tisseur and J. Dongarra, SIAM J. Sci. Comput. 20
## (1999) 2223-2236.
##
## @seealso{gpu_eig, gpu_mrrr, gpu_info}
## @end deftypefn

function [lambda, info] = gpu_eig_file (varargin)

  for i = 1:min (nargin, 2)
    if (ischar (varargin{i}))
      varargin{i} = tilde_expand (varargin{i});
    endif
  endfor
  [failed, lambda, info] = __gpueig__ ("eig_file", nargout, varargin{:});
  if (failed)
    __gpueig_raise__ (failed, "gpu_eig_file");
  endif

endfunction

%!test
%! assert (gpu_eig_file ("", "", 0, "Class", "single"), single ([]));

## A file of order 3, if there are MPI and a launcher that needs no options.
%!testif ; gpu_info ().mpi && ! isempty (getenv ("GPUEIG_LAUNCH"))
%! name = tempname ();
%! unwind_protect
%!   f = fopen (name, "w");
%!   fwrite (f, [2 1 0; 1 2 0; 0 0 5], "double");
%!   fclose (f);
%!   assert (gpu_eig_file (name, "", 3, "Workers", 1), [1; 3; 5], 16*eps);
%! unwind_protect_cleanup
%!   delete (name);
%! end_unwind_protect

%!demo
%! ## The three lowest modes of a string, by MPI processes.
%! n = 200;
%! name = tempname ();
%! f = fopen (name, "w");
%! fwrite (f, toeplitz ([2, -1, zeros(1, n-2)]), "double");
%! fclose (f);
%! lambda = gpu_eig_file (name, [name ".V"], n, "Index", [1 3], "Workers", 1)
%! f = fopen ([name ".V"]);
%! plot (fread (f, [n, 3], "double"));
%! xlabel ("point");
%! ylabel ("displacement");
%! title ("The three lowest modes of a string");
%! fclose (f);
%! delete (name, [name ".V"]);

%!error <Invalid call> gpu_eig_file ("a", "b")
%!error id=Octave:invalid-fun-call [a, b, c] = gpu_eig_file ("a", "b", 3);
%!error id=gpueig:wrong-type gpu_eig_file (1, "", 3)
%!error id=gpueig:wrong-type gpu_eig_file ("a", {}, 3)
%!error id=gpueig:bad-option gpu_eig_file ("a", "", -1)
%!error id=gpueig:bad-option gpu_eig_file ("a", "", 3, "Class", "int8")
%!error id=gpueig:bad-option gpu_eig_file ("a", "", 3, "Index", [0 1])
%!error id=gpueig:bad-option gpu_eig_file ("a", "", 3, "Workers", 0)
%!error id=gpueig:bad-option gpu_eig_file ("a", "", 3, "nonsense", 1)

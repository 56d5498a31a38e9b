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
## @deftypefn  {} {} gpu_info ()
## @deftypefnx {} {@var{info} =} gpu_info ()
## Show which backend gpueig uses, which GPUs it found, and, if CUDA cannot be used,
## the reason.
##
## @example
## gpu_info
## s = gpu_info ();
## disp (s.backend)
## @end example
##
## Without output the information is printed; otherwise @var{info} is a struct.  The first
## call loads the CUDA plugin and starts the driver, which takes some tenths of a second on
## a machine with a GPU.
##
## @strong{Fields}
##
## @table @code
## @item backend
## @qcode{"cuda"} if a GPU can be used, else @qcode{"cpu"}.  The functions with
## @qcode{"Backend", "auto"} still take the CPU where it is faster.
##
## @item reason
## The reason why CUDA cannot be used; empty if it can be.  After a fault of the GPU,
## which cannot be used again before Octave is restarted, the fault.
##
## @item default
## The default of the option @qcode{"Backend"}: @qcode{"auto"}, or the value of the
## environment variable @env{GPUEIG_BACKEND}.
##
## @item devices
## A struct array: @code{name}, @code{compute_capability} ([major, minor]),
## @code{multiprocessors}, @code{memory} and @code{memory_free} in bytes, and
## @code{reason}, why this build cannot use the GPU and what to do; empty if it can.
## The option @qcode{"Device"} counts them from 0.
##
## @item engines
## The libraries found that solve one matrix on several GPUs: @qcode{"cusolverMg"}, or
## empty.
##
## @item version
## The version of gpueig.
##
## @item threads
## Threads that the CPU backend uses.
##
## @item blas
## Version string of OpenBLAS; empty for another BLAS, such as the slow reference BLAS.
##
## @item blas_threads
## Threads that OpenBLAS uses; 0 for another BLAS.
##
## @item cuda_runtime
## @itemx cuda_driver
## Versions of CUDA, 13000 is 13.0; 0 where there is none.
##
## @item times
## The file of times, measured by @code{gpu_tune}, by which @qcode{"auto"} chooses, or
## @qcode{"builtin"}.
##
## @item huge_pages
## Whether large results get huge pages, which halve what Octave needs to copy them:
## a struct with @code{on}, @code{kernel} (the setting of
## @file{/sys/kernel/mm/transparent_hugepage/enabled}: @qcode{"always"},
## @qcode{"madvise"} or @qcode{"never"}; empty where there is none), and
## @code{malloc}, whether this process was started with
## @env{GLIBC_TUNABLES} = @code{glibc.malloc.hugetlb=1} (or 2), so that @code{malloc}
## asks for them.  @qcode{"madvise"} is on only with the latter.
##
## @item arrays
## What the arrays of @code{gpu_array} hold: a struct with @code{count}, and
## @code{host} and @code{device} in bytes.
##
## @item gpueig_run
## The file name of the program that lets other programs that call LAPACK, such as R and NumPy,
## use this package: @code{gpueig-run PROGRAM}.
##
## @item mpi
## Whether the backend @qcode{"mpi"} of @code{gpu_eig} and @code{gpu_mrrr} and the
## function @code{gpu_eig_file} can be used: worker program and launcher were found.
##
## @item mpi_engines
## @itemx mpi_reason
## The libraries by which the program solves; the reason, if @code{mpi} is false.
## @end table
##
## @seealso{gpu_tune, gpu_eig, gpu_eig_file, gpu_array}
## @end deftypefn

function info = gpu_info (varargin)

  if (nargin != 0)
    print_usage ();
  endif
  [failed, s] = __gpueig__ ("machine");
  if (failed)
    __gpueig_raise__ (failed, "gpu_info");
  endif
  s.default = getenv ("GPUEIG_BACKEND");
  if (isempty (s.default))
    s.default = "auto";
  endif
  folder = fileparts (mfilename ("fullpath"));
  s.gpueig_run = fullfile (folder, "gpueig-run");
  if (nargout > 0)
    info = s;
    return;
  endif

  printf ("gpueig %s\n", s.version);
  printf ("  backend  %s (default of \"Backend\": %s)\n", s.backend, s.default);
  if (! isempty (s.reason))
    printf ("  CUDA     not used: %s\n", s.reason);
  else
    printf ("  CUDA     runtime %s, driver supports %s\n",
            cuda_version (s.cuda_runtime), cuda_version (s.cuda_driver));
  endif
  for i = 1:numel (s.devices)
    d = s.devices(i);
    printf ("  GPU %d    %s, compute capability %d.%d, %.1f GiB (%.1f free)\n",
            i - 1, d.name, d.compute_capability, d.memory / 2^30,
            d.memory_free / 2^30);
    if (! isempty (d.reason))
      printf ("           not used: %s\n", d.reason);
    endif
  endfor
  if (! isempty (s.engines))
    printf ("  engines  %s (one matrix on several GPUs)\n", s.engines);
  endif
  if (isempty (s.blas))
    s.blas = "unknown (for speed install libopenblas0)";
  endif
  if (s.mpi)
    printf ("  MPI      %s\n", s.mpi_engines);
  else
    printf ("  MPI      not used: %s\n", s.mpi_reason);
  endif
  if (s.arrays.count > 0)
    printf ("  arrays   %d: %.1f MiB on GPUs, %.1f MiB in host memory\n",
            s.arrays.count, s.arrays.device / 2^20, s.arrays.host / 2^20);
  endif
  printf ("  programs %s PROGRAM, for R, NumPy ...\n", s.gpueig_run);
  manual = fullfile (folder, "doc", "index.html");
  if (exist (manual, "file"))
    printf ("  manual   %s\n", manual);
  endif
  printf ("  CPU      %d threads, BLAS: %s\n", s.threads, s.blas);
  if (! isempty (strfind (s.blas, "Prescott")))
    puts (["           kernels for Prescott: if the processor has AVX2, start Octave\n", ...
           "           with OPENBLAS_CORETYPE=Haswell\n"]);
  endif
  if (strcmp (s.times, "builtin"))
    s.times = "builtin (gpu_tune measures those of this machine)";
  endif
  printf ("  times    %s\n", s.times);
  if (s.huge_pages.on)
    printf ("  memory   huge pages for large results\n");
  elseif (strcmp (s.huge_pages.kernel, "madvise"))
    printf ("  memory   no huge pages; GLIBC_TUNABLES=glibc.malloc.hugetlb=1 asks for them\n");
  elseif (isempty (s.huge_pages.kernel))
    printf ("  memory   no huge pages (the kernel has none)\n");
  else
    printf ("  memory   no huge pages (kernel: %s)\n", s.huge_pages.kernel);
  endif

endfunction

function text = cuda_version (number)
  text = sprintf ("%d.%d", fix (number / 1000), fix (mod (number, 1000) / 10));
endfunction

%!test
%! info = gpu_info ();
%! assert (any (strcmp (info.backend, {"cpu", "cuda"})));
%! assert (isempty (info.reason), strcmp (info.backend, "cuda"));
%! assert (info.threads >= 1);
%! assert (ischar (info.version) && ! isempty (info.version));
%! assert (isstruct (info.devices) && isfield (info.devices, "reason"));
%! assert (islogical (info.mpi));
%! h = info.huge_pages;
%! assert (islogical (h.on) && islogical (h.malloc));
%! assert (any (strcmp (h.kernel, {"", "always", "madvise", "never"})));
%! assert (! (h.on && strcmp (h.kernel, "never") && ! h.malloc));
%! assert (isempty (info.mpi_reason), info.mpi);
%! assert (isempty (info.mpi_engines), ! info.mpi);
%! assert (exist (info.gpueig_run, "file"), 2);

%!test
%! before = gpu_info ().arrays;
%! G = gpu_array (ones (100));
%! now = gpu_info ().arrays;
%! assert (now.count, before.count + 1);
%! assert (now.host + now.device >= before.host + before.device + 80000);
%! text = evalc ("gpu_info ()");
%! assert (! isempty (strfind (text, "  arrays ")));
%! assert (! isempty (strfind (text, ["  times    ", gpu_info().times])));

## The plugin is missing: gpu_info names the file, "auto" works, "cuda" gives the reason.
%!test
%! unwind_protect
%!   [f, ~] = __gpueig__ ("testing", "plugin", "/nonexistent/gpueig_cuda.so");
%!   assert (isempty (f));
%!   info = gpu_info ();
%!   assert (info.backend, "cpu");
%!   assert (! isempty (strfind (info.reason, "missing")));
%!   assert (gpu_eig ([2 1; 1 2], "Backend", "auto"), [1; 3], 4*eps);
%!   try
%!     gpu_eig ([2 1; 1 2], "Backend", "cuda");
%!     error ("not reached");
%!   catch err
%!     assert (err.identifier, "gpueig:no-device");
%!     assert (! isempty (strfind (err.message, "missing")));
%!   end_try_catch
%! unwind_protect_cleanup
%!   dir = fileparts (which ("__gpueig__"));
%!   __gpueig__ ("testing", "plugin", fullfile (dir, "gpueig_cuda.so"));
%! end_unwind_protect

## A file that is not a plugin.
%!test
%! file = tempname ();
%! fid = fopen (file, "w"); fputs (fid, "no library"); fclose (fid);
%! unwind_protect
%!   __gpueig__ ("testing", "plugin", file);
%!   info = gpu_info ();
%!   assert (info.backend, "cpu");
%!   assert (! isempty (strfind (info.reason, "cannot be loaded")));
%! unwind_protect_cleanup
%!   dir = fileparts (which ("__gpueig__"));
%!   __gpueig__ ("testing", "plugin", fullfile (dir, "gpueig_cuda.so"));
%!   unlink (file);
%! end_unwind_protect

%!test
%! text = evalc ("gpu_info ()");
%! assert (! isempty (regexp (text, "^gpueig \\d")));
%! assert (! isempty (strfind (text, "threads")));

## Huge pages as a new process is told.
%!test
%! kernel = gpu_info ().huge_pages.kernel;
%! if (! isempty (kernel))
%!   command = ["GLIBC_TUNABLES=glibc.malloc.check=0:glibc.malloc.hugetlb=%d ", ...
%!              "octave-cli --norc --no-history --no-window-system --path \"%s\" ", ...
%!              "--eval \"h = gpu_info ().huge_pages; printf ('<%%d%%d>', h.malloc, h.on)\""];
%!   folder = fileparts (which ("gpu_info"));
%!   [status, text] = system (sprintf (command, 1, folder));
%!   if (! isempty (strfind (text, "<")))
%!     assert (! isempty (strfind (text, sprintf ("<1%d>", ! strcmp (kernel, "never")))));
%!     [~, text] = system (sprintf (command, 0, folder));
%!     assert (! isempty (strfind (text, sprintf ("<0%d>", strcmp (kernel, "always")))));
%!   endif
%! endif

## OpenBLAS's kernels, as a new process has them.
%!test
%! command = ["OPENBLAS_CORETYPE=%s octave-cli --norc --no-history --no-window-system ", ...
%!            "--path \"%s\" --eval \"printf ('<%%s>', gpu_info ().blas); gpu_info ()\""];
%! for core = {"Prescott", "Nehalem"}
%!   [~, text] = system (sprintf (command, core{1}, fileparts (which ("gpu_info"))));
%!   blas = regexp (text, "<(.*)>", "tokens", "once");
%!   if (! isempty (blas))
%!     is_slow = ! isempty (strfind (blas{1}, "Prescott"));
%!     assert (! isempty (strfind (text, "OPENBLAS_CORETYPE=Haswell")), is_slow);
%!   endif
%! endfor

%!demo
%! gpu_info ()

%!error <Invalid call> gpu_info (1)

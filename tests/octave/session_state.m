## The state of the session that a call of gpueig must not change, as a struct; compare
## with isequal.
## With WITH_THREADS also what gpu_info says of threads, WITH_ENVIRONMENT what env prints.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function s = session_state (with_threads = true, with_environment = false)
  if (with_environment)
    [~, s.environment] = system ("env | sort | grep -v ^_=");
  endif
  s.path = path ();
  s.folder = pwd ();
  s.warnings = warning ();
  [warning_text, id] = lastwarn ();
  s.last = {lasterr(), warning_text};
  s.random = {rand("twister"), randn("twister"), rande("twister"), ...
              randg("twister"), randp("twister")};
  s.format = format ();
  s.globals = who ("global");
  s.processors = nproc ("overridable");
  ## Subnormal numbers, rounding to nearest, the decimal point.
  s.float = [realmin() / 2, (1 + eps / 2) - 1, 1 / 3, -1 / 3];
  s.point = sprintf ("%g", 1.5);
  ## Which signals are blocked, ignored and caught.
  s.signals = "";
  if (isfile ("/proc/self/status"))
    s.signals = regexp (fileread ("/proc/self/status"),
                        'Sig(Blk|Ign|Cgt):\s*\w+', "match");
  endif
  if (with_threads)
    info = gpu_info ();
    s.threads = [info.threads, info.blas_threads];
  endif
  ## Files of Octave 11 that are read here warn of the language's extensions.
  lastwarn (warning_text, id);
endfunction

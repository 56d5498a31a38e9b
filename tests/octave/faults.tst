## Claims, for every public function and method: each failing allocation and each failing
## CUDA call (on a GPU some of each call, all with GPUEIG_TEST_LONG) ends in a documented
## error, nothing stays allocated, and the next call has the same bits; a plugin that is
## missing, of another version, or not a plugin is reported and the CPU is used.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function [tried, reported] = fail_each (hook, call, ids)
%!  ## Lets the k-th allocation or CUDA call of CALL fail for every k.
%!  tried = reported = 0;
%!  [~, ~] = __gpueig__ ("testing", "trim");
%!  [~, ~] = __gpueig__ ("testing", hook, 0);
%!  want = sample_run (call);
%!  [~, total] = __gpueig__ ("testing", hook, 0);
%!  step = 1;
%!  if (strcmp (getenv ("GPUEIG_BACKEND"), "cuda") && isempty (getenv ("GPUEIG_TEST_LONG")))
%!    step += floor (total / 12);
%!  endif
%!  ## The first is of the gateway; a solver may continue without one of its own.
%!  for k = unique ([1, 1 + mod(numel (call.text), step):step:total])
%!    [~, ~] = __gpueig__ ("testing", hook, k);
%!    id = "";
%!    try
%!      out = sample_run (call);
%!    catch err
%!      id = err.identifier;
%!    end_try_catch
%!    [~, ~] = __gpueig__ ("testing", hook, 0);
%!    tried += 1;
%!    if (isempty (id))
%!      ## A solver may succeed without this allocation, by another method, which functions
%!      ## of matrices do not tell.
%!      if (strcmp (want{end}.method, "auto"))
%!        assert (norm (out{1}(:) - want{1}(:)) <= 1e-4 * norm (want{1}(:)), "%s: %g", call.text, norm (out{1}(:) - want{1}(:)));
%!      else
%!        assert (! strcmp (out{end}.method, want{end}.method) || isequal (out(1:end-1), want(1:end-1)), call.text);
%!      endif
%!    else
%!      assert (any (strcmp (id, ids)), "%s, %s %d of %d: %s: %s", call.text, hook, k, total, id, err.message);
%!      assert (strncmp (err.message, [call.name ": "], numel (call.name) + 2));
%!      reported += 1;
%!    endif
%!    out = sample_run (call);
%!    assert (isequal (out(1:end-1), want(1:end-1)), "%s has other bits after %s %d failed", call.text, hook, k);
%!  endfor
%!endfunction

%!test
%! tried = reported = 0;
%! guess = struct ("name", "gpu_jacobi_eig", "args", {{magic(6) + magic(6)', "Guess", eye(6)}}, "nout", 4, "text", "guess");
%! for call = [sample_calls(), sample_calls(7, true), guess]
%!   [t, s] = fail_each ("allocation", call, {"gpueig:out-of-memory"});
%!   assert (s > 0);
%!   tried += t;
%!   reported += s;
%! endfor
%! report_count ("allocations made to fail", tried);
%! assert (tried > 0 && reported > tried / 2);

%!testif ; strcmp (getenv ("GPUEIG_BACKEND"), "cuda")
%! tried = 0;
%! for call = [sample_calls(), sample_calls(7, true)]
%!   [t, s] = fail_each ("device-call", call, {"gpueig:device-error", "gpueig:out-of-memory"});
%!   tried += t;
%! endfor
%! report_count ("CUDA calls made to fail", tried);
%! assert (tried > 0);

%!function try_plugin (file, words)
%!  ## "auto" works, gpu_info and "cuda" report what is wrong with FILE.
%!  unwind_protect
%!    [f, ~] = __gpueig__ ("testing", "plugin", file);
%!    assert (isempty (f));
%!    info = gpu_info ();
%!    assert (info.backend, "cpu");
%!    assert (! isempty (strfind (info.reason, words)), "%s", info.reason);
%!    for name = setdiff (public_functions (), {"gpu_ordschur", "gpu_polar"})  # on the CPU only
%!      args = small_arguments (name{1});
%!      x = feval (name{1}, args{:}, "Backend", "auto");
%!      assert (all (isfinite (x(:))));
%!      try
%!        feval (name{1}, args{:}, "Backend", "cuda");
%!        assert (false, "%s ran on cuda without a plugin", name{1});
%!      catch err
%!        assert (err.identifier, "gpueig:no-device");
%!        assert (! isempty (strfind (err.message, words)), "%s", err.message);
%!      end_try_catch
%!    endfor
%!  unwind_protect_cleanup
%!    dir = fileparts (which ("__gpueig__"));
%!    __gpueig__ ("testing", "plugin", fullfile (dir, "gpueig_cuda.so"));
%!  end_unwind_protect
%!endfunction

%!function try_source (code, words)
%!  ## The same for a plugin made of CODE.
%!  source = [tempname() ".c"];
%!  file = [source(1:end-1) "so"];
%!  fid = fopen (source, "w");
%!  fputs (fid, code);
%!  fclose (fid);
%!  unwind_protect
%!    [status, text] = system (["cc -shared -fPIC -o '" file "' '" source "' 2>&1"]);
%!    assert (status, 0);
%!    try_plugin (file, words);
%!  unwind_protect_cleanup
%!    unlink (source);
%!    [~, ~] = unlink (file);
%!  end_unwind_protect
%!endfunction

%!test try_plugin ("/nonexistent/gpueig_cuda.so", "missing");
%!test try_plugin ("", "no CUDA plugin");
%!test try_plugin (tempdir (), "cannot be loaded");

## A plugin of another version; a library that is none; one cut off.
%!testif ; system ("cc --version >/dev/null 2>&1") == 0
%! try_source ("struct { const char *abi; } const gpueig_plugin = { \"gpueig 99.0.0 abi 8\" };", "another version (gpueig 99.0.0 abi 8");
%!testif ; system ("cc --version >/dev/null 2>&1") == 0
%! try_source ("int gpueig_something = 1;", "another version (unknown");
%!testif ; system ("cc --version >/dev/null 2>&1") == 0
%! try_source ("extern void no_such_function (void); void (*gpueig_plugin) (void) = no_such_function;", "cannot be loaded");

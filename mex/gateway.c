/* The entry point, the context's life, and Ctrl-C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A MEX file is one object per process: its context is the gateway's only
   state, made by the first call and destroyed at exit.  */
static gpueig_context *context;

/* --- interrupts and progress ---

   The solvers call these with scratch memory held and threads set: neither may
   raise an exception.  */

/* Octave's handler counts interrupts here; polling it leaves the handling to
   Octave, which raises the interrupt when the command returns.  */
static volatile sig_atomic_t *interrupt_state;

/* octave::flush_stdout (), NULL where it cannot be found.  */
static void (*flush_stdout) (void);

static void
find_octave_symbols (void)
{
  interrupt_state = dlsym (RTLD_DEFAULT, "octave_interrupt_state");
  *(void **) &flush_stdout = dlsym (RTLD_DEFAULT, "_ZN6octave12flush_stdoutEv");
}

/* For tests: the interrupt comes at this poll or line of progress; 0: never.  */
static int64_t interrupt_at, polls;

int64_t
mex_interrupt_at (int64_t k)
{
  const int64_t counted = polls;
  interrupt_at = k;
  polls = 0;
  return counted;
}

static void
count_poll (void)
{
  sigset_t interrupt, before;
  if (++polls != interrupt_at)
    return;
  /* Octave's main thread may block it: the user's reaches another thread.  */
  sigemptyset (&interrupt);
  sigaddset (&interrupt, SIGINT);
  pthread_sigmask (SIG_UNBLOCK, &interrupt, &before);
  raise (SIGINT);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

static int
interrupted (void *data)
{
  (void) data;
  count_poll ();
  return interrupt_state && *interrupt_state > 0;
}

/* mexPrintf writes to an output stream of the C++ library, which keeps what its
   buffer throws to itself.  mexEvalString ("fflush (stdout)") would raise a
   pending interrupt; flush_stdout, which the interpreter calls itself for this,
   does not.  It matters where output is paged: there lines stay in a buffer.  */
static void
report (void *data, const char *line)
{
  (void) data;
  count_poll ();
  mexPrintf ("%s\n", line);
  if (flush_stdout)
    flush_stdout ();
}

/* Calls that an exception unwound, for tests: there must be none.  */
static int64_t unwound;

int64_t
mex_unwound (void)
{
  return unwound;
}

/* --- life --- */

/* A detached job runs in libraries that the end of the process unloads: they
   stay when it ends here.  Octave has closed its own files by then.  */
static void
end_process (int status, void *data)
{
  (void) data;
  fflush (NULL);
  _exit (status);
}

/* Without waiting for a detached job: the process is about to end.  */
static void
at_exit (void)
{
  if (gpueig_detached (context))
    on_exit (end_process, NULL);
  else
    gpueig_destroy (context);
  context = NULL;
}

/* The CUDA plugin lies beside the MEX file.  */
static gpueig_status
set_default_plugin (gpueig_context *ctx)
{
  Dl_info self;
  char file[4096];
  if (! dladdr (&context, &self) || ! self.dli_fname)
    return GPUEIG_OK;
  const char *slash = strrchr (self.dli_fname, '/');
  int length = slash ? (int) (slash - self.dli_fname) + 1 : 0;
  if (snprintf (file, sizeof file, "%.*sgpueig_cuda.so", length, self.dli_fname)
      >= (int) sizeof file)
    return GPUEIG_OK;
  return gpueig_set_plugin (ctx, file);
}

static gpueig_status
open_context (void)
{
  const gpueig_callbacks callbacks
      = { .interrupted = interrupted, .report = report };
  gpueig_status status = gpueig_create (&context);
  if (status != GPUEIG_OK)
    return status;
  find_octave_symbols ();
  gpueig_set_callbacks (context, &callbacks);
  set_default_plugin (context);
  /* Threads of OpenMP and CUDA run in this file's code from now on.  */
  mexLock ();
  mexAtExit (at_exit);
  return GPUEIG_OK;
}

/* --- commands --- */

static const struct
{
  const char *name;
  mex_command *run;
} commands[] = {
#define COMMAND(name) { #name, cmd_##name },
#include "commands.def"
#undef COMMAND
};

static mex_command *
find_command (const mxArray *name)
{
  char text[32];
  if (mxIsChar (name) && mxGetString (name, text, sizeof text) == 0)
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
      if (strcmp (text, commands[i].name) == 0)
        return commands[i].run;
  return NULL;
}

static void
set_failure (mxArray *f, mwIndex i, const char *id, const char *text)
{
  mxSetField (f, i, "identifier", mxCreateString (id));
  mxSetField (f, i, "message", mxCreateString (text));
}

/* The first output: [], or what to raise.  A GPU that failed in an "auto" call
   is no news about the matrix: INFO says it, no warning does.  */
static mxArray *
failure (gpueig_status status, const char *message, const gpueig_info *info)
{
  static const char *fields[] = { "identifier", "message" };
  int failed = status != GPUEIG_OK;
  int fell_back = (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
                  && info->fallback[0] && strcmp (info->fallback, "cpu") != 0;
  if (! failed && ! fell_back)
    return mxCreateDoubleMatrix (0, 0, mxREAL);
  mxArray *f = mxCreateStructMatrix (1, failed + fell_back, 2, fields);
  if (failed)
    set_failure (f, 0, gpueig_status_id (status),
                 message && *message ? message : gpueig_status_text (status));
  if (fell_back)
    {
      char text[128];
      snprintf (text, sizeof text,
                "method \"%s\" cannot serve this matrix, %s finished the job",
                info->method, info->fallback);
      set_failure (f, failed, "gpueig:fallback", text);
    }
  return f;
}

__attribute__ ((visibility ("default"))) void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  mex_command *run = nrhs > 0 ? find_command (prhs[0]) : NULL;
  gpueig_info info = { .method = "" };
  gpueig_status status = context ? GPUEIG_OK : open_context ();
  if (status == GPUEIG_OK)
    {
      unwound += gpueig_reset (context);
      if (run)
        status = run (context, nlhs, plhs, nrhs - 1, prhs + 1, &info);
      else
        status = gpueig_fail (context, GPUEIG_BAD_ARGUMENT, "no such command");
    }
  if (status == GPUEIG_OK && interrupted (NULL))
    {
      /* Too late for the solver.  Octave would copy the results, seconds for
         gigabytes, before it looks.  */
      for (int i = 1; i < nlhs; i++)
        if (plhs[i])
          mxDestroyArray (plhs[i]);
      for (int i = 1; i < nlhs; i++)
        plhs[i] = NULL;
      status = GPUEIG_INTERRUPTED;
    }
  plhs[0] = failure (status, context ? gpueig_message (context) : NULL, &info);
  /* Outputs that a failing command did not make.  */
  for (int i = 1; i < nlhs; i++)
    if (! plhs[i])
      plhs[i] = mxCreateDoubleMatrix (0, 0, mxREAL);
}

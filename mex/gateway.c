/* The entry point, the context's life, and Ctrl-C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A MEX file is one object per process: its context is the gateway's only
   state, made by the first call and destroyed at exit.  */
static gpueig_context *context;

/* --- Ctrl-C and progress --- */

/* Octave's handler counts interrupts here; polling it leaves the handling to
   Octave, which raises the interrupt when the command returns.  */
static int
interrupted (void *data)
{
  (void) data;
  static volatile sig_atomic_t *state;
  static int looked;
  if (! looked)
    {
      state = dlsym (RTLD_DEFAULT, "octave_interrupt_state");
      looked = 1;
    }
  return state && *state > 0;
}

static void
report (void *data, const char *line)
{
  (void) data;
  mexPrintf ("%s\n", line);
  mexEvalString ("fflush (stdout);");
}

/* --- life --- */

static void
at_exit (void)
{
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
   is no news about the matrix: INFO says it, no warning does, unless the GPU is
   lost for the session.  */
static mxArray *
failure (gpueig_status status, const char *message, const gpueig_info *info)
{
  static const char *fields[] = { "identifier", "message" };
  char text[512];
  int failed = status != GPUEIG_OK;
  int fell_back = (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
                  && info->fallback[0] && strcmp (info->fallback, "cpu") != 0;
  int lost = info->device_lost;
  if (! failed && ! fell_back && ! lost)
    return mxCreateDoubleMatrix (0, 0, mxREAL);
  mxArray *f = mxCreateStructMatrix (1, failed + fell_back + lost, 2, fields);
  if (failed)
    set_failure (f, 0, gpueig_status_id (status),
                 message && *message ? message : gpueig_status_text (status));
  if (fell_back)
    {
      gpueig_fallback_text (info, text, sizeof text);
      set_failure (f, failed, "gpueig:fallback", text);
    }
  if (lost)
    {
      snprintf (text, sizeof text,
                "the GPU was lost by a fault (%s); the CPU does the work until "
                "Octave is restarted",
                gpueig_device_fault (context));
      set_failure (f, failed + fell_back, "gpueig:device-lost", text);
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

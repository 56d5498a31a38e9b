/* The entry point, creation and destruction of the context, and Ctrl-C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "base/system.h"
#include "direct.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Created by the first call and destroyed at exit: a MEX file is loaded once per
   process.  Further state: the static variables below and in shared_values.c.  */
static gpueig_context *context;

/* --- interrupts and progress ---

   The solvers call these while they hold scratch memory and have set the number of
   threads: neither may raise an exception.  */

/* Counter that Octave's signal handler increments.  It is only read here; Octave raises
   the interrupt when the command returns.  */
static volatile sig_atomic_t *interrupt_state;

/* octave::flush_stdout (), or NULL if the symbol was not found.  */
static void (*flush_stdout) (void);

static void
find_octave_symbols (void)
{
  interrupt_state = ge_find_symbol ("octave_interrupt_state");
  *(void **) &flush_stdout = ge_find_symbol ("_ZN6octave12flush_stdoutEv");
}

/* For tests: number of the poll or line of progress at which to raise a signal; 0:
   never.  */
static int64_t interrupt_at, polls;
static int interrupt_by;

int64_t
mex_interrupt_at (int64_t k, int signal)
{
  const int64_t counted = polls;
  interrupt_at = k;
  interrupt_by = signal;
  polls = 0;
  return counted;
}

static void
count_poll (void)
{
  /* Octave's main thread may block SIGINT; Ctrl-C is then delivered to another
     thread.  */
  if (++polls == interrupt_at)
    ge_raise (interrupt_by);
}

/* Octave's handler of SIGTERM and SIGHUP lets Octave end when the command returns, so
   that a long one must return.  */
static volatile sig_atomic_t ending;

static int
interrupted (void *data)
{
  (void) data;
  count_poll ();
  return ending || (interrupt_state && *interrupt_state > 0);
}

/* mexPrintf writes to a stream of the C++ library, which catches exceptions of its
   buffer.  With output paged, lines stay in that buffer until it is flushed.
   mexEvalString ("fflush (stdout)") would raise a pending interrupt; flush_stdout,
   which the interpreter uses, does not.  */
static void
report (void *data, const char *line)
{
  (void) data;
  count_poll ();
  mexPrintf ("%s\n", line);
  if (flush_stdout)
    flush_stdout ();
}

/* For tests: the number of calls of the library that an exception has left; must be
   0.  */
static int64_t unwound;

int64_t
mex_unwound (void)
{
  return unwound;
}

/* --- creation and destruction --- */

/* Called when the process ends; does not wait for a detached job.  */
static void
at_exit (void)
{
  ge_leave_end_signals ();
  /* Octave has closed its files before.  */
  if (gpueig_detached (context))
    ge_end_at_exit ();
  else
    gpueig_destroy (context);
  context = NULL;
}

/* The program of the MPI backend is in the folder of the MEX file; in an installed
   package it has another name, see mex/package/Makefile.in.  */
static void
set_default_worker (gpueig_context *ctx)
{
  char folder[4096], file[4096 + 20];
  if (! ge_own_folder (folder, sizeof folder))
    return;
  snprintf (file, sizeof file, "%sgpueig-worker.so", folder);
  FILE *f = fopen (file, "rb");
  if (f)
    fclose (f);
  else
    snprintf (file, sizeof file, "%sgpueig-worker", folder);
  gpueig_set_worker (ctx, file);
}

/* Octave itself checks this in version 10 and newer.  */
static void
check_version (void)
{
  char text[32] = "";
  mxArray *version = mex_builtin_1 ("OCTAVE_VERSION", 0, NULL);
  mxGetString (version, text, sizeof text);
  if (atoi (text) != MEX_OCTAVE)
    mexErrMsgIdAndTxt ("gpueig:wrong-octave",
                       "built for Octave %d, but this is Octave %s; build or "
                       "install gpueig again",
                       MEX_OCTAVE, text);
  mxDestroyArray (version);
}

static void
open_context (void)
{
  const gpueig_callbacks callbacks
      = { .interrupted = interrupted, .report = report };
  check_version ();
  const gpueig_status status = gpueig_create (&context);
  /* Without a context there is nothing that could be asked for the failure.  */
  if (status != GPUEIG_OK)
    mexErrMsgIdAndTxt (gpueig_status_id (status), "%s",
                       gpueig_status_text (status));
  find_octave_symbols ();
  ge_watch_end_signals (&ending);
  gpueig_set_callbacks (context, &callbacks);
  set_default_worker (context);
  /* Threads of core and CUDA run in this file's code from now on.  */
  mexLock ();
  mexAtExit (at_exit);
}

static gpueig_info last_info;

const gpueig_info *
mex_last_info (void)
{
  return &last_info;
}

/* --- errors and warnings of the last call --- */

static struct
{
  int count;
  struct
  {
    const char *id;
    int is_error;
    char text[640];
  } item[4];
} failures;

void
mex_warn (const char *id, const char *format, ...)
{
  va_list args;
  if (failures.count == sizeof failures.item / sizeof failures.item[0])
    return;
  failures.item[failures.count].id = id;
  failures.item[failures.count].is_error = 0;
  va_start (args, format);
  vsnprintf (failures.item[failures.count].text, sizeof failures.item[0].text,
             format, args);
  va_end (args);
  failures.count++;
}

/* Append errors and warnings for STATUS and INFO to those of the command.  A GPU that
   failed in an "auto" call (info->fallback "cpu") causes no warning, unless it is lost
   for the session.  */
static void
note_status (gpueig_status status, const gpueig_info *info)
{
  const char *message = context ? gpueig_message (context) : "";
  const int good = status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE;
  if (status != GPUEIG_OK)
    {
      mex_warn (gpueig_status_id (status), "%s",
                *message ? message : gpueig_status_text (status));
      failures.item[failures.count - 1].is_error = ! good;
    }
  if (good && info->fallback[0] && strcmp (info->fallback, "cpu") != 0)
    {
      char text[200];
      gpueig_fallback_text (info, text, sizeof text);
      mex_warn ("gpueig:fallback", "%s", text);
    }
  if (info->device_lost)
    mex_warn ("gpueig:device-lost",
              "the GPU was lost by a fault (%s); the CPU does the work until "
              "Octave is restarted",
              gpueig_device_fault (context));
}

/* [failed, F] = __gpueig__ ("failures"): errors and warnings of the previous call, a
   struct array with the fields identifier, message and is_error.  */
gpueig_status
mex_failures (mex_call *call)
{
  static const char *fields[] = { "identifier", "message", "is_error" };
  mxArray *f = mxCreateStructMatrix (1, (mwSize) failures.count, 3, fields);
  for (int i = 0; i < failures.count; i++)
    {
      mxSetField (f, i, "identifier", mxCreateString (failures.item[i].id));
      mxSetField (f, i, "message", mxCreateString (failures.item[i].text));
      mxSetField (f, i, "is_error",
                  mxCreateLogicalScalar (failures.item[i].is_error != 0));
    }
  call->out[0] = f;
  return GPUEIG_OK;
}

/* --- arrays, for gpu_array.cc --- */

static gpueig_status
need_room (size_t count, size_t size)
{
  mex_call call = { .ctx = context };
  return mex_need_room (&call, count, size);
}

const mex_direct mex_direct_calls = { .context = &context,
                                      .need_room = need_room,
                                      .message = gpueig_message,
                                      .status_id = gpueig_status_id,
                                      .status_text = gpueig_status_text,
#define FIELD(name) .array_##name = gpueig_array_##name,
                                      MEX_ARRAY_CALLS (FIELD)
#undef FIELD
};

/* [failed, address] = __gpueig__ ("direct"): of the table of functions for gpu_array.cc.  */
gpueig_status
mex_direct_address (mex_call *call)
{
  const uint64_t address = (uintptr_t) &mex_direct_calls;
  call->out[0] = mxCreateNumericMatrix (1, 1, mxUINT64_CLASS, mxREAL);
  memcpy (mxGetData (call->out[0]), &address, sizeof address);
  return GPUEIG_OK;
}

/* --- entry --- */

static gpueig_status
run_command (const mex_command *command, mex_call *call)
{
  if (! context)
    open_context ();
  unwound += gpueig_reset (context);
  call->ctx = context;
  if (! command || (! command->is_hook && call->n_args < 0))
    return gpueig_fail (context, GPUEIG_BAD_ARGUMENT, "no such command");
  if (call->n_args < command->least)
    return mex_usage (call);
  for (int i = 0; i < command->matrices && mex_is_array (call, i); i++)
    if (mex_is_discrete (call->args[i]))
      {
        mxArray *in = (mxArray *) call->args[i];
        call->args[i] = mex_builtin_1 ("double", 1, &in);
      }
  gpueig_status status = mex_find_place (call, command);
  if (status == GPUEIG_OK)
    status = command->run (call);
  if (call->failed)
    status = GPUEIG_BAD_ARGUMENT;
  /* An interrupt after the solver's last poll: without this test Octave would first
     copy the results, which takes seconds for gigabytes.  */
  if (status == GPUEIG_OK && ! command->is_hook && interrupted (NULL))
    status = gpueig_fail (context, GPUEIG_INTERRUPTED, "interrupted");
  mex_free_made (call, status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE);
  return status;
}

__attribute__ ((visibility ("default"))) void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  char name[16];
  const mex_command *command
      = nrhs > 0 && mxIsChar (prhs[0])
                && mxGetString (prhs[0], name, sizeof name) == 0
            ? mex_find_command (name)
            : NULL;
  const int first = command && command->is_hook ? 1 : 2;
  mex_call call = {
    .n_args = nrhs - first, .args = prhs + first, .n_out = 1, .command = command
  };
  if (first == 2 && nrhs > 1 && mxIsDouble (prhs[1])
      && mxGetScalar (prhs[1]) > 1)
    call.n_out = (int) mxGetScalar (prhs[1]);
  const int asks = command && command->run == mex_failures;
  if (! asks)
    failures.count = 0;

  gpueig_status status = run_command (command, &call);
  if (first == 2)
    last_info = call.info;
  if (! call.failed && ! asks)
    {
      note_status (status, &call.info);
      if (failures.count > 0)
        call.failed = MEX_RAISE;
    }
  plhs[0] = call.failed ? mex_number (call.failed) : mex_empty (0);
  const int good = status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE;
  for (int i = 1; i < nlhs; i++)
    plhs[i] = good && i <= MEX_OUTPUTS && call.out[i - 1] ? call.out[i - 1]
                                                          : mex_empty (0);
}

/* The entry point, creation and destruction of the context, and Ctrl-C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "direct.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  interrupt_state = dlsym (RTLD_DEFAULT, "octave_interrupt_state");
  *(void **) &flush_stdout = dlsym (RTLD_DEFAULT, "_ZN6octave12flush_stdoutEv");
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
  sigset_t interrupt, before;
  if (++polls != interrupt_at)
    return;
  /* Octave's main thread may block SIGINT; Ctrl-C is then delivered to another
     thread.  */
  sigemptyset (&interrupt);
  sigaddset (&interrupt, interrupt_by);
  pthread_sigmask (SIG_UNBLOCK, &interrupt, &before);
  raise (interrupt_by);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

/* Octave's handler of SIGTERM and SIGHUP lets Octave end when the command returns, so
   that a long one must return.  The handlers here remember the signal and call
   Octave's, for as long as this file is loaded.  */
static const int end_signals[] = { SIGTERM, SIGHUP };
static struct sigaction octave_action[2];
static volatile sig_atomic_t ending;

static void
note_end (int signal, siginfo_t *info, void *where)
{
  const struct sigaction *a = &octave_action[signal == SIGHUP];
  ending = 1;
  if (a->sa_flags & SA_SIGINFO)
    a->sa_sigaction (signal, info, where);
  else
    a->sa_handler (signal);
}

static void
watch_end_signals (void)
{
  for (int i = 0; i < 2; i++)
    {
      struct sigaction *old = &octave_action[i];
      if (sigaction (end_signals[i], NULL, old) != 0
          || (! (old->sa_flags & SA_SIGINFO)
              && (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN)))
        continue;
      struct sigaction own = *old;
      own.sa_flags |= SA_SIGINFO;
      own.sa_sigaction = note_end;
      sigaction (end_signals[i], &own, NULL);
    }
}

static void
leave_end_signals (void)
{
  for (int i = 0; i < 2; i++)
    {
      struct sigaction now;
      if (sigaction (end_signals[i], NULL, &now) == 0
          && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == note_end)
        sigaction (end_signals[i], &octave_action[i], NULL);
    }
}

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

/* End the process by _exit while a detached job runs: exit would unload libraries that
   the job executes.  Octave has closed its files before.  */
static void
end_process (int status, void *data)
{
  (void) data;
  fflush (NULL);
  _exit (status);
}

/* Called when the process ends; does not wait for a detached job.  */
static void
at_exit (void)
{
  leave_end_signals ();
  if (gpueig_detached (context))
    on_exit (end_process, NULL);
  else
    gpueig_destroy (context);
  context = NULL;
}

/* The program of the MPI backend is in the folder of the MEX file; in an installed
   package it has another name, see mex/package/Makefile.in.  */
static void
set_default_worker (gpueig_context *ctx)
{
  static const char *const names[] = { "gpueig-worker.so", "gpueig-worker" };
  Dl_info self;
  char file[4096];
  if (! dladdr (&context, &self) || ! self.dli_fname)
    return;
  const char *slash = strrchr (self.dli_fname, '/');
  const int length = slash ? (int) (slash - self.dli_fname) + 1 : 0;
  for (int i = 0; i < 2; i++)
    if (snprintf (file, sizeof file, "%.*s%s", length, self.dli_fname, names[i])
            < (int) sizeof file
        && (i == 1 || access (file, X_OK) == 0))
      {
        gpueig_set_worker (ctx, file);
        return;
      }
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
  watch_end_signals ();
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

__attribute__ ((visibility ("default"))) const mex_direct mex_direct_calls
    = { .context = &context,
        .need_room = need_room,
        .message = gpueig_message,
        .status_id = gpueig_status_id,
        .status_text = gpueig_status_text,
#define FIELD(name) .array_##name = gpueig_array_##name,
        MEX_ARRAY_CALLS (FIELD)
#undef FIELD
      };

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
  mex_call call = { .n_args = nrhs - first,
                    .args = prhs + first,
                    .n_out = 1,
                    .extra = command ? command->extra : NULL };
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

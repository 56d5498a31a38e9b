/* Signals and the end of a process, apart from the rest of the system because what a program
   loads must not end it: of the library only what calls these functions contains them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/system.h"

#include <stdio.h>
#include <stdlib.h>

/* --- the end --- */

#if defined __linux__

#  include <unistd.h>

static void
end_process (int status, void *data)
{
  (void) data;
  fflush (NULL);
  _exit (status);
}

void
ge_end_at_exit (void)
{
  on_exit (end_process, NULL);
}

#else

static void
end_process (void)
{
  fflush (NULL);
  _Exit (0);
}

void
ge_end_at_exit (void)
{
  atexit (end_process);
}

#endif

/* --- signals --- */

#if defined _WIN32

/* Windows ends a process without a signal.  */

void
ge_raise (int signal)
{
  raise (signal);
}

void
ge_watch_end_signals (volatile sig_atomic_t *ending)
{
  (void) ending;
}

void
ge_leave_end_signals (void)
{
}

#else

void
ge_raise (int signal)
{
  sigset_t these, before;
  sigemptyset (&these);
  sigaddset (&these, signal);
  pthread_sigmask (SIG_UNBLOCK, &these, &before);
  raise (signal);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

static const int end_signals[] = { SIGTERM, SIGHUP };
static struct sigaction handled[2]; /* before */
static volatile sig_atomic_t *end_flag;

static void
note_end (int signal, siginfo_t *info, void *where)
{
  const struct sigaction *a = &handled[signal == SIGHUP];
  *end_flag = 1;
  if (a->sa_flags & SA_SIGINFO)
    a->sa_sigaction (signal, info, where);
  else
    a->sa_handler (signal);
}

void
ge_watch_end_signals (volatile sig_atomic_t *ending)
{
  end_flag = ending;
  for (int i = 0; i < 2; i++)
    {
      struct sigaction *old = &handled[i];
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

void
ge_leave_end_signals (void)
{
  for (int i = 0; i < 2; i++)
    {
      struct sigaction now;
      if (sigaction (end_signals[i], NULL, &now) == 0
          && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == note_end)
        sigaction (end_signals[i], &handled[i], NULL);
    }
}

#endif

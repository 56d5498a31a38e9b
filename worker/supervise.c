/* The supervisor: starts the launcher and ends all of its processes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Launchers put their processes into separate process groups, and these go on if the
   launcher is killed.  The supervisor is a subreaper: descendants whose parent has
   ended become its children, so it can end all of them.  The kernel sends it SIGTERM
   when the process that started it ends.  What they leave, MPI's shared memory too,
   lies in the session's folder.  */

#include "worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct
{
  pid_t parent, launcher;
  int ended, code; /* of the launcher */
  int local;       /* all its processes are on this host */
  sigset_t signals;
} supervisor;

/* --- ending processes --- */

/* Wait for all children that have ended; zero if there are no more children.  */
static int
reap (supervisor *s)
{
  for (;;)
    {
      int status;
      const pid_t pid = waitpid (-1, &status, WNOHANG);
      if (pid <= 0)
        return pid == 0 || errno != ECHILD;
      if (pid != s->launcher)
        continue;
      s->ended = 1;
      s->code
          = WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
    }
}

/* Send SIGKILL to every child, own or adopted; this process has one thread.  */
static void
kill_children (void)
{
  char name[64];
  int pid;
  snprintf (name, sizeof name, "/proc/self/task/%ld/children",
            (long) getpid ());
  FILE *f = fopen (name, "r");
  while (f && fscanf (f, "%d", &pid) == 1)
    kill (pid, SIGKILL);
  if (f)
    fclose (f);
}

/* Wait for a signal, for at most SECONDS.  */
static int
next_signal (const supervisor *s, double seconds)
{
  const struct timespec time
      = { (time_t) seconds,
          (long) (1e9 * (seconds - (double) (time_t) seconds)) };
  return sigtimedwait (&s->signals, NULL, &time);
}

/* A launcher with processes on other hosts gets SIGTERM, so that it ends them; then
   all processes on this host are killed.  Open MPI's takes about a second to end.  */
static void
end_all (supervisor *s)
{
  double limit = ge_now () + 0.25;
  /* The shell that runs the launcher, and the launcher.  */
  if (! s->ended && ! s->local)
    kill (-s->launcher, SIGTERM);
  while (! s->ended && ! s->local && ge_now () < limit)
    {
      next_signal (s, 0.02);
      reap (s);
    }
  if (! s->ended)
    kill (-s->launcher, SIGKILL);
  limit = ge_now () + 2;
  while (reap (s) && ge_now () < limit)
    {
      kill_children ();
      next_signal (s, 0.005);
    }
}

/* --- starting the launcher --- */

static void
run_launcher (char **command)
{
  sigset_t none;
  const pid_t parent = getppid ();
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (getppid () != parent)
    _exit (1);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  execvp (command[0], command);
  fprintf (stderr, "%s: %s\n", command[0], strerror (errno));
  _exit (127);
}

/* Mark the file descriptors inherited from the parent process as close-on-exec.  */
static void
close_others (void)
{
  DIR *folder = opendir ("/proc/self/fd");
  if (! folder)
    return;
  const int own = dirfd (folder);
  for (struct dirent *e; (e = readdir (folder));)
    {
      const int fd = atoi (e->d_name);
      if (fd > 2 && fd != own)
        fcntl (fd, F_SETFD, FD_CLOEXEC);
    }
  closedir (folder);
}

int
wk_supervise (int argc, char **argv)
{
  supervisor s = { .parent = argc > 2 ? (pid_t) atol (argv[2]) : 0 };
  int first = 3, signal = SIGTERM;
  if (argc > first && strcmp (argv[first], "--local") == 0)
    {
      s.local = 1;
      first++;
    }
  const int paths = first;
  while (first < argc && strcmp (argv[first], "--") != 0)
    first += 2;
  if (first + 1 >= argc)
    return 2;
  sigemptyset (&s.signals);
  sigaddset (&s.signals, SIGCHLD);
  sigaddset (&s.signals, SIGTERM);
  sigaddset (&s.signals, SIGINT);
  sigaddset (&s.signals, SIGHUP);
  sigprocmask (SIG_BLOCK, &s.signals, NULL);
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  close_others ();
  for (int i = paths; i + 1 < first; i += 2)
    if (strcmp (argv[i], "--remove") == 0)
      ge_mpi_lock (argv[i + 1]);
  if (getppid () == s.parent)
    {
      s.launcher = fork ();
      if (s.launcher == 0)
        run_launcher (argv + first + 1);
      s.ended = s.launcher < 0;
      signal = 0;
      s.code = 1;
      while (! s.ended)
        {
          signal = sigwaitinfo (&s.signals, NULL);
          if (signal == SIGCHLD)
            reap (&s);
          else if (signal > 0)
            break;
        }
      end_all (&s);
    }
  /* After SIGTERM the parent may be ending although getppid still returns it, which is
     so until all of its threads have ended.  */
  const int orphan = signal == SIGTERM || getppid () != s.parent;
  for (int i = paths; i + 1 < first; i += 2)
    if (strcmp (argv[i], "--remove") == 0 || orphan)
      ge_remove_all (argv[i + 1]);
  return s.code;
}

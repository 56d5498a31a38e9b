/* Start the processes of a session, wait for them and terminate them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   By posix_spawn: fork would copy the page tables of this process, and pages that it
   writes before the child's exec.  */

#include "workers/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- the programs --- */

const char *
ge_mpi_launcher (void)
{
  const char *given = getenv ("GPUEIG_LAUNCH");
  return given && *given ? given : "mpirun -n %d";
}

int
ge_mpi_launcher_is_words (void)
{
  const char *text = ge_mpi_launcher ();
  return text[strspn (text,
                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                      "0123456789_%+,-./:=@^ ")]
         == '\0';
}

gpueig_status
ge_mpi_find_worker (gpueig_context *ctx, const char **file)
{
  const char *given = getenv ("GPUEIG_WORKER");
  const int named = given && *given;
  *file = named ? given : ctx->worker_file;
  if (*file && access (*file, X_OK) == 0)
    return GPUEIG_OK;
  if (named)
    return gpueig_fail (ctx, GPUEIG_NO_WORKER,
                        "GPUEIG_WORKER, %.200s, cannot be executed: %s", given,
                        strerror (errno));
  return gpueig_fail (ctx, GPUEIG_NO_WORKER,
                      "%.130s is missing: install MPI, ScaLAPACK and ELPA "
                      "(Debian: openmpi-bin libscalapack-mpi-dev "
                      "libelpa-dev), then gpueig again",
                      *file ? *file : "the program gpueig-worker");
}

/* The first hardware thread of the core of PROCESSOR; PROCESSOR if unknown.  */
static int
first_sibling (int processor)
{
  char name[96];
  int first = processor;
  snprintf (name, sizeof name,
            "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
            processor);
  FILE *f = fopen (name, "r");
  if (! f)
    return processor;
  if (fscanf (f, "%d", &first) != 1)
    first = processor;
  fclose (f);
  return first;
}

int
ge_mpi_default_workers (void)
{
  cpu_set_t mine, cores;
  CPU_ZERO (&cores);
  if (sched_getaffinity (0, sizeof mine, &mine) != 0)
    return 1;
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET (i, &mine))
      {
        const int first = first_sibling (i);
        CPU_SET (first >= 0 && first < CPU_SETSIZE ? first : i, &cores);
      }
  const int count = CPU_COUNT (&cores);
  return count > 0 ? count : 1;
}

/* --- environment of the processes --- */

/* Nonzero for variables by which a launcher tells a process its part in a job.  They must
   not be passed on, or the new processes would join the job of this one; settings of
   the user (OMPI_ALLOW_RUN_AS_ROOT, OMPI_MCA_btl, PMIX_MCA_...) are.  */
static int
is_of_outer_job (const char *variable)
{
  static const char *const prefixes[] = { "OMPI_APP_CTX_",
                                          "OMPI_ARGV=",
                                          "OMPI_COMMAND=",
                                          "OMPI_COMM_WORLD_",
                                          "OMPI_FILE_LOCATION=",
                                          "OMPI_FIRST_RANKS=",
                                          "OMPI_MCA_ess",
                                          "OMPI_MCA_initial_wdir=",
                                          "OMPI_MCA_orte_",
                                          "OMPI_MCA_pmix=",
                                          "OMPI_NUM_APP_CTX=",
                                          "OMPI_UNIVERSE_SIZE=",
                                          "OPAL_OUTPUT_",
                                          "ORTE_",
                                          "PMIX_",
                                          "PRTE_",
                                          "PMI_",
                                          "HYDI_",
                                          NULL };
  if (strncmp (variable, "PMIX_MCA_", 9) == 0
      || strncmp (variable, "PRTE_MCA_", 9) == 0)
    return 0;
  for (const char *const *p = prefixes; *p; p++)
    if (strncmp (variable, *p, strlen (*p)) == 0)
      return 1;
  return 0;
}

/* Nonzero if A and B, of the form NAME=VALUE, have the same name.  */
static int
same_name (const char *a, const char *b)
{
  const size_t length = strcspn (b, "=");
  return strncmp (a, b, length + 1) == 0;
}

enum
{
  ADDED = 5,
  SETTING = PATH_MAX + 64
};

typedef struct
{
  char **list; /* argument of posix_spawn */
  char text[ADDED][SETTING];
} environment;

/* Free E, which may be NULL.  */
static void
free_environment (environment *e)
{
  if (e)
    free (e->list);
  free (e);
}

/* Environment of the workers: one BLAS thread per process; temporary files of the
   launcher in the session's folder, so that they can be removed.  */
static environment *
make_environment (const ge_mpi_session *s)
{
  static const char *const one[]
      = { "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
          "BLIS_NUM_THREADS", NULL };
  environment *e = calloc (1, sizeof *e);
  size_t count = 0;
  int added = 0;
  while (environ[count])
    count++;
  char **list = e ? malloc ((count + ADDED + 1) * sizeof *list) : NULL;
  if (! list)
    {
      free (e);
      return NULL;
    }
  for (int i = 0; one[i]; i++)
    snprintf (e->text[added++], SETTING, "%s=1", one[i]);
  if (s)
    snprintf (e->text[added++], SETTING, "TMPDIR=%s", s->folder);
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    {
      int keep = ! is_of_outer_job (environ[i]);
      for (int k = 0; k < added; k++)
        keep &= ! same_name (environ[i], e->text[k]);
      if (keep)
        list[used++] = environ[i];
    }
  for (int k = 0; k < added; k++)
    list[used++] = e->text[k];
  list[used] = NULL;
  e->list = list;
  return e;
}

/* --- a process and its output --- */

typedef struct
{
  pid_t pid;
  int pipe; /* standard output and error of the process, non-blocking */
  char line[1024];
  size_t length; /* of LINE */
} child;

/* Start COMMAND in a new process group with default signal handling.  */
static gpueig_status
start_process (gpueig_context *ctx, char *const *command, char **env, child *c)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int ends[2];
  *c = (child){ .pipe = -1 };
  if (pipe2 (ends, O_CLOEXEC) != 0)
    return gpueig_fail (ctx, GPUEIG_WORKER, "no pipe: %s", strerror (errno));
  sigemptyset (&none);
  sigfillset (&all);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETPGROUP
                                             | POSIX_SPAWN_SETSIGMASK
                                             | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup (&attributes, 0);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2 (&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2 (&actions, ends[1], 2);
  const int error
      = posix_spawnp (&c->pid, command[0], &actions, &attributes, command, env);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  close (ends[1]);
  if (error)
    {
      close (ends[0]);
      return gpueig_fail (ctx, GPUEIG_NO_WORKER, "%.200s cannot be started: %s",
                          command[0], strerror (error));
    }
  fcntl (ends[0], F_SETFL, O_NONBLOCK);
  c->pipe = ends[0];
  return GPUEIG_OK;
}

/* Report the complete line of C if it is progress, otherwise append it to OUTPUT, whose
   beginning is discarded when it is full.  */
static void
end_line (gpueig_context *ctx, child *c, ge_mpi_output output)
{
  static const char progress[] = GE_MPI_LINE GE_MPI_PROGRESS;
  c->line[c->length] = '\0';
  const size_t length = c->length;
  c->length = 0;
  if (strncmp (c->line, progress, sizeof progress - 1) == 0)
    {
      ge_report (ctx, "%s", c->line + sizeof progress - 1);
      return;
    }
  size_t used = strlen (output);
  const size_t room = sizeof (ge_mpi_output) - 2;
  if (used + length > room)
    {
      const size_t drop = used + length - room;
      const size_t kept = drop < used ? used - drop : 0;
      memmove (output, output + (used - kept), kept + 1);
      used = kept;
    }
  memcpy (output + used, c->line, length);
  memcpy (output + used + length, "\n", 2);
}

/* Read the available output of C.  */
static void
read_output (gpueig_context *ctx, child *c, ge_mpi_output output)
{
  char text[4096];
  ssize_t got;
  while (c->pipe >= 0 && (got = read (c->pipe, text, sizeof text)) != 0)
    {
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return;
      for (ssize_t i = 0; i < got; i++)
        {
          if (text[i] != '\n')
            c->line[c->length++] = text[i];
          if (text[i] == '\n' || c->length == sizeof c->line - 1)
            end_line (ctx, c, output);
        }
    }
  if (c->pipe >= 0)
    close (c->pipe);
  c->pipe = -1;
}

/* Nonzero if C has ended; *CODE is its exit status, or 128 + the number of the signal
   that ended it.  */
static int
has_ended (child *c, int *code)
{
  int status;
  const pid_t got = waitpid (c->pid, &status, WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR))
    return 0;
  if (got < 0)
    *code = -1; /* another part of this process has waited for it */
  else
    *code = WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
  return 1;
}

static void
wait_a_moment (const child *c)
{
  enum
  {
    POLL = 10 /* milliseconds between two polls for an interrupt */
  };
  struct pollfd p = { .fd = c->pipe, .events = POLLIN };
  poll (&p, c->pipe >= 0, POLL);
}

/* Terminate C, which terminates its children: SIGINT, later SIGKILL.  */
static void
stop (child *c)
{
  const double limit = ge_now () + 0.8;
  int code;
  kill (c->pid, SIGINT);
  while (! has_ended (c, &code))
    {
      if (ge_now () > limit)
        kill (-c->pid, SIGKILL);
      usleep (5000);
    }
}

/* Wait until C ends, the user interrupts, or SECONDS have passed (*CODE = -1).  */
static gpueig_status
wait_for (gpueig_context *ctx, child *c, double seconds, ge_mpi_output output,
          int *code)
{
  const double limit = ge_now () + seconds;
  gpueig_status status = GPUEIG_OK;
  *code = -1;
  while (! has_ended (c, code))
    {
      read_output (ctx, c, output);
      status = ge_check_interrupt (ctx);
      if (status != GPUEIG_OK || ge_now () > limit)
        {
          stop (c);
          break;
        }
      wait_a_moment (c);
    }
  read_output (ctx, c, output);
  if (c->length)
    end_line (ctx, c, output);
  if (c->pipe >= 0)
    close (c->pipe);
  return status;
}

/* Run COMMAND with the environment of workers of S, or of none, for SECONDS at most.  */
static gpueig_status
run_command (gpueig_context *ctx, ge_mpi_session *s, char *const *command,
             double seconds, ge_mpi_output output, int *code)
{
  child c;
  environment *e = make_environment (s);
  output[0] = '\0';
  if (! e)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of memory");
  const gpueig_status status = start_process (ctx, command, e->list, &c);
  free_environment (e);
  return status == GPUEIG_OK ? wait_for (ctx, &c, seconds, output, code)
                             : status;
}

gpueig_status
ge_mpi_ask (gpueig_context *ctx, char *const *command, double seconds,
            ge_mpi_output output, int *code)
{
  return run_command (ctx, NULL, command, seconds, output, code);
}

/* --- the workers --- */

/* Write the shell command that starts WORKERS processes to TEXT: the launcher's, with
   every %d replaced, followed by the worker and its arguments.  0 if SIZE is too
   small.  */
static int
launcher_text (int workers, char *text, size_t size)
{
  /* A command of words replaces the shell: it is then ended if the supervisor dies.  */
  size_t used = (size_t) snprintf (
      text, size, "%s", ge_mpi_launcher_is_words () ? "exec env " : "");
  for (const char *at = ge_mpi_launcher (), *next; *at && used < size;
       at = next)
    {
      next = strstr (at, "%d");
      const int plain = next ? (int) (next - at) : (int) strlen (at);
      used += (size_t) snprintf (text + used, size - used, "%.*s", plain, at);
      if (next && used < size)
        used += (size_t) snprintf (text + used, size - used, "%d", workers);
      next = next ? next + 2 : at + plain;
    }
  if (used < size)
    used += (size_t) snprintf (text + used, size - used, " \"$@\"");
  return used < size;
}

gpueig_status
ge_mpi_run (ge_mpi_session *s, int workers, char *const *arguments,
            ge_mpi_output output, int *code)
{
  enum
  {
    MOST = 64,
    LONGEST = 4096 /* bytes of the launcher's command */
  };
  gpueig_context *ctx = s->ctx;
  char pid[24], shell[LONGEST];
  const char *worker;
  char *command[MOST];
  int n = 0;
  output[0] = '\0';
  GE_TRY (ge_mpi_find_worker (ctx, &worker));
  GE_TRY (ge_mpi_note_leftovers (s));
  if (! launcher_text (workers, shell, sizeof shell))
    return gpueig_fail (ctx, GPUEIG_NO_WORKER, "GPUEIG_LAUNCH is too long");
  snprintf (pid, sizeof pid, "%ld", (long) getpid ());
  command[n++] = (char *) worker;
  command[n++] = "--supervise";
  command[n++] = pid;
  if (s->in_memory)
    command[n++] = "--local";
  /* Files of results are removed by the supervisor only if this process, which reads
     them, has ended.  */
  char *const remove[] = { s->folder, s->scratch, s->v.part };
  for (int i = 0; i < 3; i++)
    if (remove[i][0])
      {
        command[n++] = i == 0 ? "--remove" : "--remove-orphan";
        command[n++] = remove[i];
      }
  command[n++] = "--";
  command[n++] = "sh";
  command[n++] = "-c";
  command[n++] = shell;
  command[n++] = "sh";
  command[n++] = (char *) worker;
  while (*arguments && n < MOST - 1)
    command[n++] = *arguments++;
  command[n] = NULL;
  return run_command (ctx, s, command, 1e18, output, code);
}

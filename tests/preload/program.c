/* A program that calls LAPACK, to be run with gpueig-run by tests/check_lapack.sh:
     lapack_program drivers ORDER ...   claims about the drivers
     lapack_program callers             who is served: threads, forked children, OpenMP
     lapack_program nonfinite ORDER ...  NaN and Inf: LAPACK's results to the bit
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "calls.h"
#include "check.h"
#include "program.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int xerbla_info;

/* In place of LAPACK's, which prints a message.  */
__attribute__ ((visibility ("default"))) void
xerbla_ (const char *name, const int *info, size_t length);
void
xerbla_ (const char *name, const int *info, size_t length)
{
  (void) name, (void) length;
  xerbla_info = *info;
}

static void *
direct (const char *name)
{
  static void *lapack;
  if (! lapack)
    lapack = dlopen ("liblapack.so.3", RTLD_LAZY);
  return lapack ? dlsym (lapack, name) : NULL;
}

double
uniform (void)
{
  static measure_random state = { 1 };
  return measure_uniform (&state);
}

/* --- callers --- */

typedef void dsyev (const char *, const char *, const int *, double *,
                    const int *, double *, double *, const int *, int *, size_t,
                    size_t);
dsyev dsyev_;

enum
{
  ORDER = 140
};

typedef struct
{
  double a[ORDER * ORDER], ours[ORDER * ORDER], theirs[ORDER * ORDER];
  double w[ORDER], work[3 * ORDER];
} space;

/* Nonzero if a call of dsyev_ from here is solved by gpueig: QR, which LAPACK uses, has
   other rounding errors.  */
static int
is_taken (space *s, dsyev *their_dsyev)
{
  const int n = ORDER, lwork = 3 * ORDER;
  int info = 1;
  memcpy (s->ours, s->a, sizeof s->a);
  memcpy (s->theirs, s->a, sizeof s->a);
  their_dsyev ("V", "L", &n, s->theirs, &n, s->w, s->work, &lwork, &info, 1, 1);
  const double last = s->w[n - 1];
  dsyev_ ("V", "L", &n, s->ours, &n, s->w, s->work, &lwork, &info, 1, 1);
  if (info != 0 || fabs (last - s->w[n - 1]) > 1e-10 * last)
    return -1;
  return memcmp (s->ours, s->theirs, sizeof s->ours) != 0;
}

static space *
new_space (void)
{
  space *s = malloc (sizeof *s);
  if (! s)
    abort ();
  for (int j = 0; j < ORDER; j++)
    for (int i = 0; i <= j; i++)
      s->a[i + ORDER * j] = s->a[j + ORDER * i] = uniform () + (i == j) * ORDER;
  return s;
}

/* What is_taken returned in 5 calls: 1 << result, or-ed.  */
static void *
calls (void *data)
{
  dsyev *theirs;
  *(void **) &theirs = direct ("dsyev_");
  intptr_t seen = 0;
  for (int i = 0; i < 5; i++)
    {
      const int taken = is_taken (data, theirs);
      seen |= taken < 0 ? 4 : 1 << taken;
    }
  return (void *) seen;
}

static void
test_callers (void)
{
  enum
  {
    THREADS = 9
  };
  dsyev *theirs;
  *(void **) &theirs = direct ("dsyev_");
  space *s = new_space ();
  CHECK (is_taken (s, theirs) == 1, "a plain call is taken");
  int parallel = 0, wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : parallel, wrong)
  {
    space *own;
#pragma omp critical
    own = new_space ();
    const int taken = is_taken (own, theirs);
    parallel += omp_get_num_threads () > 1 && taken != 0;
    wrong += taken < 0;
    free (own);
  }
  CHECK (parallel == 0 && wrong == 0,
         "calls in an OpenMP region are not taken");
  const pid_t child = fork ();
  if (child == 0)
    _exit (is_taken (s, theirs));
  int status = -1;
  waitpid (child, &status, 0);
  /* Where the parent uses a GPU, a child has none.  */
  const int child_is_served = ! getenv ("GPUEIG_TEST_BACKEND");
  CHECK (WIFEXITED (status) && WEXITSTATUS (status) == child_is_served,
         "calls of a forked child are %s: status %d",
         child_is_served ? "taken" : "LAPACK's", status);
  CHECK (is_taken (s, theirs) == 1, "those of the parent still are");
  pthread_t thread[THREADS];
  space *spaces[THREADS];
  for (int i = 0; i < THREADS; i++)
    {
      spaces[i] = new_space ();
      pthread_create (&thread[i], NULL, calls, spaces[i]);
    }
  intptr_t seen = 0;
  for (int i = 0; i < THREADS; i++)
    {
      void *result;
      pthread_join (thread[i], &result);
      seen |= (intptr_t) result;
      free (spaces[i]);
    }
  CHECK (seen == 2, "all calls of %d threads are taken: %d", THREADS,
         (int) seen);
  free (s);
}

/* --- NaN and Inf --- */

/* A number that is not finite, at a random element that driver D reads.  */
static void
poison (const driver_row *d, call_data *s)
{
  static const double values[] = { NAN, INFINITY, -INFINITY };
  const int n = s->n, second = d->pair && uniform () > 0;
  const int i = (int) (n * fabs (uniform ()));
  const int j = (int) ((i + 1) * fabs (uniform ()));
  const int64_t element = i + (int64_t) n * j;
  /* Imaginary parts of the diagonal are not read.  */
  const int imaginary
      = s->scalar > s->real && element % (n + 1) && uniform () > 0;
  const double value = values[(int) (3 * fabs (uniform ()))];
  char *at = (second ? s->b : s->a) + (size_t) element * s->scalar
             + (imaginary ? s->real : 0);
  if (s->real == sizeof (float))
    *(float *) at = (float) value;
  else
    *(double *) at = value;
}

static int
same (const call_data *s, const call_data *t)
{
  const size_t column = (size_t) s->n * s->scalar, all = column * (size_t) s->n;
  return memcmp (s->x, t->x, all) == 0 && memcmp (s->y, t->y, all) == 0
         && memcmp (s->z, t->z, all) == 0 && memcmp (s->w, t->w, column) == 0
         && memcmp (s->wi, t->wi, column) == 0;
}

/* Symmetric matrices and pairs; with others LAPACK may never return, or its results
   depend on what was in memory.  */
static void
test_nonfinite (int n)
{
  char name[16];
  for (const driver_row *d = driver_table; d < driver_table + DRIVERS; d++)
    for (const char *type = "sdcz"; *type; type++)
      for (int i = 0;
           i < 6 && d->symmetric && driver_name (d, *type, name, sizeof name);
           i++)
        {
          call_data s = new_data (d, *type, n, i % 2);
          call_data t = new_data (d, *type, n, i % 2);
          poison (d, &s);
          memcpy (t.a, s.a, (size_t) n * (size_t) n * s.scalar);
          memcpy (t.b, s.b, (size_t) n * (size_t) n * s.scalar);
          s.driver = dlsym (RTLD_DEFAULT, name);
          t.driver = direct (name);
          const int ours = call_driver (d, &s), theirs = call_driver (d, &t);
          CHECK (ours == theirs && same (&s, &t),
                 "%s: NaN or Inf, order %d: INFO is %d, LAPACK's %d", name, n,
                 ours, theirs);
          free_data (&s);
          free_data (&t);
        }
}

int
main (int argc, char **argv)
{
  check_begin ("lapack_program");
  if (argc > 1 && strcmp (argv[1], "callers") == 0)
    test_callers ();
  for (int i = 2; i < argc; i++)
    {
      const int n = atoi (argv[i]);
      if (strcmp (argv[1], "nonfinite") == 0)
        {
          test_nonfinite (n);
          continue;
        }
      test_drivers_s (n);
      test_drivers_d (n);
      test_drivers_c (n);
      test_drivers_z (n);
    }
  return check_end ();
}

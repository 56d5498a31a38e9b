/* A program that calls LAPACK, to be run with gpueig-run by tests/check_lapack.sh:
     lapack_program drivers ORDER ...   claims about the drivers
     lapack_program callers             who is served: threads, forked children, OpenMP
     lapack_program nonfinite ORDER ...  NaN and Inf: LAPACK's results to the bit
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "calls.h"
#include "check.h"
#include "limits.h"

#include <complex.h>
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last error reported to xerbla: the position of the argument, 0: none.  */
static int xerbla_info;

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

static double
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

/* --- what LAPACK promises and its own test programs, which measure the errors, do not vary --- */

static const char types[] = "sdcz";

/* Nonzero if the bits of NaN are still in the padding of X and, with TRIANGLE, in the triangle
   that is not named.  */
static int
untouched (const call_data *s, int triangle, const char *x)
{
  char nan[16];
  int good = 1;
  memset (nan, 0xff, sizeof nan);
  for (int64_t j = 0; j < s->n; j++)
    for (int64_t i = 0; i < s->ld; i++)
      if (i >= s->n || (triangle && (*s->uplo == 'L' ? i < j : i > j)))
        good
            &= memcmp (x + (size_t) (i + s->ld * j) * s->scalar, nan, s->scalar)
               == 0;
  return good;
}

/* The sum of the values that D returns, and of what it is of general matrices.  */
static double
values_sum (const driver_row *d, const call_data *s, gpueig_type type)
{
  const gpueig_type values
      = *d->real == 'g' && d->real[2] == 'e' ? type : real_type (type);
  const char *at
      = d->symmetric || *d->real == 'g' || d->real[4] == 'r' ? s->w : s->x;
  double sum = 0;
  for (int64_t i = 0; i < s->n; i++)
    sum += creal (measure_get (values, at, i));
  return sum;
}

/* Driver D of TYPE and order N with padding, of the triangle UPLO.  */
static void
test_driver (const driver_row *d, int type, const char *name, int n, char *uplo)
{
  const gpueig_type scalar = (gpueig_type) type;
  const int *least = d->least[gpueig_is_complex (scalar)];
  const call_int lwork = least[0] * n + least[1];
  call_data s = new_data (d, types[type], n, 1);
  const call_int room = s.lwork;
  s.uplo = uplo;
  s.ld = n + 3;
  s.driver = dlsym (RTLD_DEFAULT, name);
  double best = 0;
  if (lwork > 0)
    {
      s.lwork = -1;
      call_driver (d, &s);
      best = creal (measure_get (scalar, s.work, 0));
      s.lwork = lwork;
    }
  int info = call_driver (d, &s);
  CHECK (info == 0, "%s: info %d", name, info);
  CHECK (lwork == 0 || creal (measure_get (scalar, s.work, 0)) == best,
         "%s: WORK (1), least LWORK", name);
  CHECK (untouched (&s, 0, s.x) && untouched (&s, d->pair, s.y)
             && untouched (&s, 0, s.z),
         "%s: padding and the other triangle of B are not written", name);
  CHECK (n < 3 || *d->real != 'g'
             || memcmp (s.x, s.a, (size_t) n * s.scalar) != 0,
         "%s: A is overwritten", name);
  /* Without vectors, the factor of B, errors: beside LAPACK's.  */
  const double sum = values_sum (d, &s, scalar);
  call_data t = new_data (d, types[type], n, 1);
  memcpy (t.a, s.a, (size_t) n * (size_t) n * s.scalar);
  memcpy (t.b, s.b, (size_t) n * (size_t) n * s.scalar);
  t.uplo = uplo;
  t.ld = s.ld;
  t.driver = direct (name);
  call_driver (d, &t);
  double worst = 0;
  for (int64_t i = 0; d->pair && i < t.ld * n; i++)
    if (creal (measure_get (scalar, t.y, i))
        == creal (measure_get (scalar, t.y, i)))
      worst = worst_of (worst, cabs (measure_get (scalar, t.y, i)
                                     - measure_get (scalar, s.y, i)));
  CHECK (worst < 10 * n * measure_eps (scalar) * sqrt (5.0 * n),
         "%s: factor of B: %g", name, worst);
  s.vectors = t.vectors = 0;
  info = call_driver (d, &s);
  CHECK (info == 0
             && fabs (values_sum (d, &s, scalar) - sum)
                    < 10 * n * measure_eps (scalar) * n
             && untouched (&s, d->symmetric, s.x),
         "%s: values alone, and the other triangle: %g, %g", name,
         values_sum (d, &s, scalar), sum);
  s.lwork = room;
  if (d->pair)
    {
      const double complex minus = -1;
      measure_set (scalar, s.b, (int64_t) (n + 1) * (n / 2), minus);
      measure_set (scalar, t.b, (int64_t) (n + 1) * (n / 2), minus);
      info = call_driver (d, &s);
      CHECK (info == call_driver (d, &t) && info == n + n / 2 + 1,
             "%s: info %d of a bad B", name, info);
    }
  s.vectors = t.vectors = 1;
  s.ld = t.ld = n - 1;
  xerbla_info = 0;
  info = run_driver (d, &s);
  const int told = xerbla_info;
  CHECK (info == run_driver (d, &t) && told == xerbla_info && told == -info
             && (told > 0 || n == 1),
         "%s: a small leading dimension: %d, %d", name, info, told);
  free_data (&s);
  free_data (&t);
}

static void
pteqr (gpueig_type type, int n, double *d, double *e)
{
  typedef void f (const char *, const int *, void *, void *, void *,
                  const int *, void *, int *, size_t);
  f *g;
  int info;
  FREED char *x = check_array (type, n), *y = check_array (type, n),
             *work = check_array (type, 4 * n);
  *(void **) &g = direct (type ? "dpteqr_" : "spteqr_");
  for (int i = 0; i < n; i++)
    {
      measure_set (type, x, i, d[i]);
      measure_set (type, y, i, e[i]);
    }
  g ("N", &n, x, y, work, &n, work, &info, 1);
  for (int i = 0; i < n; i++)
    d[i] = creal (measure_get (type, x, n - 1 - i));
}

/* Graded definite tridiagonal matrices: eigenvalues of high relative accuracy, as LAPACK
   computes them; xPTEQR's are the exact ones.  Off-diagonal elements of OFF times the
   geometric mean of their neighbours, IN_TURN of OFF and OFF / 20, which is not diagonally
   dominant.  */
static void
test_graded (const driver_row *d, int type, const char *name, int n, double off,
             int in_turn, int falling)
{
  const gpueig_type scalar = (gpueig_type) type;
  FREED double *exact = check_memory (n, sizeof *exact),
               *e = check_memory (n, sizeof *e);
  call_data s = new_data (d, types[type], n, d->real[4] != 'd');
  const double size = type ? 30 : 8;
  for (int i = 0; i < n; i++)
    {
      measure_set (scalar, s.a, i, pow (10, (falling ? -size : size) * i / n));
      exact[i] = creal (measure_get (scalar, s.a, i));
      if (i > 0)
        measure_set (scalar, s.b, i - 1,
                     off * (in_turn && i % 2 ? 0.05 : 1) * sqrt (exact[i - 1])
                         * sqrt (exact[i]));
      if (i > 0)
        e[i - 1] = creal (measure_get (scalar, s.b, i - 1));
    }
  pteqr (scalar, n, exact, e);
  s.driver = dlsym (RTLD_DEFAULT, name);
  const int info = call_driver (d, &s);
  double worst = 0;
  for (int i = 0; i < n; i++)
    worst = worst_of (
        worst,
        fabs (creal (measure_get (scalar, d->real[4] == 'r' ? s.w : s.x, i))
                  / exact[i]
              - 1));
  CHECK (info == 0, "%s, graded: info %d", name, info);
  CHECK_RATIO (worst / (n * measure_eps (scalar)), 20, "%s, graded, order %d",
               name, n);
  free_data (&s);
}

static void
test_drivers (int n)
{
  char name[16];
  for (const driver_row *d = driver_table; d < driver_table + DRIVERS; d++)
    for (int t = 0; t < 4; t++)
      {
        if (! driver_name (d, types[t], name, sizeof name))
          continue;
        test_driver (d, t, name, n, (char[]){ "L" });
        if (d->symmetric)
          test_driver (d, t, name, n, (char[]){ "U" });
        for (int kind = 0; kind < 4 && *d->real == 's' && ! d->symmetric;
             kind++)
          {
            test_graded (d, t, name, n, 0.1, 0, kind % 2);
            test_graded (d, t, name, n, kind / 2 ? 0.45 : 0.9, ! (kind / 2),
                         kind % 2);
          }
      }
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
      test_drivers (n);
    }
  return check_end ();
}

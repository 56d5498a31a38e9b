/* Times of LAPACK's drivers as a program calls them: run it alone and with gpueig-run.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

     bench_lapack SECONDS [ORDER ...]

   Prints lines "driver,n,vectors,first [s],best [s]" of random matrices: the first call
   of the driver at this order and the shortest.  The orders of a driver end when the
   next one would take more than SECONDS.  */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Everything a driver may need, for one order.  */
typedef struct
{
  char type;
  int n, vectors;
  size_t real, scalar; /* bytes */
  char *a, *b;         /* inputs */
  char *x, *y;         /* their copies, overwritten */
  char *z, *left, *w, *wi, *work, *rwork;
  int *iwork, *isuppz, lwork, lrwork, liwork;
} data;

/* N numbers in (-1, 1).  */
static void
fill (const data *s, char *to, int64_t n)
{
  static uint64_t state = 1;
  for (int64_t i = 0; i < n; i++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const double x = (double) (state >> 11) / 4503599627370496.0 - 1;
      if (s->real == sizeof (float))
        ((float *) to)[i] = (float) x;
      else
        ((double *) to)[i] = x;
    }
}

/* Add SHIFT to the diagonal; the imaginary parts of a Hermitian one do not count.  */
static void
add_diagonal (const data *s, char *a, double shift)
{
  for (int64_t i = 0; i < s->n; i++)
    {
      char *at = a + (size_t) (i * (s->n + 1)) * s->scalar;
      if (s->real == sizeof (float))
        *(float *) at += (float) shift;
      else
        *(double *) at += shift;
    }
}

static int
is_complex (const data *s)
{
  return s->scalar > s->real;
}

static void *
driver (const data *s, const char *real, const char *complex)
{
  char name[16];
  snprintf (name, sizeof name, "%c%s_", s->type,
            is_complex (s) ? complex : real);
  return dlsym (RTLD_DEFAULT, name);
}

/* --- the drivers --- */

typedef int call (data *s);

#define V (s->vectors ? "V" : "N")
#define N &s->n

static int
syev (data *s)
{
  typedef void f (const char *, const char *, int *, void *, int *, void *,
                  void *, int *, void *, void *, size_t, size_t, size_t);
  int info = 0;
  f *g;
  *(void **) &g = driver (s, "syev", "heev");
  /* The real form has one argument less before INFO.  */
  g (V, "L", N, s->x, N, s->w, s->work, &s->lwork,
     is_complex (s) ? (void *) s->rwork : (void *) &info, &info, 1, 1, 1);
  return info;
}

static int
syevd (data *s)
{
  typedef void real (const char *, const char *, int *, void *, int *, void *,
                     void *, int *, void *, int *, int *, size_t, size_t);
  typedef void complex (const char *, const char *, int *, void *, int *,
                        void *, void *, int *, void *, int *, void *, int *,
                        int *, size_t, size_t);
  int info = 0;
  real *g;
  complex *h;
  *(void **) &g = *(void **) &h = driver (s, "syevd", "heevd");
  if (is_complex (s))
    h (V, "L", N, s->x, N, s->w, s->work, &s->lwork, s->rwork, &s->lrwork,
       s->iwork, &s->liwork, &info, 1, 1);
  else
    g (V, "L", N, s->x, N, s->w, s->work, &s->lwork, s->iwork, &s->liwork,
       &info, 1, 1);
  return info;
}

static int
syevr (data *s)
{
  typedef void real (const char *, const char *, const char *, int *, void *,
                     int *, void *, void *, int *, int *, void *, int *, void *,
                     void *, int *, int *, void *, int *, void *, int *, int *,
                     size_t, size_t, size_t);
  typedef void complex (const char *, const char *, const char *, int *, void *,
                        int *, void *, void *, int *, int *, void *, int *,
                        void *, void *, int *, int *, void *, int *, void *,
                        int *, void *, int *, int *, size_t, size_t, size_t);
  int info = 0, m, one = 1;
  double zero = 0;
  real *g;
  complex *h;
  *(void **) &g = *(void **) &h = driver (s, "syevr", "heevr");
  if (is_complex (s))
    h (V, "A", "L", N, s->x, N, &zero, &zero, &one, N, &zero, &m, s->w, s->z, N,
       s->isuppz, s->work, &s->lwork, s->rwork, &s->lrwork, s->iwork,
       &s->liwork, &info, 1, 1, 1);
  else
    g (V, "A", "L", N, s->x, N, &zero, &zero, &one, N, &zero, &m, s->w, s->z, N,
       s->isuppz, s->work, &s->lwork, s->iwork, &s->liwork, &info, 1, 1, 1);
  return info;
}

static int
sygv (data *s)
{
  typedef void f (int *, const char *, const char *, int *, void *, int *,
                  void *, int *, void *, void *, int *, void *, void *, size_t,
                  size_t, size_t);
  int info = 0, one = 1;
  f *g;
  *(void **) &g = driver (s, "sygv", "hegv");
  g (&one, V, "L", N, s->x, N, s->y, N, s->w, s->work, &s->lwork,
     is_complex (s) ? (void *) s->rwork : (void *) &info, &info, 1, 1, 1);
  return info;
}

static int
sygvd (data *s)
{
  typedef void real (int *, const char *, const char *, int *, void *, int *,
                     void *, int *, void *, void *, int *, void *, int *, int *,
                     size_t, size_t);
  typedef void complex (int *, const char *, const char *, int *, void *, int *,
                        void *, int *, void *, void *, int *, void *, int *,
                        void *, int *, int *, size_t, size_t);
  int info = 0, one = 1;
  real *g;
  complex *h;
  *(void **) &g = *(void **) &h = driver (s, "sygvd", "hegvd");
  if (is_complex (s))
    h (&one, V, "L", N, s->x, N, s->y, N, s->w, s->work, &s->lwork, s->rwork,
       &s->lrwork, s->iwork, &s->liwork, &info, 1, 1);
  else
    g (&one, V, "L", N, s->x, N, s->y, N, s->w, s->work, &s->lwork, s->iwork,
       &s->liwork, &info, 1, 1);
  return info;
}

static int
stev (data *s)
{
  typedef void f (const char *, int *, void *, void *, void *, int *, void *,
                  int *, size_t);
  int info = 0;
  f *g;
  *(void **) &g = driver (s, "stev", "");
  g (V, N, s->x, s->y, s->z, N, s->work, &info, 1);
  return info;
}

static int
stevd (data *s)
{
  typedef void f (const char *, int *, void *, void *, void *, int *, void *,
                  int *, void *, int *, int *, size_t);
  int info = 0;
  f *g;
  *(void **) &g = driver (s, "stevd", "");
  g (V, N, s->x, s->y, s->z, N, s->work, &s->lwork, s->iwork, &s->liwork, &info,
     1);
  return info;
}

static int
stevr (data *s)
{
  typedef void f (const char *, const char *, int *, void *, void *, void *,
                  void *, int *, int *, void *, int *, void *, void *, int *,
                  int *, void *, int *, void *, int *, int *, size_t, size_t);
  int info = 0, m, one = 1;
  double zero = 0;
  f *g;
  *(void **) &g = driver (s, "stevr", "");
  g (V, "A", N, s->x, s->y, &zero, &zero, &one, N, &zero, &m, s->w, s->z, N,
     s->isuppz, s->work, &s->lwork, s->iwork, &s->liwork, &info, 1, 1);
  return info;
}

static int
geev (data *s)
{
  typedef void f (const char *, const char *, int *, void *, int *, void *,
                  void *, void *, void *, void *, void *, void *, void *,
                  void *, size_t, size_t);
  int info = 0, one = 1;
  f *g;
  *(void **) &g = driver (s, "geev", "geev");
  if (is_complex (s))
    g ("N", V, N, s->x, N, s->w, s->left, &one, s->z, N, s->work, &s->lwork,
       s->rwork, &info, 1, 1);
  else
    g ("N", V, N, s->x, N, s->w, s->wi, s->left, &one, s->z, N, s->work,
       &s->lwork, &info, 1, 1);
  return info;
}

static int
gees (data *s)
{
  typedef void real (const char *, const char *, void *, int *, void *, int *,
                     int *, void *, void *, void *, int *, void *, int *,
                     void *, int *, size_t, size_t);
  int info = 0, sdim;
  real *g;
  *(void **) &g = driver (s, "gees", "gees");
  if (is_complex (s))
    g (V, "N", NULL, N, s->x, N, &sdim, s->w, s->z, N, (int *) s->work,
       &s->lwork, (int *) s->rwork, s->iwork, &info, 1, 1);
  else
    g (V, "N", NULL, N, s->x, N, &sdim, s->w, s->wi, s->z, N, s->work,
       &s->lwork, s->iwork, &info, 1, 1);
  return info;
}

#undef N

static const struct
{
  const char *name;
  call *run;
  int real_only, pair, tridiagonal;
} drivers[] = {
  { "syev", syev, 0, 0, 0 },   { "syevd", syevd, 0, 0, 0 },
  { "syevr", syevr, 0, 0, 0 }, { "sygv", sygv, 0, 1, 0 },
  { "sygvd", sygvd, 0, 1, 0 }, { "stev", stev, 1, 0, 1 },
  { "stevd", stevd, 1, 0, 1 }, { "stevr", stevr, 1, 0, 1 },
  { "geev", geev, 0, 0, 0 },   { "gees", gees, 0, 0, 0 },
};

static char *
room (int64_t n, size_t size)
{
  void *p = malloc ((size_t) n * size);
  if (! p)
    exit (1);
  memset (p, 0, (size_t) n * size);
  return p;
}

/* Times of driver D; returns seconds of one call.  */
static double
measure (int d, char type, int n, int vectors)
{
  const size_t real = type == 's' || type == 'c' ? 4 : 8;
  data s = { .type = type,
             .n = n,
             .vectors = vectors,
             .real = real,
             .scalar
             = type > 'b' && (type == 'c' || type == 'z') ? 2 * real : real };
  const int64_t square = (int64_t) n * n, parts = is_complex (&s) ? 2 : 1;
  s.a = room (square, s.scalar), s.b = room (square, s.scalar);
  s.x = room (square, s.scalar), s.y = room (square, s.scalar);
  s.z = room (square, s.scalar), s.left = room (n, s.scalar);
  s.w = room (n, s.scalar), s.wi = room (n, s.scalar);
  s.lwork = 1 + 66 * n + 2 * n * n;
  s.lrwork = 1 + 25 * n + 2 * n * n;
  s.liwork = 10 * n + 3;
  s.work = room (s.lwork, s.scalar), s.rwork = room (s.lrwork, s.real);
  s.iwork = (int *) room (s.liwork, sizeof (int));
  s.isuppz = (int *) room (2 * n, sizeof (int));
  fill (&s, s.a, square * parts);
  fill (&s, s.b, square * parts);
  if (drivers[d].pair)
    add_diagonal (&s, s.b, 2.0 * n);
  double first = 0, best = 1e300, sum = 0;
  for (int i = 0; i == 0 || (sum < 0.3 && i < 100); i++)
    {
      memcpy (s.x, s.a, (size_t) square * s.scalar);
      memcpy (s.y, s.b, (size_t) square * s.scalar);
      const double start = now ();
      if (drivers[d].run (&s) != 0)
        fprintf (stderr, "%c%s failed at n = %d\n", type, drivers[d].name, n);
      const double t = now () - start;
      first = i == 0 ? t : first;
      best = t < best ? t : best;
      sum += t;
    }
  printf ("%c%s,%d,%s,%.4g,%.4g\n", type, drivers[d].name, n,
          vectors ? "yes" : "no", first, best);
  fflush (stdout);
  free (s.a), free (s.b), free (s.x), free (s.y), free (s.z), free (s.left);
  free (s.w), free (s.wi), free (s.work), free (s.rwork), free (s.iwork);
  free (s.isuppz);
  return best;
}

int
main (int argc, char **argv)
{
  const double limit = argc > 1 ? atof (argv[1]) : 1;
  const char *types = getenv ("TYPES") ? getenv ("TYPES") : "sdcz";
  const char *only = getenv ("DRIVERS");
  for (size_t d = 0; d < sizeof drivers / sizeof *drivers; d++)
    for (const char *t = types; *t; t++)
      for (int vectors = 0; vectors < 2; vectors++)
        {
          double last = 0;
          int before = 0;
          if (drivers[d].real_only && (*t == 'c' || *t == 'z'))
            continue;
          if (only && ! strstr (only, drivers[d].name))
            continue;
          for (int i = 2; i < argc; i++)
            {
              const int n = atoi (argv[i]);
              const double growth = before ? (double) n / before : 0;
              if (n < 1 || last * growth * growth * growth > limit)
                break;
              last = measure ((int) d, *t, n, vectors);
              before = n;
            }
        }
  return 0;
}

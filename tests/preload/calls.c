/* Calls of LAPACK's drivers with random data, by their addresses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* N numbers in (-1, 1).  */
static void
fill (const call_data *s, char *to, int64_t n)
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
add_diagonal (const call_data *s, char *a, double shift)
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
is_complex (const call_data *s)
{
  return s->scalar > s->real;
}

/* --- the drivers --- */

#define V (s->vectors ? "V" : "N")
#define N &s->n
#define LD &s->ld

static int
syev (call_data *s)
{
  typedef void f (const char *, const char *, call_int *, void *, call_int *,
                  void *, void *, call_int *, void *, void *, size_t, size_t,
                  size_t);
  call_int info = 0;
  f *g;
  *(void **) &g = s->driver;
  /* The real form has one argument less before INFO.  */
  g (V, s->uplo, N, s->x, LD, s->w, s->work, &s->lwork,
     is_complex (s) ? (void *) s->rwork : (void *) &info, &info, 1, 1, 1);
  return (int) info;
}

static int
syevd (call_data *s)
{
  typedef void real (const char *, const char *, call_int *, void *, call_int *,
                     void *, void *, call_int *, void *, call_int *, call_int *,
                     size_t, size_t);
  typedef void complex (const char *, const char *, call_int *, void *,
                        call_int *, void *, void *, call_int *, void *,
                        call_int *, void *, call_int *, call_int *, size_t,
                        size_t);
  call_int info = 0;
  real *g;
  complex *h;
  *(void **) &g = *(void **) &h = s->driver;
  if (is_complex (s))
    h (V, s->uplo, N, s->x, LD, s->w, s->work, &s->lwork, s->rwork, &s->lrwork,
       s->iwork, &s->liwork, &info, 1, 1);
  else
    g (V, s->uplo, N, s->x, LD, s->w, s->work, &s->lwork, s->iwork, &s->liwork,
       &info, 1, 1);
  return (int) info;
}

static int
syevr (call_data *s)
{
  typedef void real (const char *, const char *, const char *, call_int *,
                     void *, call_int *, void *, void *, call_int *, call_int *,
                     void *, call_int *, void *, void *, call_int *, call_int *,
                     void *, call_int *, void *, call_int *, call_int *, size_t,
                     size_t, size_t);
  typedef void complex (
      const char *, const char *, const char *, call_int *, void *, call_int *,
      void *, void *, call_int *, call_int *, void *, call_int *, void *,
      void *, call_int *, call_int *, void *, call_int *, void *, call_int *,
      void *, call_int *, call_int *, size_t, size_t, size_t);
  call_int info = 0, m, one = 1;
  double zero = 0;
  real *g;
  complex *h;
  *(void **) &g = *(void **) &h = s->driver;
  if (is_complex (s))
    h (V, "A", s->uplo, N, s->x, LD, &zero, &zero, &one, N, &zero, &m, s->w,
       s->z, LD, s->isuppz, s->work, &s->lwork, s->rwork, &s->lrwork, s->iwork,
       &s->liwork, &info, 1, 1, 1);
  else
    g (V, "A", s->uplo, N, s->x, LD, &zero, &zero, &one, N, &zero, &m, s->w,
       s->z, LD, s->isuppz, s->work, &s->lwork, s->iwork, &s->liwork, &info, 1,
       1, 1);
  return (int) info;
}

static int
sygv (call_data *s)
{
  typedef void f (call_int *, const char *, const char *, call_int *, void *,
                  call_int *, void *, call_int *, void *, void *, call_int *,
                  void *, void *, size_t, size_t, size_t);
  call_int info = 0, one = 1;
  f *g;
  *(void **) &g = s->driver;
  g (&one, V, s->uplo, N, s->x, LD, s->y, LD, s->w, s->work, &s->lwork,
     is_complex (s) ? (void *) s->rwork : (void *) &info, &info, 1, 1, 1);
  return (int) info;
}

static int
sygvd (call_data *s)
{
  typedef void real (call_int *, const char *, const char *, call_int *, void *,
                     call_int *, void *, call_int *, void *, void *, call_int *,
                     void *, call_int *, call_int *, size_t, size_t);
  typedef void complex (call_int *, const char *, const char *, call_int *,
                        void *, call_int *, void *, call_int *, void *, void *,
                        call_int *, void *, call_int *, void *, call_int *,
                        call_int *, size_t, size_t);
  call_int info = 0, one = 1;
  real *g;
  complex *h;
  *(void **) &g = *(void **) &h = s->driver;
  if (is_complex (s))
    h (&one, V, s->uplo, N, s->x, LD, s->y, LD, s->w, s->work, &s->lwork,
       s->rwork, &s->lrwork, s->iwork, &s->liwork, &info, 1, 1);
  else
    g (&one, V, s->uplo, N, s->x, LD, s->y, LD, s->w, s->work, &s->lwork,
       s->iwork, &s->liwork, &info, 1, 1);
  return (int) info;
}

static int
stev (call_data *s)
{
  typedef void f (const char *, call_int *, void *, void *, void *, call_int *,
                  void *, call_int *, size_t);
  call_int info = 0;
  f *g;
  *(void **) &g = s->driver;
  g (V, N, s->x, s->y, s->z, LD, s->work, &info, 1);
  return (int) info;
}

static int
stevd (call_data *s)
{
  typedef void f (const char *, call_int *, void *, void *, void *, call_int *,
                  void *, call_int *, void *, call_int *, call_int *, size_t);
  call_int info = 0;
  f *g;
  *(void **) &g = s->driver;
  g (V, N, s->x, s->y, s->z, LD, s->work, &s->lwork, s->iwork, &s->liwork,
     &info, 1);
  return (int) info;
}

static int
stevr (call_data *s)
{
  typedef void f (const char *, const char *, call_int *, void *, void *,
                  void *, void *, call_int *, call_int *, void *, call_int *,
                  void *, void *, call_int *, call_int *, void *, call_int *,
                  void *, call_int *, call_int *, size_t, size_t);
  call_int info = 0, m, one = 1;
  double zero = 0;
  f *g;
  *(void **) &g = s->driver;
  g (V, "A", N, s->x, s->y, &zero, &zero, &one, N, &zero, &m, s->w, s->z, LD,
     s->isuppz, s->work, &s->lwork, s->iwork, &s->liwork, &info, 1, 1);
  return (int) info;
}

static int
geev (call_data *s)
{
  typedef void f (const char *, const char *, call_int *, void *, call_int *,
                  void *, void *, void *, void *, void *, void *, void *,
                  void *, void *, size_t, size_t);
  call_int info = 0, one = 1;
  f *g;
  *(void **) &g = s->driver;
  if (is_complex (s))
    g ("N", V, N, s->x, LD, s->w, s->left, &one, s->z, LD, s->work, &s->lwork,
       s->rwork, &info, 1, 1);
  else
    g ("N", V, N, s->x, LD, s->w, s->wi, s->left, &one, s->z, LD, s->work,
       &s->lwork, &info, 1, 1);
  return (int) info;
}

static int
gees (call_data *s)
{
  typedef void real (const char *, const char *, void *, call_int *, void *,
                     call_int *, call_int *, void *, void *, void *, call_int *,
                     void *, call_int *, void *, call_int *, size_t, size_t);
  call_int info = 0, sdim;
  real *g;
  *(void **) &g = s->driver;
  if (is_complex (s))
    g (V, "N", NULL, N, s->x, LD, &sdim, s->w, s->z, LD, (call_int *) s->work,
       &s->lwork, (call_int *) s->rwork, s->iwork, &info, 1, 1);
  else
    g (V, "N", NULL, N, s->x, LD, &sdim, s->w, s->wi, s->z, LD, s->work,
       &s->lwork, s->iwork, &info, 1, 1);
  return (int) info;
}

/* U and V' of A go to z and y.  */
static int
gesvd (call_data *s)
{
  typedef void f (const char *, const char *, call_int *, call_int *, void *,
                  call_int *, void *, void *, call_int *, void *, call_int *,
                  void *, call_int *, void *, void *, size_t, size_t, size_t);
  const char *job = s->vectors ? "A" : "N";
  call_int info = 0;
  f *g;
  *(void **) &g = s->driver;
  g (job, job, N, N, s->x, LD, s->w, s->z, LD, s->y, LD, s->work, &s->lwork,
     is_complex (s) ? (void *) s->rwork : (void *) &info, &info, 1, 1, 1);
  return (int) info;
}

static int
gesdd (call_data *s)
{
  typedef void f (const char *, call_int *, call_int *, void *, call_int *,
                  void *, void *, call_int *, void *, call_int *, void *,
                  call_int *, void *, void *, void *, size_t, size_t);
  call_int info = 0;
  f *g;
  *(void **) &g = s->driver;
  g (s->vectors ? "A" : "N", N, N, s->x, LD, s->w, s->z, LD, s->y, LD, s->work,
     &s->lwork, is_complex (s) ? (void *) s->rwork : (void *) s->iwork,
     is_complex (s) ? (void *) s->iwork : (void *) &info, &info, 1, 1);
  return (int) info;
}

#undef N
#undef LD

const driver_row driver_table[DRIVERS] = {
  { "syev", "heev", syev, 1, 0, { { 3, -1 }, { 2, -1 } } },
  { "syevd", "heevd", syevd, 1, 0, { { 0 } } },
  { "syevr", "heevr", syevr, 1, 0, { { 0 } } },
  { "sygv", "hegv", sygv, 1, 1, { { 3, -1 }, { 2, -1 } } },
  { "sygvd", "hegvd", sygvd, 1, 1, { { 0 } } },
  { "stev", NULL, stev, 0, 0, { { 0 } } },
  { "stevd", NULL, stevd, 0, 0, { { 0 } } },
  { "stevr", NULL, stevr, 0, 0, { { 0 } } },
  { "geev", "geev", geev, 0, 0, { { 4, 0 }, { 2, 0 } } },
  { "gees", "gees", gees, 0, 0, { { 3, 0 }, { 2, 0 } } },
  { "gesvd", "gesvd", gesvd, 0, 0, { { 5, 0 }, { 3, 0 } } },
  { "gesdd", "gesdd", gesdd, 0, 0, { { 0 } } },
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

call_data
new_data (const driver_row *d, char type, int n, int vectors)
{
  const size_t real = type == 's' || type == 'c' ? 4 : 8;
  call_data s = { .type = type,
                  .n = n,
                  .ld = n,
                  .uplo = "L",
                  .vectors = vectors,
                  .real = real,
                  .scalar = type == 'c' || type == 'z' ? 2 * real : real };
  const int64_t square = (int64_t) n * n, padded = square + 3 * n,
                parts = is_complex (&s) ? 2 : 1;
  s.a = room (square, s.scalar), s.b = room (square, s.scalar);
  s.x = room (padded, s.scalar), s.y = room (padded, s.scalar);
  s.z = room (padded, s.scalar), s.left = room (n, s.scalar);
  s.w = room (n, s.scalar), s.wi = room (n, s.scalar);
  s.lwork = 1 + 66 * n + 4 * n * n;
  s.lrwork = 1 + 25 * n + 7 * n * n;
  s.liwork = 10 * n + 3;
  s.work = room (s.lwork, s.scalar), s.rwork = room (s.lrwork, s.real);
  s.iwork = (call_int *) room (s.liwork, sizeof (call_int));
  s.isuppz = (call_int *) room (2 * n, sizeof (call_int));
  fill (&s, s.a, square * parts);
  fill (&s, s.b, square * parts);
  if (d->pair)
    add_diagonal (&s, s.b, 2.0 * n);
  return s;
}

void
free_data (call_data *s)
{
  free (s->a), free (s->b), free (s->x), free (s->y), free (s->z);
  free (s->left), free (s->w), free (s->wi), free (s->work), free (s->rwork);
  free (s->iwork), free (s->isuppz);
}

int
driver_name (const driver_row *d, char type, char *name, size_t size)
{
  const char *rest = type == 'c' || type == 'z' ? d->complex : d->real;
  return rest
         && snprintf (name, size, CALL_WIDE "%c%s_%s", type, rest,
                      sizeof (call_int) > 4 ? "64_" : "")
                > 0;
}

/* A matrix, or its triangle of which only that is read, with the leading dimension; the bits
   of NaN elsewhere.  */
static void
copy (const call_data *s, int triangle, const char *from, char *to)
{
  const size_t size = s->scalar;
  memset (to, 0xff, (size_t) (s->ld * s->n) * size);
  for (call_int j = 0; j < s->n; j++)
    {
      const call_int first = triangle && *s->uplo == 'L' ? j : 0,
                     end = triangle && *s->uplo == 'U' ? j + 1 : s->n;
      memcpy (to + (size_t) (first + s->ld * j) * size,
              from + (size_t) (first + s->n * j) * size,
              (size_t) (end - first) * size);
    }
}

int
call_driver (const driver_row *d, call_data *s)
{
  const int padded = s->ld > s->n;
  copy (s, d->symmetric && padded, s->a, s->x);
  copy (s, d->pair && padded, s->b, s->y);
  if (padded)
    memset (s->z, 0xff, (size_t) (s->ld * s->n) * s->scalar);
  return d->call (s);
}

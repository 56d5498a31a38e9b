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

/* What a letter in a driver's arguments stands for.  */
static void *
argument (call_data *s, char letter)
{
  static char yes[] = "V", no[] = "N", all[] = "A";
  static call_int one = 1;
  static double zero;
  static const char letters[] = "NLXYZWIFOKRSQTPUM";
  void *const members[]
      = { &s->n,    &s->ld,     s->x,      s->y,      s->z,     s->w,
          s->wi,    s->left,    s->work,   &s->lwork, s->rwork, &s->lrwork,
          s->iwork, &s->liwork, s->isuppz, s->uplo,   &s->found };
  const char *const at = strchr (letters, letter);
  if (at)
    return members[at - letters];
  switch (letter)
    {
    case 'V':
      return s->vectors ? yes : no;
    case 'J':
      return s->vectors ? all : no;
    case 'A':
      return all;
    case 'B':
      return no;
    case 'E':
      return &s->info;
    case '1':
      return &one;
    case '0':
      return &zero;
    default:
      return NULL;
    }
}

/* Every argument is a pointer; the lengths of the strings follow.  */
int
run_driver (const driver_row *d, call_data *s)
{
  typedef void *p;
  typedef void any (p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p,
                    p, p, p, p, p, p);
  const char *letter = d->arguments[is_complex (s)];
  p a[26];
  any *g;
  for (int i = 0; i < 26; i++)
    a[i] = *letter ? argument (s, *letter++) : (p) 1;
  *(void **) &g = s->driver;
  s->info = 0;
  g (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
     a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21],
     a[22], a[23], a[24], a[25]);
  return (int) s->info;
}

/* Arguments in LAPACK's order: N and L the order and the leading dimension, X Y Z W the
   matrices and eigenvalues, O work ... as argument () says.  */
const driver_row driver_table[DRIVERS] = {
  { "syev",
    "heev",
    { "VUNXLWOKE", "VUNXLWOKRE" },
    1,
    0,
    { { 3, -1 }, { 2, -1 } } },
  { "syevd", "heevd", { "VUNXLWOKQTE", "VUNXLWOKRSQTE" }, 1, 0, { { 0 } } },
  { "syevr",
    "heevr",
    { "VAUNXL001N0MWZLPOKQTE", "VAUNXL001N0MWZLPOKRSQTE" },
    1,
    0,
    { { 0 } } },
  { "sygv",
    "hegv",
    { "1VUNXLYLWOKE", "1VUNXLYLWOKRE" },
    1,
    1,
    { { 3, -1 }, { 2, -1 } } },
  { "sygvd",
    "hegvd",
    { "1VUNXLYLWOKQTE", "1VUNXLYLWOKRSQTE" },
    1,
    1,
    { { 0 } } },
  { "stev", NULL, { "VNXYZLOE" }, 0, 0, { { 0 } } },
  { "stevd", NULL, { "VNXYZLOKQTE" }, 0, 0, { { 0 } } },
  { "stevr", NULL, { "VANXY001N0MWZLPOKQTE" }, 0, 0, { { 0 } } },
  { "geev",
    "geev",
    { "BVNXLWIF1ZLOKE", "BVNXLWF1ZLOKRE" },
    0,
    0,
    { { 4, 0 }, { 2, 0 } } },
  { "gees",
    "gees",
    { "VB-NXLMWIZLOKQE", "VB-NXLMWZLOKRQE" },
    0,
    0,
    { { 3, 0 }, { 2, 0 } } },
  { "gesvd",
    "gesvd",
    { "JJNNXLWZLYLOKE", "JJNNXLWZLYLOKRE" },
    0,
    0,
    { { 5, 0 }, { 3, 0 } } },
  { "gesdd",
    "gesdd",
    { "JNNXLWZLYLOKQE", "JNNXLWZLYLOKRQE" },
    0,
    0,
    { { 0 } } },
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
  static char lower[] = "L";
  call_data s = { .type = type,
                  .n = n,
                  .ld = n,
                  .uplo = lower,
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
  return run_driver (d, s);
}

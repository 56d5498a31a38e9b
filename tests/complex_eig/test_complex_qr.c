/* Claims, for general matrices on the backend under test: of matrices that are known to be
   hard, at random orders, gpueig_complex_eig and gpueig_eig_general give right and left
   vectors that pass the bars; eigenvalues of real matrices are exactly conjugate pairs with
   conjugate vectors.  On the CPU "auto" solves them by our QR algorithm up to order 512, and its
   eigenvalues alone have the bits of those with vectors, of every kind.
   GPUEIG_TEST_LONG: orders up to 2049.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"
#include "schur_matrices.h"

#include <string.h>

enum
{
  PAGES = 3
};

static gpueig_context *ctx;
static gpueig_options options;

typedef gpueig_status solver (gpueig_context *, const gpueig_general *,
                              const gpueig_options *, gpueig_info *);

typedef struct
{
  char *lambda, *v, *w;
} outputs;

static outputs
allocate (gpueig_type pair, int64_t n, int64_t pages)
{
  return (outputs){ check_array (pair, n * pages),
                    check_array (pair, n * n * pages),
                    check_array (pair, n * n * pages) };
}

static void
discard (outputs *o)
{
  free (o->lambda);
  free (o->v);
  free (o->w);
}

/* Exactly conjugate pairs in adjacent columns, real vectors of real eigenvalues.  */
static int
has_pairs (gpueig_type pair, int64_t n, const outputs *o)
{
  int good = 1;
  for (int64_t j = 0; j < n; j++)
    {
      const double complex x = measure_get (pair, o->lambda, j);
      const int two = cimag (x) != 0;
      if (two && j + 1 == n)
        return 0;
      good &= ! two || measure_get (pair, o->lambda, j + 1) == conj (x);
      for (int64_t i = n * j; i < n * (j + 1); i++)
        {
          const double complex v = measure_get (pair, o->v, i);
          good &= two ? measure_get (pair, o->v, i + n) == conj (v)
                      : cimag (v) == 0;
        }
      j += two;
    }
  return good;
}

static void
test_kind (solver *run, const char *name, gpueig_type type, int kind, int64_t n,
           int64_t pages)
{
  measure_random r = { (uint64_t) (1000 * n + 10 * kind + type) };
  const gpueig_type pair
      = gpueig_is_double (type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_COMPLEX_FLOAT;
  const size_t size = gpueig_scalar_size (type),
               column = (size_t) n * gpueig_scalar_size (pair),
               square = (size_t) n * column;
  const int complex_eig = run == gpueig_complex_eig;
  FREED char *a = check_array (type, n * n * pages);
  outputs all = allocate (pair, n, pages);
  gpueig_info info;
  for (int64_t p = 0; p < pages; p++)
    make (&r, kind, type, n, a + (size_t) (p * n * n) * size);
  gpueig_general g
      = general_problem (type, n, pages, a, all.lambda, all.v, all.w);
  CHECK (run (ctx, &g, &options, &info) == GPUEIG_OK, "%s, %s, %s n=%d: %s",
         name, kinds[kind], check_type_name[type], (int) n,
         gpueig_message (ctx));
  const int by_qr
      = (complex_eig ? kind == 0 && pages == 1 && n >= 10 : n > 32 && n <= 512)
        && options.backend == GPUEIG_CPU;
  if (by_qr)
    CHECK (strcmp (info.method, "qr") == 0, "%s, n=%d: by \"%s\"", name,
           (int) n, info.method);
  const size_t at = (size_t) (pages - 1);
  const outputs last
      = { all.lambda + at * column, all.v + at * square, all.w + at * square };
  g.a = a + at * (size_t) (n * n) * size;
  check_general (measure_general (type, n, g.a, last.v, last.w, last.lambda), n,
                 kind == SPOILED ? USUAL_SPOILED : USUAL_QR, "%s, %s, %s n=%d",
                 name, kinds[kind], check_type_name[type], (int) n);
  if (! gpueig_is_complex (type))
    CHECK (has_pairs (pair, n, &last), "%s, %s, %s n=%d: conjugate pairs", name,
           kinds[kind], check_type_name[type], (int) n);
  if (by_qr)
    {
      FREED char *alone = check_array (pair, n * pages);
      g.a = a;
      g.lambda = alone;
      g.v = g.w = NULL;
      CHECK (run (ctx, &g, &options, &info) == GPUEIG_OK
                 && ! memcmp (alone, all.lambda, (size_t) pages * column),
             "%s, %s, %s n=%d: eigenvalues alone", name, kinds[kind],
             check_type_name[type], (int) n);
    }
  discard (&all);
}

int
main (void)
{
  static const int64_t large[] = { 300, 513, 1025, 2049 };
  const int many = getenv ("GPUEIG_TEST_LONG") != NULL;
  measure_random r = { 77 };
  check_begin ("complex_qr");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    for (int k = 0; k < KINDS; k++)
      for (int i = 0; i < (many ? 12 : 4); i++)
        {
          const double u = fabs (measure_uniform (&r));
          const int64_t n = (int64_t) (8 * pow (i % 4 == 3 ? 25 : 10, u));
          test_kind (gpueig_complex_eig, "complex_eig", (gpueig_type) t, k, n,
                     i % 2 ? PAGES : 1);
          if (i == 0)
            test_kind (gpueig_eig_general, "eig_general", (gpueig_type) t, k, n,
                       PAGES);
          if (i == 1 && (k + t) % 4 == 0)
            test_kind (gpueig_eig_general, "eig_general", (gpueig_type) t, k,
                       200 + 3 * n, 1);
        }
  for (size_t i = 0; many && i < sizeof large / sizeof large[0]; i++)
    for (int k = (int) i; k < KINDS; k += 1 + 2 * (int) i)
      test_kind (gpueig_eig_general, "eig_general", (gpueig_type) (k % 4), k,
                 large[i], 1);
  gpueig_destroy (ctx);
  return check_end ();
}

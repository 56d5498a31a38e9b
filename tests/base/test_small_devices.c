/* Claims, on a GPU: with the limits of other GPUs, chosen at random (multiprocessors
   from 1 on, 48 KB to 227 KB of shared memory per block, with and without clusters),
   every solver and every method of it solves random problems of every type to within
   the accuracy limits; below 99 KB, which every GPU that is served has, it may refuse
   with a message about shared memory.  Cases that once overran device memory or found
   too little shared memory pass.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  ROUNDS = 400,
  LONG_ROUNDS = 4000,
  SAMPLE = 12, /* columns of large matrices whose vectors are tested */
  SMALL = 200  /* up to this order all are */
};

static gpueig_context *ctx;
static gpueig_options options;
static measure_random source = { 2026 };

/* A random integer from LEAST to MOST.  */
static int64_t
any_of (int64_t least, int64_t most)
{
  const double x = (measure_uniform (&source) + 1) / 2;
  const int64_t i = least + (int64_t) (x * (double) (most - least + 1));
  return i > most ? most : i;
}

typedef struct
{
  int multiprocessors, no_clusters;
  int64_t shared;
} device_limits;

typedef struct
{
  const char *method;
  gpueig_type type;
  int64_t n, pages;
  int vectors; /* for general matrices 2: left ones too */
  device_limits limits;
  char what[200];
} trial;

/* Nonzero if the solver solved the problem, so that its results are to be tested.  */
static int
solved (const trial *t, gpueig_status status)
{
  const char *message = gpueig_message (ctx);
  const int refused = status != GPUEIG_OK && t->limits.shared > 0
                      && t->limits.shared < 99 * 1024
                      && strstr (message, "shared memory");
  CHECK (status == GPUEIG_OK || refused, "%s: %s", t->what, message);
  return status == GPUEIG_OK;
}

static int64_t
sample_of (int64_t n)
{
  return n <= SMALL ? n : SAMPLE;
}

/* --- symmetric problems --- */

typedef gpueig_status symmetric_solver (gpueig_context *,
                                        const gpueig_symmetric *,
                                        const gpueig_options *, gpueig_info *);

static void
check_symmetric (const trial *t, const char *a, const char *lambda,
                 const char *v)
{
  const gpueig_type real
      = gpueig_is_double (t->type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const size_t page = (size_t) (t->n * t->n) * gpueig_scalar_size (t->type);
  const size_t column = (size_t) t->n * gpueig_scalar_size (real);
  double residual = 0, orthogonality = 0;
  for (size_t p = 0; p < (size_t) t->pages; p++)
    {
      residual = worst_of (residual,
                           measure_residual (t->type, t->n, sample_of (t->n),
                                             a + p * page, v + p * page,
                                             lambda + p * column));
      orthogonality = worst_of (
          orthogonality, measure_orthogonality (t->type, t->n, sample_of (t->n),
                                                v + p * page));
    }
  CHECK_RATIO (residual, LIMIT_RESIDUAL, "residual, %s", t->what);
  CHECK_RATIO (orthogonality, LIMIT_ORTHOGONALITY, "orthogonality, %s",
               t->what);
}

static void
try_symmetric (const trial *t, symmetric_solver *solve)
{
  const gpueig_type real
      = gpueig_is_double (t->type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const size_t page = (size_t) (t->n * t->n) * gpueig_scalar_size (t->type);
  char *a = check_array (t->type, t->n * t->n * t->pages);
  char *v = check_array (t->type, t->n * t->n * t->pages);
  char *lambda = check_array (real, t->n * t->pages);
  char *only = check_array (real, t->n * t->pages);
  gpueig_symmetric s = {
    .type = t->type, .n = t->n, .pages = t->pages, .a = a, .lambda = only
  };
  gpueig_options o = options;
  gpueig_info info;
  o.method = t->method;
  for (int64_t p = 0; p < t->pages; p++)
    measure_random_symmetric (&source, t->type, t->n, a + (size_t) p * page);
  const int values = solved (t, solve (ctx, &s, &o, &info));
  s.lambda = lambda;
  s.v = v;
  if (t->vectors && solved (t, solve (ctx, &s, &o, &info)))
    {
      check_symmetric (t, a, lambda, v);
      for (size_t p = 0; values && p < (size_t) t->pages; p++)
        {
          const size_t at = p * (size_t) t->n * gpueig_scalar_size (real);
          CHECK_RATIO (measure_eigenvalues (
                           t->type, t->n, lambda + at, only + at,
                           measure_norm (t->type, t->n, t->n, a + p * page)),
                       LIMIT_EIGENVALUES, "values alone, %s", t->what);
        }
    }
  free (a);
  free (v);
  free (lambda);
  free (only);
}

static void
try_eig (const trial *t)
{
  try_symmetric (t, gpueig_eig_symmetric);
}

static void
try_jacobi (const trial *t)
{
  try_symmetric (t, gpueig_jacobi_eig);
}

static void
try_onesided (const trial *t)
{
  try_symmetric (t, gpueig_onesided_eig);
}

static gpueig_status
mrrr_dense (gpueig_context *c, const gpueig_symmetric *s,
            const gpueig_options *o, gpueig_info *info)
{
  const gpueig_mrrr_problem p = { .type = s->type,
                                  .n = s->n,
                                  .pages = s->pages,
                                  .a = s->a,
                                  .select = GPUEIG_SELECT_ALL,
                                  .lambda = s->lambda,
                                  .v = s->v };
  return gpueig_mrrr (c, &p, o, info);
}

static void
try_mrrr (const trial *t)
{
  try_symmetric (t, mrrr_dense);
}

/* --- general problems --- */

typedef gpueig_status general_solver (gpueig_context *, const gpueig_general *,
                                      const gpueig_options *, gpueig_info *);

/* Page P of COUNT numbers of TYPE, an array of which is X.  */
static char *
page_of (gpueig_type type, void *x, int64_t p, int64_t count)
{
  return (char *) x + (size_t) (p * count) * gpueig_scalar_size (type);
}

static void *
random_general (gpueig_type type, int64_t count)
{
  char *a = check_array (type, count);
  for (int64_t i = 0; i < count; i++)
    measure_set (type, a, i,
                 measure_normal (&source) + I * measure_normal (&source));
  return a;
}

static void
try_general (const trial *t, general_solver *solve)
{
  const gpueig_type pair = gpueig_is_double (t->type) ? GPUEIG_COMPLEX_DOUBLE
                                                      : GPUEIG_COMPLEX_FLOAT;
  const int64_t n = t->n, square = n * n;
  char *a = random_general (t->type, square * t->pages);
  char *v = check_array (pair, square * t->pages);
  char *w = check_array (pair, square * t->pages);
  char *lambda = check_array (pair, n * t->pages);
  const gpueig_general g = { .type = t->type,
                             .n = n,
                             .pages = t->pages,
                             .a = a,
                             .balance = 1,
                             .lambda = lambda,
                             .v = t->vectors ? v : NULL,
                             .w = t->vectors > 1 ? w : NULL };
  gpueig_options o = options;
  gpueig_info info;
  o.method = t->method;
  if (solved (t, solve (ctx, &g, &o, &info)))
    for (int64_t p = 0; t->vectors && p < t->pages; p++)
      {
        const measure_pairs m = measure_general (
            t->type, n, page_of (t->type, a, p, square),
            page_of (pair, v, p, square),
            t->vectors > 1 ? page_of (pair, w, p, square) : NULL,
            page_of (pair, lambda, p, n));
        CHECK_RATIO (worst_of (m.right, m.left), LIMIT_GENERAL, "page %d of %s",
                     (int) p, t->what);
      }
  free (a);
  free (v);
  free (w);
  free (lambda);
}

static void
try_eig_general (const trial *t)
{
  try_general (t, gpueig_eig_general);
}

static void
try_complex_eig (const trial *t)
{
  try_general (t, gpueig_complex_eig);
}

/* |A U - U S| / (|A| n eps) in a sample of columns.  */
static double
schur_residual (gpueig_type type, int64_t n, const void *a, const void *s,
                const void *u)
{
  double worst = 0;
  for (int64_t c = 0; c < sample_of (n); c++)
    {
      const int64_t j = n <= SMALL ? c : any_of (0, n - 1);
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        {
          double complex x = 0;
          for (int64_t k = 0; k < n; k++)
            x += measure_get (type, a, i + n * k)
                     * measure_get (type, u, k + n * j)
                 - measure_get (type, u, i + n * k)
                       * measure_get (type, s, k + n * j);
          sum += cabs (x);
        }
      worst = worst_of (worst, sum);
    }
  return worst
         / ((double) n * measure_eps (type) * measure_norm (type, n, n, a));
}

static void
try_schur (const trial *t)
{
  const int64_t n = t->n, square = n * n;
  char *a = random_general (t->type, square * t->pages);
  char *s = check_array (t->type, square * t->pages);
  char *u = check_array (t->type, square * t->pages);
  const gpueig_schur_problem p = { .type = t->type,
                                   .n = n,
                                   .pages = t->pages,
                                   .a = a,
                                   .s = s,
                                   .u = t->vectors ? u : NULL };
  gpueig_info info;
  if (solved (t, gpueig_schur (ctx, &p, &options, &info)))
    for (int64_t q = 0; t->vectors && q < t->pages; q++)
      CHECK_RATIO (schur_residual (t->type, n, page_of (t->type, a, q, square),
                                   page_of (t->type, s, q, square),
                                   page_of (t->type, u, q, square)),
                   LIMIT_GENERAL, "page %d of %s", (int) q, t->what);
  free (a);
  free (s);
  free (u);
}

/* --- tridiagonal matrices --- */

static void
try_tridiagonal (const trial *t)
{
  const gpueig_type real
      = gpueig_is_double (t->type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const int64_t n = t->n, square = n * n;
  char *d = check_array (real, n * t->pages),
       *e = check_array (real, n * t->pages);
  char *a = check_array (real, square),
       *v = check_array (real, square * t->pages);
  char *lambda = check_array (real, n * t->pages);
  for (int64_t i = 0; i < n * t->pages; i++)
    {
      measure_set (real, d, i, measure_normal (&source));
      measure_set (real, e, i, measure_normal (&source));
    }
  const gpueig_mrrr_problem p = { .type = real,
                                  .n = n,
                                  .pages = t->pages,
                                  .d = d,
                                  .e = e,
                                  .select = GPUEIG_SELECT_ALL,
                                  .lambda = lambda,
                                  .v = v };
  trial one = *t;
  gpueig_options o = options;
  gpueig_info info;
  o.method = t->method;
  one.type = real;
  one.pages = 1;
  if (solved (t, gpueig_mrrr (ctx, &p, &o, &info)))
    for (int64_t q = 0; q < t->pages; q++)
      {
        memset (a, 0, (size_t) square * gpueig_scalar_size (real));
        for (int64_t i = 0; i < n; i++)
          {
            measure_set (real, a, i * (n + 1),
                         measure_get (real, d, i + n * q));
            if (i + 1 == n)
              continue;
            const double complex x = measure_get (real, e, i + (n - 1) * q);
            measure_set (real, a, i * (n + 1) + 1, x);
            measure_set (real, a, i * (n + 1) + n, x);
          }
        check_symmetric (&one, a, page_of (real, lambda, q, n),
                         page_of (real, v, q, square));
      }
  free (d);
  free (e);
  free (a);
  free (v);
  free (lambda);
}

static void
try_tdinv (const trial *t)
{
  const int64_t n = t->n;
  char *c = random_general (t->type, n), *b = random_general (t->type, n);
  char *a = random_general (t->type, n), *x = check_array (t->type, n * n);
  double worst = 0;
  for (int64_t i = 0; i < n; i++) /* dominant */
    measure_set (t->type, a, i, 12 + measure_get (t->type, a, i));
  const gpueig_tdinv_problem p
      = { .type = t->type, .n = n, .c = c, .a = a, .b = b, .band = -1, .x = x };
  gpueig_options o = options;
  gpueig_info info;
  o.method = t->method;
  if (solved (t, gpueig_tdinv (ctx, &p, &o, &info)))
    for (int64_t j = 0; j < n; j++)
      {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
          {
            double complex y = measure_get (t->type, a, i)
                               * measure_get (t->type, x, i + n * j);
            if (i > 0)
              y += measure_get (t->type, c, i - 1)
                   * measure_get (t->type, x, i - 1 + n * j);
            if (i + 1 < n)
              y += measure_get (t->type, b, i)
                   * measure_get (t->type, x, i + 1 + n * j);
            sum += cabs (y - (i == j));
          }
        worst = worst_of (worst, sum);
      }
  CHECK_RATIO (worst / ((double) n * measure_eps (t->type)), LIMIT_INVERSE,
               "T X - I, %s", t->what);
  free (a);
  free (b);
  free (c);
  free (x);
}

/* --- trials --- */

/* Orders up to LARGEST; METHODS as their documentation lists them.  */
typedef struct
{
  const char *name;
  void (*run) (const trial *);
  int64_t largest, most_pages;
  const char *methods[6];
} solver;

static const solver solvers[] = {
  { "eig", try_eig, 700, 40, { "auto", "mrrr", "syevd" } },
  { "eig of stacks", try_eig, 256, 600, { "auto", "ql", "dc" } },
  { "jacobi_eig",
    try_jacobi,
    300,
    20,
    { "auto", "classical", "block", "preconditioned" } },
  { "onesided_eig",
    try_onesided,
    300,
    200,
    { "auto", "hestenes", "cholesky", "shifted" } },
  { "eig_general", try_eig_general, 300, 60, { "auto", "geev", "qr" } },
  { "complex_eig", try_complex_eig, 200, 60, { "auto", "shroff", "qr" } },
  { "schur", try_schur, 300, 4, { "auto" } },
  { "mrrr", try_mrrr, 300, 20, { "auto", "mrrr" } },
  { "mrrr of tridiagonals", try_tridiagonal, 400, 30, { "auto", "mrrr" } },
  { "tdinv",
    try_tdinv,
    3000,
    1,
    { "auto", "generators", "sherman-morrison", "pivoted" } }
};

static device_limits
random_limits (void)
{
  static const int multiprocessors[]
      = { 0, 0, 1, 2, 3, 6, 8, 10, 14, 15, 16, 17, 20, 26, 34, 46, 58, 84 };
  static const int64_t shared[] = { 0, 0, 48, 64, 99, 99, 99, 100, 163, 227 };
  device_limits l;
  l.multiprocessors = multiprocessors[any_of (
      0, (int64_t) (sizeof multiprocessors / sizeof multiprocessors[0]) - 1)];
  l.shared
      = 1024
        * shared[any_of (0, (int64_t) (sizeof shared / sizeof shared[0]) - 1)];
  l.no_clusters = (int) any_of (0, 1);
  return l;
}

static void
run_trial (const solver *s, trial *t)
{
  (void) snprintf (t->what, sizeof t->what,
                   "%s %s, %s n=%d, %d pages; %d multiprocessors, %d KB, %s",
                   s->name, t->method, check_type_name[t->type], (int) t->n,
                   (int) t->pages, t->limits.multiprocessors,
                   (int) (t->limits.shared / 1024),
                   t->limits.no_clusters ? "no clusters" : "clusters");
  gpueig_limit_device (ctx, t->limits.multiprocessors, t->limits.shared,
                       t->limits.no_clusters);
  s->run (t);
  gpueig_limit_device (ctx, 0, 0, 0);
}

static trial
random_trial (const solver *s)
{
  trial t;
  int methods = 0;
  memset (&t, 0, sizeof t);
  while (s->methods[methods])
    methods++;
  t.method = s->methods[any_of (0, methods - 1)];
  t.type = (gpueig_type) any_of (0, 3);
  t.n = any_of (0, 1) ? any_of (1, s->largest / 4) : any_of (1, s->largest);
  t.pages = any_of (0, 1) ? 1 : any_of (1, s->most_pages);
  if (t.pages > 1 + 2000000 / (t.n * t.n * t.n))
    t.pages = 1 + 2000000 / (t.n * t.n * t.n);
  t.vectors = (int) any_of (0, 2);
  t.limits = random_limits ();
  return t;
}

/* Cases of a size that the random ones do not reach.  */
static void
test_known (void)
{
  static const struct
  {
    int solver;
    trial t;
  } cases[] = {
    /* a panel of the band reduction has rows for less than 16 multiprocessors */
    { 0, { "mrrr", GPUEIG_FLOAT, 3000, 1, 1, { 8, 0, 0 }, "" } },
    { 0, { "mrrr", GPUEIG_FLOAT, 4090, 1, 0, { 8, 0, 1 }, "" } },
    { 0, { "mrrr", GPUEIG_COMPLEX_DOUBLE, 3100, 1, 1, { 13, 0, 1 }, "" } },
    /* clusters, but too little shared memory for tiles */
    { 0, { "mrrr", GPUEIG_DOUBLE, 2100, 1, 1, { 0, 99 << 10, 0 }, "" } },
    { 0,
      { "mrrr", GPUEIG_COMPLEX_DOUBLE, 1100, 1, 1, { 0, 99 << 10, 0 }, "" } },
    { 0, { "mrrr", GPUEIG_DOUBLE, 2100, 1, 1, { 0, 0, 0 }, "" } },
    /* rows of the Hessenberg reduction that do not fit into shared memory */
    { 6, { "auto", GPUEIG_DOUBLE, 1900, 1, 1, { 10, 99 << 10, 1 }, "" } },
    { 6, { "auto", GPUEIG_COMPLEX_DOUBLE, 600, 1, 1, { 3, 99 << 10, 0 }, "" } },
    { 6, { "auto", GPUEIG_FLOAT, 500, 1, 1, { 1, 99 << 10, 0 }, "" } },
    /* static beside dynamic shared memory */
    { 1, { "ql", GPUEIG_DOUBLE, 163, 20, 1, { 0, 99 << 10, 1 }, "" } },
    { 1, { "ql", GPUEIG_DOUBLE, 180, 20, 1, { 0, 99 << 10, 1 }, "" } },
    { 1, { "ql", GPUEIG_COMPLEX_DOUBLE, 171, 20, 1, { 0, 99 << 10, 0 }, "" } },
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      trial t = cases[i].t;
      run_trial (&solvers[cases[i].solver], &t);
    }
}

int
main (void)
{
  check_begin ("small_devices");
  ctx = check_context (&options);
  if (options.backend != GPUEIG_CUDA)
    check_skip ("limits of a GPU: backend cuda only");
  else
    {
      const int rounds = getenv ("GPUEIG_TEST_LONG") ? LONG_ROUNDS : ROUNDS;
      const int count = (int) (sizeof solvers / sizeof solvers[0]);
      test_known ();
      for (int i = 0; i < rounds; i++)
        {
          trial t = random_trial (&solvers[i % count]);
          run_trial (&solvers[i % count], &t);
        }
    }
  gpueig_destroy (ctx);
  return check_end ();
}

/* Counters and error measures for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *suite;
static int passed_count, failed_count, skipped_count;
static double nearest; /* to a limit of what is usual, as a part of it */
static char nearest_claim[256];

static int
verbose (void)
{
  return getenv ("GPUEIG_TEST_VERBOSE") != NULL;
}

const char *const check_type_name[]
    = { "single", "double", "complex single", "complex double" };

void *
check_memory (int64_t count, size_t size)
{
  void *x = calloc ((size_t) count + 1, size);
  if (! x)
    exit (2);
  return x;
}

void *
check_array (gpueig_type type, int64_t count)
{
  return check_memory (count, gpueig_scalar_size (type));
}

void
check_free (void *pointer)
{
  void *x;
  memcpy (&x, pointer, sizeof x);
  free (x);
}

void
check_begin (const char *name)
{
  suite = name;
}

void
check_result (int passed, const char *format, ...)
{
  va_list args;
  passed_count += passed;
  failed_count += ! passed;
  if (passed && ! verbose ())
    return;
  printf ("%s: %s: ", passed ? "pass" : "FAIL", suite);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\n");
  fflush (stdout);
}

void
check_ratio (double ratio, double limit, const char *format, ...)
{
  char claim[256];
  va_list args;
  va_start (args, format);
  vsnprintf (claim, sizeof claim, format, args);
  va_end (args);
  /* In this form NaN fails.  */
  check_result (ratio >= 0 && ratio < limit, "%s: ratio %.3g < %g", claim,
                ratio, limit);
}

void
check_usual (double ratio, int64_t n, double usual, const char *format, ...)
{
  char claim[256];
  va_list args;
  va_start (args, format);
  vsnprintf (claim, sizeof claim, format, args);
  va_end (args);
  const double error = ratio * sqrt ((double) n);
  if (error / usual > nearest)
    {
      nearest = error / usual;
      memcpy (nearest_claim, claim, sizeof claim);
    }
  check_result (error >= 0 && error < usual, "%s: usual %.3g < %g", claim,
                error, usual);
}

void
check_general (measure_pairs pairs, int64_t n, double usual, const char *format,
               ...)
{
  char claim[256];
  va_list args;
  va_start (args, format);
  vsnprintf (claim, sizeof claim, format, args);
  va_end (args);
  CHECK_BOTH (pairs.right, LIMIT_GENERAL, n, usual, "residual, %s", claim);
  CHECK_BOTH (pairs.left, LIMIT_GENERAL, n, usual, "left residual, %s", claim);
  CHECK_RATIO (pairs.length, LIMIT_LENGTH, "lengths of vectors, %s", claim);
}

void
check_skip (const char *format, ...)
{
  va_list args;
  skipped_count++;
  printf ("skip: %s: ", suite);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\n");
}

int
check_end (void)
{
  if (nearest > 0)
    printf ("count: %.0f %% of what is usual at the most: %s\n", 100 * nearest,
            nearest_claim);
  printf ("%s: %d passed, %d failed, %d skipped\n", suite, passed_count,
          failed_count, skipped_count);
  return failed_count != 0 || passed_count + skipped_count == 0;
}

int
check_turn (int parts)
{
  static measure_random r = { 41 };
  const char *backend = getenv ("GPUEIG_TEST_BACKEND");
  return ! backend || strcmp (backend, "cuda") != 0
         || getenv ("GPUEIG_TEST_LONG") || measure_integer (&r, 1, parts) == 1;
}

gpueig_context *
check_context (gpueig_options *options)
{
  gpueig_context *ctx;
  const char *backend = getenv ("GPUEIG_TEST_BACKEND");
  if (gpueig_create (&ctx) != GPUEIG_OK)
    exit (2);
  gpueig_set_plugin (ctx, getenv ("GPUEIG_TEST_PLUGIN"));
  *options = gpueig_default_options ();
  options->backend = GPUEIG_CPU;
  if (backend && strcmp (backend, "cuda") == 0)
    {
      gpueig_machine machine;
      gpueig_query (ctx, &machine);
      if (! machine.cuda)
        {
          printf ("FAIL: %s: backend cuda: %s\n", suite, machine.reason);
          exit (2);
        }
      options->backend = GPUEIG_CUDA;
    }
  const char *devices = getenv ("GPUEIG_DEVICE");
  if (devices && *devices
      && gpueig_set_devices (ctx, devices, options) != GPUEIG_OK)
    {
      printf ("FAIL: %s: GPUEIG_DEVICE: %s\n", suite, gpueig_message (ctx));
      exit (2);
    }
  const char *limits = getenv ("GPUEIG_TEST_LIMITS");
  if (limits)
    {
      char *end = NULL;
      const long multiprocessors = strtol (limits, &end, 10);
      const long shared = *end ? strtol (end + 1, &end, 10) : 0;
      gpueig_limit_device (ctx, (int) multiprocessors, shared,
                           *end && strtol (end + 1, NULL, 10));
    }
  return ctx;
}

gpueig_context *
check_gpus (gpueig_options *one, gpueig_options *all, gpueig_machine *machine)
{
  gpueig_context *ctx = check_context (all);
  gpueig_query (ctx, machine);
  if (all->backend == GPUEIG_CUDA && machine->n_devices == 1)
    {
      setenv ("GPUEIG_DEVICE_COPIES", "2", 1);
      gpueig_query (ctx, machine);
    }
  *one = *all;
  one->n_devices = 0;
  if (all->n_devices == 0)
    all->n_devices = GPUEIG_ALL_DEVICES;
  if (all->backend == GPUEIG_CUDA && machine->n_devices > 1)
    return ctx;
  check_skip ("there are not several GPUs");
  gpueig_destroy (ctx);
  return NULL;
}

/* --- measures --- */

double _Complex measure_get (gpueig_type type, const void *x, int64_t i)
{
  switch (type)
    {
    case GPUEIG_FLOAT:
      return ((const float *) x)[i];
    case GPUEIG_DOUBLE:
      return ((const double *) x)[i];
    case GPUEIG_COMPLEX_FLOAT:
      return ((const float _Complex *) x)[i];
    default:
      return ((const double _Complex *) x)[i];
    }
}

void
measure_set (gpueig_type type, void *x, int64_t i, double _Complex value)
{
  switch (type)
    {
    case GPUEIG_FLOAT:
      ((float *) x)[i] = (float) creal (value);
      break;
    case GPUEIG_DOUBLE:
      ((double *) x)[i] = creal (value);
      break;
    case GPUEIG_COMPLEX_FLOAT:
      ((float _Complex *) x)[i] = (float _Complex) value;
      break;
    default:
      ((double _Complex *) x)[i] = value;
    }
}

double
measure_eps (gpueig_type type)
{
  return gpueig_is_double (type) ? DBL_EPSILON : (double) FLT_EPSILON;
}

double
measure_norm (gpueig_type type, int64_t m, int64_t n, const void *a)
{
  double norm = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < m; i++)
        sum += cabs (measure_get (type, a, i + m * j));
      norm = sum > norm || isnan (sum) ? sum : norm;
    }
  return norm;
}

/* A dense copy in complex double, scaled by 1 / SCALE.  */
static double _Complex *
widen (gpueig_type type, int64_t count, const void *x, double scale)
{
  double _Complex *y = check_memory (count, sizeof *y);
  for (int64_t i = 0; i < count; i++)
    y[i] = measure_get (type, x, i) / scale;
  return y;
}

void zgemm_ (const char *transa, const char *transb, const int *m, const int *n,
             const int *k, const double _Complex *alpha,
             const double _Complex *a, const int *lda, const double _Complex *b,
             const int *ldb, const double _Complex *beta, double _Complex *c,
             const int *ldc, size_t, size_t);

/* C <- A B - C with A n-by-n (its conjugate transpose when TRANS is "C", then of
   the shape of B), B and C n-by-columns.  */
static void
product (const char *trans, int64_t m, int64_t columns, int64_t inner,
         const double _Complex *a, const double _Complex *b, double _Complex *c)
{
  const int im = (int) m, ic = (int) columns, ii = (int) inner;
  const int lda = *trans == 'N' ? im : ii;
  const double _Complex one = 1, minus_one = -1;
  zgemm_ (trans, "N", &im, &ic, &ii, &one, a, &lda, b, &ii, &minus_one, c, &im,
          1, 1);
}

/* 1-norm of an m-by-n matrix; Inf where there is a NaN.  */
static double
wide_norm (int64_t m, int64_t n, const double _Complex *a)
{
  double norm = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < m; i++)
        sum += cabs (a[i + m * j]);
      norm = worst_of (norm, sum);
    }
  return norm;
}

/* 1-norm of A V - V diag (lambda), A n-by-n, V n-by-columns.  */
static double
residual_norm (int64_t n, int64_t columns, const double _Complex *a,
               const double _Complex *v, const double _Complex *lambda)
{
  FREED double _Complex *r = check_memory (n * columns, sizeof *r);
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < n; i++)
      r[i + n * j] = lambda[j] * v[i + n * j];
  if (n > 0 && columns > 0)
    product ("N", n, columns, n, a, v, r);
  return wide_norm (n, columns, r);
}

static double
ratio (double value, double unit)
{
  return value == 0 ? 0 : value / unit;
}

double
measure_residual (gpueig_type type, int64_t n, int64_t columns, const void *a,
                  const void *v, const void *lambda)
{
  gpueig_type real = real_type (type);
  double norm = measure_norm (type, n, n, a);
  double scale = norm > 0 ? norm : 1;
  FREED double _Complex *wa = widen (type, n * n, a, scale);
  FREED double _Complex *wv = widen (type, n * columns, v, 1);
  FREED double _Complex *wl = widen (real, columns, lambda, scale);
  double r = residual_norm (n, columns, wa, wv, wl);
  return ratio (r, (double) n * measure_eps (type));
}

static double
general_residual (gpueig_type type, int64_t n, const double _Complex *a,
                  const double _Complex *v, const double _Complex *lambda)
{
  return ratio (residual_norm (n, n, a, v, lambda),
                wide_norm (n, n, v) * (double) n * measure_eps (type));
}

/* Largest difference of a column's 2-norm from 1; Inf where there is a NaN.  */
static double
worst_length (int64_t n, const double _Complex *v)
{
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const double _Complex x = v[i + n * j];
          sum += creal (x) * creal (x) + cimag (x) * cimag (x);
        }
      worst = worst_of (worst, fabs (sqrt (sum) - 1));
    }
  return worst;
}

/* A <- A'.  */
static void
adjoint (int64_t n, double _Complex *a)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        const double _Complex x = a[i + n * j];
        a[i + n * j] = conj (a[j + n * i]);
        a[j + n * i] = conj (x);
      }
}

measure_pairs
measure_general (gpueig_type type, int64_t n, const void *a, const void *v,
                 const void *w, const void *lambda)
{
  const gpueig_type pair = complex_type (type);
  const double norm = measure_norm (type, n, n, a);
  const double scale = norm > 0 ? norm : 1;
  FREED double _Complex *wa = widen (type, n * n, a, scale);
  double _Complex *wv = widen (pair, n * n, v, 1);
  FREED double _Complex *wl = widen (pair, n, lambda, scale);
  measure_pairs m = { .right = general_residual (type, n, wa, wv, wl),
                      .length = worst_length (n, wv) };
  if (w)
    {
      free (wv);
      wv = widen (pair, n * n, w, 1);
      /* In units of the norm of A', which may be n times that of A.  */
      adjoint (n, wa);
      const double left = wide_norm (n, n, wa), unit = left > 0 ? left : 1;
      for (int64_t i = 0; i < n; i++)
        wl[i] = conj (wl[i]) / unit;
      for (int64_t i = 0; i < n * n; i++)
        wa[i] /= unit;
      m.left = general_residual (type, n, wa, wv, wl);
      m.length = worst_of (m.length, worst_length (n, wv));
    }
  m.length /= (double) n * measure_eps (type);
  free (wv);
  return m;
}

double
measure_orthogonality (gpueig_type type, int64_t n, int64_t columns,
                       const void *v)
{
  FREED double _Complex *w = widen (type, n * columns, v, 1);
  FREED double _Complex *r = check_memory (columns * columns, sizeof *r);
  for (int64_t j = 0; j < columns; j++)
    r[j + columns * j] = 1;
  if (n > 0 && columns > 0)
    product ("C", columns, columns, n, w, w, r);
  double norm = wide_norm (columns, columns, r);
  return ratio (norm, (double) n * measure_eps (type));
}

double
measure_b_orthogonality (gpueig_type type, int64_t n, const void *b,
                         const void *v)
{
  FREED double _Complex *wb = widen (type, n * n, b, 1);
  FREED double _Complex *wv = widen (type, n * n, v, 1);
  FREED double _Complex *bv = check_memory (n * n, sizeof *bv);
  FREED double _Complex *r = check_memory (n * n, sizeof *r);
  for (int64_t j = 0; j < n; j++)
    r[j + n * j] = 1;
  if (n > 0)
    {
      product ("N", n, n, n, wb, wv, bv);
      product ("C", n, n, n, wv, bv, r);
    }
  const double norm = wide_norm (n, n, r);
  return ratio (norm, (double) n * measure_eps (type));
}

double
measure_eigenvalues (gpueig_type type, int64_t n, const void *x, const void *y,
                     double scale)
{
  gpueig_type real = real_type (type);
  double worst = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double d = fabs (creal (measure_get (real, x, i))
                       - creal (measure_get (real, y, i)));
      worst = worst_of (worst, d);
    }
  return ratio (worst, scale * (double) n * measure_eps (type));
}

/* --- random numbers: splitmix64; GPUEIG_TEST_SEED names other ones --- */

static uint64_t
other_numbers (void)
{
  const char *seed = getenv ("GPUEIG_TEST_SEED");
  return seed ? strtoull (seed, NULL, 10) * 0xd1342543de82ef95u : 0;
}

double
measure_uniform (measure_random *r)
{
  static uint64_t other, known;
  if (! known)
    {
      other = other_numbers ();
      known = 1;
    }
  uint64_t z = (r->state += 0x9e3779b97f4a7c15u) + other;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return ((double) (z >> 11) + 0.5) * 0x1p-52 - 1;
}

double
measure_chance (measure_random *r)
{
  return (measure_uniform (r) + 1) / 2;
}

double
measure_normal (measure_random *r)
{
  double u = measure_chance (r), v = measure_uniform (r);
  return sqrt (-2 * log (u)) * cos (3.14159265358979323846 * v);
}

int64_t
measure_integer (measure_random *r, int64_t least, int64_t most)
{
  const int64_t i
      = least + (int64_t) (measure_chance (r) * (double) (most - least + 1));
  return i > most ? most : i;
}

void
measure_shuffle (measure_random *r, int64_t n, int64_t *to)
{
  for (int64_t i = 0; i < n; i++)
    {
      const int64_t j = measure_integer (r, 0, i);
      to[i] = to[j];
      to[j] = i;
    }
}

void
measure_reflect (measure_random *r, int is_complex, int64_t n,
                 double _Complex *x, int both)
{
  FREED double _Complex *u = check_memory (n, sizeof *u);
  double norm = 0;
  for (int64_t i = 0; i < n; i++)
    {
      u[i] = measure_normal (r);
      if (is_complex)
        u[i] += I * measure_normal (r);
      norm += creal (u[i] * conj (u[i]));
    }
  for (int64_t j = 0; j < n; j++)
    {
      double _Complex dot = 0;
      for (int64_t i = 0; i < n; i++)
        dot += conj (u[i]) * x[i + n * j];
      for (int64_t i = 0; i < n; i++)
        x[i + n * j] -= 2 * dot / norm * u[i];
    }
  for (int64_t i = 0; both && i < n; i++)
    {
      double _Complex dot = 0;
      for (int64_t j = 0; j < n; j++)
        dot += x[i + n * j] * u[j];
      for (int64_t j = 0; j < n; j++)
        x[i + n * j] -= 2 * dot / norm * conj (u[j]);
    }
}

void
measure_random_symmetric (measure_random *r, gpueig_type type, int64_t n,
                          void *a)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        double im = gpueig_is_complex (type) && i < j ? measure_normal (r) : 0;
        double _Complex x = measure_normal (r) + im * I;
        measure_set (type, a, i + n * j, x);
        measure_set (type, a, j + n * i, conj (x));
      }
}

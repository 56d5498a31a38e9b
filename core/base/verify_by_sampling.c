/* Sampled checks of eigenpairs, see verify_by_sampling.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/verify_by_sampling.h"

#include "base/checks.h"
#include "base/random.h"
#include "base/solver.h"

#include <float.h>
#include <math.h>

/* X, or Inf for NaN.  */
static double
infinite_if_nan (double x)
{
  return x == x ? x : INFINITY;
}

/* N eigenvalues of 2^-EXPONENT A that were rounded to a multiple of the smallest number have
   this error in a sum of all.  */
static double
least_error (gpueig_type type, int64_t n, int exponent)
{
  const int smallest = gpueig_is_double (type) ? -1074 : -149;
  return (double) n * ldexp (1, smallest - exponent);
}

/* Complex vectors of n numbers, as arrays of real and of imaginary parts.  */
typedef struct
{
  double *z[2], *y[2], *x[2], *w[2];
} vectors;

static vectors
lay_out_vectors (int64_t n, double *space)
{
  return (vectors){ .z = { space, space + n },
                    .y = { space + 2 * n, space + 3 * n },
                    .x = { space + 4 * n, space + 5 * n },
                    .w = { space + 6 * n, space + 7 * n } };
}

double
ge_sample_distance (int64_t n, double *const x[2], double *const y[2])
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double re = x[0][i] - y[0][i], im = x[1][i] - y[1][i];
      sum += re * re + im * im;
    }
  return sqrt (sum);
}

double
ge_sample_orthogonality (gpueig_context *ctx, gpueig_type type, int64_t n,
                         const void *v, double *space)
{
  const vectors t = lay_out_vectors (n, space);
  uint64_t state = 1;
  double worst = 0;
  for (int64_t i = 0; i < n; i++)
    {
      t.z[0][i] = ge_next_random (&state);
      t.z[1][i] = 0;
    }
  GE_BY_TYPE (type, ge_sample_multiply, (ctx, n, n, v, 0, t.z, t.y));
  GE_BY_TYPE (type, ge_sample_adjoint, (ctx, n, n, v, 0, t.y, t.w));
  for (int64_t i = 0; i < n; i++)
    worst = ge_larger (worst, hypot (t.w[0][i] - t.z[0][i], t.w[1][i]));
  return infinite_if_nan (worst);
}

/* y = V z; x = A y; w = V diag (lambda) z.  */
static void
sample_vectors (gpueig_context *ctx, const gpueig_symmetric *s, int exponent,
                double norm, double *space, ge_sample *sample)
{
  const int64_t n = s->n;
  const vectors t = lay_out_vectors (n, space);
  sample->orthogonality
      = ge_sample_orthogonality (ctx, s->type, n, s->v, space);
  GE_BY_TYPE (s->type, ge_sample_multiply,
              (ctx, n, n, s->a, exponent, t.y, t.x));
  for (int64_t i = 0; i < n; i++)
    t.z[0][i] *= ldexp (ge_real_at (s->type, s->lambda, i), -exponent);
  GE_BY_TYPE (s->type, ge_sample_multiply, (ctx, n, n, s->v, 0, t.z, t.w));
  const double error
      = ge_sample_distance (n, t.x, t.w) - least_error (s->type, n, exponent);
  sample->residual = infinite_if_nan (error / norm);
}

void
ge_sample_form (gpueig_type type, int64_t n, const void *a, const ge_moments *m,
                const void *s, const void *u, double *space, ge_sample *sample)
{
  const vectors t = lay_out_vectors (n, space);
  sample->orthogonality = ge_sample_orthogonality (NULL, type, n, u, space);
  GE_BY_TYPE (type, ge_sample_multiply, (NULL, n, n, a, m->exponent, t.y, t.x));
  GE_BY_TYPE (type, ge_sample_multiply, (NULL, n, n, s, m->exponent, t.z, t.y));
  GE_BY_TYPE (type, ge_sample_multiply, (NULL, n, n, u, 0, t.y, t.w));
  const double error = ge_sample_distance (n, t.x, t.w);
  sample->residual = infinite_if_nan (error == 0 ? 0 : error / m->norm);
}

/* The trace and the squared Frobenius norm of 2^-exponent X; norm: its root, or 1 for 0.  */
typedef struct
{
  int exponent;
  double trace, squares, norm;
} sums;

static sums
sums_of_matrix (gpueig_context *ctx, gpueig_type type, int64_t n, const void *a,
                double *space)
{
  sums s = { .exponent = 0 };
  GE_BY_TYPE (type, ge_sample_sums,
              (ctx, n, a, 0, space, &s.trace, &s.squares));
  if (! (s.squares > 1e-200 && s.squares < 1e280))
    {
      /* Squares may be out of range.  */
      s.exponent = ge_largest_exponent (ctx, type, n * n, a);
      GE_BY_TYPE (type, ge_sample_sums,
                  (ctx, n, a, s.exponent, space, &s.trace, &s.squares));
    }
  s.norm = s.squares > 0 ? sqrt (s.squares) : 1;
  return s;
}

/* The residual without V of a matrix with the sums A, whose eigenvalues have TRACE and
   SQUARES.  */
static double
compare_sums (gpueig_type type, int64_t n, const sums *a, ge_dd trace,
              ge_dd squares)
{
  const double least = least_error (type, n, a->exponent) / a->norm;
  const double of_trace = fabs (a->trace - trace.hi - trace.lo) / a->norm,
               of_squares = fabs (a->squares - squares.hi - squares.lo)
                            / a->norm / a->norm;
  return infinite_if_nan (ge_larger (of_trace - least, of_squares - 2 * least));
}

static double
sample_values (const gpueig_symmetric *s, const sums *of_a)
{
  ge_dd trace = dd_of (0), squares = trace;
  /* Two factors, neither of which under- or overflows.  */
  const int exponent = of_a->exponent;
  const double first = ge_power_of_2 (-(exponent / 2)),
               second = ge_power_of_2 (-(exponent - exponent / 2));
  for (int64_t i = 0; i < s->n; i++)
    {
      const double value = ge_real_at (s->type, s->lambda, i) * first * second;
      ge_accumulate (&trace, value);
      ge_accumulate (&squares, value * value);
    }
  return compare_sums (s->type, s->n, of_a, trace, squares);
}

/* Nonzero if values are infinite, and those of a matrix with the sums A may be.  */
static int
values_overflow (const gpueig_symmetric *s, const sums *a)
{
  const double largest = gpueig_is_double (s->type) ? DBL_MAX : FLT_MAX;
  int infinite = 0;
  for (int64_t i = 0; i < s->n; i++)
    infinite |= isinf (ge_real_at (s->type, s->lambda, i)) != 0;
  return infinite && a->norm > ldexp (largest, -a->exponent);
}

void
ge_sample_page (gpueig_context *ctx, const gpueig_symmetric *s, double *space,
                ge_sample *sample)
{
  const sums of_a = sums_of_matrix (ctx, s->type, s->n, s->a, space);
  *sample = (ge_sample){ 0 };
  if (s->v)
    sample_vectors (ctx, s, of_a.exponent, of_a.norm, space, sample);
  else
    sample->residual = sample_values (s, &of_a);
  if (isinf (sample->residual) && values_overflow (s, &of_a))
    sample->residual = 0;
}

void
ge_sample_reduction (gpueig_context *ctx, gpueig_type type, int64_t n,
                     const void *a, const double *d, const double *e,
                     double *space, ge_sample *sample)
{
  const sums of_a = sums_of_matrix (ctx, type, n, a, space);
  ge_dd trace = dd_of (0), squares = trace;
  for (int64_t i = 0; i < n; i++)
    {
      const double x = ldexp (d[i], -of_a.exponent),
                   y = i + 1 < n ? ldexp (e[i], -of_a.exponent) : 0;
      ge_accumulate (&trace, x);
      ge_accumulate (&squares, x * x + 2 * y * y);
    }
  *sample = (ge_sample){ .residual
                         = compare_sums (type, n, &of_a, trace, squares) };
}

/* Rounding errors of the sums grow like sqrt (n); wrong results of a library are
   larger by orders of magnitude.  */
int
ge_sample_passes (gpueig_type type, int64_t n, const ge_sample *sample)
{
  const double order = (double) n;
  const double eps = gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON;
  return sample->residual <= (order + 30) * eps
         && sample->orthogonality <= (4 * sqrt (order) + 30) * eps;
}

gpueig_status
ge_check_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                const char *engine)
{
  const int mark = ge_mark (ctx);
  double *space;
  ge_sample sample;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, GE_SAMPLE_VECTORS * s->n, &space));
  ge_sample_page (ctx, s, space, &sample);
  ge_release (ctx, mark);
  ge_report (ctx, "sampled: residual %.2g, orthogonality %.2g", sample.residual,
             sample.orthogonality);
  if (ge_sample_passes (s->type, s->n, &sample))
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "%s computed wrong eigenpairs: sampled residual %.2g, "
                      "orthogonality %.2g",
                      engine, sample.residual, sample.orthogonality);
}

/* --- eigenvalues of general matrices --- */

void
ge_find_moments (gpueig_type type, int64_t n, const void *a, ge_moments *m)
{
  GE_BY_TYPE (type, ge_sum_moments, (n, a, 0, m));
  if (m->norm > 1e-100 && m->norm < 1e140)
    return;
  /* Squares may be out of range.  */
  const int exponent = ge_largest_exponent (NULL, type, n * n, a);
  GE_BY_TYPE (type, ge_sum_moments,
              (n, a, exponent < -1000 ? -1000 : exponent, m));
}

int
ge_moments_agree (gpueig_type type, int64_t n, const ge_moments *m,
                  const ge_moments *other)
{
  const double eps = gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON;
  const double limit = (double) GE_MOMENTS_LIMIT (n) * eps * m->norm;
  /* Numbers may have been rounded to a multiple of the smallest one.  */
  const double smallest = gpueig_is_double (type) ? 0x1p-1074 : 0x1p-149;
  const double least = (double) n * smallest * ge_power_of_2 (-m->exponent);
  int agree = 1;
  for (int part = 0; part < 2; part++)
    agree &= fabs (m->trace[part] - other->trace[part]) <= limit + least
             && fabs (m->squares[part] - other->squares[part])
                    <= 2 * m->norm * (limit + least);
  return agree;
}

int
ge_values_agree (gpueig_type type, int64_t n, const ge_moments *m,
                 const void *lambda)
{
  const double f = ge_power_of_2 (-m->exponent);
  ge_dd trace[2] = { dd_of (0), dd_of (0) },
        squares[2] = { trace[0], trace[0] };
  ge_moments sums = { .exponent = m->exponent };
  for (int64_t i = 0; i < n; i++)
    {
      const double x = f * ge_real_at (type, lambda, 2 * i);
      const double y = f * ge_real_at (type, lambda, 2 * i + 1);
      ge_accumulate (&trace[0], x);
      ge_accumulate (&trace[1], y);
      ge_accumulate (&squares[0], x * x - y * y);
      ge_accumulate (&squares[1], 2 * x * y);
    }
  for (int part = 0; part < 2; part++)
    {
      sums.trace[part] = trace[part].hi + trace[part].lo;
      sums.squares[part] = squares[part].hi + squares[part].lo;
    }
  return ge_moments_agree (type, n, m, &sums);
}

int
ge_are_eigenvalues (gpueig_type type, int64_t n, const void *a,
                    const void *lambda)
{
  ge_moments m;
  ge_find_moments (type, n, a, &m);
  return ge_values_agree (type, n, &m, lambda);
}

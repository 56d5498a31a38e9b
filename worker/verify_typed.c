/* Verification of the engine's results: all eigenvalues by the trace and the Frobenius
   norm of the matrix, the vectors V by sampling, with the matrices in the files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The columns of X are some unit vectors, which select columns of V, and some vectors x
   of random signs, for which the expectations of |(A V - B V D) x|_2^2 and
   |(V' B V - I) x|_2^2 are the squared Frobenius norms: an error in any column of V
   contributes.  This costs O(n^2) operations.  A is read again because the engine has
   overwritten it.

   The verification is necessary: for matrices of low rank, ones (1200) or, in two
   stages, ones (600), ELPA 2022.11 returns vectors that are not orthogonal.  */

#include "typed.h"

#include <stdlib.h>
#include <string.h>

enum
{
  UNITS = 4, /* columns of X that pick one, the first and the last among them */
  SAMPLE = 8,   /* columns of X */
  LIMIT = 10,   /* in the units of the tests, 1-norms */
  LIMIT_ALL = 3 /* the same of the Frobenius norm of V' V - I */
};

typedef struct
{
  wk_problem *p;
  int units, count;  /* columns of X */
  int column[UNITS]; /* of the solver's V, from 0 */
  scalar_t *v, *vd, *av, *bv,
      *bvd;              /* products with X, n-by-count, on all ranks */
  scalar_t *slab;        /* n-by-block */
  scalar_t *inner;       /* local columns of V by count */
  double norm_a, norm_b; /* 1-norms */
} sample;

static gpueig_status
wrong (wk_problem *p, const char *what, double ratio, int limit)
{
  return gpueig_fail (&p->job->ctx, GPUEIG_SOLVER_FAILED,
                      "%s: %.3g times n eps, %d are allowed", what, ratio,
                      limit);
}

/* --- eigenvalues --- */

static gpueig_status
verify_values (wk_problem *p)
{
  const int n = p->job->grid.n;
  double sum = 0, squares = 0;
  for (int k = 0; k < p->wanted; k++)
    {
      const double x = (double) p->lambda[k];
      if (! isfinite (x) || (k > 0 && p->lambda[k] < p->lambda[k - 1]))
        return gpueig_fail (&p->job->ctx, GPUEIG_SOLVER_FAILED,
                            "eigenvalues %d and %d are not ascending", k,
                            k + 1);
      sum += x;
      squares += x * x;
    }
  if (p->wanted < n)
    return GPUEIG_OK;
  /* |lambda|_2 = |A|_F; each eigenvalue has an error of about eps |A|.  */
  const double unit = (double) n * (double) GE_EPS, norm = sqrt (p->moment[1]);
  const double trace = fabs (sum - p->moment[0]) / (norm * unit * sqrt (n)),
               square = fabs (squares - p->moment[1]) / (norm * norm * unit);
  if (norm > 0 && trace > LIMIT)
    return wrong (p, "the sum of the eigenvalues is not the trace", trace,
                  LIMIT);
  if (norm > 0 && square > LIMIT)
    return wrong (p, "the eigenvalues do not have the norm of the matrix",
                  square, LIMIT);
  return GPUEIG_OK;
}

/* --- the sample --- */

static gpueig_status
begin_sample (sample *s, wk_problem *p)
{
  const wk_grid *g = &p->job->grid;
  const size_t n = (size_t) g->n;
  *s = (sample){ .p = p, .count = SAMPLE };
  s->units = p->wanted < UNITS ? p->wanted : UNITS;
  s->count = s->units + SAMPLE - UNITS;
  for (int k = 1; k < s->units; k++)
    s->column[k] = (int) ((int64_t) k * (p->wanted - 1) / (s->units - 1));
  scalar_t **const products[] = { &s->v, &s->vd, &s->av, &s->bv, &s->bvd };
  gpueig_status status = GPUEIG_OK;
  s->slab = malloc (n * (size_t) g->block * sizeof (scalar_t));
  s->inner
      = calloc ((size_t) (g->local_columns + 1) * SAMPLE, sizeof (scalar_t));
  int there = s->slab && s->inner;
  for (int i = 0; i < 5; i++)
    {
      *products[i] = calloc (n * SAMPLE, sizeof (scalar_t));
      there = there && *products[i];
    }
  if (! there)
    status = gpueig_fail (&p->job->ctx, GPUEIG_OUT_OF_MEMORY,
                          "out of memory for a sample of the vectors");
  return wk_agree (p->job, g->comm, status);
}

static void
end (sample *s)
{
  free (s->v);
  free (s->vd);
  free (s->av);
  free (s->bv);
  free (s->bvd);
  free (s->slab);
  free (s->inner);
}

/* Element G of column K of X: unit vectors, then random signs.  */
static real_t
sample_weight (const sample *s, int g, int k)
{
  if (k < s->units)
    return g == s->column[k];
  /* The generator splitmix64 of S. Vigna.  */
  uint64_t x = (uint64_t) g * SAMPLE + (uint64_t) k + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (x ^ (x >> 31)) & 1 ? 1 : -1;
}

/* Sum an n-by-count array over all ranks, in pieces of less than 2^31 elements, MPI's
   limit.  */
static void
sum_over_ranks (const sample *s, scalar_t *x)
{
  const wk_grid *g = &s->p->job->grid;
  for (int k = 0; k < s->count; k++)
    for (int part = 0; part < (int) (sizeof *x / sizeof (real_t)); part++)
      MPI_Allreduce (MPI_IN_PLACE,
                     (real_t *) (x + (size_t) k * (size_t) g->n)
                         + (size_t) part * (size_t) g->n,
                     g->n, MPI_REAL_TYPE, MPI_SUM, g->comm);
}

/* Compute the products V X and V D X.  */
static void
combine_columns (sample *s)
{
  const wk_grid *g = &s->p->job->grid;
  for (int k = 0; k < s->count; k++)
    for (int j = 0; j < g->local_columns; j++)
      {
        const int global = wk_global_column (g, j);
        const scalar_t *v = s->p->v + (size_t) j * (size_t) g->local_rows;
        if (global >= s->p->wanted)
          continue;
        const real_t x = sample_weight (s, global, k),
                     xd = x * s->p->lambda[global];
        for (int i = 0; i < g->local_rows && x != 0; i++)
          {
            const size_t at
                = (size_t) k * (size_t) g->n + (size_t) wk_global_row (g, i);
            s->v[at] += x * v[i];
            s->vd[at] += xd * v[i];
          }
      }
  sum_over_ranks (s, s->v);
  sum_over_ranks (s, s->vd);
}

/* Y <- SIGN 2^-EXPONENT M X for the matrix M in file FD, and the 1-norm of the scaled
   matrix.  Each rank reads a part of the columns.  */
static gpueig_status
multiply_sample (sample *s, int fd, const char *name, int exponent, real_t sign,
                 const scalar_t *x, scalar_t *y, double *norm)
{
  wk_job *job = s->p->job;
  const wk_grid *g = &job->grid;
  const int64_t column = (int64_t) g->n * (int64_t) sizeof (scalar_t),
                blocks = ((int64_t) g->n + g->block - 1) / g->block;
  const int half = -exponent / 2;
  const scalar_t unit = make_ (1, 0);
  gpueig_status status = GPUEIG_OK;
  double most = 0;
  for (int64_t j = g->rank; j < blocks && status == GPUEIG_OK; j += g->size)
    {
      const int width = wk_block_width (g, j);
      const size_t count = (size_t) g->n * (size_t) width;
      status = ge_move_bytes (&job->ctx, fd, name, (char *) s->slab,
                              width * column, j * g->block * column, 0);
      if (status != GPUEIG_OK)
        break;
      FN (wk_scale) (s->slab, count, sign * (real_t) ldexp (1, half));
      FN (wk_scale) (s->slab, count, (real_t) ldexp (1, -exponent - half));
      for (int k = 0; k < width; k++)
        {
          double sum = 0;
          for (int i = 0; i < g->n; i++)
            sum += (double) abs_ (s->slab[i + (size_t) k * (size_t) g->n]);
          most = sum > most ? sum : most;
        }
      gemm_ ("N", "N", &g->n, &s->count, &width, &unit, s->slab, &g->n,
             x + j * g->block, &g->n, &unit, y, &g->n, 1, 1);
    }
  GE_TRY (wk_agree (job, g->comm, status));
  sum_over_ranks (s, y);
  MPI_Allreduce (&most, norm, 1, MPI_DOUBLE, MPI_MAX, g->comm);
  return GPUEIG_OK;
}

/* Add X to the sum for the norm of column K: the 1-norm for unit vectors, otherwise the
   2-norm.  */
static double
add_up (const sample *s, int k, double sum, scalar_t x)
{
  const double size = (double) abs_ (x);
  return sum + (k < s->units ? size : size * size);
}

static double
norm_of_sample (const sample *s, int k, double sum)
{
  return k < s->units ? sum : sqrt (sum);
}

/* The largest norm of a column of (A V - B V D) X, in units of n eps times the norms.
   For a pair the reduction adds an error of eps max |lambda| sqrt |B|, the norm of L
   times that of the standard matrix.  */
static double
residual (const sample *s)
{
  const wk_problem *p = s->p;
  const size_t n = (size_t) p->job->grid.n;
  const double unit = (double) n * (double) GE_EPS;
  double worst = 0;
  real_t most = 0;
  for (int k = 0; k < p->wanted; k++)
    most = fmax_ (most, fabs_ (p->lambda[k]));
  const double largest = (double) most;
  for (int k = 0; k < s->count; k++)
    {
      const size_t at = (size_t) k * n;
      double difference = 0, size = 0;
      for (size_t i = at; i < at + n; i++)
        {
          difference = add_up (s, k, difference, s->av[i] - s->bvd[i]);
          size = add_up (s, k, size, s->v[i]);
        }
      const double lambda
          = k < s->units ? fabs ((double) p->lambda[s->column[k]]) : largest;
      double scale = s->norm_a;
      if (p->b)
        scale = (s->norm_a + lambda * s->norm_b) * norm_of_sample (s, k, size)
                + largest * sqrt (s->norm_b);
      const double ratio = difference == 0 ? 0
                                           : norm_of_sample (s, k, difference)
                                                 / (scale * unit);
      worst = ratio > worst || isnan (ratio) ? ratio : worst;
    }
  return worst;
}

/* The largest norms of columns of (V' B V - I) X, in units of n eps: for the unit
   vectors of X, and for the random ones.  */
static void
orthogonality (const sample *s, double worst[2])
{
  const wk_problem *p = s->p;
  const wk_grid *g = &p->job->grid;
  const int columns = g->local_columns;
  double sums[SAMPLE] = { 0 }, all[SAMPLE];
  for (int k = 0; k < s->count; k++)
    for (int j = 0; j < columns; j++)
      {
        scalar_t inner = make_ (0, 0);
        const scalar_t *v = p->v + (size_t) j * (size_t) g->local_rows;
        if (wk_global_column (g, j) >= p->wanted)
          continue;
        for (int i = 0; i < g->local_rows; i++)
          inner += conj_ (v[i])
                   * s->bv[(size_t) k * (size_t) g->n
                           + (size_t) wk_global_row (g, i)];
        s->inner[(size_t) k * (size_t) columns + (size_t) j] = inner;
      }
  MPI_Allreduce (MPI_IN_PLACE, s->inner, columns * s->count * (1 + GE_COMPLEX),
                 MPI_REAL_TYPE, MPI_SUM, g->column);
  for (int k = 0; k < s->count && g->row == 0; k++)
    for (int j = 0; j < columns; j++)
      {
        const int global = wk_global_column (g, j);
        const scalar_t x = s->inner[(size_t) k * (size_t) columns + (size_t) j];
        if (global < p->wanted)
          sums[k] = add_up (s, k, sums[k],
                            x - make_ (sample_weight (s, global, k), 0));
      }
  MPI_Allreduce (sums, all, SAMPLE, MPI_DOUBLE, MPI_SUM, g->comm);
  worst[0] = worst[1] = 0;
  for (int k = 0; k < s->count; k++)
    {
      const double ratio
          = norm_of_sample (s, k, all[k]) / ((double) g->n * (double) GE_EPS);
      double *to = &worst[k >= s->units];
      *to = ratio > *to || isnan (ratio) ? ratio : *to;
    }
}

static gpueig_status
verify_vectors (sample *s)
{
  wk_problem *p = s->p;
  wk_job *job = p->job;
  const size_t bytes
      = (size_t) job->grid.n * (size_t) s->count * sizeof (scalar_t);
  double worst[2];
  combine_columns (s);
  GE_TRY (multiply_sample (s, job->a, job->args.a, p->exponent_a, p->sign, s->v,
                           s->av, &s->norm_a));
  if (p->b)
    {
      GE_TRY (multiply_sample (s, job->b, job->args.b, p->exponent_b, 1, s->v,
                               s->bv, &s->norm_b));
      GE_TRY (multiply_sample (s, job->b, job->args.b, p->exponent_b, 1, s->vd,
                               s->bvd, &s->norm_b));
    }
  else
    {
      memcpy (s->bv, s->v, bytes);
      memcpy (s->bvd, s->vd, bytes);
    }
  job->record.residual = residual (s);
  orthogonality (s, worst);
  job->record.orthogonality = worst[worst[1] > worst[0]];
  if (! (job->record.residual <= LIMIT))
    return wrong (p, "residual of the eigenvectors", job->record.residual,
                  LIMIT);
  if (! (worst[0] <= LIMIT) && ! p->b)
    return wrong (p, "orthogonality of some eigenvectors", worst[0], LIMIT);
  if (! (worst[1] <= LIMIT_ALL) && ! p->b)
    return wrong (p, "orthogonality of all eigenvectors", worst[1], LIMIT_ALL);
  return GPUEIG_OK;
}

gpueig_status
FN (wk_verify) (wk_problem *p)
{
  sample s;
  wk_job *job = p->job;
  GE_TRY (wk_agree (job, job->grid.comm, verify_values (p)));
  if (! p->vectors)
    return GPUEIG_OK;
  gpueig_status status = begin_sample (&s, p);
  if (status == GPUEIG_OK)
    status = verify_vectors (&s);
  end (&s);
  return wk_agree (job, job->grid.comm, status);
}

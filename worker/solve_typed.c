/* Scaling, reduction to a standard problem, solution and back transformation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A V = B V D with B = L L^H is the standard problem C Y = Y D with C = L^-1 A
   L^-H and V = L^-H Y.  */

#include "typed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int one = 1;

/* A matrix whose largest element is between 2^-RANGE and 2^RANGE is not scaled: squares
   of such elements neither overflow nor underflow.  */
#if GE_DOUBLE
#  define RANGE 200
#else
#  define RANGE 30
#endif

/* --- passes over local blocks --- */

void
FN (wk_scale) (scalar_t *x, size_t count, real_t factor)
{
  for (size_t i = 0; i < count; i++)
    x[i] *= factor;
}

/* Find *LARGEST, the largest absolute value of a real or imaginary part of X, on all ranks.
   GPUEIG_NONFINITE if X has NaN or Inf.  */
static gpueig_status
scan_blocks (wk_job *job, const scalar_t *x, const char *what, real_t *largest)
{
  const wk_grid *g = &job->grid;
  real_t most = 0;
  gpueig_status status = GPUEIG_OK;
  for (int j = 0; j < g->local_columns; j++)
    for (int i = 0; i < g->local_rows; i++)
      {
        const scalar_t t = x[i + (size_t) j * (size_t) g->local_rows];
        const real_t re = re_ (t) < 0 ? -re_ (t) : re_ (t),
                     im = im_ (t) < 0 ? -im_ (t) : im_ (t);
        if (! isfinite (re) || ! isfinite (im))
          status = gpueig_fail (&job->ctx, GPUEIG_NONFINITE,
                                "%s must be finite, but element (%d, %d) is "
                                "NaN or Inf",
                                what, wk_global_row (g, i) + 1,
                                wk_global_column (g, j) + 1);
        most = re > most ? re : most;
        most = im > most ? im : most;
      }
  GE_TRY (wk_agree (job, g->comm, status));
  MPI_Allreduce (&most, largest, 1, MPI_REAL_TYPE, MPI_MAX, g->comm);
  return GPUEIG_OK;
}

/* GPUEIG_NOT_SYMMETRIC unless X equals its conjugate transpose bit for bit.  WORK has
   the size of X.  */
static gpueig_status
check_symmetric (wk_job *job, const scalar_t *x, const char *what,
                 scalar_t *work)
{
  const wk_grid *g = &job->grid;
  const scalar_t unit = make_ (1, 0), zero = make_ (0, 0);
  gpueig_status status = GPUEIG_OK;
  ptran_ (&g->n, &g->n, &unit, x, &one, &one, g->desc, &zero, work, &one, &one,
          g->desc);
  for (size_t i = 0; i < wk_local_elements (g); i++)
    if (re_ (x[i]) != re_ (work[i]) || im_ (x[i]) != im_ (work[i]))
      {
        status = gpueig_fail (
            &job->ctx, GPUEIG_NOT_SYMMETRIC,
            "%s must be %s to the last bit; symmetrise it with (A + A') / 2, "
            "or call gpu_eig (A) for a general matrix",
            what, GE_COMPLEX ? "Hermitian" : "symmetric");
        break;
      }
  return wk_agree (job, g->comm, status);
}

/* --- input --- */

/* Read X from its file and divide it by 2^*EXPONENT, a multiple of STEP.  */
static gpueig_status
read_matrix (wk_problem *p, int fd, const char *name, const char *what,
             scalar_t *x, int step, int *exponent)
{
  wk_job *job = p->job;
  real_t largest = 0;
  GE_TRY (wk_move_blocks (job, fd, name, x, NULL));
  GE_TRY (scan_blocks (job, x, what, &largest));
  if (! job->args.in_place)
    GE_TRY (check_symmetric (job, x, what, p->v));
  *exponent = 0;
  if (largest > 0)
    (void) frexp (largest, exponent);
  if (*exponent >= -RANGE && *exponent <= RANGE)
    *exponent = 0;
  *exponent -= *exponent % step;
  /* In two steps, because 2^-*EXPONENT itself may overflow or underflow.  */
  const int half = -*exponent / 2;
  FN (wk_scale) (x, wk_local_elements (&job->grid), (real_t) ldexp (1, half));
  FN (wk_scale)
  (x, wk_local_elements (&job->grid), (real_t) ldexp (1, -*exponent - half));
  return GPUEIG_OK;
}

/* --- pairs --- */

static gpueig_status
factor_pair (wk_problem *p)
{
  const wk_grid *g = &p->job->grid;
  int info = 0;
  ppotrf_ ("L", &g->n, p->b, &one, &one, g->desc, &info, 1);
  if (info == 0)
    return GPUEIG_OK;
  return gpueig_fail (&p->job->ctx, GPUEIG_NOT_DEFINITE,
                      "B is not positive definite: its leading minor of order "
                      "%d is not",
                      info);
}

/* Replace p->a, which is Hermitian up to rounding, by the average of it and its
   conjugate transpose: the engines read different triangles.  */
static void
symmetrize (wk_problem *p)
{
  const wk_grid *g = &p->job->grid;
  const scalar_t half = make_ ((real_t) 0.5, 0);
  memcpy (p->v, p->a, wk_local_elements (g) * sizeof (scalar_t));
  ptran_ (&g->n, &g->n, &half, p->v, &one, &one, g->desc, &half, p->a, &one,
          &one, g->desc);
}

/* p->a <- L^-1 A L^-H.  */
static void
reduce_pair (wk_problem *p)
{
  const wk_grid *g = &p->job->grid;
  const scalar_t unit = make_ (1, 0);
  ptrsm_ ("L", "L", "N", "N", &g->n, &g->n, &unit, p->b, &one, &one, g->desc,
          p->a, &one, &one, g->desc);
  ptrsm_ ("R", "L", "C", "N", &g->n, &g->n, &unit, p->b, &one, &one, g->desc,
          p->a, &one, &one, g->desc);
  symmetrize (p);
}

/* V <- L^-H V.  */
static void
transform_back (wk_problem *p)
{
  const wk_grid *g = &p->job->grid;
  const scalar_t unit = make_ (1, 0);
  ptrsm_ ("L", "L", "C", "N", &g->n, &p->wanted, &unit, p->b, &one, &one,
          g->desc, p->v, &one, &one, g->desc);
}

/* --- solution by one engine --- */

static void
set_moments (wk_problem *p)
{
  const wk_grid *g = &p->job->grid;
  double local[2] = { 0, 0 };
  for (int j = 0; j < g->local_columns; j++)
    for (int i = 0; i < g->local_rows; i++)
      {
        const scalar_t t = p->a[i + (size_t) j * (size_t) g->local_rows];
        local[1] += (double) re_ (t) * (double) re_ (t)
                    + (double) im_ (t) * (double) im_ (t);
        if (wk_global_row (g, i) == wk_global_column (g, j))
          local[0] += (double) re_ (t);
      }
  MPI_Allreduce (local, p->moment, 2, MPI_DOUBLE, MPI_SUM, g->comm);
}

static gpueig_status
attempt (wk_problem *p, ge_method method)
{
  wk_job *job = p->job;
  const wk_grid *g = &job->grid;
  double start = MPI_Wtime ();
  GE_TRY (read_matrix (p, job->a, job->args.a, "A", p->a, 1, &p->exponent_a));
  if (p->b)
    GE_TRY (read_matrix (p, job->b, job->args.b, "B", p->b, 2, &p->exponent_b));
  if (p->sign < 0)
    FN (wk_scale) (p->a, wk_local_elements (g), -1);
  job->record.read_time = MPI_Wtime () - start;
  wk_progress (job, "read: %.3g s", job->record.read_time);
  start = MPI_Wtime ();
  if (p->b)
    {
      GE_TRY (factor_pair (p));
      reduce_pair (p);
    }
  set_moments (p);
  gpueig_status status = FN (wk_engine) (p, method);
  if (status == GPUEIG_OK && p->b && p->vectors)
    transform_back (p);
  job->record.solve += MPI_Wtime () - start;
  GE_TRY (wk_agree (job, g->comm, status));
  wk_progress (job, "%s: %.3g s", ge_method_name (method), job->record.solve);
  start = MPI_Wtime ();
  status = FN (wk_verify) (p);
  job->record.check_time += MPI_Wtime () - start;
  if (status == GPUEIG_OK && p->vectors)
    wk_progress (job, "check: residual %.3g, orthogonality %.3g: %.3g s",
                 job->record.residual, job->record.orthogonality,
                 job->record.check_time);
  return status;
}

/* --- output --- */

/* Write the selected eigenvalues of the unscaled problem, in the order of the output.  */
static void
output_lambda (const wk_problem *p, real_t *out)
{
  for (int k = 0; k < p->wanted; k++)
    {
      const int at = wk_output_column (&p->select, k);
      if (at >= 0)
        out[at] = (real_t) ldexp (p->sign * p->lambda[k],
                                  p->exponent_a - p->exponent_b);
    }
}

static gpueig_status
output (wk_problem *p)
{
  wk_job *job = p->job;
  const wk_grid *g = &job->grid;
  const double start = MPI_Wtime ();
  gpueig_status status = GPUEIG_OK;
  real_t *out = malloc ((size_t) p->select.count * sizeof *out);
  if (! out)
    status = gpueig_fail (&job->ctx, GPUEIG_OUT_OF_MEMORY, "out of memory");
  else
    output_lambda (p, out);
  status = wk_agree (job, g->comm, status);
  if (status == GPUEIG_OK && p->vectors)
    {
      if (p->exponent_b)
        FN (wk_scale)
      (p->v, wk_local_elements (g), (real_t) ldexp (1, -p->exponent_b / 2));
      status = wk_move_blocks (job, job->v, job->args.v, p->v, &p->select);
    }
  if (status == GPUEIG_OK)
    status = wk_finish_files (job, out);
  free (out);
  job->record.write_time = MPI_Wtime () - start;
  wk_progress (job, "write: %.3g s", job->record.write_time);
  return status;
}

/* --- all steps --- */

/* Choose the end of the spectrum from which the engine computes eigenpairs, by the sign
   of the matrix, and their number.  */
static void
select_pairs (wk_problem *p)
{
  const wk_arguments *args = &p->job->args;
  const int n = p->job->grid.n, first = (int) args->first - 1,
            last = (int) args->last - 1;
  p->vectors = args->v[0] != '\0';
  const int from_top = p->vectors && n - first < last + 1;
  p->sign = from_top ? -1 : 1;
  p->wanted = ! p->vectors ? n : from_top ? n - first : last + 1;
  p->select = (wk_selection){ .first = first,
                              .last = n - 1 - first,
                              .count = last - first + 1,
                              .reversed = from_top };
}

static gpueig_status
allocate_blocks (wk_problem *p)
{
  /* zgemv of OpenBLAS 0.3.21 reads beyond the end of a small matrix.  */
  enum
  {
    SLACK = 512
  };
  const size_t count = wk_local_elements (&p->job->grid) + SLACK;
  p->a = malloc (count * sizeof *p->a);
  p->v = malloc (count * sizeof *p->v);
  p->b = p->job->args.b ? malloc (count * sizeof *p->b) : NULL;
  p->lambda = malloc ((size_t) p->job->grid.n * sizeof *p->lambda);
  gpueig_status status = GPUEIG_OK;
  if (! p->a || ! p->v || (p->job->args.b && ! p->b) || ! p->lambda)
    status = gpueig_fail (&p->job->ctx, GPUEIG_OUT_OF_MEMORY,
                          "out of memory: rank %d needs %.6g MiB for each of "
                          "its matrices",
                          p->job->rank,
                          (double) count * sizeof (scalar_t) / 1048576);
  return wk_agree (p->job, p->job->grid.comm, status);
}

static gpueig_status
solve_by_engine (wk_problem *p)
{
  wk_job *job = p->job;
  ge_method method = ge_find_method (GE_EIG_SYMMETRIC, job->args.method);
  const int any = method == GE_AUTO;
  if (any)
    method = WK_HAVE_ELPA ? GE_METHOD_EIG_ELPA1 : GE_METHOD_EIG_SYEVD;
  select_pairs (p);
  GE_TRY (allocate_blocks (p));
  snprintf (job->record.engine[0], sizeof job->record.engine[0], "%s",
            ge_method_name (method));
  gpueig_status status = attempt (p, method);
  if (status == GPUEIG_SOLVER_FAILED && method != GE_METHOD_EIG_SYEVD)
    {
      wk_progress (job, "%s failed: %s", ge_method_name (method),
                   job->ctx.message);
      snprintf (job->record.engine[any && p->refused ? 0 : 1],
                sizeof job->record.engine[1], "%s",
                ge_method_name (GE_METHOD_EIG_SYEVD));
      status = attempt (p, GE_METHOD_EIG_SYEVD);
    }
  GE_TRY (status);
  return output (p);
}

gpueig_status
FN (wk_solve) (wk_job *job)
{
  wk_problem p = { .job = job };
  const gpueig_status status = solve_by_engine (&p);
  free (p.a);
  free (p.b);
  free (p.v);
  free (p.lambda);
  return status;
}

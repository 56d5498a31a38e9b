/* MRRR on the GPU: what its operations share, representations and jobs on the device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_OPERATIONS_CUH
#define GE_MRRR_OPERATIONS_CUH 1

#include "mrrr/mrrr.cuh"

enum
{
  WARP = 32
};

/* A representation L D L' on the device: pivots d and w = e^2 / d = l^2 d, as
   double-double numbers.  Deeper representations store the pivots, STRIDE
   apart; w is recomputed where it is used.  While brackets are refined, the
   array V is not in use yet and holds w_hi of the deepest level; w_hi is NULL
   where V is too small.  */
typedef struct
{
  const double *d_hi, *d_lo, *w_hi, *w_lo, *e;
  long long stride;
  int n, begin;
} mrrr_rep;

/* Input of an operation for one eigenvalue, and its result; the meaning of the
   members is that of the kernel.  */
typedef struct
{
  double a, b, gap; /* bracket, or point, or shift */
  int node, index, twist, column;
} mrrr_job;

typedef struct
{
  double a, b;
} mrrr_answer;

/* A pair of singles.cu, see ge_mrrr_eigenpair.  */
typedef struct
{
  double lo, hi, gap, x_hi, x_lo, residual;
  int flags, twist;
} mrrr_single;

/* The pivots of all representations of one depth, stored [index][node] so that
   neighbouring threads read neighbouring numbers.  */
typedef struct
{
  double *d_hi, *d_lo, *w;
  long long count;
} level_store;

typedef struct
{
  double *d_hi, *d_lo, *w_hi, *w_lo, *e;
  mrrr_rep *reps, *host_reps; /* by node */
  int64_t n_reps;
  mrrr_job *jobs, *host_jobs;
  mrrr_answer *answers, *host_answers;
  int32_t *order; /* order[k]: index of job k in the caller's list */
  int64_t capacity;
  level_store level[MRRR_MAX_DEPTH + 1];
  int64_t depth;
} gpu_state;

static inline gpu_state *
gpu_of (ge_mrrr *m)
{
  return (gpu_state *) m->backend;
}

/* Blocks of WARP jobs of one kind.  */
static inline int
blocks_for (int n_root, int64_t n)
{
  return (n_root + WARP - 1) / WARP + (int) ((n - n_root + WARP - 1) / WARP);
}

/* N jobs on the device, the first N_ROOT of root representations; nothing is done if
   *OPEN is not zero.  */
typedef struct
{
  const mrrr_job *jobs;
  int n_root, n;
  mrrr_answer *answers;
  const int *open;
} mrrr_batch;

/* Start the kernels of brackets.cuh and factors.cuh; the jobs of counts and brackets are
   those of the state, or brackets of PAIRS of the root, numbers FIRST and following.  AT_ONCE:
   ge_cuda_bisects_at_once (N) is nonzero, and groups of FEW_PAIRS jobs have one node.
   For twists V is the workspace: at most as many jobs as it has columns.  */
gpueig_status ge_cuda_start_count (ge_mrrr *m, int n_root, int64_t n);
int ge_cuda_bisects_at_once (const ge_mrrr *m, int64_t n);
gpueig_status ge_cuda_start_bisect (ge_mrrr *m, int at_once, int n_root,
                                    int64_t n, mrrr_single *pairs, int first);
gpueig_status ge_cuda_start_twist (ge_mrrr *m, const mrrr_batch &b);
gpueig_status ge_cuda_start_refine (ge_mrrr *m, const mrrr_batch &b);
gpueig_status ge_cuda_start_vectors (ge_mrrr *m, const mrrr_batch &b,
                                     const mrrr_answer *values);

/* The operation of that name, singles.cu.  */
gpueig_status ge_cuda_singles (ge_mrrr *m, int64_t points, int *done);

#endif

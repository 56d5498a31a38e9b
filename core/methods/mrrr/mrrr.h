/* MRRR: interface between the driver (mrrr/tree.c) and its backends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   mrrr.c           gpueig_mrrr, and the CPU solver around the driver
   lapack_typed.c   dense matrices: reduction, back-transformation; xSTEMR, xSTEVD
   setup.c          scaling, splitting, root representations, selection of pairs
   tree.c           the driver: brackets, level by level of the tree
   vectors.c        eigenvalues to full precision, vectors, verification
   spectrum_kind.c  "auto": MRRR or divide and conquer on the CPU
   shares.c         division among several GPUs (shares.h)
   inverse_iteration.c  vectors that the tree does not resolve
   lanes.c, lane_columns.c  the operations on the CPU (cuda/mrrr/operations.cu: on a GPU)

   The driver builds the representation tree; a backend provides the operations of
   ge_mrrr_ops, with O(n) work per eigenvalue, for many eigenvalues at once.  The driver
   is the same for both backends, and so are clusters, shifts and the order of the
   operations.  */

#ifndef GE_MRRR_H
#define GE_MRRR_H 1

#include "base/context.h"

GPUEIG_BEGIN_C

/* An unreduced diagonal block of T: rows BEGIN .. BEGIN + SIZE - 1.  */
typedef struct
{
  int32_t begin, size;
  int32_t node;     /* root of the block; -1 for orders 1 and 2 */
  double low, high; /* Gershgorin bounds of the block's spectrum */
} ge_mrrr_block;

/* A representation: T_block - total I = L D L'.  */
typedef struct
{
  int32_t block, parent, depth; /* parent -1, depth 0: the block's root */
  double shift;                 /* relative to the parent */
  double total_hi, total_lo;
  double growth; /* largest |pivot|, set by the operation represent */
  int32_t
      column; /* where the backend keeps it among those of its depth; of trials that are
                     not kept -1 */
  double gap_left,
      gap_right; /* from the cluster to the nearest other eigenvalue */
} ge_mrrr_node;

enum
{
  MRRR_WANTED = 1, /* the vector or value is an output */
  MRRR_SINGLE = 2, /* the bracket is isolated: a singleton */
  MRRR_LIMIT = 4,  /* the bracket cannot be narrowed further */
  MRRR_DIRECT = 8, /* of a block of order 1 or 2, solved directly */
  MRRR_FAILED
  = 16, /* the vector failed the verification: inverse iteration follows */
  MRRR_MAX_DEPTH = 5, /* of the representation tree */
  MRRR_TRIALS = 6     /* shifts that are tried for a node */
};

/* State of an eigenpair.  lo, hi, gap and x are relative to its node's shift.  */
typedef struct
{
  int32_t block, index; /* the INDEX-th eigenvalue of the block, from 1 */
  int32_t node, twist;
  int32_t flags, column;
  double lo, hi; /* index-th eigenvalue in [lo, hi) by double counts */
  double gap;    /* from the bracket to the nearest other one */
  double x_hi, x_lo;
  double residual; /* |T z - lambda z| of the unit vector */
} ge_mrrr_eigenpair;

typedef struct ge_mrrr ge_mrrr;

/* Operations of a backend.  LIST holds indices of pairs (or nodes).  They return when
   the results are in host memory.  */
typedef struct
{
  /* Called after the root representations d, w, e were computed.  */
  gpueig_status (*begin) (ge_mrrr *m);
  /* count[k]: eigenvalues of node[k] below x[k].  */
  gpueig_status (*count) (ge_mrrr *m, int64_t n, const int32_t *node,
                          const double *x, int32_t *count);
  /* Halve the brackets MRRR_BITS times.  */
  gpueig_status (*bisect) (ge_mrrr *m, int64_t n, const int32_t *list);
  /* Compute the representations of the nodes in LIST, of one depth, and their growth; of those
     without a column the growth alone.  Of the first list of a depth all have columns.  */
  gpueig_status (*represent) (ge_mrrr *m, int64_t n, const int32_t *list);
  /* Choose pair.twist.  */
  gpueig_status (*twist) (ge_mrrr *m, int64_t n, const int32_t *list);
  /* pair.x from the bracket, to working precision.  */
  gpueig_status (*refine) (ge_mrrr *m, int64_t n, const int32_t *list);
  /* Column pair.column of V, zero outside the block, and pair.residual.  */
  gpueig_status (*vectors) (ge_mrrr *m, int64_t n, const int32_t *list);
  /* dots[k] = V(:,a[k])' * V(:,b[k]).  */
  gpueig_status (*dots) (ge_mrrr *m, int64_t n, const int32_t *a,
                         const int32_t *b, double *dots);
  /* V(:,column[k]) = 0 except size[k] rows from begin[k] on, which are z + k ld.  */
  gpueig_status (*store) (ge_mrrr *m, int64_t n, const int32_t *column,
                          const int32_t *begin, const int32_t *size,
                          const double *z, int64_t ld);
  /* z[] = rows begin.. of column[k], size doubles.  */
  gpueig_status (*fetch) (ge_mrrr *m, int32_t column, int32_t begin,
                          int32_t size, double *z);
  /* Or NULL.  Of a matrix of one block, without a visit to the host for each step:
     brackets of all pairs from a grid of POINTS, narrowed as the driver does.
     *DONE: all are single, and pair.x, twist and residual and, in the order of the
     pairs, the vectors are computed.  */
  gpueig_status (*singles) (ge_mrrr *m, int64_t points, int *done);
  /* The largest number of nodes of which all trials are kept: they take no longer than one.  */
  int64_t few_nodes;
} ge_mrrr_ops;

struct ge_mrrr
{
  gpueig_context *ctx;
  const ge_mrrr_ops *ops;
  void *backend; /* the backend's own state */

  /* the problem, set by the caller */
  int64_t n;
  int is_double;       /* class of the problem */
  const double *d, *e; /* n and n - 1, finite */
  int64_t il, iu;      /* numbers of the requested eigenvalues, from 1 */
  int vectors;
  int inverse; /* all vectors by inverse iteration, for tests */
  void *v;     /* n-by-(iu - il + 1), real, in memory of the backend */

  /* results: lambda[k] of the (il + k)-th eigenvalue */
  double *lambda;
  int64_t n_clusters, n_fallbacks, depth;

  /* the scaled and split matrix, and the blocks' roots, concatenated */
  int exponent; /* T = 2^exponent (scaled T) */
  double *sd, *se;
  double *d_hi, *d_lo, *w_hi, *w_lo;
  ge_mrrr_block *blocks;
  int64_t n_blocks, max_size;
  ge_mrrr_node *nodes; /* MAX_NODES, and trials */
  int64_t n_nodes, max_nodes;
  ge_mrrr_eigenpair *pairs;
  int64_t n_pairs;
  int64_t first; /* global index of the smallest requested pair, from 1 */
  int64_t
      whole; /* number of pairs of all parts of a spectrum, or 0: no parts */
};

/* Eigenpairs il .. iu: sets lambda and V.  GPUEIG_SOLVER_FAILED if inverse iteration
   fails for a vector.  */
gpueig_status ge_mrrr_solve (ge_mrrr *m);

/* --- parts of the driver --- */

/* Scale and split T, compute root representations, select the pairs to compute.  */
gpueig_status ge_mrrr_setup (ge_mrrr *m);

/* Eigenvalues of blocks of order 1 and 2.  */
void ge_mrrr_direct_values (ge_mrrr *m);
/* Eigenvalues of singletons to working precision; the order of all eigenvalues; the
   vectors.  LIST: scratch, one entry per pair; DONE: of the operation singles.  */
gpueig_status ge_mrrr_refine_values (ge_mrrr *m, int32_t *list);
gpueig_status ge_mrrr_rank_values (ge_mrrr *m, int *done);
gpueig_status ge_mrrr_vectors (ge_mrrr *m, int32_t *list, int done);

/* The number of eigenvalues of T that are at most X, which may be infinite, by a Sturm
   count.  */
int64_t ge_mrrr_count (int64_t n, const double *d, const double *e, double x);

/* The largest modulus of the elements of T.  (SD, SE): 2^-EXPONENT T, which may be in the
   place of T, with 0 as element n - 1 of SE; returns its 1-norm.  */
double ge_mrrr_largest_element (int64_t n, const double *d, const double *e);
double ge_mrrr_scale (int64_t n, const double *d, const double *e, int exponent,
                      double *sd, double *se);

/* The kind of the eigenvectors of T.  O(n), mrrr/spectrum_kind.c.  */
ge_spectrum ge_mrrr_spectrum (int64_t n, const double *d, const double *e);

/* Z = eigenvector of the SIZE-by-SIZE tridiagonal (d, e) for LAMBDA by inverse
   iteration, orthogonal to the COUNT unit columns of KNOWN, SIZE apart.  WORK has
   6 * size doubles.  Returns |T z - lambda z|, INFINITY if there is no Z.  */
double ge_mrrr_inverse_iteration (int64_t size, const double *d,
                                  const double *e, double lambda, int64_t count,
                                  const double *known, double *work, double *z);

/* Compute the eigenpairs of [a b; b c]: lambda ascending, columns of Z.  */
void ge_mrrr_solve_2x2 (double a, double b, double c, double lambda[2],
                        double z[4]);

/* --- pages of a problem, for both backends --- */

/* Convert page PAGE of d and e to double.  */
void ge_mrrr_get_tridiagonal (const gpueig_symmetric *p, int64_t page,
                              double *d, double *e);
/* The range *IL .. *IU of eigenvalue numbers that P selects, empty if *IL > *IU.  */
void ge_mrrr_choose (const gpueig_symmetric *p, const double *d,
                     const double *e, int64_t *il, int64_t *iu);
void ge_mrrr_put_values (const gpueig_symmetric *p, int64_t page, int64_t count,
                         const double *lambda);
void ge_mrrr_fill_info (const ge_mrrr *m, gpueig_info *info);

static inline double
ge_mrrr_eps (const ge_mrrr *m)
{
  return m->is_double ? 0x1p-52 : 0x1p-23;
}

GPUEIG_END_C

#endif

/* Stacks of symmetric and Hermitian matrices by reduction to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   All pages at once; the bits of a page do not depend on other pages:

     ge_stack_reduce   A = Q T Q^H, Householder reflectors (stack_reduce.cuh,
                       stack_reduce_memory.cu)
     ge_stack_divide   divide and conquer on T (stack_divide.cuh)
     ge_stack_back     Q times vectors of T by the reflectors (stack_back.cu)

   Up to order GE_STACK_QL ge_stack_small_reduce does the first two (stack_small.cuh), and
   implicit QL the last:

     ge_stack_small_ql      eigenvalues, and the plane rotations of all sweeps in
                            memory (stack_small_ql.cu)
     ge_stack_small_rotate  Q times these rotations, columns in ascending order of
                            the eigenvalues (stack_small_rotate.cu)

   QL alone is sequential, but thousands of pages run side by side, and most of
   its work, the rotations of the columns of Q, is done row by row in parallel.
   Vectors are products of reflections and rotations: orthogonal to rounding
   whatever the spectrum is, with no test of gaps or clusters.

   ge_cuda_stack_eig (stack.cu) does all of it.  */

#ifndef GE_STACK_CUH
#define GE_STACK_CUH 1

#include "base/cuda.cuh"

enum
{
  GE_STACK_QL = 48,       /* the largest order of implicit QL, */
  GE_STACK_QL_PAIRS = 32, /* and of double complex pages */
  GE_STACK_TOGETHER = 32, /* pages whose rotations lie together, up to it */
  GE_STACK_ORDER = 256,   /* the largest order */
  /* ge_stack_small_ql reports a failure after so many sweeps per eigenvalue, as
     LAPACK's xSTEQR does; 1.7 to 2.4 are usual.  */
  GE_STACK_SWEEPS = 30
};

typedef enum
{
  GE_STACK_RUNNING,
  GE_STACK_DONE,
  GE_STACK_FAILED
} ge_stack_status;

/* State of a page, in device memory.  */
typedef struct
{
  ge_stack_status status;
  int exponent;    /* A is 2^exponent times the matrix that (d, e) belong to */
  int started;     /* the fields below are set */
  int flipped;     /* (d, e), rotations and columns are in reverse order */
  int first, last; /* the diagonal block that QL works on */
  int sweeps;      /* of all rounds */
  int recorded;    /* sweeps of this round, -1: the page was finished before */
  double floor;    /* smaller off-diagonal elements count as zero */
} ge_stack_page;

/* A recorded sweep: rotations of the planes (i, i + 1) for i = last - 1 down to first.
   That of sweep t in plane i is number (t n + i) GE_STACK_TOGETHER + page of those of
   GE_STACK_TOGETHER pages, and their tables are mixed in the same way.  */
typedef struct alignas (4)
{
  short first, last;
} ge_stack_sweep;

/* PAGES pages of order N in device memory.  */
template <typename T> struct ge_stack
{
  typedef ge_real<T> R;
  int n;
  int64_t pages;
  T *a;           /* n-by-n: the matrices, then reflectors in the columns */
  T *tau;         /* n per page */
  T *v;           /* n-by-n: the eigenvectors; NULL: values only */
  T *q;           /* n-by-n: Q; for QL it is V */
  double *d, *e;  /* n per page */
  int max_sweeps; /* of QL, an eigenvalue */
  R *lambda;      /* n per page, ascending */
  ge_stack_page *page;
  R *rotations; /* pairs (cosine, sine), n TABLE_SIZE of them per page */
  ge_stack_sweep *table; /* TABLE_SIZE per page */
  int table_size;
  short *rank;     /* n per page: where a column belongs */
  int *unfinished; /* pages that need another round, and pages that failed */
  R *u;          /* divide and conquer: n-by-n, or of ge_stack_back_size, and */
  double *parts; /* 3 n per page */
};

template <typename T>
gpueig_status ge_stack_reduce (gpueig_context *ctx, const ge_stack<T> *s);
/* The part of it for pages that do not fit on chip.  */
template <typename T>
gpueig_status ge_stack_reduce_in_memory (gpueig_context *ctx,
                                         const ge_stack<T> *s);
/* A = Q T Q^H, and Q if s->v; A stays as it is.  */
template <typename T>
gpueig_status ge_stack_small_reduce (gpueig_context *ctx, const ge_stack<T> *s);
template <typename T>
gpueig_status ge_stack_small_ql (gpueig_context *ctx, const ge_stack<T> *s);
template <typename T>
gpueig_status ge_stack_small_rotate (gpueig_context *ctx, const ge_stack<T> *s,
                                     int identity);
/* Eigenvalues, and from Q and A the vectors V; A and Q are overwritten. IDENTITY: Q is
   the identity, and has not been initialised.  FAILED is NULL: the host does not wait.  */
template <typename T>
gpueig_status ge_stack_divide (gpueig_context *ctx, const ge_stack<T> *s,
                               int identity, int *failed);

/* Implicit QL solves pages of order N.  */
template <typename T>
static inline bool
ge_stack_by_ql (int64_t n)
{
  return n <= (sizeof (T) == 16 ? GE_STACK_QL_PAIRS : GE_STACK_QL);
}

/* V = Q Z by the reflectors in A, Z n-by-n a page, the identity where divide
   and conquer failed; U, of ge_stack_back_size elements a page, is overwritten.  */
template <typename T> int64_t ge_stack_back_size (int n);
template <typename T>
gpueig_status ge_stack_back (gpueig_context *ctx, const ge_stack<T> *s,
                             const ge_real<T> *z);

/* Eigenvectors V of PAGES matrices A, which are overwritten, in device memory, and unless
   LAMBDA is NULL the eigenvalues, ascending; an orthonormal basis where QL fails.  For
   starting vectors.  */
template <typename T>
gpueig_status ge_stack_basis (gpueig_context *ctx, int64_t n, int64_t pages,
                              T *a, T *v, ge_real<T> *lambda);

/* Page PAGE of S is left to another method; GPUEIG_SOLVER_FAILED if it cannot be marked.  */
gpueig_status ge_cuda_leave_page (gpueig_context *ctx,
                                  const gpueig_symmetric *s, int64_t page);

/* Solve S: pages of A, which are overwritten, as B is, or (D, E).  Pages where QL or divide and
   conquer fails are marked, and nothing is stored.  */
gpueig_status ge_cuda_stack_eig (gpueig_context *ctx, const gpueig_symmetric *s,
                                 const gpueig_options *options,
                                 gpueig_info *info);

#endif

/* Claims about all solvers: one table of them, problems that any of them takes, and the
   errors of their answers.  A new solver is a row of the table in solvers.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   any_problem p = make_problem (&solvers[i], GPUEIG_DOUBLE, 6, 3, 3);
   fill_problem (&p, 1);
   if (check_solve (ctx, &p, &options, "auto", "a claim"))
     check_errors (&p, USUAL_NONE);
   free_problem (&p);  */

#ifndef SOLVERS_H
#define SOLVERS_H 1

#include "check.h"
#include "gpueig_array.h"
#include "gpueig_methods.h"
#include "limits.h"

enum
{
  SOLVE_EIG,
  SOLVE_JACOBI,
  SOLVE_ONESIDED,
  SOLVE_MRRR,
  SOLVE_EIG_GENERAL,
  SOLVE_COMPLEX,
  SOLVE_SCHUR,
  SOLVE_SVD,
  SOLVE_TDINV,
  SOLVERS
};

/* What a solver takes, and what it returns.  */
typedef enum
{
  SYMMETRIC_MATRIX, /* real eigenvalues, V */
  GENERAL_MATRIX,   /* complex eigenvalues, V, W */
  SCHUR_FORM,       /* of a general matrix: no eigenvalues; U in V, S in W */
  SINGULAR_VALUES,  /* of a general matrix: real, descending; V, U in W */
  INVERSE           /* of one tridiagonal matrix: in V */
} solver_kind;

typedef struct any_solver any_solver;

/* A problem, and room for what is returned.
     a        n-by-n-by-pages; NULL for tdinv
     d, e     of tdinv: main diagonal, and n - 1 elements below and n - 1 above it.  mrrr
              takes D and E (n and n - 1 a page) instead of A if they are not NULL
     b, guess  of symmetric ones, b also of eig_general; NULL if there is none
     marks    gpueig_general.symmetric; NULL if there are none
     indefinite  of pairs, see gpueig_symmetric; may be NULL
     first, last  if LAST is not 0 these eigenvalues of symmetric ones
     vl, vu, found  if VU is larger than VL those of the interval, of which so many are found
     lambda   of type VALUES; of tdinv one double, the condition number
     v, w     of type VECTORS; NULL if there are none or not so many outputs
     outputs  1: without V and W (tdinv always has V, schur S), 2: without W
     drawn    the seed of fill_problem
     band, n_columns, columns  of tdinv, if so: so many diagonals beside the main one, these
              columns; W, if there is one, has imaginary parts
     order    of Schur forms
     place    where the arrays are, but the condition number
     method, info, status, what  of check_solve: what was called, what came out, and the name
              in claims  */
typedef struct
{
  const any_solver *solver;
  gpueig_type type, values, vectors;
  int64_t n, pages;
  int outputs, unbalanced;
  const unsigned char *marks;
  uint64_t drawn;
  char *a, *b, *guess, *d, *e, *lambda, *v, *w;
  int *indefinite;
  int64_t first, last, *found;
  double vl, vu;
  int64_t band, n_columns;
  const int64_t *columns;
  gpueig_schur_order order;
  gpueig_place place;
  const char *method;
  gpueig_info info;
  gpueig_status status;
  char what[200];
} any_problem;

struct any_solver
{
  const char *name;
  ge_solver_id id;
  solver_kind kind;
  gpueig_status (*solve) (gpueig_context *ctx, const any_problem *p,
                          const gpueig_options *options, gpueig_info *info);
};

extern const any_solver solvers[SOLVERS];

/* Zeros.  Exits if there is no memory.  */
any_problem make_problem (const any_solver *solver, gpueig_type type, int64_t n,
                          int64_t pages, int outputs);
void free_problem (any_problem *p);

/* A problem with the inputs of P, and zeros for its outputs.  */
any_problem copy_problem (const any_problem *p);

/* Let the Schur form of a real matrix be complex.  */
void widen_problem (any_problem *p);

/* Random: symmetric or general pages, for tdinv a diagonally dominant matrix.  */
void fill_problem (any_problem *p, uint64_t seed);

/* Random symmetric pages by R.  */
void fill_symmetric (any_problem *p, measure_random *r);

/* A of page PAGE, which is zero, becomes tridiagonal.  */
void fill_tridiagonal (any_problem *p, int64_t page, const double *d,
                       const double *e);

/* Allocate D and E, take them from A, which is real, and make A tridiagonal.  */
void take_diagonals (any_problem *p);

/* Page PAGE of P gets the inputs of page FROM of Q.  */
void copy_page (any_problem *p, int64_t page, const any_problem *q,
                int64_t from);

/* The arrays of P: inputs A, B, GUESS, D and E, outputs LAMBDA, V and W; NULL where there is
   none.  Their bytes; the condition number of an inverse is in host memory always.  */
enum
{
  PARTS = 8,
  FIRST_OUTPUT = 5
};
char **problem_part (any_problem *p, int part);
size_t problem_bytes (const any_problem *p, int part);

/* NAME solves a problem P by FUNCTION, whose PROBLEM has the fields that follow, and TYPE and
   PLACE.  */
#define SOLVER_CALL(name, function, problem, ...)                              \
  static gpueig_status name (gpueig_context *ctx, const any_problem *p,        \
                             const gpueig_options *options, gpueig_info *info) \
  {                                                                            \
    const problem s = { .type = p->type, .place = p->place, __VA_ARGS__ };     \
    return function (ctx, &s, options, info);                                  \
  }

/* ON_GPU: P with its arrays in memory of GPU DEVICE, which are ARRAY; the condition number of an
   inverse has no place.  */
gpueig_status place_problem (gpueig_context *ctx, int device, any_problem *p,
                             any_problem *on_gpu, gpueig_array array[PARTS]);
/* Copy the outputs in ARRAY to P, in host memory.  */
void fetch_outputs (gpueig_context *ctx, any_problem *p,
                    const gpueig_array array[PARTS]);
void free_arrays (gpueig_context *ctx, const gpueig_array array[PARTS]);

/* Page PAGE of A, V and W.  */
static inline char *
a_page (const any_problem *p, int64_t page)
{
  return page_of (p->type, p->a, p->n * p->n, page);
}

static inline int64_t
columns_of (const any_problem *p)
{
  return p->last ? p->last - p->first + 1 : p->n;
}

static inline char *
v_page (const any_problem *p, int64_t page)
{
  return page_of (p->vectors, p->v, p->n * columns_of (p), page);
}

/* Nonzero if the eigenvalues LAMBDA of a symmetric page are.  */
int ascending (const any_problem *p, const char *lambda);

gpueig_status solve_problem (gpueig_context *ctx, const any_problem *p,
                             const gpueig_options *options, gpueig_info *info);

/* Solve P by METHOD, or that of OPTIONS if it is NULL, and claim that there is no error;
   nonzero if so.  The name of the call follows FORMAT in all claims.  */
int check_solve (gpueig_context *ctx, any_problem *p,
                 const gpueig_options *options, const char *method,
                 const char *format, ...)
    __attribute__ ((format (printf, 5, 6)));

/* Claim that all errors of all pages are below their limits, those of symmetric and, by
   their residual, of general ones also below USUAL, and that values are in order and Schur
   forms, conjugate pairs and phases as documented; V may be NULL, but of symmetric ones.  */
void check_errors (const any_problem *p, usual_errors usual);

/* Claim that the eigenvalues of P agree with those of KNOWN, of the same matrices, which met
   the limits with their vectors.  */
void check_values (const any_problem *p, const any_problem *known,
                   usual_errors usual);

/* Claim that eigenvalues of symmetric problems agree with those of another call: without
   vectors (ALONE; with EXACT bit for bit), or of LAPACK in double precision.  */
void check_alone (gpueig_context *ctx, const any_problem *p,
                  const gpueig_options *options, usual_errors usual, int exact);
void check_reference (gpueig_context *ctx, const any_problem *p,
                      usual_errors usual);

/* Errors of page PAGE, of the first COLUMNS of symmetric ones: in .length that of vectors, of
   general matrices their lengths, else their orthogonality, of pairs with respect to B.  The limits of residuals and of
   vectors by kind of solver.  */
measure_pairs page_errors (const any_problem *p, int64_t page, int64_t columns);
extern const double problem_limits[][2];

/* The deviation of the eigenvalues of page PAGE of P from those of page AT of KNOWN, the same
   matrix, in units of n eps |A|; of general ones see mixed_spectrum.  */
double values_error (const any_problem *p, int64_t page,
                     const any_problem *known, int64_t at);

/* The largest error of page PAGE, or of all pages, each divided by its limit.  V is
   needed, W is tested if it is not NULL; of mrrr with D and E, A is the same matrix.  Of
   large matrices with fewer columns.  */
double page_ratio (const any_problem *p, int64_t page);
double problem_ratio (const any_problem *p);

/* Nonzero if the values (vectors) of P and Q have the same bits.  */
int same_values (const any_problem *p, const any_problem *q);
int same_vectors (const any_problem *p, const any_problem *q);

/* Nonzero if all outputs of page I of P are those of page J of Q, bit for bit.  */
int same_page (const any_problem *p, int64_t i, const any_problem *q,
               int64_t j);

/* Nonzero if METHOD is "auto", or one of SOLVER's that can be named on BACKEND for order
   N.  */
int has_method (ge_solver_id solver, gpueig_backend backend, ge_method method,
                int64_t n);

#endif

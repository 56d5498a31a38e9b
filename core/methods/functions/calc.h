/* Calculations with n-by-n matrices in one memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_FUNCTIONS_CALC_H
#define GE_FUNCTIONS_CALC_H 1

#include "functions/functions.h"

enum
{
  GE_CALC_BUFFERS = 6, /* products.c and triangular.c name them */
  GE_CALC_MOST = 8     /* for complex powers */
};

typedef struct ge_calc ge_calc;

typedef struct
{
  /* C = A B.  */
  gpueig_status (*multiply) (ge_calc *c, const void *a, const void *b,
                             void *to);
  /* TO = sum of FACTOR[k] * M[k], k < COUNT, + IDENTITY I; TO may be the first of M.  */
  gpueig_status (*combine) (ge_calc *c, int count, const double *factor,
                            const void *const *m, double identity, void *to);
  /* A becomes its inverse; *AT: 0, or the number of a pivot that is zero; c->m[5] is
     scratch.  */
  gpueig_status (*invert) (ge_calc *c, void *a, int64_t *at);
  /* TO = (I + FACTOR R)^-1 R, all upper triangular; WORK: a matrix.  */
  gpueig_status (*solve_upper) (ge_calc *c, double factor, const void *r,
                                void *to, void *work);
  /* Replace T, upper triangular, by the principal square root.  */
  gpueig_status (*root) (ge_calc *c, void *t);
  /* POWER: the 1-norms of |FACTOR A|^K, pages A, of high powers estimates; c->m[5] is scratch.  */
  gpueig_status (*abs_power) (ge_calc *c, const void *a, int k, double factor,
                              double *power);
  /* A = FACTOR A + MORE I.  */
  gpueig_status (*shift) (ge_calc *c, ge_point factor, ge_point more, void *a);
  gpueig_status (*fill) (ge_calc *c, double value, void *a);
  /* LINE: diagonal K of A, or with BACK the opposite.  */
  gpueig_status (*line) (ge_calc *c, void *a, int k, ge_point *line, int back);
  /* c->is_upper and c->is_hermitian, of A.  */
  gpueig_status (*find_upper) (ge_calc *c, const void *a);
} ge_calc_ops;

struct ge_calc
{
  gpueig_context *ctx;
  const ge_calc_ops *ops;
  gpueig_type type;
  int64_t n;
  int64_t
      pages; /* calc_array.c: of each matrix, for products and combinations */
  int is_upper;     /* 0, GE_UPPER_TRIANGULAR, GE_DIAGONAL */
  int is_hermitian; /* and not diagonal: on the CPU half of a product is enough */
  int own;          /* triangular.c: the matrix is a page, not a Schur form */
  int shared; /* the only calculation: all threads take part, and it is interruptible */
  void *m[GE_CALC_MOST]; /* n-by-n */
  void *pivots;          /* n int64_t, on a GPU n ge_point */
  ge_point *lines; /* 4 n: three diagonals, and scratch of the operations */
  /* of calc_array.c: a ge_place, n-by-n */
  void *place, *spare;
};

/* Operations on matrices in host memory, by type.  */
extern const ge_calc_ops ge_calc_table_s, ge_calc_table_d, ge_calc_table_c,
    ge_calc_table_z;

/* C: a calculation in host memory *AT, which is advanced by GE_CALC_BYTES.  */
#define GE_CALC_BYTES(n, buffers, size)                                        \
  ((buffers) * ((n) * (n) * (int64_t) (size) + 64) + (n) *72 + 128)
void ge_calc_begin (ge_calc *c, gpueig_type type, int64_t n, int buffers,
                    char **at);

/* Compute the elements of X = f (FACTOR T) on the diagonal and next above it from those of
   T, upper triangular.  For roots and logarithms, elements above the diagonal are kept where
   eigenvalues are zero, and between neighbours on both sides of the cut: the large divided
   difference there must fit to the other elements, which follow from rounded
   eigenvalues.  */
gpueig_status ge_calc_set_exactly (ge_calc *c, gpueig_funm_kind kind,
                                   ge_point power, const void *t, double factor,
                                   void *x);

/* T, upper triangular as c->is_upper says and nonsingular except of a logarithm, is overwritten
   by f (T), which for a real type is real at its eigenvalues.  ANGLE: by which the cut of the
   logarithm is turned down from the negative real axis.  *ROOTS: the square roots of matrices
   that were taken; *STATE: gpueig_funm_state, on entry that of the signs of eigenvalues.  */
gpueig_status ge_triangular (ge_calc *c, gpueig_funm_kind kind, ge_point power,
                             double angle, void *t, int *roots, int *state);

/* TO = f (A) of a diagonal matrix; the logarithm of a zero of a page is -Inf.  TO may be
   A.  */
gpueig_status ge_calc_diagonal (ge_calc *c, gpueig_funm_kind kind,
                                ge_point power, const void *a, void *to);

/* TO = A.  */
gpueig_status ge_calc_copy (ge_calc *c, const void *a, void *to);

/* RESULT = exp (A), A as c->is_upper says; A is overwritten.  *STATE: gpueig_funm_state, NULL
   if that does not matter.  */
gpueig_status ge_calc_exponential (ge_calc *c, void *a, void *result,
                                   int *state);

/* C: a calculation in memory of the selected GPU.  */
gpueig_status ge_calc_begin_on_gpu (ge_calc *c, ge_place *place,
                                    gpueig_type type, int64_t n, int64_t pages,
                                    int buffers);

/* The kinds of pages there.  */
gpueig_status ge_find_kinds_on_gpu (ge_place *place,
                                    const gpueig_funm_problem *p,
                                    unsigned char *kinds);

/* The kind of a page that is UPPER triangular or HERMITIAN, from the sums of ge_funm_sums;
   not for integer powers.  */
unsigned char ge_funm_kind_of (const gpueig_funm_problem *p, int upper,
                               int hermitian, const double *rows,
                               const double *columns, const double *diagonal);

/* LINE: diagonal K of A, n-by-n, there, or with BACK the opposite; THERE: room for n
   numbers.  */
gpueig_status ge_move_line (ge_place *place, gpueig_type type, int64_t n,
                            const void *a, int k, ge_point *line, int back,
                            void *there);

/* RESULT = A^POWER, POWER an integer; *RCOND: of A if that is negative.  */
gpueig_status ge_calc_power (ge_calc *c, const void *a, double power,
                             void *result, double *rcond);

/* RESULT = A^P, P a positive integer, by the binary digits of P; M: two buffers.  */
gpueig_status ge_positive_power (ge_calc *c, const void *a, double p,
                                 void *const *m, void *result);

#endif

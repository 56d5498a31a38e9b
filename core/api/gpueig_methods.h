/* The methods of all solvers: one list.  Not installed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   X (SOLVER, METHOD, name, places, traits, largest order)

   SOLVER and METHOD are the enumerators GE_SOLVER and GE_METHOD_METHOD.  The name is that
   of the option "Method" and of info->method.  Places: the backends that have the method.
   Largest order: 0 if there is none.  The order of a list is that in messages.  */

#ifndef GPUEIG_METHODS_H
#define GPUEIG_METHODS_H 1

#include "gpueig.h"

GPUEIG_BEGIN_C

/* Places.  */
enum
{
  GE_ON_CPU = 1,
  GE_ON_CUDA = 2,
  GE_ON_MPI = 4,
  GE_ON_BOTH = GE_ON_CPU | GE_ON_CUDA
};

/* Traits.  */
enum
{
  GE_TAKES_PAIR = 1, /* (A, B) */
  GE_AT_ONCE = 4,    /* a GPU solves all pages of a stack together */
  GE_NAMED_ONLY = 8, /* not for "auto" */
  GE_UNNAMED = 16, /* for other solvers; the option "Method" does not take it */
  GE_TAKES_RANGE = 32,                /* a part of the spectrum, by indices */
  GE_TAKES_PART = GE_TAKES_RANGE | 64 /* and by an interval */
};

#define GE_METHODS_EIG_SYMMETRIC(X)                                            \
  X (EIG_SYMMETRIC, EIG_MRRR, "mrrr", GE_ON_BOTH,                              \
     GE_TAKES_PAIR | GE_TAKES_PART, 0)                                         \
  X (EIG_SYMMETRIC, EIG_QL, "ql", GE_ON_CUDA,                                  \
     GE_AT_ONCE | GE_TAKES_PAIR | GE_TAKES_RANGE, 48)                          \
  X (EIG_SYMMETRIC, EIG_DC, "dc", GE_ON_CUDA,                                  \
     GE_AT_ONCE | GE_TAKES_PAIR | GE_TAKES_RANGE, 256)                         \
  X (EIG_SYMMETRIC, EIG_ONESIDED, "shifted", GE_ON_BOTH,                       \
     GE_AT_ONCE | GE_TAKES_PAIR, 0)                                            \
  GE_METHODS_MPI (X)

#define GE_METHODS_MPI(X)                                                      \
  X (EIG_SYMMETRIC, EIG_ELPA1, "elpa1", GE_ON_MPI, GE_TAKES_PAIR, 0)           \
  X (EIG_SYMMETRIC, EIG_ELPA2, "elpa2", GE_ON_MPI, GE_TAKES_PAIR, 0)           \
  X (EIG_SYMMETRIC, EIG_SYEVD, "syevd", GE_ON_BOTH | GE_ON_MPI, GE_TAKES_PAIR, \
     0)

#define GE_METHODS_EIG_GENERAL(X)                                              \
  X (EIG_GENERAL, GENERAL_GEEV, "geev", GE_ON_CPU, 0, 0)                       \
  X (EIG_GENERAL, GENERAL_QR, "qr", GE_ON_BOTH, GE_AT_ONCE, 0)

#define GE_METHODS_JACOBI_EIG(X)                                               \
  X (JACOBI_EIG, JACOBI_CLASSICAL, "classical", GE_ON_BOTH, GE_NAMED_ONLY, 0)  \
  X (JACOBI_EIG, JACOBI_BLOCK, "block", GE_ON_CPU, 0, 0)                       \
  X (JACOBI_EIG, JACOBI_PRECONDITIONED, "preconditioned", GE_ON_BOTH,          \
     GE_AT_ONCE, 0)

#define GE_METHODS_ONESIDED_EIG(X)                                             \
  X (ONESIDED_EIG, ONESIDED_HESTENES, "hestenes", GE_ON_BOTH,                  \
     GE_AT_ONCE | GE_NAMED_ONLY, 0)                                            \
  X (ONESIDED_EIG, ONESIDED_CHOLESKY, "cholesky", GE_ON_BOTH,                  \
     GE_AT_ONCE | GE_NAMED_ONLY, 0)                                            \
  X (ONESIDED_EIG, ONESIDED_SHIFTED, "shifted", GE_ON_BOTH, GE_AT_ONCE, 0)

#define GE_METHODS_COMPLEX_EIG(X)                                              \
  X (COMPLEX_EIG, COMPLEX_SHROFF, "shroff", GE_ON_BOTH, GE_AT_ONCE, 0)         \
  X (COMPLEX_EIG, COMPLEX_GEEV, "geev", GE_ON_CPU, 0, 0)                       \
  X (COMPLEX_EIG, COMPLEX_QR, "qr", GE_ON_BOTH, GE_AT_ONCE, 0)

#define GE_METHODS_MRRR(X)                                                     \
  X (MRRR, MRRR_MRRR, "mrrr", GE_ON_BOTH, GE_TAKES_PART, 0)                    \
  X (MRRR, MRRR_STEMR, "stemr", GE_ON_CPU, GE_NAMED_ONLY, 0)                   \
  X (MRRR, MRRR_STEVD, "stevd", GE_ON_CPU, 0, 0)                               \
  X (MRRR, MRRR_QL, "ql", GE_ON_CUDA, GE_AT_ONCE | GE_TAKES_RANGE, 48)         \
  X (MRRR, MRRR_DC, "dc", GE_ON_CUDA, GE_AT_ONCE | GE_TAKES_RANGE, 256)        \
  X (MRRR, MRRR_ELPA1, "elpa1", GE_ON_MPI, 0, 0)                               \
  X (MRRR, MRRR_ELPA2, "elpa2", GE_ON_MPI, 0, 0)                               \
  X (MRRR, MRRR_SYEVD, "syevd", GE_ON_MPI, 0, 0)

#define GE_METHODS_TDINV(X)                                                    \
  X (TDINV, TDINV_GENERATORS, "generators", GE_ON_BOTH, 0, 0)                  \
  X (TDINV, TDINV_SHERMAN, "sherman-morrison", GE_ON_BOTH, GE_NAMED_ONLY, 0)

#define GE_METHODS_SCHUR(X)                                                    \
  X (SCHUR, SCHUR_GEES, "gees", GE_ON_CPU, 0, 0)                               \
  X (SCHUR, SCHUR_QR, "qr", GE_ON_BOTH, 0, 0)

#define GE_METHODS_SVD(X)                                                      \
  X (SVD, SVD_JACOBI, "jacobi", GE_ON_BOTH, GE_AT_ONCE, 0)                     \
  X (SVD, SVD_GESDD, "gesdd", GE_ON_CPU, 0, 0)                                 \
  X (SVD, SVD_GRAM, "gram", GE_ON_CUDA, GE_AT_ONCE, 0)

/* Methods that only other solvers call.  */
#define GE_METHODS_UNNAMED(X)                                                  \
  X (ONESIDED_EIG, ONESIDED_COLUMNS, "columns", GE_ON_BOTH,                    \
     GE_UNNAMED | GE_NAMED_ONLY, 0)

#define GE_METHOD_LIST(X)                                                      \
  GE_METHODS_EIG_SYMMETRIC (X)                                                 \
  GE_METHODS_EIG_GENERAL (X)                                                   \
  GE_METHODS_JACOBI_EIG (X)                                                    \
  GE_METHODS_ONESIDED_EIG (X)                                                  \
  GE_METHODS_COMPLEX_EIG (X)                                                   \
  GE_METHODS_MRRR (X)                                                          \
  GE_METHODS_TDINV (X)                                                         \
  GE_METHODS_UNNAMED (X)                                                       \
  GE_METHODS_SCHUR (X)                                                         \
  GE_METHODS_SVD (X)

/* For lists of names: GE_METHODS_TDINV (GE_METHOD_NAME) NULL.  */
#define GE_METHOD_NAME(solver, method, name, places, traits, order) name,

/* The solvers, one slot each in the tables of methods, entries and the plugin, in the order
   of gpueig_function.

   X (SOLVER, name)

   The enumerator is GE_SOLVER; the module defines ge_name_entry and ge_cpu_name, the
   plugin ge_cuda_name.  The comment names the struct that PROBLEM points to.  */
#define GE_SOLVER_LIST(X)                                                      \
  X (EIG_SYMMETRIC, eig_symmetric) /* gpueig_symmetric */                      \
  X (EIG_GENERAL, eig_general)     /* gpueig_general */                        \
  X (JACOBI_EIG, jacobi_eig)       /* gpueig_symmetric */                      \
  X (ONESIDED_EIG, onesided_eig)   /* gpueig_symmetric */                      \
  X (COMPLEX_EIG, complex_eig)     /* gpueig_general */                        \
  X (MRRR, mrrr)                   /* gpueig_symmetric */                      \
  X (TDINV, tdinv)                 /* ge_tdinv_problem, see tdinv/tdinv.h */   \
  X (SCHUR, schur)                 /* ge_schur_problem, see schur/schur.h */   \
  X (SVD, svd)                     /* ge_svd_problem, see svd/svd.h */

typedef enum
{
#define GE_SOLVER_ENUM(solver, name) GE_##solver,
  GE_SOLVER_LIST (GE_SOLVER_ENUM)
#undef GE_SOLVER_ENUM
      GE_SOLVERS
} ge_solver_id;

typedef enum
{
  GE_AUTO,
#define GE_METHOD_ENUM(solver, method, name, places, traits, order)            \
  GE_METHOD_##method,
  GE_METHOD_LIST (GE_METHOD_ENUM)
#undef GE_METHOD_ENUM
      GE_METHODS
} ge_method;

typedef struct
{
  ge_solver_id solver;
  const char *name;
  unsigned places, traits;
  int64_t largest; /* order, 0: no limit */
} ge_method_row;

/* The list as a table, indexed by ge_method; its first row is "auto".  */
extern const ge_method_row ge_method_table[GE_METHODS];

static inline const char *
ge_method_name (ge_method method)
{
  return ge_method_table[method].name;
}

/* The method of SOLVER with that NAME, GE_AUTO for "auto", GE_METHODS if there is
   none.  */
ge_method ge_find_method (ge_solver_id solver, const char *name);

/* Nonzero if info->method is METHOD, the method that ran.  */
int ge_ran (const gpueig_info *info, ge_method method);

GPUEIG_END_C

#endif

/* LAPACK's eigenvalue and singular value drivers of any program, solved by gpueig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Two files are made of this module.  libgpueig_lapack.so is preloaded (LD_PRELOAD, by
   gpueig-run) and needs the C library alone.  It has LAPACK's drivers under LAPACK's
   names and passes a call on to the LAPACK that the caller would have called without
   it (the next routine), unless plan.c says that gpueig is faster.  Only then is
   gpueig_engine.so loaded, with local scope: it has the solvers and needs BLAS and
   LAPACK, which must not become visible to a program that has its own.

   next.c           who calls, and the next routine
   take.c           whether a call is taken; the engine; the report at exit
   nonfinite.c      NaN and Inf for which LAPACK would never end
   plan.c           which calls gpueig may solve faster, by measurements of unmodified
                    programs
   drivers.h        what a driver does
   symmetric_typed.c  ?syev..., ?heev..., pairs (?sygv...), tridiagonal matrices (?stev...)
   general_typed.c  ?geev..., ?gees...
   svd_typed.c      ?gesvd, ?gesdd
   engine.c         of the engine: contexts, backends
   engine_plan.c    of the engine: whether a GPU is used
   engine_symmetric_typed.c, engine_general_typed.c, engine_svd_typed.c  of the engine: the
                    solvers called

   Rules that a driver keeps:
   - Arguments that LAPACK would refuse, workspace queries and calls that gpueig does
     not solve go to the next routine, with all arguments as they came, so that
     messages and INFO are LAPACK's.
   - Inputs are written only after gpueig has succeeded: every failure ends in the next
     routine, with its INFO, unless that would never end.
   - After success the next routine is asked for the best workspace, which sets
     WORK (1), its like, and INFO as LAPACK does.  */

#ifndef GE_PRELOAD_H
#define GE_PRELOAD_H 1

#include "gpueig.h"

/* The drivers: identifier, name of the real types, name of the complex types (NULL: there is
   none), without the letter of the type; the function of gpueig; the driver that takes about as
   long, of those with measurements in plan.c.  */
#define GE_DRIVERS(X)                                                          \
  X (SYEV, "syev", "heev", EIG_SYMMETRIC, SYEV)                                \
  X (SYEVD, "syevd", "heevd", EIG_SYMMETRIC, SYEVD)                            \
  X (SYEVR, "syevr", "heevr", EIG_SYMMETRIC, SYEVR)                            \
  X (SYEVX, "syevx", "heevx", EIG_SYMMETRIC, SYEV)                             \
  X (SYGV, "sygv", "hegv", EIG_SYMMETRIC, SYGV)                                \
  X (SYGVD, "sygvd", "hegvd", EIG_SYMMETRIC, SYGVD)                            \
  X (SYGVX, "sygvx", "hegvx", EIG_SYMMETRIC, SYGV)                             \
  X (STEV, "stev", NULL, MRRR, STEV)                                           \
  X (STEVD, "stevd", NULL, MRRR, STEVD)                                        \
  X (STEVR, "stevr", NULL, MRRR, STEVR)                                        \
  X (STEMR, "stemr", "stemr", MRRR, STEVR)                                     \
  X (GEEV, "geev", "geev", EIG_GENERAL, GEEV)                                  \
  X (GEEVX, "geevx", "geevx", EIG_GENERAL, GEEV)                               \
  X (GEES, "gees", "gees", SCHUR, GEES)                                        \
  X (GEESX, "geesx", "geesx", SCHUR, GEES)                                     \
  X (GESVD, "gesvd", "gesvd", SVD, GESVD)                                      \
  X (GESDD, "gesdd", "gesdd", SVD, GESDD)

typedef enum
{
#define GE_DRIVER_ENUM(id, real, complex, function, like) GE_##id,
  GE_DRIVERS (GE_DRIVER_ENUM)
#undef GE_DRIVER_ENUM
      GE_DRIVER_COUNT
} ge_driver;

/* A call that may be taken.  Matrices have leading dimensions as in LAPACK; Z, VL and
   VR may be NULL.  Of a symmetric matrix and its B only the triangle UPPER is read.
   Results are written only if the call succeeds, except to Z, VL and VR where they
   do not overlap an input.  */
typedef struct
{
  ge_driver driver;
  gpueig_type type;
  int64_t n;
  int vectors;          /* the caller requests Z, VL or VR */
  int unsolved;         /* gpueig does not solve what the caller requests */
  gpueig_status status; /* of gpueig's solver */

  /* set by ge_plan_takes */
  gpueig_backend asked; /* by GPUEIG_BACKEND */
  int on_cpu;           /* the CPU backend solves it faster than LAPACK */
  int on_gpu;           /* the engine's planner decides about a GPU */

  /* all but the tridiagonal drivers */
  void *a;
  int64_t lda;

  /* syev..., sygv...: w ascending, z n-by-found; stev...: type is that of z */
  int upper;
  int itype; /* 1, 2 or 3: with b, which becomes its Cholesky factor; 0: without */
  void *b;
  int64_t ldb;
  const void *d, *e;
  char range; /* 'A', 'I' (il .. iu) or 'V' (lower < lambda <= limit) */
  int64_t il, iu;
  double lower, limit;
  int64_t found;
  void *w, *z;
  int64_t ldz;

  /* geev..., gees...: w complex, or of a real type w real and wi imaginary parts; the
     Schur vectors are vr */
  void *wi, *vl, *vr;
  int64_t ldvl, ldvr;
  char balance;     /* 'N', 'P', 'S' or 'B', as BALANC of xGEEVX */
  int64_t ilo, ihi; /* geevx, and */
  void *scale, *abnrm;

  /* gesvd, gesdd: w; vl and vr are U and V'; n is the shorter side; jobs as those of
     xGESVD, 'O': the vectors overwrite a */
  int64_t rows, columns;
  char jobu, jobvt;
} ge_request;

/* How a program names the drivers: dsyev_, or with the suffix of 64-bit integers
   dsyev_64_; both also with the prefix of the OpenBLAS in packages from PyPI,
   scipy_dsyev_.  Bits, so that there are GE_NAMES_COUNT sets of names.  */
#define GE_NAMES_WIDE 1
#define GE_NAMES_SCIPY 2
#define GE_NAMES_COUNT 4

/* next.c.  The next routine of DRIVER for the caller at ADDRESS.  *MAY is set to 0 if the
   call must be passed on: the caller is LAPACK itself or gpueig.  Does not return if
   there is no LAPACK.  */
typedef void ge_routine (void);
ge_routine *ge_next_routine (ge_driver driver, gpueig_type type, int names,
                             const void *address, int *may);

/* Nonzero if the caller at ADDRESS is inside an OpenMP region, or has BLAS and LAPACK
   with 64-bit integers under the names of 32-bit ones.  */
int ge_caller_is_excluded (const void *address, int names);

/* take.c.  Solve REQUEST if the plan says so; nonzero if that is done.  */
int ge_take_call (ge_request *request, int names, const void *address);

/* nonfinite.c.  Nonzero if LAPACK's routine may never end for REQUEST, because of NaN or Inf;
   then all results are set to NaN and FOUND to 0.  */
int ge_refuse_nonfinite (ge_request *request, int names, const void *address);

/* The order of which all eigenvalues take about as long in LAPACK as what R requests, which may
   be a part of a spectrum.  */
static inline int64_t
ge_plan_order (const ge_request *r)
{
  return r->range == 'I' || r->range == 'V' ? (r->n + 1) / 2 : r->n;
}

/* plan.c.  The least order that the plan may take.  */
int64_t ge_plan_least (void);

/* Nonzero if the engine may take REQUEST.  This depends on the driver, type, order and job
   only, so that equal calls of a process are always solved by the same method.  GPU: nonzero
   if there may be a usable GPU.  */
int ge_plan_takes (ge_request *request, int gpu);

/* The engine's entry, "ge_engine_solve": solve REQUEST where that is faster than LAPACK;
   nonzero if that is done.  */
typedef int ge_engine_function (ge_request *request);

#endif

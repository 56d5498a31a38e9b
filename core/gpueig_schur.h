/* Schur forms, a part of gpueig.h, which includes it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_SCHUR_H
#define GPUEIG_SCHUR_H 1

#include "gpueig.h"

GPUEIG_BEGIN_C

/* A = U S U', U unitary, S in Schur form: upper triangular, or of a real type
   with 2-by-2 blocks in standard form for conjugate pairs.
     a      n-by-n-by-pages, type TYPE, real or complex
     widen  nonzero: the complex form of a real A too
     s      n-by-n-by-pages, type TYPE, complex of the same precision with WIDEN
     u      NULL, or as S  */
typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  const void *a;
  int widen;
  void *s;
  void *u;
} gpueig_schur_problem;

/* LAPACK's xGEES, or on a GPU the QR algorithm of gpueig_eig_general; pages that
   it cannot serve are finished by LAPACK, info->fallback then is "gees".
   Eigenvalues come in no order.  Methods: "auto".  Reads max_sweeps (deflation
   windows on a GPU, at most).  O(n^3) per page.  */
gpueig_status gpueig_schur (gpueig_context *ctx,
                            const gpueig_schur_problem *problem,
                            const gpueig_options *options, gpueig_info *info);

GPUEIG_END_C

#endif

/* Schur forms, a part of gpueig.h, which includes it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_SCHUR_H
#define GPUEIG_SCHUR_H 1

#include "gpueig.h"

GPUEIG_BEGIN_C

/* A = U S U', U unitary, S in Schur form: upper triangular, or of a real type
   with 2-by-2 blocks in standard form for conjugate pairs.
     a      n-by-n-by-pages, type TYPE, real or complex
     widen  nonzero: the complex Schur form, also of a real A
     s      n-by-n-by-pages, of type TYPE; with WIDEN complex of the same precision
     u      NULL, or as s  */
typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  const void *a;
  int widen;
  void *s;
  void *u;
} gpueig_schur_problem;

/* LAPACK's xGEES, or on a GPU the QR algorithm of gpueig_eig_general; pages for
   which that fails are solved by LAPACK, info->fallback then is "gees".  The order
   of the eigenvalues is unspecified.  Methods: "auto".  Reads max_sweeps (on a GPU
   the limit of deflation windows).  O(n^3) per page.  */
gpueig_status gpueig_schur (gpueig_context *ctx,
                            const gpueig_schur_problem *problem,
                            const gpueig_options *options, gpueig_info *info);

GPUEIG_END_C

#endif

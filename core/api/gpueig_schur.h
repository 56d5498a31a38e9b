/* Schur forms, a part of gpueig.h, which includes it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_SCHUR_H
#define GPUEIG_SCHUR_H 1

#include "gpueig.h"

GPUEIG_BEGIN_C

/* Regions of the complex plane whose eigenvalues come first: left and right half-plane,
   inside and outside of the unit circle.  */
typedef enum
{
  GPUEIG_SCHUR_ANY, /* no order */
  GPUEIG_SCHUR_LHP, /* real part < 0 */
  GPUEIG_SCHUR_RHP, /* real part > 0 */
  GPUEIG_SCHUR_UDI, /* modulus < 1 */
  GPUEIG_SCHUR_UDO  /* modulus > 1 */
} gpueig_schur_order;

/* A = U S U', U unitary, S in Schur form: upper triangular, or of a real type
   with 2-by-2 blocks in standard form for conjugate pairs.
     a      n-by-n-by-pages, type TYPE, real or complex
     widen  nonzero: the complex Schur form, also of a real A
     order  which eigenvalues come first, see gpueig_ordschur
     s      n-by-n-by-pages, of type TYPE; with WIDEN complex of the same precision
     u      NULL, or as s  */
typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  const void *a;
  int widen;
  gpueig_schur_order order;
  void *s;
  void *u;
  gpueig_place place;
} gpueig_schur_problem;

/* Methods: "qr", that of gpueig_eig_general; "gees", LAPACK's, on the CPU; "auto".  Forms
   are verified; pages for which a method fails are solved by the other one on the CPU, which
   info->fallback then names.  The order of the eigenvalues is that of the iteration unless
   ORDER names a region.  Reads max_sweeps (on a GPU the limit of deflation windows).  O(n^3)
   per page.  */
gpueig_status gpueig_schur (gpueig_context *ctx,
                            const gpueig_schur_problem *problem,
                            const gpueig_options *options, gpueig_info *info);

/* Another order of the eigenvalues of Schur forms: with A = U S U' also
   A = U_SORTED S_SORTED U_SORTED'.
     s, u     n-by-n-by-pages, type TYPE: Schur forms (2-by-2 blocks in standard form)
              and vectors; u NULL: without vectors
     rank     n-by-pages: eigenvalues of larger rank come first, those of equal rank in
              the order that they have; of a 2-by-2 block the larger rank counts.  NULL:
              rank 1 for eigenvalues in the region ORDER, 0 for the others
     s_sorted, u_sorted   as s and u; may be s and u
   Exchanges are backward stable: the eigenvalues change by rounding errors of S, those
   of a 2-by-2 block may become real.  SOLVER_FAILED if two eigenvalues of different rank
   are too close to be exchanged.  On a GPU windows on the diagonal are exchanged by the
   CPU.  Method: "auto".  O(n) for each pair of eigenvalues that change places.  */
typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  const void *s, *u;
  const int64_t *rank;
  gpueig_schur_order order;
  void *s_sorted, *u_sorted;
  gpueig_place place;
} gpueig_ordschur_problem;

gpueig_status gpueig_ordschur (gpueig_context *ctx,
                               const gpueig_ordschur_problem *problem,
                               const gpueig_options *options,
                               gpueig_info *info);

GPUEIG_END_C

#endif

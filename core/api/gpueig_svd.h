/* Singular values, a part of gpueig.h, which includes it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_SVD_H
#define GPUEIG_SVD_H 1

#include "gpueig.h"

GPUEIG_BEGIN_C

/* A = U diag (s) V', U and V with orthonormal columns, s descending and not negative.
     a            m-by-n-by-pages, type TYPE
     full         nonzero: U and V are square; not with FIRST
     first, last  0: all k = min (m, n) singular values, otherwise those with these
                  numbers, from 1
     s            k-by-pages, or last - first + 1 numbers a page, real
     u, v         NULL, or vectors: m-by-columns-by-pages and n-by-columns-by-pages,
                  columns as in S or, with FULL, m and n; both or none  */
typedef struct
{
  gpueig_type type;
  int64_t m, n, pages;
  const void *a;
  int full;
  int64_t first, last;
  void *s;
  void *u, *v;
  gpueig_place place;
} gpueig_svd_problem;

/* Methods: "jacobi", one-sided Jacobi, for stacks of small pages, on the CPU LAPACK's xGEJSV for
   others; "gesdd", on the CPU; "gram", on a GPU; "auto".  Pages on which a method fails are
   solved by another one, info->fallback names it.  high_accuracy, by "jacobi": the singular values
   of A = B D, D any diagonal matrix, to about eps cond (B), relative.  O(m n min (m, n)) per page.  */
gpueig_status gpueig_svd (gpueig_context *ctx,
                          const gpueig_svd_problem *problem,
                          const gpueig_options *options, gpueig_info *info);

/* X = pinv (A), the pseudoinverse.
     a    m-by-n-by-pages, type TYPE
     tol  singular values below it count as zero; 0: max (m, n) * eps * s (1)
     x    n-by-m-by-pages  */
typedef struct
{
  gpueig_type type;
  int64_t m, n, pages;
  const void *a;
  double tol;
  void *x;
  gpueig_place place;
} gpueig_pinv_problem;

/* Compute the pseudoinverse by gpueig_svd, with its methods and options, and a product on
   the CPU.  */
gpueig_status gpueig_pinv (gpueig_context *ctx,
                           const gpueig_pinv_problem *problem,
                           const gpueig_options *options, gpueig_info *info);

GPUEIG_END_C

#endif

/* The bars that answers must pass, in units of n*eps*norm; see the README's
   table of accuracy.  LAPACK's own test programs use 20 to 60.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef LIMITS_H
#define LIMITS_H 1

#define LIMIT_RESIDUAL 10.0      /* |A V - V D| / (|A| n eps) */
#define LIMIT_ORTHOGONALITY 10.0 /* |V' V - I| / (n eps) */
#define LIMIT_EIGENVALUES 10.0   /* |lambda - reference| / (|A| n eps) */
#define LIMIT_RELATIVE 10.0      /* |lambda - ref| / (|ref| n eps cond (B)) */
#define LIMIT_GENERAL 20.0       /* |A V - V D| / (|A| |V| n eps) */
#define LIMIT_INVERSE 10.0       /* |T X - I| / (n eps cond (T)) */
/* |X(i,j) - ref| / (|ref| eps): api.md asks for 10 n, the generators promise
   this for every n; a complex product of rounded factors has the most.  */
#define LIMIT_INVERSE_ENTRY 4.0

#endif

/* When balancing is doubtful, for all solvers of general matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   With balancing the residual is small for the balanced matrix and can be large for the
   original one (D. S. Watkins, A case where balancing is harmful, ETNA 23, 2006), by up
   to the quotient of the largest and the smallest scale factor.  Above
   GE_DOUBTFUL_SPREAD a page is solved with both kinds of vectors, whatever the caller
   wants, so that eigenvalues do not depend on that; where their residuals are large, it
   is solved without balancing too, unless the eigenvalues have other vectors with small ones.  */

#ifndef GE_BALANCING_H
#define GE_BALANCING_H 1

#define GE_DOUBTFUL_SPREAD 16

#endif

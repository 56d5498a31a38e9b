/* The 21 matrix types of LAPACK's test program for the symmetric eigenproblem
   (dchkst).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   1 zero, 2 identity, 3-5 diagonal (evenly spaced, geometric, clustered; from 1
   to eps with random signs), 6-7 geometric diagonal times the square root of
   overflow and underflow, 8-10 U' D U with the three spectra, 11-12 the first of
   them scaled, 13 random in (-1, 1), 14-15 scaled, 16-18 as 8-10 with positive
   eigenvalues, 19-20 the first of them scaled, 21 diagonally dominant
   tridiagonal with geometric diagonal.  */

#ifndef SEP_TYPES_H
#define SEP_TYPES_H 1

#include "check.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum
{
  SEP_TYPES = 21
};

/* Spectrum KIND (0 even, 1 geometric, 2 clustered).  */
static inline void
sep_spectrum (measure_random *r, int kind, int positive, int64_t n, double eps,
              double *d)
{
  for (int64_t i = 0; i < n; i++)
    {
      double x = n > 1 ? (double) i / (double) (n - 1) : 0;
      d[i] = kind == 0   ? 1 - x * (1 - eps)
             : kind == 1 ? pow (eps, x)
             : i == 0    ? 1
                         : eps;
      if (! positive && measure_uniform (r) < 0)
        d[i] = -d[i];
    }
}

/* What a type is made of.  */
static const struct
{
  char form; /* zero, identity, diagonal, U' D U, random, tridiagonal */
  int kind;  /* of the spectrum */
  int positive;
  int scale; /* exponent sign: +1 sqrt overflow, -1 sqrt underflow */
} sep_recipes[SEP_TYPES]
    = { { 'z', 0, 0, 0 },  { 'i', 0, 0, 0 },  { 'd', 0, 0, 0 },
        { 'd', 1, 0, 0 },  { 'd', 2, 0, 0 },  { 'd', 1, 0, 1 },
        { 'd', 1, 0, -1 }, { 'u', 0, 0, 0 },  { 'u', 1, 0, 0 },
        { 'u', 2, 0, 0 },  { 'u', 0, 0, 1 },  { 'u', 0, 0, -1 },
        { 'r', 0, 0, 0 },  { 'r', 0, 0, 1 },  { 'r', 0, 0, -1 },
        { 'u', 0, 1, 0 },  { 'u', 1, 1, 0 },  { 'u', 2, 1, 0 },
        { 'u', 0, 1, 1 },  { 'u', 0, 1, -1 }, { 't', 1, 0, 0 } };

/* Type NUMBER (1 to 21) of order N into A.  */
static inline void
sep_matrix (measure_random *r, int number, gpueig_type type, int64_t n, void *a)
{
  int is_double = gpueig_is_double (type);
  double eps = measure_eps (type), scale = 1;
  FREED double *d = check_memory (n, sizeof *d);
  FREED double _Complex *w = check_memory (n * n, sizeof *w);
  char form = sep_recipes[number - 1].form;
  if (sep_recipes[number - 1].scale > 0)
    scale = is_double ? sqrt (DBL_MAX) / 4 : sqrt ((double) FLT_MAX) / 4;
  if (sep_recipes[number - 1].scale < 0)
    scale = is_double ? sqrt (DBL_MIN) : sqrt ((double) FLT_MIN);
  sep_spectrum (r, sep_recipes[number - 1].kind,
                sep_recipes[number - 1].positive, n, eps, d);
  for (int64_t i = 0; i < n; i++)
    w[i + n * i] = form == 'z' ? 0 : form == 'i' ? 1 : d[i];
  for (int64_t k = 0; k < n && form == 'u'; k++)
    measure_reflect (r, gpueig_is_complex (type), n, w, 1);
  for (int64_t i = 0; i + 1 < n && form == 't'; i++)
    w[i + n * (i + 1)] = 0.5 * sqrt (fabs (d[i] * d[i + 1]));
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        double _Complex x = w[i + n * j];
        if (form == 'r')
          x = measure_uniform (r)
              + (gpueig_is_complex (type) ? I * measure_uniform (r) : 0);
        x *= scale;
        x = i == j ? creal (x) : x;
        measure_set (type, a, i + n * j, x);
        measure_set (type, a, j + n * i, conj (x));
      }
}

#endif

/* Families of small matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef SMALL_FAMILIES_H
#define SMALL_FAMILIES_H 1

#include "check.h"

#include <complex.h>

enum
{
  MOST_OF_FAMILY = 12 /* order */
};

/* Page PAGE of order N, complex or real.  */
typedef struct
{
  measure_random *r;
  int is_complex;
  int64_t n, page;
} family_page;

/* To A, which is zero.  */
typedef void fill_page (const family_page *p, double complex *a);

/* Skew-Hermitian, of normal numbers or of INTEGERS.  */
static inline void
make_skew (const family_page *p, int64_t n, int64_t step, int integers,
           double complex *a)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = p->is_complex ? j : j + 1; i < n; i++)
      {
        double x[2] = { 0, 0 };
        for (int part = i == j; part < 1 + p->is_complex; part++)
          x[part] = integers ? (double) measure_integer (p->r, -30, 30)
                             : measure_normal (p->r);
        a[i + step * j] = x[0] + I * x[1];
        a[j + step * i] = -conj (a[i + step * j]);
      }
}

static inline void
fill_skew (const family_page *p, double complex *a)
{
  make_skew (p, p->n, p->n, 0, a);
}

static inline void
fill_skew_integers (const family_page *p, double complex *a)
{
  make_skew (p, p->n, p->n, 1, a);
}

/* blkdiag (skew, magic (4)), the skew matrix of order N - 4.  */
static inline void
fill_beside_magic (const family_page *p, double complex *a)
{
  static const int magic[]
      = { 16, 5, 9, 4, 2, 11, 7, 14, 3, 10, 6, 15, 13, 8, 12, 1 };
  const int64_t n = p->n, m = n - 4;
  make_skew (p, m, n, 0, a);
  for (int64_t k = 0; k < 16; k++)
    a[m + k % 4 + n * (m + k / 4)] = magic[k];
}

/* The elements are the digits of PAGE: all matrices of -1, 0, 1 or, of order 2, of -3 .. 3.  */
static inline void
fill_digits (const family_page *p, double complex *a)
{
  const int largest = p->n == 2 ? 3 : 1, base = 2 * largest + 1;
  int64_t digits = p->page;
  for (int64_t k = 0; k < p->n * p->n; k++, digits /= base)
    a[k] = (double) (digits % base - largest);
}

/* A product of reflections.  */
static inline void
fill_unitary (const family_page *p, double complex *a)
{
  for (int64_t i = 0; i < p->n; i++)
    a[i * (p->n + 1)] = 1;
  for (int64_t k = 0; k < 2 + p->page % 3; k++)
    measure_reflect (p->r, p->is_complex, p->n, a, 0);
}

static inline void
fill_permutation (const family_page *p, double complex *a)
{
  int64_t to[MOST_OF_FAMILY];
  measure_shuffle (p->r, p->n, to);
  for (int64_t j = 0; j < p->n; j++)
    a[to[j] + p->n * j] = p->is_complex && j % 2 ? I : 1;
}

/* [X G; Q -X'] with Hermitian G and Q.  */
static inline void
fill_hamiltonian (const family_page *p, double complex *a)
{
  const int64_t n = p->n, m = n / 2;
  const double complex turn = p->is_complex ? I : 0;
  for (int64_t j = 0; j < m; j++)
    for (int64_t i = 0; i < m; i++)
      {
        const double complex x
            = measure_normal (p->r) + turn * measure_normal (p->r);
        const double complex y
            = measure_normal (p->r) + turn * measure_normal (p->r);
        a[i + n * j] = x;
        a[m + j + n * (m + i)] = -conj (x);
        a[i + n * (m + j)] += y;
        a[j + n * (m + i)] += conj (y);
        a[m + i + n * j] -= conj (y) / 2;
        a[m + j + n * i] -= y / 2;
      }
}

static inline void
fill_companion (const family_page *p, double complex *a)
{
  for (int64_t j = 0; j < p->n; j++)
    {
      a[p->n * j]
          = (double) measure_integer (p->r, -3, 3)
            + (p->is_complex ? I * (double) measure_integer (p->r, -3, 3) : 0);
      if (j + 1 < p->n)
        a[j + 1 + p->n * j] = 1;
    }
}

#endif

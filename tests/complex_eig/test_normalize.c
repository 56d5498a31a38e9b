/* Claims about normalization: complex eigenvectors of a real matrix, as computed by
   other solvers, become real, or exactly conjugate in pairs, without loss of accuracy;
   a multiple eigenvalue gets a real basis; a loss of accuracy, as for defective
   matrices, is reported.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "complex_eig/block.h"
#include "complex_eig/order.h"
#include "limits.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum
{
  N = 9, /* 1 three times, -2, two pairs, 0 */
  DEFECTIVE = 3
};

static measure_random random_numbers;

static double _Complex random_phase (void)
{
  return cexp (3.14 * I * measure_uniform (&random_numbers));
}

/* B = H C H of order N, H a reflection and C block diagonal; V: H times
   eigenvectors of C, those of 1 mixed, all turned by random phases.  */
static void
make_normal (double *a, double _Complex *lambda, double _Complex *v)
{
  double h[N][N], c[N][N] = { { 0 } }, u[N], sum = 0;
  double _Complex e[N][N] = { { 0 } };
  for (int i = 0; i < N; i++)
    {
      u[i] = measure_normal (&random_numbers);
      sum += u[i] * u[i];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      h[i][j] = (i == j) - 2 * u[i] * u[j] / sum;
  const double value[N] = { 1, 1, 1, -2, 0, 3, 3, 0.5, 0.5 };
  for (int j = 0; j < N; j++)
    {
      const int pair = j >= 5;
      c[j][j] = pair ? 0.25 : value[j];
      lambda[j] = c[j][j];
      e[j][j] = 1;
      if (! pair)
        continue;
      /* [0.25 w; -w 0.25] has (1, i) for 0.25 + i w.  */
      const int other = j % 2 ? j + 1 : j - 1;
      c[j][other] = j % 2 ? value[j] : -value[j];
      e[other][j] = I;
      lambda[j] += I * c[j][other];
    }
  double _Complex mix[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      mix[i][j] = (i == j) + 0.4 * random_phase ();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      e[i][j] = mix[i][j];
  for (int j = 0; j < N; j++)
    {
      const double _Complex phase = random_phase ();
      double norm = 0;
      for (int i = 0; i < N; i++)
        {
          double _Complex x = 0;
          double y = 0;
          for (int k = 0; k < N; k++)
            {
              x += h[i][k] * e[k][j];
              for (int l = 0; l < N; l++)
                y += h[i][k] * c[k][l] * h[l][j];
            }
          v[i + N * j] = x * phase;
          a[i + N * j] = y;
          norm += creal (x * conj (x));
        }
      for (int i = 0; i < N; i++)
        v[i + N * j] /= sqrt (norm);
      /* As computed: real to rounding only.  */
      lambda[j] += 1e-16 * I * measure_uniform (&random_numbers);
    }
}

static void
test_normal (double factor, double size)
{
  double a[N * N];
  double _Complex lambda[N], v[N * N], w[N * N];
  FREED void *scratch = check_memory (ge_normalize_bytes_z (N), 1);
  make_normal (a, lambda, v);
  memcpy (w, v, sizeof v);
  /* Vectors need not come with norm 1.  */
  for (int i = 0; i < N * N; i++)
    {
      v[i] *= size;
      w[i] *= factor;
    }
  const double added = ge_normalize_interleaved_z (
      N, 1, scratch, (double *) lambda, (double *) v, (double *) w);
  double _Complex column[N];
  int64_t order[2 * N];
  ge_order_page_z (N, 1, (double *) lambda, (double *) v, (double *) w, order,
                   column);
  int real = 0, conjugate = 0, sorted = 1;
  for (int j = 0; j < N; j++)
    {
      int same = 1;
      for (int i = 0; i < N; i++)
        same &= cimag (v[i + N * j]) == 0 && cimag (w[i + N * j]) == 0;
      real += cimag (lambda[j]) == 0 && same;
      sorted &= j == 0 || creal (lambda[j - 1]) <= creal (lambda[j]);
      if (j == 0 || ! (cimag (lambda[j]) < 0))
        continue;
      same = lambda[j] == conj (lambda[j - 1]);
      for (int i = 0; i < N; i++)
        same &= v[i + N * j] == conj (v[i + N * (j - 1)])
                && w[i + N * j] == conj (w[i + N * (j - 1)]);
      conjugate += same;
    }
  CHECK (real == 5, "five real eigenvalues with real vectors: %d", real);
  CHECK (conjugate == 2, "two conjugate pairs: %d", conjugate);
  CHECK (sorted, "ascending real parts");
  CHECK_RATIO (added / (N * DBL_EPSILON), 5,
               "what the form adds, times %g and %g", size, factor);
  check_general (measure_general (GPUEIG_DOUBLE, N, a, v, w, lambda), N,
                 USUAL_GENERAL, "times %g", factor);
}

/* Eigenvalues that an algorithm may compute for a Jordan block: on a circle, but not
   symmetric to the real axis.  */
static void
test_defective (void)
{
  const double radius = 1e-5;
  double _Complex lambda[DEFECTIVE], v[DEFECTIVE * DEFECTIVE];
  FREED void *scratch = check_memory (ge_normalize_bytes_z (DEFECTIVE), 1);
  for (int j = 0; j < DEFECTIVE; j++)
    {
      const double _Complex away
          = radius * cexp (I * (0.3 + 2 * 3.14159265358979 * j / DEFECTIVE));
      lambda[j] = 1 + away;
      for (int i = 0; i < DEFECTIVE; i++)
        v[i + DEFECTIVE * j] = cpow (away, i);
    }
  const double added = ge_normalize_interleaved_z (
      DEFECTIVE, 1, scratch, (double *) lambda, (double *) v, NULL);
  CHECK (added > 100 * DBL_EPSILON,
         "what the form costs a Jordan block is reported: %g", added);
}

int
main (void)
{
  check_begin ("normalize");
  for (int k = 0; k < 20; k++)
    test_normal (k % 2 ? 1 : 0x1p-700, k % 3 ? 1 : 0x1p300);
  test_defective ();
  return check_end ();
}

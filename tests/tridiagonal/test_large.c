/* Claims, of complex Hermitian matrices so large that the way back works on planes of real
   numbers (cuda/base/three_products.cuh), all columns at once or, with little memory, a part
   of them at a time: for random vectors x the residual A V x - V (lambda .* x) and the
   deviation V' (V x) - x are small.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include <complex.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 8003
};

static gpueig_context *ctx;
static gpueig_options options;

static double _Complex element (gpueig_type type, const void *x, int64_t i)
{
  return gpueig_is_double (type) ? ((const double _Complex *) x)[i]
                                 : ((const float _Complex *) x)[i];
}

static void
set_element (gpueig_type type, void *x, int64_t i, double _Complex value)
{
  if (gpueig_is_double (type))
    ((double _Complex *) x)[i] = value;
  else
    ((float _Complex *) x)[i] = (float _Complex) value;
}

/* Y <- X v, or X' v if ADJOINT.  */
static void
multiply (gpueig_type type, int adjoint, const void *x,
          const double _Complex *v, double _Complex *y)
{
  for (int64_t i = 0; i < N; i++)
    y[i] = 0;
  for (int64_t j = 0; j < N; j++)
    for (int64_t i = 0; i < N; i++)
      if (adjoint)
        y[j] += conj (element (type, x, i + N * j)) * v[i];
      else
        y[i] += element (type, x, i + N * j) * v[j];
}

/* |X - Y|  */
static double
distance (const double _Complex *x, const double _Complex *y)
{
  double sum = 0;
  for (int64_t i = 0; i < N; i++)
    sum += creal ((x[i] - y[i]) * conj (x[i] - y[i]));
  return sqrt (sum);
}

/* MEMORY: of the device, in bytes; NULL: all.  */
static void
test_matrix (gpueig_type type, const char *memory)
{
  static double _Complex x[N], vx[N], avx[N], scaled[N], y[N], none[N];
  const double eps = gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON;
  measure_random dice = { 46 };
  FREED void *a = check_array (type, (int64_t) N * N);
  FREED void *v = check_array (type, (int64_t) N * N);
  FREED void *lambda = check_array (real_type (type), N);
  gpueig_symmetric s = { 0 };
  gpueig_info info;
  for (int64_t j = 0; j < N; j++)
    {
      x[j] = measure_normal (&dice) + I * measure_normal (&dice);
      for (int64_t i = 0; i <= j; i++)
        {
          const double re = measure_uniform (&dice),
                       im = i < j ? measure_uniform (&dice) : 0;
          set_element (type, a, i + N * j, re + I * im);
          set_element (type, a, j + N * i, re - I * im);
        }
    }
  s.type = type;
  s.n = N;
  s.pages = 1;
  s.a = a;
  s.lambda = lambda;
  s.v = v;
  gpueig_trim (ctx);
  if (memory)
    setenv ("GPUEIG_DEVICE_MEMORY", memory, 1);
  const gpueig_status status = gpueig_eig_symmetric (ctx, &s, &options, &info);
  unsetenv ("GPUEIG_DEVICE_MEMORY");
  gpueig_trim (ctx);
  CHECK (status == GPUEIG_OK, "%s n = %d: %s, %s", check_type_name[type], N,
         info.method, gpueig_message (ctx));
  if (status != GPUEIG_OK)
    return;
  double norm = 0;
  multiply (type, 0, v, x, vx);
  multiply (type, 0, a, vx, avx);
  for (int64_t i = 0; i < N; i++)
    {
      const double value = gpueig_is_double (type) ? ((double *) lambda)[i]
                                                   : ((float *) lambda)[i];
      norm = fmax (norm, fabs (value));
      scaled[i] = value * x[i];
    }
  multiply (type, 0, v, scaled, y);
  const double size = N * eps * distance (x, none);
  CHECK_RATIO (distance (avx, y) / (size * norm), 1, "%s n = %d: residual",
               check_type_name[type], N);
  multiply (type, 1, v, vx, y);
  CHECK_RATIO (distance (x, y) / size, 1, "%s n = %d: orthogonality",
               check_type_name[type], N);
}

int
main (void)
{
  check_begin ("large");
  ctx = check_context (&options);
  if (options.backend != GPUEIG_CUDA)
    check_skip ("large complex matrices: backend cuda only");
  else
    {
      options.method = "mrrr";
      test_matrix (GPUEIG_COMPLEX_DOUBLE, NULL);
      test_matrix (GPUEIG_COMPLEX_FLOAT, "3.6e9");
    }
  gpueig_destroy (ctx);
  return check_end ();
}

/* Phases and conjugate pairs of eigenvalues and eigenvectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"

#if GE_COMPLEX

#  include "shroff/order.h"

#  include <string.h>

/* A page during normalization: n eigenvalues, n right and n left vectors (or NULL), each
   contiguous and interleaved.  */
typedef struct
{
  int64_t n;
  real_t *lambda, *v, *w, *spare, *parts;
  real_t *dropped; /* imaginary parts of eigenvalues that became real */
  real_t added;    /* bound of the increase of residuals by this */
  int *paired;
} page;

/* Multiply a vector by the number PHASE of modulus 1 and divide by its norm.  */
static void
normalize_phase (int64_t n, real_t *v, real_t phase_re, real_t phase_im)
{
  real_t sum = 0;
  for (int64_t i = 0; i < 2 * n; i++)
    sum += v[i] * v[i];
  const real_t f = sum > 0 ? 1 / sqrt_ (sum) : 1;
  phase_re *= f;
  phase_im *= f;
  for (int64_t i = 0; i < n; i++)
    {
      const real_t re = v[2 * i], im = v[2 * i + 1];
      /* + 0: no negative zeros */
      v[2 * i] = re * phase_re - im * phase_im + 0;
      v[2 * i + 1] = re * phase_im + im * phase_re + 0;
    }
}

/* Make the element of largest modulus real, as LAPACK's xGEEV; IF_COMPLEX: unless it is.  */
static void
fix_phase (int64_t n, int if_complex, real_t *v)
{
  int64_t at = 0;
  real_t largest = -1;
  for (int64_t i = 0; i < n; i++)
    {
      const real_t size = v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1];
      if (size > largest)
        {
          largest = size;
          at = i;
        }
    }
  if (if_complex && v[2 * at + 1] == 0)
    return;
  const real_t size = largest > 0 ? sqrt_ (largest) : 1;
  const real_t re = largest > 0 ? v[2 * at] / size : 1;
  const real_t im = largest > 0 ? v[2 * at + 1] / size : 0;
  normalize_phase (n, v, re, -im);
  v[2 * at + 1] = 0;
}

void
FN (ge_fix_phases) (int64_t n, int64_t count, real_t *v)
{
  for (int64_t j = 0; j < count; j++)
    fix_phase (n, 1, v + 2 * n * j);
}

/* Multiply a vector by the phase that makes sum v_i^2 real and positive, which
   maximizes the norm of its real part; a vector that is real up to a factor becomes
   real.  Returns the norm of the remaining imaginary part.  */
static real_t
rotate_to_real (int64_t n, real_t *v)
{
  real_t re = 0, im = 0, rest = 0;
  for (int64_t i = 0; i < n; i++)
    {
      re += v[2 * i] * v[2 * i] - v[2 * i + 1] * v[2 * i + 1];
      im += 2 * v[2 * i] * v[2 * i + 1];
    }
  const real_t size = sqrt_ (re * re + im * im);
  if (size > 0)
    {
      /* sqrt of the unit number (re + i im) / size, conjugated */
      const real_t c = sqrt_ ((1 + re / size) / 2);
      const real_t s = copysign_ (sqrt_ ((1 - re / size) / 2), im);
      normalize_phase (n, v, c, -s);
    }
  for (int64_t i = 0; i < n; i++)
    rest += v[2 * i + 1] * v[2 * i + 1];
  return sqrt_ (rest);
}

static void
drop_imaginary (int64_t n, real_t *v)
{
  for (int64_t i = 0; i < n; i++)
    v[2 * i + 1] = 0;
  normalize_phase (n, v, 1, 0);
}

/* Compute an orthonormal real basis of the vectors of the real eigenvalues MEMBER[0 ..
   COUNT - 1], which agree to rounding and whose vectors span a real space, from the real
   and imaginary parts of the vectors by Gram-Schmidt with pivoting.  Return the smallest
   pivot, whose inverse is the growth of errors, or 0 if the parts do not span that space.
   PARTS: 2 n COUNT reals.  */
static real_t
real_basis (int64_t n, int64_t count, const int *member, const real_t *v,
            real_t *parts, real_t *basis)
{
  real_t smallest = 1;
  for (int64_t m = 0; m < count; m++)
    {
      const real_t *x = v + 2 * n * member[m];
      real_t sum = 0;
      for (int64_t i = 0; i < 2 * n; i++)
        sum += x[i] * x[i];
      const real_t f = sum > 0 ? 1 / sqrt_ (sum) : 0;
      for (int64_t i = 0; i < 2 * n; i++)
        parts[i / 2 + n * (2 * m + i % 2)] = x[i] * f;
    }
  for (int64_t k = 0; k < count; k++)
    {
      int64_t best = -1;
      real_t largest = 0;
      for (int64_t c = 0; c < 2 * count; c++)
        {
          const real_t *x = parts + n * c;
          real_t sum = 0;
          for (int64_t i = 0; i < n; i++)
            sum += x[i] * x[i];
          if (sum > largest)
            {
              largest = sum;
              best = c;
            }
        }
      if (! (largest > (real_t) 1e-3))
        return 0;
      smallest = largest < smallest ? largest : smallest;
      real_t *q = basis + n * k;
      for (int64_t i = 0; i < n; i++)
        q[i] = parts[i + n * best] / sqrt_ (largest);
      for (int64_t c = 0; c < 2 * count; c++)
        {
          real_t *y = parts + n * c, dot = 0;
          for (int64_t i = 0; i < n; i++)
            dot += q[i] * y[i];
          for (int64_t i = 0; i < n; i++)
            y[i] -= dot * q[i];
        }
    }
  return sqrt_ (smallest);
}

static void
note_residual (page *p, real_t residual)
{
  p->added = larger_ (residual, p->added);
}

/* Make the vectors V of the real eigenvalue J, and of those equal to it, real.  From
   (A - lambda) (x + i y) = r follows A x - Re (lambda) x = Re (r) - Im (lambda) y, which
   bounds the increase of the residual.  */
static void
make_real (page *p, int64_t j, real_t size, real_t *v)
{
  const int64_t n = p->n;
  const real_t unit = (real_t) n * GE_EPS * size;
  const real_t near = fmax_ (8 * unit, 4 * p->dropped[j]);
  real_t spread = 0, pivot = 0;
  const real_t rest = rotate_to_real (n, v + 2 * n * j);
  int *member = (int *) (p->spare + n * n);
  int64_t count = 0;
  for (int64_t k = 0; k < n && rest >= (real_t) 0.01; k++)
    if (p->lambda[2 * k + 1] == 0
        && fabs_ (p->lambda[2 * k] - p->lambda[2 * j]) <= near)
      {
        const real_t away = fabs_ (p->lambda[2 * k] - p->lambda[2 * j]);
        spread = away > spread ? away : spread;
        member[count++] = (int) k;
      }
  if (count > 1)
    pivot = real_basis (n, count, member, v, p->parts, p->spare);
  /* A usual residual.  */
  const real_t error = sqrt_ ((real_t) count) * unit / 8;
  if (pivot > 0)
    for (int64_t k = 0; k < count; k++)
      {
        note_residual (p, (p->dropped[member[k]] + spread + error) / pivot);
        for (int64_t i = 0; i < n; i++)
          {
            v[2 * (i + n * member[k])] = p->spare[i + n * k];
            v[2 * (i + n * member[k]) + 1] = 0;
          }
      }
  else
    {
      note_residual (p, p->dropped[j] * rest);
      drop_imaginary (n, v + 2 * n * j);
    }
}

static void
conjugate (int64_t n, const real_t *from, real_t *to)
{
  for (int64_t i = 0; i < n; i++)
    {
      to[2 * i] = from[2 * i];
      to[2 * i + 1] = -from[2 * i + 1];
    }
}

/* Replace pair K by the conjugate of pair J.  The residual of a pair and of its
   conjugate are equal.  */
static void
make_pair (page *p, int64_t j, int64_t k)
{
  const int64_t n = p->n;
  conjugate (1, p->lambda + 2 * j, p->lambda + 2 * k);
  if (p->v)
    conjugate (n, p->v + 2 * n * j, p->v + 2 * n * k);
  if (p->w)
    conjugate (n, p->w + 2 * n * j, p->w + 2 * n * k);
}

/* The distance of unit vector J of V from the nearest real one, and of vector K
   from the conjugate of J; J is multiplied by its phase.  */
static void
compare_conjugates (int64_t n, real_t *v, int64_t j, int64_t k,
                    real_t *from_real, real_t *from_conjugate)
{
  real_t *x = v + 2 * n * j, *y = v + 2 * n * k;
  real_t re = 0, im = 0, sum = 0, rest = 0;
  *from_real = rotate_to_real (n, x);
  for (int64_t i = 0; i < 2 * n; i += 2)
    {
      re += x[i] * y[i] - x[i + 1] * y[i + 1];
      im += x[i] * y[i + 1] + x[i + 1] * y[i];
      sum += y[i] * y[i] + y[i + 1] * y[i + 1];
    }
  for (int64_t i = 0; i < 2 * n; i += 2)
    {
      const real_t dr = y[i] - (re * x[i] + im * x[i + 1]);
      const real_t di = y[i + 1] - (im * x[i] - re * x[i + 1]);
      rest += dr * dr + di * di;
    }
  *from_conjugate = sum > 0 ? sqrt_ (rest / sum) : 1;
}

/* Nonzero if J and K of a real matrix are a conjugate pair; 0 if they are copies of a
   multiple real eigenvalue whose imaginary parts are rounding errors.  In the latter
   case replacing vector K by the conjugate of vector J could lose a dimension of the
   eigenspace.  SIZE: modulus of the largest eigenvalue.  */
static int
are_conjugates (const page *p, int64_t j, int64_t k, real_t size)
{
  real_t *v = p->v ? p->v : p->w;
  const real_t im = fabs_ (p->lambda[2 * j + 1]);
  real_t from_real, from_conjugate;
  if (im <= (real_t) p->n * GE_EPS * size)
    return 0;
  if (! v || im > sqrt_ (GE_EPS) * size)
    return 1;
  compare_conjugates (p->n, v, j, k, &from_real, &from_conjugate);
  return from_conjugate <= from_real / 2;
}

static real_t
largest_eigenvalue (const page *p)
{
  real_t most = 0;
  for (int64_t k = 0; k < p->n; k++)
    {
      const real_t size
          = fabs_ (p->lambda[2 * k]) + fabs_ (p->lambda[2 * k + 1]);
      most = size > most ? size : most;
    }
  return most;
}

/* Find the unpaired eigenvalue that is nearest to the conjugate of J; J itself if the real
   axis is nearer.  */
static int64_t
partner_of (const page *p, int64_t j)
{
  const real_t re = p->lambda[2 * j], im = p->lambda[2 * j + 1];
  int64_t partner = j;
  real_t best = 4 * im * im;
  for (int64_t k = 0; k < p->n; k++)
    {
      const real_t dr = p->lambda[2 * k] - re, di = p->lambda[2 * k + 1] + im;
      if (k != j && ! p->paired[k] && dr * dr + di * di < best)
        {
          best = dr * dr + di * di;
          partner = k;
        }
    }
  return partner;
}

/* For a real matrix: pair each eigenvalue, in order of decreasing |imaginary part|,
   with the one nearest to its conjugate; if that is itself, it becomes real.
   Dropping the imaginary parts of a simple real eigenvalue and of its vector changes
   the residual to second order only.  */
static void
pair_up (page *p)
{
  const int64_t n = p->n;
  const real_t size = largest_eigenvalue (p);
  memset (p->paired, 0, (size_t) n * sizeof *p->paired);
  for (;;)
    {
      int64_t j = -1;
      for (int64_t i = 0; i < n; i++)
        if (! p->paired[i]
            && (j < 0
                || fabs_ (p->lambda[2 * i + 1]) > fabs_ (p->lambda[2 * j + 1])))
          j = i;
      if (j < 0)
        break;
      const int64_t partner = partner_of (p, j);
      p->paired[j] = 1;
      if (partner != j && are_conjugates (p, j, partner, size))
        {
          p->paired[partner] = 1;
          /* If pairs are equal, those with positive imaginary parts keep all of their
             vectors.  */
          if (p->lambda[2 * j + 1] < 0 && p->lambda[2 * partner + 1] > 0)
            make_pair (p, partner, j);
          else
            make_pair (p, j, partner);
          continue;
        }
      p->dropped[j] = fabs_ (p->lambda[2 * j + 1]);
      p->lambda[2 * j + 1] = 0;
    }
  /* Call make_real after all eigenvalues are final, since it compares eigenvalues to find
     multiple ones.  */
  for (int64_t j = 0; j < n; j++)
    if (p->lambda[2 * j + 1] == 0)
      {
        if (p->v)
          make_real (p, j, size, p->v);
        if (p->w)
          make_real (p, j, size, p->w);
      }
}

double
FN (ge_normalize) (int64_t n, int real, void *scratch, real_t *lambda,
                   real_t *v, real_t *w)
{
  page p = { .n = n, .lambda = lambda, .v = v, .w = w, .spare = scratch };
  real_t *const part[] = { v, w };
  p.parts = p.spare + 2 * n * n;
  p.dropped = p.parts + 2 * n * n;
  p.paired = (int *) (p.dropped + n);
  if (real)
    pair_up (&p);
  for (int i = 0; i < 2; i++)
    for (int64_t j = 0; part[i] && j < n; j++)
      fix_phase (n, 0, part[i] + 2 * n * j);
  return (double) p.added;
}

#else
typedef int ge_normalize_is_complex_only;
#endif

/* Functions of one page from its Schur form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A real Schur form with 2-by-2 blocks becomes a complex triangular one by unitary
   transformations of the blocks, which are undone afterwards: then the function of a real
   matrix is real up to rounding errors, and so are the products with U.  */

#include "base/products.h"
#include "functions/calc.h"

#include <complex.h>
#include <math.h>
#include <string.h>

int
FN (ge_is_upper) (int64_t n, const void *matrix)
{
  const scalar_t *a = matrix;
  int diagonal = 1;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      if (i != j && a[i + j * n] != 0)
        {
          diagonal = 0;
          if (i > j)
            return 0;
        }
  return diagonal ? GE_DIAGONAL : GE_UPPER_TRIANGULAR;
}

/* --- triangular matrices --- */

/* Nonzero if an element above the diagonal of T is more than 2^MOST times an eigenvalue that is
   not zero.  */
static int
has_large_coupling (int64_t n, const scalar_t *t, int most)
{
  real_t largest = 0, least = INFINITY;
  for (int64_t j = 0; j < n; j++)
    {
      const real_t value = abs_ (t[j * (n + 1)]);
      least = value > 0 ? fmin_ (least, value) : least;
      for (int64_t i = 0; i < j; i++)
        largest = fmax_ (largest, part_ (t[i + j * n]));
    }
  return ldexp ((double) largest, -most) > (double) least;
}

/* Scale T by powers of two, T(i,j) 2^(e[j] - e[i]), such that no element is out of proportion
   to the eigenvalues in its row and column: intermediate results would overflow.  EXPONENT:
   e, descending; zero if nothing is to be done.  */
static int
find_exponents (int64_t n, const scalar_t *t, int *exponent)
{
  const int most = GE_MOST_COUPLING (GE_DOUBLE),
            least = GE_DOUBLE ? -900 : -100;
  int any = 0;
  if (! has_large_coupling (n, t, most))
    return 0;
  for (int64_t j = 0; j < n; j++)
    {
      exponent[j] = 0;
      for (int64_t i = 0; i < j; i++)
        {
          const double x = (double) abs_ (t[i * (n + 1)]),
                       y = (double) abs_ (t[j * (n + 1)]), z = fmax (x, y),
                       above = (double) abs_ (t[i + j * n]);
          if (above == 0 || z == 0)
            continue;
          const int e = exponent[i] + most + ilogb (z) - ilogb (above);
          exponent[j] = e < exponent[j] ? e : exponent[j];
        }
      exponent[j] = exponent[j] > least ? exponent[j] : least;
      any |= exponent[j] != 0;
    }
  return any;
}

static void
scale_by_exponents (int64_t n, const int *exponent, int back, scalar_t *t)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < j; i++)
      {
        const int e
            = back ? exponent[i] - exponent[j] : exponent[j] - exponent[i];
        t[i + j * n] = times_power_ (t[i + j * n], e);
      }
}

/* Rounding errors of T: NOISE: rounding errors of eigenvalues that may be zero, NULL if T is the
   page but for rotations of blocks; those up to NEAR may be zero, NEARLY_ZERO of them.  OWN: T is
   the page.  */
typedef struct
{
  double *noise, near;
  int64_t nearly_zero;
  int own;
} uncertainty;

/* Eigenvalues of T that are negative, see ge_funm_negative.  */
static int
find_negative (const gpueig_funm_problem *p, int64_t n, const scalar_t *t,
               char *at)
{
  ge_point *values = ge_take (&at, n, sizeof *values);
  for (int64_t k = 0; k < n; k++)
    values[k] = ge_point_of ((double) re_ (t[k * (n + 1)]),
                             (double) im_ (t[k * (n + 1)]));
  return ge_funm_negative (p, n, values);
}

/* T = f (T), nonsingular or of a logarithm.  */
static void
calculate_regular (const gpueig_funm_problem *p, int64_t n, scalar_t *t,
                   const uncertainty *u, int *state, char *at, int *roots)
{
  ge_calc c;
  double angle = 0;
  int on_axis = 0;
#if GE_COMPLEX
  if (u->noise)
    angle = FN (ge_funm_turn) (n, t, at, &on_axis);
#endif
  if (on_axis || find_negative (p, n, t, at) & GE_NEGATIVE)
    *state |= GPUEIG_FUNM_NEGATIVE | GE_FUNM_COMPLEX;
  ge_calc_begin (&c, (gpueig_type) GE_SCALAR, n,
                 p->power_im != 0 ? GE_CALC_MOST : GE_CALC_BUFFERS, &at);
  c.is_upper = FN (ge_is_upper) (n, t);
  c.own = u->own;
  ge_triangular (&c, p->kind, ge_power (p), angle, t, roots, state);
}

static double
largest_of (int64_t n, const scalar_t *t)
{
  real_t most = 0;
  for (int64_t k = 0; k < n * n; k++)
    most = fmax_ (most, abs_ (t[k]));
  return (double) most;
}

/* Compute T = f (T) for a root or power of T, which may be singular.  If the power of the
   result has lost T in rounding errors, T is next to a matrix for which f does not
   exist.  */
static void
calculate_singular (const gpueig_funm_problem *p, int64_t n, scalar_t *t,
                    const uncertainty *u, int *state, char *at, int *roots)
{
  const double power = p->kind == GPUEIG_SQRTM ? 0.5 : p->power;
  const double digits = 1e-3, size = largest_of (n, t);
  ge_singular s;
  FN (ge_funm_split) (n, t, u->noise, u->near, power, &s, &at);
  s.is_root = power == 0.5 && p->power_im == 0;
  *state |= s.lost ? GPUEIG_FUNM_SINGULAR : 0;
  if (s.zeros > 0 && power <= 0)
    {
      *state |= GPUEIG_FUNM_SINGULAR | GE_FUNM_INFINITE;
      return;
    }
  gpueig_funm_problem of_rest = *p;
  if (s.zeros > 0 && power > 1)
    of_rest.power--;
  if (s.zeros < n)
    calculate_regular (&of_rest, n - s.zeros, s.rest, u, state, at, roots);
  if (FN (ge_funm_join) (n, t, power, &s, at)
      || (double) GE_EPS * pow (largest_of (n, t), 1 / power) > digits * size)
    *state |= GPUEIG_FUNM_SINGULAR;
}

/* Compute T = f (T), T the form of the page or a group of eigenvalues; STATE, the result: see
   ge_triangular.  */
static int
calculate_group (const gpueig_funm_problem *p, int64_t n, scalar_t *t,
                 const uncertainty *u, int state, char *at, int *roots)
{
  int singular = 0;
  *roots = 0;
  for (int64_t k = 0; p->kind != GPUEIG_LOGM && k < n; k++)
    singular |= (double) abs_ (t[k * (n + 1)]) <= u->near;
  if (singular)
    calculate_singular (p, n, t, u, &state, at, roots);
  else
    calculate_regular (p, n, t, u, &state, at, roots);
  return state;
}

/* Set the elements of the power X of T that follow from two eigenvalues.  */
static void
set_exactly (const gpueig_funm_problem *p, const scalar_t *t, scalar_t *x,
             char *at)
{
  ge_calc c;
  ge_calc_begin (&c, (gpueig_type) GE_SCALAR, p->n, 0, &at);
  ge_calc_set_exactly (&c, GPUEIG_MPOWER, ge_power (p), t, 1, x);
}

/* Compute the power T = f (T) of a page T by groups of eigenvalues; returns zero, and T does not
   change, if there is one group or the result is not finite.  */
static int
calculate_groups (const gpueig_funm_problem *p, scalar_t *t,
                  const uncertainty *u, int *state, char *at, int *roots)
{
  const int64_t n = p->n, square = n * n;
  int64_t *group = ge_take (&at, n, sizeof *group);
  scalar_t *given = ge_take (&at, square, sizeof *given),
           *part = ge_take (&at, square, sizeof *part);
  memcpy (given, t, (size_t) square * sizeof *t);
  const int64_t groups = FN (ge_funm_separate) (n, t, group, part);
  int found = *state, finite = 1;
  if (groups == 1)
    return 0;
  *roots = 0;
  for (int64_t g = 0; g < groups; g++)
    {
      int more;
      const int64_t size = FN (ge_funm_take_group) (n, group, g, t, part);
      found = calculate_group (p, size, part, u, found, at, &more);
      FN (ge_funm_put_group) (n, group, g, part, t);
      *roots = more > *roots ? more : *roots;
    }
  FN (ge_funm_unite) (n, groups, group, t, part);
  set_exactly (p, given, t, at);
  for (int64_t k = 0; k < square; k++)
    finite &= isfinite (re_ (t[k])) && isfinite (im_ (t[k]));
  if (finite)
    *state = found;
  else
    memcpy (t, given, (size_t) square * sizeof *t);
  return finite;
}

/* As calculate_group, of all eigenvalues.  */
static int
calculate_once (const gpueig_funm_problem *p, scalar_t *t, const uncertainty *u,
                int state, char *at, int *roots)
{
  const int64_t n = p->n;
  int *exponent = ge_take (&at, n, sizeof *exponent);
  const int scaled = ! u->noise && find_exponents (n, t, exponent);
  if (scaled)
    scale_by_exponents (n, exponent, 0, t);
  if (u->noise || p->kind != GPUEIG_MPOWER
      || ! calculate_groups (p, t, u, &state, at, roots))
    state = calculate_group (p, n, t, u, state, at, roots);
  if (scaled)
    scale_by_exponents (n, exponent, 1, t);
  return state;
}

/* |T F - F T| / (|T| |F|) of the largest elements, infinite if F is not finite; SPACE:
   N-by-N.  */
static double
commutator (int64_t n, const scalar_t *t, const scalar_t *f, scalar_t *space)
{
  real_t most = 0;
  FN (ge_gemm) ("N", "N", n, n, n, 1, t, n, f, n, 0, space, n);
  FN (ge_gemm) ("N", "N", n, n, n, -1, f, n, t, n, 1, space, n);
  for (int64_t k = 0; k < n * n; k++)
    most = larger_ (most, abs_ (space[k]));
  const double ratio = (double) most / largest_of (n, t) / largest_of (n, f);
  return isfinite (ratio) ? ratio : INFINITY;
}

/* As calculate_once.  Roots of a T with eigenvalues next to zero, which powers above 1 are
   computed by, may be so large that nothing is left of the power: it does not commute with T
   then.  Those eigenvalues are zero up to rounding errors of T.  */
static int
calculate (const gpueig_funm_problem *p, scalar_t *t, const uncertainty *u,
           int state, char *at, int *roots)
{
  const int64_t n = p->n, square = n * n;
  const double eps = (double) GE_EPS, tiny = eps * largest_of (n, t);
  int any = 0, of_other;
  for (int64_t k = 0; p->kind == GPUEIG_MPOWER && p->power > 1 && k < n; k++)
    any |= t[k * (n + 1)] != 0 && (double) abs_ (t[k * (n + 1)]) <= tiny;
  if (! any)
    return calculate_once (p, t, u, state, at, roots);
  scalar_t *given = ge_take (&at, square, sizeof *t),
           *other = ge_take (&at, square, sizeof *t),
           *space = ge_take (&at, square, sizeof *t);
  memcpy (given, t, (size_t) square * sizeof *t);
  memcpy (other, t, (size_t) square * sizeof *t);
  const int of_first = calculate_once (p, t, u, state, at, roots);
  const double error = commutator (n, given, t, space);
  if (error <= GE_ROUNDING (n, eps) * (double) n)
    return of_first;
  for (int64_t k = 0; k < n; k++)
    if ((double) abs_ (other[k * (n + 1)]) <= tiny)
      other[k * (n + 1)] = 0;
  of_other = calculate_once (p, other, u, state, at, &any);
  if (commutator (n, given, other, space) >= error)
    return of_first;
  memcpy (t, other, (size_t) square * sizeof *t);
  *roots = any;
  return of_other;
}

/* --- 2-by-2 blocks --- */

#if GE_COMPLEX
/* T = G' T G, of which the first K + 2 rows of column K are not zero, or with BACK
   T = G T G'.  */
static void
rotate_blocks (int64_t n, scalar_t *t, const ge_point *diagonal,
               const ge_point *subdiagonal, int back)
{
  for (int64_t k = 0; k + 1 < n; k++)
    {
      if (subdiagonal[k] == 0)
        continue;
      /* The block [x, y; y, x] for a real x and an imaginary y; the inverse has -y.  */
      const scalar_t x
          = make_ ((real_t) creal (diagonal[k]), 0),
          y
          = make_ (0, (real_t) cimag (back ? -subdiagonal[k] : subdiagonal[k]));
      for (int64_t i = 0; i < (back ? n : k + 2); i++)
        {
          const scalar_t p = t[i + k * n], q = t[i + (k + 1) * n];
          t[i + k * n] = mul_ (p, x) + mul_ (q, y);
          t[i + (k + 1) * n] = mul_ (p, y) + mul_ (q, x);
        }
      for (int64_t j = back ? 0 : k; j < n; j++)
        {
          const scalar_t p = t[k + j * n], q = t[k + 1 + j * n];
          t[k + j * n] = mul_ (p, x) - mul_ (q, y);
          t[k + 1 + j * n] = mul_ (q, x) - mul_ (p, y);
        }
      if (! back)
        t[k + 1 + k * n] = 0;
    }
}

int FN (ge_funm_blocks_of) (const gpueig_funm_problem *p, const real_t *form,
                            const ge_point *values, const ge_point *diagonal,
                            const ge_point *subdiagonal, const void *u,
                            int state, real_t *re, real_t *im, char *at,
                            int *roots);

/* RE + i IM = f (FORM) of a real Schur form, see ge_funm_blocks.  */
int
FN (ge_funm_blocks_of) (const gpueig_funm_problem *p, const real_t *form,
                        const ge_point *values, const ge_point *diagonal,
                        const ge_point *subdiagonal, const void *u, int state,
                        real_t *re, real_t *im, char *at, int *roots)
{
  const int64_t n = p->n, square = n * n;
  scalar_t *t = ge_take (&at, square, sizeof *t);
  for (int64_t i = 0; i < square; i++)
    t[i] = make_ (form[i], 0);
  rotate_blocks (n, t, diagonal, subdiagonal, 0);
  for (int64_t k = 0; k < n; k++)
    t[k + k * n]
        = make_ ((real_t) creal (values[k]), (real_t) cimag (values[k]));
  state = calculate (p, t, u, state, at, roots);
  rotate_blocks (n, t, diagonal, subdiagonal, 1);
  for (int64_t i = 0; i < square; i++)
    {
      re[i] = re_ (t[i]);
      im[i] = im_ (t[i]);
    }
  return state;
}
#else
#  define BLOCKS LAPACK (ge_funm_blocks_of_c, ge_funm_blocks_of_z, , )
int BLOCKS (const gpueig_funm_problem *p, const real_t *form,
            const ge_point *values, const ge_point *diagonal,
            const ge_point *subdiagonal, const void *u, int state, real_t *re,
            real_t *im, char *at, int *roots);
#endif

/* --- Schur form --- */

/* X = U F U', or F if U is NULL.  */
static void
transform (int64_t n, const scalar_t *u, const scalar_t *f, scalar_t *spare,
           scalar_t *x)
{
  if (! u)
    {
      memcpy (x, f, (size_t) (n * n) * sizeof *x);
      return;
    }
  FN (ge_gemm) ("N", "N", n, n, n, 1, u, n, f, n, 0, spare, n);
  FN (ge_gemm) ("N", "C", n, n, n, 1, spare, n, u, n, 0, x, n);
}

/* Element (I, J) of T, 0 outside of the matrix.  */
static ge_point
element (int64_t n, const scalar_t *t, int64_t i, int64_t j)
{
  return i < n && j < n ? ge_point_of ((double) re_ (t[i + j * n]),
                                       (double) im_ (t[i + j * n]))
                        : 0;
}

/* FOUND: what rounding errors may do to the eigenvalues VALUES of the page A with the Schur
   vectors U.  */
static void
find_noise (const gpueig_funm_problem *p, const void *a, const scalar_t *u,
            const ge_point *values, uncertainty *found)
{
  const int64_t n = p->n;
  found->near = GE_TRIPLE_NOISE (n, (double) GE_EPS) * largest_of (n, a);
  for (int64_t k = 0; k < n; k++)
    {
      const int is_near = cabs (values[k]) <= found->near;
      found->noise[k] = is_near ? FN (ge_funm_noise) (n, a, u + k * n) : 0;
      found->nearly_zero += is_near;
    }
}

/* Nonzero if the page A is upper triangular but for blocks of order 2, which U rotates, and no
   rounding error of a block matters: T is as exact as a triangular page.  */
static int
is_block_upper (const gpueig_funm_problem *p, const scalar_t *a,
                const scalar_t *u, const ge_point *values)
{
  const int64_t n = p->n;
  for (int64_t j = 0; j < n; j++)
    {
      const int first = j + 1 < n && a[j + 1 + j * n] != 0,
                second = j > 0 && a[j + (j - 1) * n] != 0;
      for (int64_t i = 0; i < n; i++)
        if ((i > j + 1 && a[i + j * n] != 0)
            || (i != j
                && i
                       != (first    ? j + 1
                           : second ? j - 1
                                    : j)
                && u[i + j * n] != 0))
          return 0;
      if (first && second)
        return 0;
      if (! first)
        continue;
      const scalar_t *block = a + j * (n + 1);
      const double size
          = (double) fmax_ (fmax_ (abs_ (block[0]), abs_ (block[1])),
                            fmax_ (abs_ (block[n]), abs_ (block[n + 1])));
      if (ge_funm_matters (p, values[j], size)
          || ge_funm_matters (p, values[j + 1], size))
        return 0;
    }
  return 1;
}

int
FN (ge_funm_schur) (const gpueig_funm_problem *p, const void *a,
                    const void *form, const void *u, void *x, void *x_im,
                    void *work, int *is_complex, int *roots)
{
  const int64_t n = p->n, square = n * n;
  const scalar_t *t = form;
  char *at = work;
  scalar_t *f = ge_take (&at, square, sizeof *f),
           *f_im = ge_take (&at, square, sizeof *f),
           *spare = ge_take (&at, square, sizeof *f);
  ge_point *values = ge_take (&at, 4 * n, sizeof *values),
           *subdiagonal = values + n, *above = subdiagonal + n,
           *diagonal = above + n;
  for (int64_t k = 0; k < n; k++)
    {
      values[k] = element (n, t, k, k);
      subdiagonal[k] = element (n, t, k + 1, k);
      above[k] = element (n, t, k, k + 1);
    }
  const int blocks = ge_funm_blocks (n, values, subdiagonal, above, diagonal),
            exact = ! u || is_block_upper (p, a, u, values);
  uncertainty errors
      = { .noise = exact ? NULL : ge_take (&at, n, sizeof (double)),
          .own = ! u && ! blocks };
  int state = p->kind == GPUEIG_SQRTM && ge_funm_is_singular (p, values)
                  ? GPUEIG_FUNM_SINGULAR
                  : 0;
  if (! exact)
    find_noise (p, a, u, values, &errors);
#if ! GE_COMPLEX
  if (blocks || p->power_im != 0 || ge_funm_negative (p, n, values)
      || errors.nearly_zero > 1)
    state = BLOCKS (p, t, values, diagonal, subdiagonal, &errors, state, f,
                    f_im, at, roots);
  else
#endif
    {
      memcpy (f, t, (size_t) square * sizeof *f);
      state = calculate (p, f, &errors, state, at, roots);
    }
  (void) blocks;
  *is_complex = 0;
  if (state & GE_FUNM_INFINITE)
    for (int64_t k = 0; k < square; k++)
      ((scalar_t *) x)[k] = (real_t) INFINITY;
  else
    {
      transform (n, u, f, spare, x);
      *is_complex
          = ! GE_COMPLEX && (state & GE_FUNM_COMPLEX || p->power_im != 0);
      if (*is_complex && x_im)
        transform (n, u, f_im, spare, x_im);
    }
  return state & ~(GE_FUNM_INFINITE | GE_FUNM_COMPLEX);
}

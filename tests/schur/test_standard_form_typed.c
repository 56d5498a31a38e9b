/* Claims about the 2-by-2 blocks of the QR algorithm, numbers of all signs and exponents, equal
   and opposite ones and nearly equal eigenvalues among them:
   phases_have_length_1: phases, as rotations, have length 1, and the size that belongs to them
     is right
   blocks_become_standard_forms: the form is a standard form and similar to the block; y,
     imaginary parts and shifts have the relative accuracy of their elements, whatever those
     are; the vector of a complex block is an eigenvector
   known_eigenvalues_are_exact: blocks whose eigenvalues are integers have these
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "quad.h"
#include "base/scalar.h"
#include "base/rotation.h"
#include "schur/standard_form.h"

void FN (test_standard_form) (void);

#define LIMIT 6.0                   /* in eps */
#define TINY (GE_REAL_MIN * GE_EPS) /* the smallest number */

/* Exponents of elements: the ends of the range, the limits of scaling, and between.  */
static const int exponents[]
#if GE_DOUBLE
    = { -1074, -1062, -1022, -970, -700, -537, -481, -480, -300, -53, -26, -1,
        0,     1,     26,    53,   112,  300,  480,  509,  510,  700, 1021 };
#else
    = { -149, -140, -126, -110, -80, -62, -49, -48, -24, -12, -1,
        0,    1,    12,   24,   37,  50,  61,  62,  80,  125 };
#endif

enum
{
  EXPONENTS = COUNT (exponents),
  ERRORS = 6
};

/* The largest errors, in eps; -1: of another type.  */
static double worst[ERRORS];
static const char *const names[ERRORS]
    = { "length of the rotation", "residual", "eigenvalues",
        "imaginary parts",        "shifts",   "eigenvectors" };
static int64_t cases, wrong_forms;

static real_t
power (int exponent, double mantissa)
{
  return (real_t) ldexp (mantissa, exponent);
}

/* A random number with exponent E and either sign.  */
static real_t
number (measure_random *r, int e)
{
  const double x = 1.5 + measure_uniform (r) / 2;
  return power (e, measure_uniform (r) < 0 ? -x : x);
}

/* ERROR in units of eps SIZE, less what underflow explains; NaN counts as infinite.  */
static void
note (int kind, quad error, quad size)
{
  const quad left = quad_abs (error) - 2 * (quad) TINY;
  const double ratio
      = left <= 0 ? 0 : (double) (left / (quad_abs (size) * (quad) GE_EPS));
  worst[kind] = worst_of (worst[kind], error == error ? ratio : INFINITY);
}

#if ! GE_COMPLEX
static quad
square_root (quad x)
{
  const quad huge = (quad) 0x1p400, step = (quad) 0x1p200;
  quad unit = 1;
  if (x == 0)
    return 0;
  for (; x > huge; x /= huge)
    unit *= step;
  for (; x < 1 / huge; x *= huge)
    unit /= step;
  quad y = sqrt ((double) x);
  y = (y + x / y) / 2;
  return unit * ((y + x / y) / 2);
}

/* A block, a - d rounded, as every formula begins with it, and y or, of a pair, the
   imaginary part.  */
typedef struct
{
  real_t a, b, c, d;
  quad size, mean, y, im;
} block;

static block
exact (real_t a, real_t b, real_t c, real_t d)
{
  block x = { .a = a, .b = b, .c = c, .d = d };
  const real_t half = (real_t) 0.5;
  const real_t difference = a - d;
  quad g = (quad) difference;
  if (! isfinite (difference))
    g = 2 * (quad) (half * a - half * d);
  const quad product = (quad) b * (quad) c, discriminant = g * g + 4 * product;
  const real_t all[] = { a, b, c, d };
  x.mean = ((quad) a + (quad) d) / 2;
  for (int i = 0; i < 4; i++)
    x.size = quad_abs (all[i]) > x.size ? quad_abs (all[i]) : x.size;
  const quad root = square_root (quad_abs (discriminant));
  if (discriminant < 0)
    x.im = root / 2;
  else if (product != 0)
    x.y = 2 * product / (g < 0 ? g - root : g + root);
  return x;
}

/* The residual Q A Q' - S of the standard form [a b; c d].  */
static void
note_residual (const block *x, real_t cs, real_t sn, const real_t form[4])
{
  const quad q[2][2] = { { cs, sn }, { -sn, cs } };
  const quad m[2][2] = { { x->a, x->b }, { x->c, x->d } };
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      {
        quad sum = 0;
        for (int k = 0; k < 2; k++)
          for (int l = 0; l < 2; l++)
            sum += q[i][k] * m[k][l] * q[j][l];
        note (1, sum - (quad) form[2 * i + j], x->size);
      }
}

/* The eigenvalues of the form, of a pair from elements that may have underflowed.  */
static void
note_values (const block *x, const real_t form[4])
{
  const quad b = form[1], c = form[2];
  if (x->im == 0)
    {
      const quad first = x->a + x->y, second = x->d - x->y;
      note (2, form[0] - first, (quad_abs (x->y) + quad_abs (first)) / 2);
      note (2, form[3] - second, (quad_abs (x->y) + quad_abs (second)) / 2);
      return;
    }
  note (2, form[0] - x->mean, x->size);
  const quad larger = quad_abs (b) > quad_abs (c) ? quad_abs (b) : quad_abs (c);
  const quad exact_product = x->im * x->im;
  /* An error TINY of an element is one of TINY LARGER of the product.  */
  const quad left = quad_abs (exact_product + b * c) - larger * (quad) TINY;
  note (3, left > 0 ? left / exact_product + 2 * (quad) TINY : 0, 1);
}

static int
is_standard (const real_t form[4])
{
  return form[2] == 0
         || (form[0] == form[3] && form[1] != 0
             && (form[1] < 0) != (form[2] < 0));
}

static void
blocks_become_standard_forms (real_t a, real_t b, real_t c, real_t d)
{
  const block x = exact (a, b, c, d);
  real_t form[] = { a, b, c, d }, cs, sn, re[2], im[2];
  ge_standard_block (&form[0], &form[1], &form[2], &form[3], &cs, &sn);
  int finite = 1;
  for (int i = 0; i < 4; i++)
    finite &= isfinite (form[i]) != 0;
  /* The elements of a form can be larger than those of the block.  */
  if (! finite && x.size > (quad) (GE_REAL_MAX / 4) && isfinite (cs))
    return;
  cases++;
  const quad length = (quad) cs * cs + (quad) sn * sn;
  note (0, length - 1, 1);
  wrong_forms += ! is_standard (form);
  note_residual (&x, cs, sn, form);
  if (b == 0 || c == 0)
    return;
  note_values (&x, form);
  ge_block_shifts (a, b, c, d, &re[0], &im[0], &re[1], &im[1]);
  const quad nearer = x.im > 0 ? x.mean : d - x.y;
  note (4, re[0] - nearer,
        x.im > 0 ? x.size : (quad_abs (x.y) + quad_abs (nearer)) / 2);
  note (4, im[0] - x.im, x.im);
  wrong_forms += re[1] != re[0] || im[1] != -im[0];
}

/* Blocks with B and C: diagonals of all sizes, equal, opposite, nearly equal ones and such
   that the eigenvalues are nearly equal.  */
static void
try_diagonals (measure_random *r, real_t b, real_t c)
{
  const real_t up = 1 + GE_EPS;
  for (int k = 0; k < EXPONENTS; k += 2)
    {
      const real_t x = number (r, exponents[k]), y = x * up;
      blocks_become_standard_forms (x, b, c, x);
      blocks_become_standard_forms (x, b, c, -x);
      blocks_become_standard_forms (x, b, c, k % 4 == 0 ? y : 0);
      blocks_become_standard_forms (k % 4 == 0 ? 0 : y, b, c, x);
    }
  const quad product = (quad) b * (quad) c;
  const real_t g = (real_t) (2 * square_root (quad_abs (product)));
  if (product >= 0 || ! (g <= GE_REAL_MAX / 2))
    return;
  for (int k = -2; k <= 2; k++)
    {
      const real_t near = g * (1 + (real_t) k * GE_EPS / 2);
      blocks_become_standard_forms (near, b, c, 0);
      blocks_become_standard_forms (-near / 2, b, c, near / 2);
    }
}

/* The phase of x + i y.  */
static void
phases_have_length_1 (real_t x, real_t y)
{
  const quad exact = square_root ((quad) x * x + (quad) y * y);
  real_t size, re, im;
  ge_phase (x, y, &size, &re, &im);
  note (0, (quad) re * re + (quad) im * im - 1, 1);
  note (2, size - exact, exact);
}

static void
try_all (void)
{
  measure_random r = { 68 };
  for (int i = 0; i < EXPONENTS * EXPONENTS; i++)
    phases_have_length_1 (number (&r, exponents[i % EXPONENTS]),
                          number (&r, exponents[i / EXPONENTS]));
  for (int i = 0; i < EXPONENTS; i++)
    {
      const real_t b = number (&r, exponents[i]);
      const real_t like[] = { b, -b, -b * (1 + GE_EPS), b / 2, 0 };
      for (int k = 0; k < 5; k++)
        {
          try_diagonals (&r, b, like[k]);
          try_diagonals (&r, like[k], b);
        }
      for (int k = 0; k < EXPONENTS; k++)
        try_diagonals (&r, b, number (&r, exponents[k]));
    }
  /* small integers: exact zeros */
  for (int k = 0; k < 9 * 9 * 9 * 9; k++)
    blocks_become_standard_forms (
        (real_t) (k % 9 - 4), (real_t) (k / 9 % 9 - 4),
        (real_t) (k / 81 % 9 - 4), (real_t) (k / 729 - 4));
}

static void
known_eigenvalues_are_exact (void)
{
  static const int blocks[][6] = { { 4, -2, 2, 0, 2, 2 },
                                   { 3, 1, -1, 1, 2, 2 },
                                   { 0, 2, 8, 0, 4, -4 },
                                   { 5, -3, 3, -1, 2, 2 },
                                   { 2, 4, -1, -2, 0, 0 } };
  for (size_t i = 0; i < COUNT (blocks); i++)
    {
      const int *x = blocks[i];
      real_t a = (real_t) x[0], b = (real_t) x[1], c = (real_t) x[2];
      real_t d = (real_t) x[3], cs, sn;
      ge_standard_block (&a, &b, &c, &d, &cs, &sn);
      CHECK (c == 0 && a == (real_t) x[4] && d == (real_t) x[5],
             "exact eigenvalues of [%d %d; %d %d]: %g, %g", x[0], x[1], x[2],
             x[3], (double) a, (double) d);
    }
}
#else
static quad_complex
wide (const real_t x[2])
{
  quad_complex y;
  __real__ y = x[0];
  __imag__ y = x[1];
  return y;
}

/* G = a - d rounded, as every formula begins with it.  */
static quad_complex
gap_of (const real_t a[2], const real_t d[2])
{
  const real_t half = (real_t) 0.5;
  quad part[2];
  quad_complex g;
  for (int i = 0; i < 2; i++)
    {
      const real_t x = a[i] - d[i];
      part[i]
          = isfinite (x) ? (quad) x : 2 * (quad) (half * a[i] - half * d[i]);
    }
  __real__ g = part[0];
  __imag__ g = part[1];
  return g;
}

/* What is left below the diagonal by the rotation that belongs to the vector (Z, W).  */
static void
note_vector (quad_complex z, quad_complex w, quad_complex g, quad_complex b,
             quad_complex c)
{
  const quad_complex left = z * z * c - z * w * g - b * w * w;
  const quad length
      = quad_size (z) * quad_size (z) + quad_size (w) * quad_size (w);
  quad size = quad_size (g);
  size = quad_size (b) > size ? quad_size (b) : size;
  size = quad_size (c) > size ? quad_size (c) : size;
  note (1, quad_size (left) / length, size);
}

static void
blocks_become_standard_forms (const real_t a[2], const real_t b[2],
                              const real_t given[2], const real_t d[2])
{
  real_t c[2] = { given[0], given[1] }, z[2], near[2], far[2];
  ge_complex_block (a, b, c, d, z, near, far);
  cases++;
  const int part = fabs_ (given[1]) > fabs_ (given[0]);
  const quad_complex g = gap_of (a, d), product = wide (b) * wide (given);
  if (quad_size (wide (c)) > 0)
    note_vector (wide (z), wide (c), g, wide (b), wide (given));
  if (fabs_ (c[part]) < GE_REAL_MIN)
    return;
  const quad_complex root = wide (z) * (given[part] / (quad) c[part]);
  const quad_complex error = root * root - g * root - product;
  const quad size = quad_size (root);
  note (5, quad_size (error), size * size + quad_size (product));
  /* the root of larger modulus */
  wrong_forms
      += 2 * size * size < (1 - 16 * (quad) GE_EPS) * quad_size (product);
  if (quad_size (product) == 0)
    return;
  const quad_complex x = wide (a) + product / root;
  const quad_complex y = wide (d) - product / root;
  note (4, quad_size (wide (far) - x), quad_size (x) + size);
  note (4, quad_size (wide (near) - y), quad_size (y) + size);
}

/* A random number, its real or imaginary part alone, or a multiple of 1 + i.  */
static void
any_number (measure_random *r, int e, real_t x[2])
{
  const int64_t kind = measure_integer (r, 0, 4);
  x[0] = kind == 1 ? 0 : number (r, e);
  x[1] = kind == 0 ? 0 : kind == 2 ? x[0] : number (r, e);
}

static void
try_all (void)
{
  measure_random r = { 69 };
  for (int i = 0; i < EXPONENTS * EXPONENTS * EXPONENTS; i++)
    {
      real_t a[2], b[2], c[2], d[2];
      any_number (&r, exponents[i % EXPONENTS], b);
      any_number (&r, exponents[i / EXPONENTS % EXPONENTS], c);
      any_number (&r, exponents[i / EXPONENTS / EXPONENTS], a);
      any_number (&r, exponents[measure_integer (&r, 0, EXPONENTS - 1)], d);
      const real_t zero[2] = { 0, 0 }, minus[2] = { -c[0], -c[1] };
      blocks_become_standard_forms (a, b, c, d);
      blocks_become_standard_forms (a, b, c, a);
      blocks_become_standard_forms (zero, b, c, a);
      blocks_become_standard_forms (a, c, minus, zero);
      blocks_become_standard_forms (a, c, c, zero);
      blocks_become_standard_forms (zero, b, c, zero);
      blocks_become_standard_forms (a, zero, c, d);
    }
}

#endif

void
FN (test_standard_form) (void)
{
  cases = wrong_forms = 0;
  for (int k = 0; k < ERRORS; k++)
    worst[k] = -1;
  try_all ();
#if ! GE_COMPLEX
  known_eigenvalues_are_exact ();
#endif
  CHECK (wrong_forms == 0, "%lld of %lld blocks have no standard form",
         (long long) wrong_forms, (long long) cases);
  for (int k = 0; k < ERRORS; k++)
    if (worst[k] >= 0)
      CHECK_RATIO (worst[k], LIMIT, "%s of 2-by-2 blocks, %s", names[k],
                   check_type_name[GE_SCALAR]);
}

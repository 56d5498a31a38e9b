/* Steps of reductions and scans, for C and for CUDA; included after elementwise.h
   once per type, the functions becoming overloads in CUDA (cuda/array/combine.cuh).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#if GE_COMPLEX
#  define ELEMENT(re, im) el_number ((real_t) (re), (real_t) (im))
#  define RE(z) ((z).re)
#  define IM(z) ((z).im)
#else
#  define ELEMENT(re, im) ((real_t) (re))
#  define RE(z) (z)
#  define IM(z) ((real_t) 0)
#endif

GE_INLINE int
co_is_nan (element_t x)
{
  return RE (x) != RE (x) || IM (x) != IM (x);
}

GE_INLINE int
co_is_zero (element_t x)
{
  return RE (x) == 0 && IM (x) == 0;
}

/* Nonzero if X comes before Y: X is larger, or with SMALLEST smaller, or Y is NaN.  Of complex numbers
   it is long, and not repeated in each place of a kernel.  */
#if GE_COMPLEX && defined __CUDACC__
static __host__ __device__ __noinline__ int
#else
GE_INLINE int
#endif
co_precedes (element_t x, element_t y, int smallest)
{
#if GE_COMPLEX
  if (co_is_nan (y))
    return ! co_is_nan (x);
  return el_compare (x, y, 0, 0) == (smallest ? -1 : 1);
#else
  /* without branches, for vectors of the CPU */
  return ! (smallest ? y <= x : y >= x) & (x == x);
#endif
}

/* The term that OP combines: X, or a real number made of X.  */
GE_INLINE element_t
co_term (ge_reduce_op op, element_t x)
{
  switch (op)
    {
    case GE_SUM_ABS:
    case GE_LARGEST_ABS:
#if GE_COMPLEX
      return ELEMENT (el_abs (x), 0);
#else
      return fabs_ (x);
#endif
    case GE_SUM_SQUARES:
      return ELEMENT (RE (x) * RE (x) + IM (x) * IM (x), 0);
    case GE_ANY:
      return ELEMENT (co_is_zero (x) | co_is_nan (x) ? 0 : 1, 0);
    case GE_ALL:
      return ELEMENT (co_is_zero (x) ? 0 : 1, 0);
    default:
      return x;
    }
}

/* Combine two terms, or two results.  */
GE_INLINE element_t
co_combine (ge_reduce_op op, element_t s, element_t x)
{
  switch (op)
    {
    case GE_PRODUCT:
#if GE_COMPLEX
      return el_times (s, x);
#else
      return s * x;
#endif
    case GE_LARGEST:
    case GE_SMALLEST:
      return co_precedes (x, s, op == GE_SMALLEST) ? x : s;
    case GE_LARGEST_ABS:
      return co_is_nan (s) || RE (s) >= RE (x) ? s : x;
    case GE_ANY:
      return RE (s) >= RE (x) ? s : x;
    case GE_ALL:
      return RE (s) <= RE (x) ? s : x;
    default:
      return ELEMENT (RE (s) + RE (x), IM (s) + IM (x));
    }
}

GE_INLINE element_t
co_minus (element_t x, element_t y)
{
  return ELEMENT (RE (x) - RE (y), IM (x) - IM (y));
}

/* The result S of all terms over DIVISOR, unless that is 0, and the root of that.  */
GE_INLINE element_t
co_finish (double divisor, int root, element_t s)
{
  if (divisor != 0)
    s = ELEMENT (RE (s) / (real_t) divisor, IM (s) / (real_t) divisor);
  return root ? ELEMENT (sqrt_ (RE (s)), 0) : s;
}

#ifdef __CUDACC__
#  undef ELEMENT
#  undef RE
#  undef IM
#endif

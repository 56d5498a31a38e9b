/* What the files of the drivers share; a file *_typed.c is compiled for each type, and
   with GE_WIDE once more for the names with 64-bit integers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_PRELOAD_DRIVERS_H
#define GE_PRELOAD_DRIVERS_H 1

#include "base/scalar.h"
#include "preload/preload.h"

#ifdef GE_WIDE
typedef int64_t lapack_int;
#  define NAME(s, d, c, z) GE_PASTE (LAPACK (s, d, c, z), 64_)
#else
#  define GE_WIDE 0
typedef int32_t lapack_int;
#  define NAME(s, d, c, z) GE_PASTE (LAPACK (s, d, c, z), )
#endif

#if GE_COMPLEX
#  define REAL_COMPLEX(real, complex) (complex)
#else
#  define REAL_COMPLEX(real, complex) (real)
#endif

/* The hidden length of a character argument; callers in C may not pass it, then its
   value is arbitrary and passed on.  */
typedef size_t length;

#define EXPORT __attribute__ ((visibility ("default")))

/* The prototypes are LAPACK's.  */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* The address to which the driver returns.  */
#define CALLER __builtin_return_address (0)

/* Begin a driver: NEXT is the next routine, a pointer to a function like ROUTINE; MAY
   whether the call may be taken.  */
#define BEGIN(id, routine)                                                     \
  int may = 1;                                                                 \
  __typeof__ (&routine) next = (__typeof__ (&routine)) ge_next_routine (       \
      GE_##id, (gpueig_type) GE_SCALAR, GE_WIDE, CALLER, *n, &may);            \
  ge_request r = { .driver = GE_##id, .type = (gpueig_type) GE_SCALAR, .n = *n }

#define TAKE() ge_take_call (&r, GE_WIDE, CALLER)

/* LWORK of a workspace query.  */
static const lapack_int query = -1;

/* Nonzero if the first character of TEXT is LETTER, a capital, in either case.  */
static inline int
is (const char *text, char letter)
{
  return *text == letter || *text == letter + ('a' - 'A');
}

/* Nonzero if the first character of TEXT is one of LETTERS.  */
static inline int
is_one_of (const char *text, const char *letters)
{
  while (*letters && ! is (text, *letters))
    letters++;
  return *letters != '\0';
}

/* Set the part of the spectrum that is wanted; zero if LAPACK refuses it.  */
static inline int
select_range (ge_request *r, const char *range, const real_t *vl,
              const real_t *vu, const lapack_int *il, const lapack_int *iu)
{
  r->range = is (range, 'A') ? 'A' : is (range, 'I') ? 'I' : 'V';
  if (r->range == 'V')
    {
      r->lower = (double) *vl;
      r->limit = (double) *vu;
      return is (range, 'V') && r->lower < r->limit;
    }
  r->il = r->range == 'I' ? *il : 1;
  r->iu = r->range == 'I' ? *iu : r->n;
  return 1 <= r->il && r->il <= r->iu && r->iu <= r->n;
}

/* ISUPPZ of COUNT vectors: any element may be nonzero.  */
static inline void
whole_supports (lapack_int *isuppz, int64_t count, int64_t n)
{
  for (int64_t i = 0; i < count; i++)
    {
      isuppz[2 * i] = 1;
      isuppz[2 * i + 1] = (lapack_int) n;
    }
}

#endif

/* Macros and functions of the driver files; a file *_typed.c is compiled for each type and for
   the names of each of GE_NAMES, see preload.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_PRELOAD_DRIVERS_H
#define GE_PRELOAD_DRIVERS_H 1

#include "base/scalar.h"
#include "preload.h"

#include <string.h>

#if GE_NAMES & GE_NAMES_WIDE
typedef int64_t lapack_int;
#  define SUFFIXED(name) GE_PASTE (name, 64_)
#else
typedef int32_t lapack_int;
#  define SUFFIXED(name) GE_PASTE (name, )
#endif
#if GE_NAMES & GE_NAMES_SCIPY
#  define NAME(s, d, c, z) GE_PASTE (scipy, SUFFIXED (LAPACK (s, d, c, z)))
#else
#  define NAME(s, d, c, z) SUFFIXED (LAPACK (s, d, c, z))
#endif

/* The arguments of a driver stand once, in a list DRIVER (A) of A (TYPE, NAME).  */
typedef const char *text;
typedef const lapack_int *in;
typedef lapack_int *out;
typedef const real_t *limits;
typedef real_t *reals;
typedef scalar_t *scalars;
typedef void *function;

/* The hidden length of a character argument; callers in C may not pass it, then its
   value is arbitrary and passed on.  */
typedef size_t length;

#define DECLARE(type, name) type name
#define PASS(type, name) name

/* Arguments, and values, that depend on whether the type is complex.  */
#if GE_COMPLEX
#  define COMPLEX(...) __VA_ARGS__
#  define REAL(...)
#  define REAL_COMPLEX(real, complex) (complex)
#else
#  define COMPLEX(...)
#  define REAL(...) __VA_ARGS__
#  define REAL_COMPLEX(real, complex) (real)
#endif

/* The prototypes are LAPACK's.  */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* The driver ID, with the NAME of its type: if gpueig may take the call, CONDITION describes
   it in the request R (zero: LAPACK refuses an argument, or gpueig does not solve it)
   and the plan takes it, SUCCESS, else the next routine.  Where that would never end INFO is
   N: no convergence.  */
#define DRIVER_THEN(id, name, condition, success)                              \
  __attribute__ ((visibility ("default"))) void name (id (DECLARE))            \
  {                                                                            \
    const void *const caller = __builtin_return_address (0);                   \
    int may = 1;                                                               \
    void (*next) (id (DECLARE)) = (void (*) (id (DECLARE))) ge_next_routine (  \
        GE_##id, (gpueig_type) GE_SCALAR, GE_NAMES, caller, &may);             \
    ge_request r                                                               \
        = { .driver = GE_##id, .type = (gpueig_type) GE_SCALAR, .n = *n };     \
    const int mine = may && (condition);                                       \
    const int taken = mine && ge_take_call (&r, GE_NAMES, caller);             \
    const int refused                                                          \
        = mine && ! taken && ge_refuse_nonfinite (&r, GE_NAMES, caller);       \
    if (taken || refused)                                                      \
      success;                                                                 \
    else                                                                       \
      next (id (PASS));                                                        \
    if (refused)                                                               \
      *info = (lapack_int) r.n;                                                \
  }

/* As DRIVER_THEN, for a driver with LWORK: after success the next routine computes the best
   workspace.  */
#define DRIVER(id, name, condition, success)                                   \
  DRIVER_THEN (id, name, condition,                                            \
               (lwork = &query, next (id (PASS)), (success)))
#define NOTHING ((void) 0)

/* Overwrite the ROWS-by-COLUMNS matrix of R, as LAPACK does: programs check whether their
   memory was used.  */
static inline void
use_up (const ge_request *r, int64_t rows, int64_t columns)
{
  const size_t size = gpueig_scalar_size (r->type);
  for (int64_t j = 0; j < columns; j++)
    memset ((char *) r->a + (size_t) (j * r->lda) * size, 0,
            (size_t) rows * size);
}

/* LWORK in a workspace query.  */
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

/* Count as solved by gpueig if SOLVED; always 1.  */
static inline int
leave_unless (ge_request *r, int solved)
{
  r->unsolved |= ! solved;
  return 1;
}

/* Set the part of the spectrum that the caller requests; zero if LAPACK refuses it.  */
static inline int
select_range (ge_request *r, text range, limits vl, limits vu, in il, in iu)
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

#endif

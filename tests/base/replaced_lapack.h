/* LAPACK's routines that a program replaces by its own: they return what LAPACK's do, or with
   a fault.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef REPLACED_LAPACK_H
#define REPLACED_LAPACK_H 1

#include "check.h"

#include <dlfcn.h>
#include <stdint.h>

typedef enum
{
  RIGHT,
  FAILS,    /* info = 1 */
  IN_ERROR, /* a value is wrong */
  SKEW,     /* the vectors are not orthogonal */
  NOT_A_NUMBER,
  OF_FORM, /* what a routine has besides: order, a pair */
  FAULTS
} fault;

static const char *const fault_name[FAULTS]
    = { "right", "info = 1", "wrong value", "skew vectors", "NaN", "form" };

/* A result of VALUE, of VECTORS if they are not NULL, and INFO gets the fault F.  */
static inline void
spoil (fault f, double *value, double *vectors, int32_t *info)
{
  if (f == FAILS)
    *info = 1;
  if (f == IN_ERROR)
    *value += 1e-9 * (fabs (*value) + 1);
  if (f == SKEW && vectors)
    vectors[0] += 1e-9;
  if (f == NOT_A_NUMBER)
    *value = NAN;
}

/* Every second call, from any thread.  */
static int64_t calls_of_lapack;

static inline int
is_second_call (void)
{
  return __atomic_fetch_add (&calls_of_lapack, 1, __ATOMIC_RELAXED) % 2;
}

/* NAME calls LAPACK's routine with ARGUMENTS, then does AFTER.  */
#define REPLACED(name, parameters, arguments, after)                           \
  void name parameters;                                                        \
  void name parameters                                                         \
  {                                                                            \
    void (*f) parameters;                                                      \
    *(void **) &f = dlsym (RTLD_NEXT, #name);                                  \
    if (! f)                                                                   \
      {                                                                        \
        CHECK (0, "LAPACK has no " #name);                                     \
        return;                                                                \
      }                                                                        \
    f arguments;                                                               \
    after;                                                                     \
  }

#endif

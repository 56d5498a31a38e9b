/* LAPACK's routines that a program replaces by its own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef REPLACED_LAPACK_H
#define REPLACED_LAPACK_H 1

#include "check.h"

#include <dlfcn.h>
#include <stdint.h>

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

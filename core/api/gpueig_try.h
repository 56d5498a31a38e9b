/* The way of an error through core and mex.  Not installed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_TRY_H
#define GPUEIG_TRY_H 1

#include "gpueig.h"

/* If CALL does not return GPUEIG_OK, return its status.  */
#define GE_TRY(call)                                                           \
  do                                                                           \
    {                                                                          \
      gpueig_status ge_try_ = (call);                                          \
      if (ge_try_ != GPUEIG_OK)                                                \
        return ge_try_;                                                        \
    }                                                                          \
  while (0)

#endif

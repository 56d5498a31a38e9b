/* The headers of shared scalar math, included once per precision by
   cuda/scalar.cuh.  No include guard on purpose.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "rotation.h"
#include "shroff.h"
#include "tdinv_entry.h"
#include "tdinv_sherman.h"
#include "onesided.h"
#include "schur/standard_form.h"

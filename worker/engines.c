/* The engines that this program was built with.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "worker.h"

#if WK_HAVE_ELPA
#  include <elpa/elpa_version.h>
#  define WK_TEXT_(x) #  x
#  define WK_TEXT(x) WK_TEXT_ (x)
#  define ELPA_TEXT "ELPA " WK_TEXT (ELPA_API_VERSION) ", "
#else
#  define ELPA_TEXT ""
#endif

const char *
wk_engines (void)
{
  return ELPA_TEXT "ScaLAPACK";
}

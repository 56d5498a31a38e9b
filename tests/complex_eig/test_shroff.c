/* Claims about the 2x2 transformation of the Jacobi-like method: see the typed
   part.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "typed_tests.h"

int
main (void)
{
  check_begin ("shroff");
  test_shroff_s ();
  test_shroff_d ();
  return check_end ();
}

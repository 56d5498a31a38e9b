/* Claims about the 2x2 transformation of the Jacobi-like method: see the typed
   part.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

void test_shroff_s (void);
void test_shroff_d (void);

int
main (void)
{
  check_begin ("shroff");
  test_shroff_s ();
  test_shroff_d ();
  return check_end ();
}

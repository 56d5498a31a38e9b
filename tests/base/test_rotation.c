/* Runs test_rotation_typed.c in both precisions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "typed_tests.h"

int
main (void)
{
  check_begin ("rotation");
  test_rotation_s ();
  test_rotation_d ();
  return check_end ();
}

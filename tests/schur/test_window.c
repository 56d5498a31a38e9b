/* Runs test_window_typed.c for the four types.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "typed_tests.h"

int
main (void)
{
  check_begin ("window");
  test_window_s ();
  test_window_d ();
  test_window_c ();
  test_window_z ();
  return check_end ();
}

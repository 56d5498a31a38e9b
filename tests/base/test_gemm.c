/* Runs test_gemm_typed.c in all types.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "typed_tests.h"

int
main (void)
{
  check_begin ("gemm");
  test_gemm_s ();
  test_gemm_d ();
  test_gemm_c ();
  test_gemm_z ();
  return check_end ();
}

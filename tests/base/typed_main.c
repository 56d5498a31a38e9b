/* The program of a test whose file is compiled once for each type: TYPED_TEST, the name of that
   part.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#define QUOTED(name) #name
#define NAME(name) QUOTED (name)
#define JOINED(name, suffix) name##_##suffix
#define TYPED(name, suffix) JOINED (name, suffix)

void TYPED (TYPED_TEST, s) (void);
void TYPED (TYPED_TEST, d) (void);
void TYPED (TYPED_TEST, c) (void);
void TYPED (TYPED_TEST, z) (void);

int
main (void)
{
  check_begin (NAME (TYPED_TEST));
  TYPED (TYPED_TEST, s) ();
  TYPED (TYPED_TEST, d) ();
  TYPED (TYPED_TEST, c) ();
  TYPED (TYPED_TEST, z) ();
  return check_end ();
}

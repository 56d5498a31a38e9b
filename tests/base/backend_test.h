/* For a test of the backend under test: its context and options.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef BACKEND_TEST_H
#define BACKEND_TEST_H 1

#include "check.h"

static gpueig_context *ctx;
static gpueig_options options;

static inline void
begin_test (const char *name)
{
  check_begin (name);
  ctx = check_context (&options);
}

/* The exit status.  */
static inline int
end_test (void)
{
  gpueig_destroy (ctx);
  return check_end ();
}

#endif

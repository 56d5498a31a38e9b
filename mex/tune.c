/* The command of gpu_tune.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <string.h>

/* [failed, file] = __gpueig__ ("tune", SECONDS | "reset" | "file"): measure; remove the
   measurements.  FILE is the file of times in use, or "builtin".  */
gpueig_status
mex_tune (mex_call *call)
{
  char what[8] = "";
  double seconds = 0;
  gpueig_status status = GPUEIG_OK;
  if (call->n_args != 1)
    return mex_usage (call);
  if (mxIsChar (call->args[0]))
    {
      if (mxGetString (call->args[0], what, sizeof what) != 0
          || (strcmp (what, "reset") != 0 && strcmp (what, "file") != 0))
        return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                            "the argument must be a number of seconds, "
                            "\"show\" or \"reset\"");
      if (strcmp (what, "reset") == 0)
        status = gpueig_forget_times (call->ctx);
    }
  else if (mex_get_number (call->args[0], &seconds))
    status = gpueig_tune (call->ctx, seconds);
  else
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "the argument must be a number of seconds, \"show\" "
                        "or \"reset\"");
  call->out[0] = mxCreateString (strcmp (what, "reset") == 0
                                     ? "builtin"
                                     : gpueig_times_in_use (call->ctx));
  return status;
}

/* Times of all solvers on this machine, for the tables that are compiled into the library.
     bench_times [SECONDS]
   GPUEIG_TEST_PLUGIN, if set, names the plugin; GPUEIG_COMMIT the commit.  Prints a table
   as in core/run/times/.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tune/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *const names[] = {
#define NAME(solver, method, name, places, traits, order)                      \
  [GE_METHOD_##method] = #method,
  GE_METHOD_LIST (NAME)
#undef NAME
};

static void
print (void *data, const ge_time *t)
{
  static const char *const types[]
      = { "FLOAT", "DOUBLE", "COMPLEX_FLOAT", "COMPLEX_DOUBLE" };
  (void) data;
  printf ("TIME (%s, %s, %s, %d, %lld, %lld, %.3g, %.3g)\n", names[t->method],
          t->backend == GPUEIG_CUDA ? "CUDA" : "CPU", types[t->type],
          t->vectors, (long long) t->n, (long long) t->pages, t->seconds,
          t->transfer);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  gpueig_context *ctx;
  gpueig_machine machine;
  char date[16];
  const char *commit = getenv ("GPUEIG_COMMIT"),
             *plugin = getenv ("GPUEIG_TEST_PLUGIN");
  const double seconds = argc > 1 ? atof (argv[1]) : 180;
  const time_t now = time (NULL);
  if (gpueig_create (&ctx) != GPUEIG_OK
      || (plugin && gpueig_set_plugin (ctx, plugin) != GPUEIG_OK))
    return 1;
  strftime (date, sizeof date, "%Y-%m-%d", localtime (&now));
  gpueig_query (ctx, &machine);
  printf ("/* %s, gpueig %s, commit %s; %s, %d threads; BLAS %s.\n"
          "   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in "
          "COPYING  */\n",
          date, GPUEIG_VERSION, commit ? commit : "unknown",
          machine.cuda ? machine.device[0].name : "no GPU", machine.threads,
          machine.blas);
  const gpueig_status status = ge_measure_times (ctx, seconds, print, NULL);
  if (status != GPUEIG_OK)
    fprintf (stderr, "%s\n", gpueig_message (ctx));
  gpueig_destroy (ctx);
  return status != GPUEIG_OK;
}

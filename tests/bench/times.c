/* Times of all solvers on this machine, for the tables that are compiled into the library.
     bench_times [SECONDS] >FILE
   GPUEIG_TEST_PLUGIN, if set, names the plugin; GPUEIG_COMMIT the commit.  Writes a file
   as in core/run/times/, sorted, at the end.
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
print (FILE *f, const ge_time_table *table)
{
  static const char *const types[]
      = { "FLOAT", "DOUBLE", "COMPLEX_FLOAT", "COMPLEX_DOUBLE" };
  const ge_hardware *h = &table->hardware;
  fprintf (f, "MACHINE (%d, %d, %.4g, %.4g, %.4g)\n", h->threads,
           h->vector_bytes, h->rate[0], h->rate[1], h->bandwidth);
  for (int i = 0; i < table->count; i++)
    {
      const ge_time *t = &table->row[i];
      fprintf (f, "TIME (%s, %s, %s, %d, %lld, %lld, %.3g, %.3g)\n",
               names[t->method], t->backend == GPUEIG_CUDA ? "CUDA" : "CPU",
               types[t->type], t->kind, (long long) t->n, (long long) t->pages,
               t->seconds, t->transfer);
    }
}

static void
report (void *data, const char *text)
{
  (void) data;
  fprintf (stderr, "%s\n", text);
}

int
main (int argc, char **argv)
{
  gpueig_context *ctx;
  gpueig_machine machine;
  ge_time_table table;
  const gpueig_callbacks callbacks = { .report = report };
  char date[16];
  const char *commit = getenv ("GPUEIG_COMMIT"),
             *plugin = getenv ("GPUEIG_TEST_PLUGIN");
  const double seconds = argc > 1 ? atof (argv[1]) : 180;
  const time_t now = time (NULL);
  if (gpueig_create (&ctx) != GPUEIG_OK
      || (plugin && gpueig_set_plugin (ctx, plugin) != GPUEIG_OK))
    return 1;
  gpueig_set_callbacks (ctx, &callbacks);
  strftime (date, sizeof date, "%Y-%m-%d", localtime (&now));
  gpueig_query (ctx, &machine);
  printf ("/* %s, gpueig %s, commit %s; %s, %d threads; BLAS %s.\n"
          "   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in "
          "COPYING  */\n",
          date, GPUEIG_VERSION, commit ? commit : "unknown",
          machine.cuda ? machine.device[0].name : "no GPU", machine.threads,
          machine.blas);
  const gpueig_status status = ge_measure_times (ctx, seconds, &table);
  print (stdout, &table);
  free ((void *) table.row);
  if (status != GPUEIG_OK)
    fprintf (stderr, "%s\n", gpueig_message (ctx));
  gpueig_destroy (ctx);
  return status != GPUEIG_OK;
}

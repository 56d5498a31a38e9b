/* Times of all solvers on this machine, for the tables that are compiled into the library.
     bench_times [SECONDS [PATTERN ...]] >FILE
   GPUEIG_TEST_PLUGIN, if set, names the plugin; GPUEIG_COMMIT the commit.  Writes a file
   as in core/plan/times/, sorted, at the end.  With PATTERNs these alone are measured, and the
   others are the library's lines.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tune/tune.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const names[] = {
#define NAME(solver, method, name, places, traits, order)                      \
  [GE_METHOD_##method] = #method,
  GE_METHOD_LIST (NAME)
#undef NAME
};

/* X with three digits.  */
static double
rounded (double x)
{
  char text[40];
  snprintf (text, sizeof text, "%.2e", x);
  return atof (text);
}

static void
print_line (const ge_time_line *line)
{
  const int cuda = line->backend == GPUEIG_CUDA;
  const int count = cuda                           ? GE_COEFFICIENTS
                    : line->at[GE_OF_STACKS] > 0.0 ? GE_OF_COPIES
                                                   : GE_OF_STACKS;
  printf ("LINE (%s, %s, %c, %d", names[line->method], cuda ? "CUDA" : "CPU",
          "SDCZ"[line->type], line -> kind);
  for (int i = 0; i < count; i++)
    printf (", %.9g", rounded (line->at[i]));
  printf (")\n");
}

/* --- rows that are measured --- */

/* Shell patterns of METHOD/KIND/TYPE/BACKEND, as EIG_DC/1/D/CUDA, until NULL; none: all.  */
static char **wanted;

static int
wants (const ge_time *row)
{
  const char *place = row->backend == GPUEIG_CUDA ? "CUDA" : "CPU";
  char name[80];
  snprintf (name, sizeof name, "%s/%d/%c/%s", names[row->method], row->kind,
            "SDCZ"[row->type], place);
  for (char **w = wanted; *w; w++)
    if (fnmatch (*w, name, 0) == 0)
      return 1;
  return ! *wanted;
}

/* The line to begin with: that of the library's table of as many threads, or else of another
   one, or else of a method that is new.  *KEPT: it is in the table of this machine.  */
static ge_time_line
find_line (const ge_hardware *machine, const ge_time *row, int *kept)
{
  ge_time_line line
      = { row->method, row->backend, row->type, row->kind, { 0 }, 0 };
  *kept = 0;
  for (int i = 0; i < GE_COEFFICIENTS; i++)
    line.at[i]
        = i < GE_OF_LAUNCH ? 10 + pow (8, i % GE_ORDERS_OF_ONE) / 10 : 10;
  line.at[GE_OF_COPIES + 1] = 1e-3;
  for (const ge_time_table *t = ge_built_in_times; t->count && ! *kept; t++)
    for (int i = 0; i < t->count; i++)
      if (ge_is_of_line (row, &t->line[i]))
        {
          line = t->line[i];
          *kept = t->hardware.threads == machine->threads;
        }
  return line;
}

/* Print the line of ROW, of the machine of TIMES: fitted to its measurements there, or as it
   is.  */
static void
print_row (const ge_measured_times *times, const ge_time *row)
{
  int kept, begin = 0, end;
  ge_time_line line = find_line (&times->hardware, row, &kept);
  while (begin < times->count && ! ge_is_of_line (&times->row[begin], &line))
    begin++;
  for (end = begin;
       end < times->count && ge_is_of_line (&times->row[end], &line); end++)
    if (times->row[end].pages > 1)
      kept |= 2;
  if (begin < end && ! (kept & 2))
    for (int i = GE_OF_STACKS; i < GE_OF_COPIES; i++)
      line.at[i] = 0;
  for (int k = 0; k < 4; k++)
    ge_fit_line (&line, times->row + begin, end - begin);
  if (begin < end || kept)
    print_line (&line);
}

static void
print_table (const ge_measured_times *times)
{
  const ge_hardware *h = &times->hardware;
  printf ("/* clang-format off */\nMACHINE (%d, %d, %.4g, %.4g, %.4g)\n",
          h->threads, h->vector_bytes, h->rate[0], h->rate[1], h->bandwidth);
  for (int m = GE_AUTO + 1; m < GE_METHODS; m++)
    for (int b = GPUEIG_CPU; b <= GPUEIG_CUDA; b++)
      for (int type = 0; type < 4; type++)
        for (int kind = 0; kind < GE_KINDS; kind++)
          {
            const ge_time row = { .method = (ge_method) m,
                                  .backend = (gpueig_backend) b,
                                  .type = (gpueig_type) type,
                                  .kind = kind };
            print_row (times, &row);
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
  ge_measured_times times;
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
  wanted = argv + (argc > 2 ? 2 : argc);
  printf ("/* %s, gpueig %s, commit %s; %s, %d threads; BLAS %s.\n", date,
          GPUEIG_VERSION, commit ? commit : "unknown",
          machine.cuda ? machine.device[0].name : "no GPU", machine.threads,
          machine.blas);
  for (char **w = wanted; *w; w++)
    printf ("%s%s", w == wanted ? "   Measured then: " : ", ", *w);
  printf (
      "%s   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in "
      "COPYING  */\n",
      *wanted ? ".\n" : "");
  const gpueig_status status = ge_measure_times (ctx, seconds, wants, &times);
  print_table (&times);
  free ((void *) times.row);
  if (status != GPUEIG_OK)
    fprintf (stderr, "%s\n", gpueig_message (ctx));
  gpueig_destroy (ctx);
  return status != GPUEIG_OK;
}

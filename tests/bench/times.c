/* Times of all solvers on this machine, for the tables that are compiled into the library.
     bench_times [SECONDS [PATTERN ...]] >FILE
   GPUEIG_TEST_PLUGIN, if set, names the plugin; GPUEIG_COMMIT the commit.  Writes a file
   as in core/run/times/, sorted, at the end.  With PATTERNs these alone are measured, and the
   others are the library's rows.  Rows that the others predict are left out.
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

static int
same_line (const ge_time *x, const ge_time *y)
{
  return x->method == y->method && x->backend == y->backend
         && x->type == y->type && x->kind == y->kind;
}

/* SECONDS as microseconds with three digits.  */
static double
microseconds (double seconds)
{
  char text[40];
  snprintf (text, sizeof text, "%.2e", 1e6 * seconds);
  return atof (text);
}

static void
print (FILE *f, const ge_time_table *table)
{
  const ge_hardware *h = &table->hardware;
  int column = 0;
  fprintf (f, "/* clang-format off */\nMACHINE (%d, %d, %.4g, %.4g, %.4g)\n",
           h->threads, h->vector_bytes, h->rate[0], h->rate[1], h->bandwidth);
  for (int i = 0; i < table->count; i++)
    {
      const ge_time *t = &table->row[i];
      const int cuda = t->backend == GPUEIG_CUDA;
      char copies[40] = "", text[100];
      if (cuda)
        snprintf (copies, sizeof copies, ", %.9g", microseconds (t->transfer));
      const int length = snprintf (
          text, sizeof text, "%c (%d, %lld, %lld, %.9g%s)", "SDCZ"[t->type],
          t -> kind, (long long) t -> n, (long long) t -> pages,
          microseconds (t->seconds), copies);
      if (i == 0 || t[-1].method != t->method || t[-1].backend != t->backend)
        {
          fprintf (f, "%s#undef LINE\n#define LINE %s, %s\n", i ? "\n" : "",
                   names[t->method], cuda ? "CUDA" : "CPU");
          column = 0;
        }
      const char *space = column == 0                  ? ""
                          : column + 1 + length <= 100 ? " "
                                                       : "\n";
      fprintf (f, "%s%s", space, text);
      column = *space == ' ' ? column + 1 + length : length;
    }
  fprintf (f, "\n");
}

/* --- rows that say nothing new --- */

/* What TABLE says of the measurement T, or of its copies.  */
static double
look_up (const ge_time_table *table, const ge_time *t, int copies)
{
  const ge_shape shape = { .type = t->type,
                           .n = t->n,
                           .pages = t->pages,
                           .outputs = t->kind & GE_WITH_VECTORS,
                           .pair = (t->kind & GE_OF_PAIRS) != 0,
                           .is_tridiagonal = 1,
                           .columns = t->n };
  const ge_time_query q = { t->method, t->backend, &shape, copies };
  int estimated = 0;
  return ge_measured_time (table, &q, &table->hardware, &estimated);
}

/* Nonzero if THIN says what ALL says, to 10 per cent, without and with the copies: of every
   order in ALL with every number of pages.  */
static int
says_the_same (const ge_time_table *all, const ge_time_table *thin)
{
  for (int i = 0; i < all->count; i++)
    for (int k = 0; k < all->count; k++)
      {
        ge_time t = all->row[i];
        t.pages = all->row[k].pages;
        double x = look_up (all, &t, 0), y = look_up (thin, &t, 0);
        for (int copies = 0; copies < 2; copies++)
          {
            if (fabs (log (y / x)) > log (1.1))
              return 0;
            x += look_up (all, &t, 1);
            y += look_up (thin, &t, 1);
          }
      }
  return 1;
}

enum
{
  MOST_PAGES = 16 /* rows of an order */
};

/* Remove the rows BEGIN .. END - 1 of LINE, *COUNT of the rows of ALL, if the others say the
   same.  */
static int
drop (const ge_time_table *all, ge_time *line, int *count, int begin, int end)
{
  ge_time row[MOST_PAGES];
  const int rows = end - begin;
  const size_t size = (size_t) rows * sizeof *row,
               after = (size_t) (*count - end) * sizeof *row;
  if (rows > MOST_PAGES)
    return 0;
  memcpy (row, line + begin, size);
  memmove (line + begin, line + end, after);
  const ge_time_table less = { all->hardware, *count - rows, line };
  if (says_the_same (all, &less))
    {
      *count -= rows;
      return 1;
    }
  memmove (line + end, line + begin, after);
  memcpy (line + begin, row, size);
  return 0;
}

/* LINE, a copy of the rows of ALL, without orders and numbers of pages of which the others say
   the same; returns how many rows stay.  The smallest and the two largest orders do, and
   of an order the fewest and the most pages, by which others are extrapolated.  */
static int
thin_line (const ge_time_table *all, ge_time *line)
{
  int count = all->count, above = 0;
  for (int end = count, begin; end > 0; end = begin)
    {
      for (begin = end - 1; begin > 0 && line[begin - 1].n == line[begin].n;)
        begin--;
      if (above++ >= 2 && begin > 0 && drop (all, line, &count, begin, end))
        continue;
      for (int i = end - 2; i > begin; i--)
        drop (all, line, &count, i, i + 1);
    }
  return count;
}

/* COUNT rows from FROM on, of KIND.  */
static void
copy_rows (ge_time *to, const ge_time *from, int count, int kind)
{
  for (int i = 0; i < count; i++)
    {
      to[i] = from[i];
      to[i].kind = kind;
    }
}

static void
thin_table (ge_time_table *table)
{
  ge_time *const row = malloc ((size_t) table->count * 2 * sizeof *row);
  int count = 0;
  if (! row)
    exit (1);
  ge_time *const plain = row + table->count;
  for (int begin = 0, end; begin < table->count; begin = end)
    {
      for (end = begin + 1; end < table->count
                            && same_line (table->row + begin, table->row + end);
           end++)
        ;
      /* Times are looked up without guess and spectrum.  */
      const int kind = table->row[begin].kind, rows = end - begin;
      const ge_time_table line = { table->hardware, rows, plain };
      copy_rows (plain, table->row + begin, rows, kind % GE_FROM_GUESS);
      copy_rows (row + count, plain, rows, kind % GE_FROM_GUESS);
      const int left = thin_line (&line, row + count);
      copy_rows (row + count, row + count, left, kind);
      count += left;
    }
  table->row = row;
  table->count = count;
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

/* The rows of the library that were not measured, with those of TABLE; the caller frees
   them.  */
static void
add_others (ge_time_table *table)
{
  const ge_time_table *t = ge_built_in_times;
  while (t->count && t->hardware.threads != table->hardware.threads)
    t++;
  ge_time *row = malloc ((size_t) (table->count + t->count + 1) * sizeof *row);
  if (! row)
    exit (1);
  int count = table->count;
  if (count > 0)
    memcpy (row, table->row, (size_t) count * sizeof *row);
  for (int i = 0; i < t->count; i++)
    if (! wants (&t->row[i]))
      row[count++] = t->row[i];
  qsort (row, (size_t) count, sizeof *row, ge_order_times);
  free ((void *) table->row);
  table->row = row;
  table->count = count;
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
  const gpueig_status status = ge_measure_times (ctx, seconds, wants, &table);
  add_others (&table);
  const void *measured = table.row;
  thin_table (&table);
  print (stdout, &table);
  free ((void *) table.row);
  free ((void *) measured);
  if (status != GPUEIG_OK)
    fprintf (stderr, "%s\n", gpueig_message (ctx));
  gpueig_destroy (ctx);
  return status != GPUEIG_OK;
}

/* Claims about times:
   more_takes_no_less: more pages or a larger order take no less by the lines of the library
   fitted_lines_have_their_times: lines that are fitted to measurements have their times; a
     machine that is twice as slow gets times that are twice as long, also of what was not
     measured
   files_come_back_damaged_are_refused: a table in a file comes back as it was, and damaged
     files are refused
   interrupted_tuning_keeps_its_times: gpu_tune that is interrupted keeps what it has measured
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"

#include "plan/times.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
more_takes_no_less (const ge_time_line *line)
{
  int wrong = 0;
  for (double n = 1; n < 20000; n *= 1.3)
    for (double pages = 1; pages < 1e5; pages *= 1.9)
      for (int copies = 0; copies < 2; copies++)
        {
          const double here = ge_line_time (line, n, pages, copies);
          wrong += ! (here >= 0 && (copies || here > 0))
                   || ge_line_time (line, 1.3 * n, pages, copies) < here
                   || ge_line_time (line, n, 1.9 * pages, copies) < here;
        }
  CHECK (wrong == 0, "method %d on backend %d, type %d, kind %d: %d times fall",
         (int) line->method, (int) line->backend, (int) line->type, line->kind,
         wrong);
}

/* The measurements that a machine which is FACTOR times as slow as TABLE says makes of a third
   of its lines: in order, since the lines are; the caller frees them.  */
static ge_measured_times
measured_by (const ge_time_table *table, double factor)
{
  static const int64_t orders[] = { 4, 8, 16, 32, 64, 125, 250, 500, 1000 };
  ge_measured_times times = { .hardware = table->hardware };
  ge_time *row = calloc ((size_t) table->count * 18, sizeof *row);
  if (! row)
    exit (1);
  for (int i = 0; i < table->count; i += 3)
    for (int k = 0; k < 18; k++)
      {
        const ge_time_line *l = &table->line[i];
        ge_time t = { l->method, l->backend, l->type, l->kind, 0, 0, 0, 0 };
        t.n = orders[k / 2];
        t.pages = k % 2 ? 100 : 1;
        t.seconds
            = factor * ge_line_time (l, (double) t.n, (double) t.pages, 0);
        row[times.count++] = t;
      }
  qsort (row, (size_t) times.count, sizeof *row, ge_order_times);
  times.row = row;
  return times;
}

static void
fitted_lines_have_their_times (void)
{
  const ge_time_table *table = ge_built_in_times;
  ge_measured_times times = measured_by (table, 2);
  ge_time_table own;
  ge_fit_table (&times, &own);
  CHECK (own.count == table->count, "%d lines of %d", own.count, table->count);
  for (int i = 0; i < own.count && i < table->count; i++)
    for (double n = 5; n < 2000; n *= 3)
      for (double pages = 1; pages < 1000; pages *= 8)
        {
          const double ratio = ge_line_time (&own.line[i], n, pages, 0)
                               / ge_line_time (&table->line[i], n, pages, 0);
          CHECK (fabs (ratio / 2 - 1) < 0.1,
                 "line %d, n = %g, %g pages: %g times as long as measured", i,
                 n, pages, ratio / 2);
        }
  free ((void *) own.line);
  /* A line from another one.  */
  int count = 0;
  ge_time_line line = table->line[0];
  while (count < times.count && ge_is_of_line (&times.row[count], &line))
    count++;
  for (int k = 0; k < GE_COEFFICIENTS; k++)
    line.at[k] = fmax (line.at[k], 1) * (1 + k % 3);
  ge_fit_line (&line, times.row, count);
  for (int k = 0; k < count; k++)
    {
      const double ratio = ge_line_time (&line, (double) times.row[k].n,
                                         (double) times.row[k].pages, 0)
                           / times.row[k].seconds;
      CHECK (fabs (ratio - 1) < 0.1, "measurement %d: %g times as long", k,
             ratio);
    }
  free ((void *) times.row);
}

static void
files_come_back_damaged_are_refused (void)
{
  char file[] = "/tmp/gpueig-times-XXXXXX", text[200];
  const ge_time_table table = ge_built_in_times[0];
  ge_time_table back;
  const int fd = mkstemp (file);
  /* Names of several cards are long.  */
  char machine[400];
  memset (machine, 'x', sizeof machine);
  machine[sizeof machine - 1] = '\0';
  CHECK (fd >= 0 && ge_write_times (ctx, file, machine, &table) == GPUEIG_OK
             && ge_read_times (ctx, file, &back) == GPUEIG_OK
             && back.count == table.count
             && back.hardware.threads == table.hardware.threads,
         "a table in a file: %s", gpueig_message (ctx));
  int same = 1;
  for (int i = 0; i < back.count && i < table.count; i++)
    for (int k = 0; k < GE_COEFFICIENTS; k++)
      same &= back.line[i].method == table.line[i].method
              && back.line[i].kind == table.line[i].kind
              && back.line[i].type == table.line[i].type
              && fabs (back.line[i].at[k] - table.line[i].at[k])
                     <= 1e-3 * table.line[i].at[k];
  CHECK (same, "comes back as it was");
  free ((void *) back.line);
  /* A fit can be of any size.  */
  ge_time_line wild = table.line[0];
  const double sizes[] = { 1e15, -1, NAN, INFINITY, 1e-9, 0 };
  for (int k = 0; k < GE_COEFFICIENTS; k++)
    wild.at[k] = sizes[k % 6];
  const ge_time_table wild_table
      = { .hardware = table.hardware, .line = &wild, .count = 1 };
  CHECK (ge_write_times (ctx, file, machine, &wild_table) == GPUEIG_OK
             && ge_read_times (ctx, file, &back) == GPUEIG_OK
             && back.count == 1,
         "a line of extremes is read again: %s", gpueig_message (ctx));
  free ((void *) back.line);
  if (ge_write_times (ctx, file, machine, &table) != GPUEIG_OK)
    exit (1);
  /* Cut the file anywhere.  */
  FILE *f = fopen (file, "r+");
  long bytes = 0;
  if (f && fseek (f, 0, SEEK_END) == 0)
    bytes = ftell (f);
  for (long cut = 1; f && cut < 60 && bytes > 200; cut++)
    {
      CHECK (ftruncate (fileno (f), bytes - cut) == 0, "cut");
      const gpueig_status status = ge_read_times (ctx, file, &back);
      const int whole_lines = status == GPUEIG_OK;
      snprintf (text, sizeof text, "%s", gpueig_message (ctx));
      CHECK (whole_lines ? back.count < table.count : back.count == 0,
             "cut by %ld bytes: %s", cut, text);
      free ((void *) back.line);
    }
  if (f)
    fclose (f);
  remove (file);
  CHECK (ge_read_times (ctx, file, &back) == GPUEIG_OK && back.count == 0,
         "no file");
}

/* gpu_tune that is interrupted keeps what was measured.  */
static void
interrupted_tuning_keeps_its_times (void)
{
  char file[] = "/tmp/gpueig-tune-XXXXXX";
  ge_time_table table = { .count = 0 };
  const int fd = mkstemp (file);
  setenv ("GPUEIG_TIMES", file, 1);
  /* of more than one call, and of fewer than all */
  check_interrupt_at (ctx, 20000);
  CHECK (fd >= 0 && gpueig_tune (ctx, 30) == GPUEIG_INTERRUPTED
             && ge_read_times (ctx, file, &table) == GPUEIG_OK
             && table.count > 0
             && strcmp (gpueig_times_in_use (ctx), file) == 0,
         "%d lines after an interrupt: %s", table.count, gpueig_message (ctx));
  free ((void *) table.line);
  check_interrupt_at (ctx, 0);
  CHECK (gpueig_forget_times (ctx) == GPUEIG_OK && access (file, F_OK) != 0
             && strcmp (gpueig_times_in_use (ctx), "builtin") == 0,
         "and are removed");
  unsetenv ("GPUEIG_TIMES");
}

int
main (void)
{
  /* Files are the same in every locale, see tests/check_locale.sh.  */
  setlocale (LC_ALL, "");
  begin_test ("times");
  for (const ge_time_table *t = ge_built_in_times; t->count; t++)
    for (int i = 0; i < t->count; i++)
      more_takes_no_less (&t->line[i]);
  fitted_lines_have_their_times ();
  files_come_back_damaged_are_refused ();
  interrupted_tuning_keeps_its_times ();
  return end_test ();
}

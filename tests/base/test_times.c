/* Claims about tables of times: those of the library are in order; a table in a file comes
   back as it was, and damaged ones are refused; gpu_tune that is interrupted keeps what it
   has measured.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include "run/times.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
test_order (void)
{
  for (const ge_time_table *t = ge_built_in_times; t->count; t++)
    for (int i = 0; i < t->count; i++)
      {
        CHECK (i == 0 || ge_order_times (&t->row[i - 1], &t->row[i]) < 0,
               "row %d of the table of %d threads is in order", i,
               t->hardware.threads);
        CHECK (t->row[i].seconds > 0 && t->row[i].transfer >= 0,
               "row %d is a time", i);
      }
}

static void
test_file (gpueig_context *ctx)
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
    same &= ge_order_times (&back.row[i], &table.row[i]) == 0
            && fabs (back.row[i].seconds / table.row[i].seconds - 1) < 1e-3;
  CHECK (same, "comes back as it was");
  free ((void *) back.row);
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
      free ((void *) back.row);
    }
  if (f)
    fclose (f);
  remove (file);
  CHECK (ge_read_times (ctx, file, &back) == GPUEIG_OK && back.count == 0,
         "no file");
}

/* gpu_tune that is interrupted keeps what was measured.  */
static int
interrupted (void *data)
{
  return --*(int *) data < 0;
}

static void
test_interrupted (gpueig_context *ctx)
{
  char file[] = "/tmp/gpueig-tune-XXXXXX";
  int polls = 20000; /* of more than one call, and of fewer than all */
  const gpueig_callbacks callbacks
      = { .interrupted = interrupted, .data = &polls };
  ge_time_table table = { .count = 0 };
  const int fd = mkstemp (file);
  setenv ("GPUEIG_TIMES", file, 1);
  gpueig_set_callbacks (ctx, &callbacks);
  CHECK (fd >= 0 && gpueig_tune (ctx, 30) == GPUEIG_INTERRUPTED
             && ge_read_times (ctx, file, &table) == GPUEIG_OK
             && table.count > 0
             && strcmp (gpueig_times_in_use (ctx), file) == 0,
         "%d rows were measured before an interrupt: %s", table.count,
         gpueig_message (ctx));
  free ((void *) table.row);
  gpueig_set_callbacks (ctx, NULL);
  CHECK (gpueig_forget_times (ctx) == GPUEIG_OK && access (file, F_OK) != 0
             && strcmp (gpueig_times_in_use (ctx), "builtin") == 0,
         "and are removed");
  unsetenv ("GPUEIG_TIMES");
}

int
main (void)
{
  gpueig_options options;
  /* Files are the same in every locale, see tests/check_locale.sh.  */
  setlocale (LC_ALL, "");
  check_begin ("times");
  gpueig_context *ctx = check_context (&options);
  test_order ();
  test_file (ctx);
  test_interrupted (ctx);
  gpueig_destroy (ctx);
  return check_end ();
}

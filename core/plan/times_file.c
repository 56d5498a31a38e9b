/* A table of times in a file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "plan/times.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  VERSION = 3,
  MOST_LINES = 1000
};

static const char *const method_names[GE_METHODS] = {
#define NAME(solver, method, name, places, traits, order)                      \
  [GE_METHOD_##method] = #method,
  GE_METHOD_LIST (NAME)
#undef NAME
};

static const char *const type_names[]
    = { "single", "double", "complex single", "complex double" };

/* --- the machine --- */

void
ge_find_cpu (ge_hardware *hardware)
{
  hardware->threads = ge_threads ();
#if defined __x86_64__ && defined __GNUC__
  hardware->vector_bytes = __builtin_cpu_supports ("avx512f") ? 64
                           : __builtin_cpu_supports ("avx2")  ? 32
                                                              : 16;
#else
  hardware->vector_bytes = 16;
#endif
}

/* Append TEXT to NAME: letters and digits, everything else as '_'.  */
static void
append_safe (char *name, size_t size, const char *text)
{
  size_t used = strlen (name);
  for (; *text && used + 1 < size; text++)
    name[used++]
        = isalnum ((unsigned char) *text) || *text == '-' ? *text : '_';
  name[used] = '\0';
}

int
ge_times_file (const char *gpu, int threads, char *file, size_t size)
{
  const char *named = getenv ("GPUEIG_TIMES");
  char cpu[128] = "cpu", count[16], name[256] = "", folder[4096];
  if (named && strcmp (named, "builtin") == 0)
    return 0;
  if (named && *named)
    return snprintf (file, size, "%s", named) < (int) size;
  ge_processor_name (cpu, sizeof cpu);
  snprintf (count, sizeof count, "%d", threads);
  append_safe (name, sizeof name, *gpu ? gpu : "none");
  append_safe (name, sizeof name, "-");
  append_safe (name, sizeof name - 20, cpu);
  append_safe (name, sizeof name, "-");
  append_safe (name, sizeof name, count);
  return ge_settings_folder (folder, sizeof folder)
         && snprintf (file, size, "%s/gpueig/times-%s.csv", folder, name)
                < (int) size;
}

/* A time in microseconds of one matrix, or of a page of a stack: 0 where that takes
   none.  */
#define MOST_TIME 1e12

static double
least_time (int k)
{
  return k < GE_OF_STACKS ? 1e-6 : 0;
}

/* --- reading --- */

static int
find (const char *text, const char *const *names, int count)
{
  for (int i = 0; i < count; i++)
    if (names[i] && strcmp (text, names[i]) == 0)
      return i;
  return -1;
}

/* Parse a line; nonzero if its times are possible.  */
static int
parse (const char *text, ge_time_line *line)
{
  char method_name[40], backend[8], type_name[24];
  int used = 0;
  *line = (ge_time_line){ .method = GE_AUTO };
  if (sscanf (text, "%39[^,],%7[^,],%23[^,],%d,%lf%n", method_name, backend,
              type_name, &line->kind, &line->largest, &used)
          != 5
      || line->kind < 0 || line->kind >= GE_KINDS
      || ! (line->largest >= 0 && line->largest <= 1e6))
    return 0;
  for (int i = 0; i < GE_COEFFICIENTS; i++)
    {
      char *end;
      if (text[used] != ',')
        return 0;
      line->at[i] = strtod (text + used + 1, &end);
      if (! (line->at[i] >= least_time (i) && line->at[i] <= MOST_TIME))
        return 0;
      used = (int) (end - text);
    }
  const int method = find (method_name, method_names, GE_METHODS);
  const int type = find (type_name, type_names, 4);
  const int cuda = strcmp (backend, "cuda") == 0;
  if (method < 0 || type < 0 || (! cuda && strcmp (backend, "cpu") != 0))
    return 0;
  line->method = (ge_method) method;
  line->backend = cuda ? GPUEIG_CUDA : GPUEIG_CPU;
  line->type = (gpueig_type) type;
  return text[used] == '\n';
}

static gpueig_status
damaged (gpueig_context *ctx, const char *file, int line)
{
  return gpueig_fail (ctx, GPUEIG_IO,
                      "the times of this machine, %.300s, are not used: line "
                      "%d is damaged; gpu_tune () measures again",
                      file, line);
}

/* The first line of FILE says "gpueig times VERSION".  */
static gpueig_status
read_version (gpueig_context *ctx, const char *file, const char *line)
{
  int version;
  if (sscanf (line, "gpueig times %d", &version) != 1)
    return damaged (ctx, file, 1);
  return version == VERSION
             ? GPUEIG_OK
             : gpueig_fail (
                 ctx, GPUEIG_IO,
                 "the times of this machine, %.300s, are not used: another "
                 "version of gpueig wrote them; gpu_tune () measures again",
                 file);
}

/* Read the lines of F into LINES, which have room for MOST_LINES, and TABLE.  */
static gpueig_status
read_lines (gpueig_context *ctx, const char *file, FILE *f, ge_time_line *lines,
            ge_time_table *table)
{
  char line[1024];
  int number = 1;
  if (! fgets (line, sizeof line, f))
    return damaged (ctx, file, 1);
  GE_TRY (read_version (ctx, file, line));
  while (fgets (line, sizeof line, f))
    {
      number++;
      if (*line == '#' || *line == '\n')
        continue;
      if (sscanf (line, "threads %d", &table->hardware.threads) == 1)
        continue;
      if (! strchr (line, '\n') || table->count == MOST_LINES
          || ! parse (line, &lines[table->count]))
        return damaged (ctx, file, number);
      table->count++;
    }
  return table->count > 0 && table->hardware.threads > 0
             ? GPUEIG_OK
             : damaged (ctx, file, number);
}

gpueig_status
ge_read_times (gpueig_context *ctx, const char *file, ge_time_table *table)
{
  FILE *f = fopen (file, "r");
  *table = (ge_time_table){ 0 };
  if (! f)
    return GPUEIG_OK;
  ge_time_line *lines = malloc (MOST_LINES * sizeof *lines);
  void *const locale = ge_begin_point_locale ();
  gpueig_status status
      = lines ? read_lines (ctx, file, f, lines, table)
              : gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  ge_end_point_locale (locale);
  fclose (f);
  table->line = lines;
  if (status != GPUEIG_OK)
    {
      free (lines);
      *table = (ge_time_table){ 0 };
    }
  return status;
}

/* --- writing --- */

/* Create the folders of FILE.  */
static void
make_folders (const char *file)
{
  char folder[4096];
  for (const char *slash = strchr (file + 1, '/'); slash;
       slash = strchr (slash + 1, '/'))
    if (snprintf (folder, sizeof folder, "%.*s", (int) (slash - file), file)
        < (int) sizeof folder)
      ge_make_folder (folder);
}

gpueig_status
ge_write_times (gpueig_context *ctx, const char *file, const char *machine,
                const ge_time_table *table)
{
  char part[4096];
  make_folders (file);
  if (snprintf (part, sizeof part, "%s.%lld", file, (long long) ge_process ())
      >= (int) sizeof part)
    return gpueig_fail (ctx, GPUEIG_IO, "the name of the file is too long");
  void *const locale = ge_begin_point_locale ();
  FILE *f = fopen (part, "w");
  int good = f != NULL;
  if (good)
    good = fprintf (f, "gpueig times %d\n# %s\nthreads %d\n", VERSION, machine,
                    table->hardware.threads)
           > 0;
  for (int i = 0; i < table->count && good; i++)
    {
      const ge_time_line *l = &table->line[i];
      good = fprintf (f, "%s,%s,%s,%d,%.6g", method_names[l->method],
                      l->backend == GPUEIG_CUDA ? "cuda" : "cpu",
                      type_names[l->type], l->kind, l->largest)
             > 0;
      for (int k = 0; k < GE_COEFFICIENTS && good; k++)
        good = fprintf (f, k + 1 < GE_COEFFICIENTS ? ",%.4g" : ",%.4g\n",
                        fmin (fmax (l->at[k], least_time (k)), MOST_TIME))
               > 0;
    }
  ge_end_point_locale (locale);
  if (f)
    good &= fclose (f) == 0;
  good = good && ge_replace_file (part, file) == 0;
  if (good)
    return GPUEIG_OK;
  const int error = errno;
  if (f)
    (void) ge_remove_file (part);
  return gpueig_fail (ctx, GPUEIG_IO, "%.300s cannot be written: %s", file,
                      strerror (error));
}

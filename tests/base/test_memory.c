/* Claims about available memory; requests larger than it are refused before allocation, also
   if what was granted before has not been written yet (main):
   memory_and_swap_of_the_machine: available memory is that of the machine and its swap
   limits_of_control_groups_2: limits of the control groups of the process and their ancestors,
     version 2
   limits_of_control_groups_1: and version 1
   limits_are_read_from_files: all of these from files, on Linux
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "run/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#  include <sys/stat.h>

static char root[] = "/tmp/gpueig-memory-XXXXXX";

static void
remove_tree (void)
{
  char command[100];
  snprintf (command, sizeof command, "rm -rf %s", root);
  if (system (command) != 0)
    exit (2);
}

/* A file below the root with its folders.  */
static void
put (const char *name, const char *format, ...)
{
  char path[300];
  va_list args;
  snprintf (path, sizeof path, "%s/%s", root, name);
  for (char *at = path + sizeof root; (at = strchr (at, '/')) != NULL; at++)
    {
      *at = '\0';
      mkdir (path, 0700);
      *at = '/';
    }
  FILE *f = fopen (path, "w");
  if (! f)
    exit (2);
  va_start (args, format);
  vfprintf (f, format, args);
  va_end (args);
  fclose (f);
}

static double
available (void)
{
  char proc[300], groups[300];
  snprintf (proc, sizeof proc, "%s/proc", root);
  snprintf (groups, sizeof groups, "%s/sys", root);
  return (double) ge_memory_in (proc, groups);
}

static void
memory_and_swap_of_the_machine (void)
{
  put ("proc/meminfo",
       "MemTotal:  9000 kB\nMemAvailable:  4000 kB\nSwapFree:  1000 kB\n");
  CHECK (available () == 5000 * 1024.0, "memory and swap, no groups: %g",
         available ());
  put ("proc/self/cgroup", "0::/\n");
  CHECK (available () == 5000 * 1024.0, "a group without files: %g",
         available ());
}

static void
limits_of_control_groups_2 (void)
{
  put ("proc/self/cgroup", "1:name=systemd:/x\n0::/job/step\n");
  put ("sys/memory.stat", "inactive_file 0\n");
  put ("sys/job/memory.max", "3000000\n");
  put ("sys/job/memory.current", "2500000\n");
  put ("sys/job/memory.stat", "anon 2000000\ninactive_file 300000\n"
                              "active_file 100000\nslab_reclaimable 50000\n");
  put ("sys/job/memory.swap.max", "0\n");
  put ("sys/job/memory.swap.current", "0\n");
  put ("sys/job/step/memory.max", "max\n");
  put ("sys/job/step/memory.current", "2000000\n");
  CHECK (available () == 950000, "a limit around, its cache reclaimable: %g",
         available ());
  put ("sys/job/memory.swap.max", "max\n");
  CHECK (available () == 950000 + 1000 * 1024.0, "and the machine's swap: %g",
         available ());
  put ("sys/job/memory.swap.max", "700000\n");
  put ("sys/job/memory.swap.current", "600000\n");
  CHECK (available () == 1050000, "and what is left of its own: %g",
         available ());
  put ("sys/job/step/memory.max", "2100000\n");
  put ("sys/job/step/memory.swap.max", "0\n");
  put ("sys/job/step/memory.swap.current", "0\n");
  CHECK (available () == 100000, "the group's own limit: %g", available ());
  put ("sys/job/step/memory.current", "2200000\n");
  CHECK (available () == 0, "nothing is left: %g", available ());
}

static void
limits_of_control_groups_1 (void)
{
  put ("proc/self/cgroup", "9:cpu:/x\n4:memory:/job\n0::/\n");
  put ("sys/memory/job/memory.limit_in_bytes", "2000000\n");
  put ("sys/memory/job/memory.usage_in_bytes", "1500000\n");
  put ("sys/memory/job/memory.stat",
       "cache 9\ntotal_inactive_file 100000\ntotal_active_file 50000\n");
  put ("sys/memory/job/memory.memsw.limit_in_bytes", "2000000\n");
  put ("sys/memory/job/memory.memsw.usage_in_bytes", "1500000\n");
  CHECK (available () == 650000, "version 1, no swap of its own: %g",
         available ());
  put ("sys/memory/job/memory.memsw.limit_in_bytes", "2200000\n");
  CHECK (available () == 850000, "version 1, with swap: %g", available ());
  put ("sys/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK (available () == 5000 * 1024.0, "version 1, no limit: %g",
         available ());
  put ("sys/memory/memory.limit_in_bytes", "1000000\n");
  put ("sys/memory/memory.usage_in_bytes", "900000\n");
  put ("sys/memory/memory.memsw.limit_in_bytes", "1000000\n");
  put ("sys/memory/memory.memsw.usage_in_bytes", "900000\n");
  CHECK (available () == 100000, "version 1, a limit around: %g", available ());
}

/* On Linux, whose counts are files.  */
static void
limits_are_read_from_files (void)
{
  if (! mkdtemp (root))
    exit (2);
  for (int version = 2; version > 0; version--)
    {
      if (version == 1 && mkdir (root, 0700) != 0)
        exit (2);
      memory_and_swap_of_the_machine ();
      version == 2 ? limits_of_control_groups_2 ()
                   : limits_of_control_groups_1 ();
      remove_tree ();
    }
}
#endif

/* Two blocks of 0.6 of THERE: the second does not fit, whether the first is scratch
   memory or the caller's results.  */
static void
two_blocks (double there, int results)
{
  const int64_t bytes = (int64_t) (0.6 * there);
  const gpueig_options *options = NULL;
  gpueig_info *info = NULL;
  gpueig_status first;
  ge_call call;
  void *x, *result = NULL;
  gpueig_reset (ctx);
  first = gpueig_need_memory (ctx, results ? (double) bytes : 0, "results");
  if (results && first == GPUEIG_OK)
    result = malloc ((size_t) bytes);
  ge_begin (&call, ctx, &options, &info);
  if (! results)
    first = ge_alloc (ctx, GE_HOST, bytes, 1, &x);
  CHECK (first == GPUEIG_OK && (result || ! results), "a first block: %s",
         gpueig_message (ctx));
  CHECK (ge_alloc (ctx, GE_HOST, bytes, 1, &x) == GPUEIG_OUT_OF_MEMORY,
         "a second one, the first being granted but not written");
  ge_end (&call, GPUEIG_OK);
  free (result);
  gpueig_trim (ctx);
  CHECK (ge_alloc (ctx, GE_HOST, bytes, 1, &x) == GPUEIG_OK,
         "the next call: %s", gpueig_message (ctx));
  ge_release (ctx, 0);
  gpueig_trim (ctx);
}

int
main (void)
{
  char *x;
  begin_test ("memory");
#ifdef __linux__
  limits_are_read_from_files ();
#endif
  const double there = (double) ge_memory_available ();
  CHECK (there > 0, "here are %g GiB", there / 1073741824.0);
  CHECK (gpueig_need_memory (ctx, 2 * there + 1e9, "a test")
             == GPUEIG_OUT_OF_MEMORY,
         "twice that is refused: %s", gpueig_message (ctx));
  CHECK (GE_ALLOC (ctx, GE_HOST, (int64_t) (2 * there + 1e9), &x)
                 == GPUEIG_OUT_OF_MEMORY
             && strstr (gpueig_message (ctx), "available"),
         "also as scratch memory: %s", gpueig_message (ctx));
  const int is_wine = ge_find_symbol ("wine_get_version") != NULL;
  if (is_wine)
    check_skip ("Wine counts what is written, not what is granted");
  for (int results = 0; results < 2 && ! is_wine; results++)
    two_blocks (there, results);
  return end_test ();
}

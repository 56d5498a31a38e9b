/* Claims about calls on several GPUs, with simulated ones: the shares, that errors,
   interrupts and lost GPUs stop all of them, or with "auto" cost one share, and that
   nothing leaks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "devices_plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <libgen.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  N = 4,
  MOST = 40000
};

static double a[MOST * N * N], lambda[MOST * N], v[MOST * N * N];

typedef struct
{
  pthread_t thread;
  int polls, stop_at, lines, foreign;
  char last[256];
} listener;

static int
interrupted (void *data)
{
  listener *l = data;
  l->foreign += ! pthread_equal (l->thread, pthread_self ());
  return ++l->polls == l->stop_at;
}

static void
report (void *data, const char *line)
{
  listener *l = data;
  l->foreign += ! pthread_equal (l->thread, pthread_self ());
  l->lines++;
  if (strncmp (line, "GPU ", 4) == 0)
    snprintf (l->last, sizeof l->last, "%.250s", line);
}

static gpueig_context *
open_fake (listener *l, const char *plugin)
{
  gpueig_context *ctx;
  const gpueig_callbacks callbacks = { interrupted, report, l };

  l->thread = pthread_self ();
  if (gpueig_create (&ctx) != GPUEIG_OK)
    exit (1);
  gpueig_set_plugin (ctx, plugin);
  gpueig_set_callbacks (ctx, &callbacks);
  return ctx;
}

/* PAGES diagonal pages with first numbers 1, 2, ...  */
static void
fill (int64_t pages)
{
  memset (a, 0, sizeof a);
  memset (v, 0, sizeof v);
  for (int64_t p = 0; p < pages; p++)
    for (int64_t i = 0; i < N; i++)
      a[p * N * N + i * (N + 1)] = (double) (p + 1);
}

static gpueig_status
solve (gpueig_context *ctx, int64_t pages, const char *devices, int display,
       gpueig_info *info)
{
  gpueig_options options = gpueig_default_options ();
  const gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, N, pages, a, lambda, v);
  const gpueig_status status = gpueig_set_devices (ctx, devices, &options);
  if (status != GPUEIG_OK)
    return status;
  options.backend = GPUEIG_CUDA;
  options.display = display;
  return gpueig_onesided_eig (ctx, &problem, &options, info);
}

/* --- shares --- */

/* Every page is solved once, in its place, by the share that has it; shares are
   contiguous, in the order of the list, and differ by one page at most.  */
static void
check_shares (gpueig_context *ctx, int64_t pages, const char *devices, int n)
{
  gpueig_info info;
  int good = 1, seen = 0;
  double device = -1;
  fill (pages);
  const gpueig_status status = solve (ctx, pages, devices, 0, &info);
  CHECK (status == GPUEIG_OK, "%lld pages on devices %s: %s", (long long) pages,
         devices, gpueig_message (ctx));
  CHECK (info.n_devices == n, "%lld pages on devices %s use %d, wanted %d",
         (long long) pages, devices, info.n_devices, n);
  if (status != GPUEIG_OK || info.n_devices != n)
    return;
  for (int64_t p = 0; p < pages; p++)
    {
      const double *tell = v + p * N * N;
      if (tell[0] != device)
        device = seen < n ? info.devices[seen++] : -1;
      good &= tell[0] == device && lambda[p * N] == (double) (p + 1)
              && tell[1] == (double) p && tell[2] == (double) pages
              && (int64_t) tell[3] >= pages / n
              && (int64_t) tell[3] <= pages / n + 1;
    }
  CHECK (good && seen == n, "shares of %lld pages on devices %s",
         (long long) pages, devices);
  CHECK (info.device == info.devices[0] && info.sweeps == pages
             && info.extra[0].value == (double) pages
             && strcmp (info.method, "pretend") == 0,
         "info of %lld pages on devices %s", (long long) pages, devices);
}

static void
test_shares (gpueig_context *ctx)
{
  const int64_t pages[] = { 9375, 10001, 20000, 39999 };
  for (int i = 0; i < 4; i++)
    {
      check_shares (ctx, pages[i], "0", 1);
      check_shares (ctx, pages[i], "0,1", 2);
      check_shares (ctx, pages[i], "2,0", 2);
      check_shares (ctx, pages[i], "1,2,0", 3);
      check_shares (ctx, pages[i], "all", 3);
    }
  /* Stacks that are too small run on the first devices only.  */
  check_shares (ctx, 1, "all", 1);
  check_shares (ctx, 6249, "2,1", 1);
  check_shares (ctx, 6250, "2,1,0", 2);
}

static void
check_refused (gpueig_context *ctx, const char *devices, gpueig_status wanted,
               const char *text)
{
  gpueig_info info;
  fill (8000);
  const gpueig_status status = solve (ctx, 8000, devices, 0, &info);
  CHECK (status == wanted && strstr (gpueig_message (ctx), text) != NULL,
         "devices \"%s\" are refused: %s", devices, gpueig_message (ctx));
}

static void
test_lists (gpueig_context *ctx)
{
  check_refused (ctx, "0,3", GPUEIG_NO_DEVICE, "no GPU 3");
  check_refused (ctx, "0,3", GPUEIG_NO_DEVICE, "has 3");
  check_refused (ctx, "1,0,1", GPUEIG_BAD_OPTION, "device 1 is twice");
  const char *const wrong[]
      = { "",    "0,",   ",0",    "0,,1", "-1",         "x",
          "0 1", "0,1x", "0,all", "1.5",  "99999999999" };
  for (int i = 0; i < 11; i++)
    check_refused (ctx, wrong[i], GPUEIG_BAD_OPTION, "must be \"all\"");
  gpueig_options options = gpueig_default_options ();
  const gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, N, 1, a, lambda, NULL);
  options.n_devices = 2;
  options.devices[1] = -1;
  CHECK (gpueig_onesided_eig (ctx, &problem, &options, NULL)
             == GPUEIG_BAD_OPTION,
         "a negative device is refused");
  options.n_devices = GPUEIG_MAX_DEVICES + 1;
  CHECK (gpueig_onesided_eig (ctx, &problem, &options, NULL)
             == GPUEIG_BAD_OPTION,
         "too many devices are refused");
}

/* --- errors --- */

/* Page AT of 15000 on three devices requests WHAT; the first pages of the other shares
   run until they are stopped.  */
static gpueig_status
solve_wrong (gpueig_context *ctx, int64_t at, int what, int endless,
             gpueig_info *info)
{
  fill (15000);
  for (int64_t p = 0; endless && p < 15000; p += 5000)
    a[p * N * N] = FAKE_ENDLESS;
  a[at * N * N] = what;
  return solve (ctx, 15000, "0,1,2", 0, info);
}

static void
test_errors (gpueig_context *ctx, listener *l)
{
  gpueig_info info;
  gpueig_status status = solve_wrong (ctx, 5000, FAKE_ERROR, 1, &info);
  CHECK (status == GPUEIG_DEVICE_ERROR
             && strcmp (gpueig_message (ctx), "page 5000 fails (GPU 1)") == 0,
         "the first error wins and stops the others: %s", gpueig_message (ctx));
  status = solve_wrong (ctx, 10000, FAKE_NO_MEMORY, 1, &info);
  CHECK (status == GPUEIG_OUT_OF_MEMORY
             && strstr (gpueig_message (ctx), "(GPU 2)") != NULL,
         "memory: %s", gpueig_message (ctx));
  status = solve_wrong (ctx, 7000, FAKE_LIMIT, 0, &info);
  CHECK (status == GPUEIG_NO_CONVERGENCE && ! info.converged
             && lambda[14999 * N] == 15000
             && strstr (gpueig_message (ctx), "page 7000") != NULL,
         "no convergence in one share: all are finished");
  l->polls = 0;
  l->stop_at = 2;
  status = solve_wrong (ctx, 0, FAKE_ENDLESS, 1, &info);
  CHECK (status == GPUEIG_INTERRUPTED, "an interrupt stops all shares");
  l->stop_at = 0;
  CHECK (l->foreign == 0, "callbacks come from the calling thread");
  check_shares (ctx, 15000, "0,1,2", 3);
}

static void
test_lines (gpueig_context *ctx, listener *l)
{
  gpueig_info info;
  fill (15000);
  for (int64_t p = 1; p < 15000; p += 100)
    a[p * N * N] = FAKE_REPORT;
  l->lines = 0;
  const gpueig_status status = solve (ctx, 15000, "all", 1, &info);
  CHECK (status == GPUEIG_OK && l->lines == 153 && l->foreign == 0,
         "%d lines of progress, wanted 153", l->lines);
  CHECK (strstr (l->last, ": page ") != NULL, "a line names its GPU: %s",
         l->last);
}

/* The K-th allocation fails, in any share: all memory is freed.  */
static void
test_allocations (gpueig_context *ctx)
{
  gpueig_info info;
  fill (15000);
  gpueig_trim (ctx);
  gpueig_fail_allocation (ctx, 0);
  gpueig_status status = solve (ctx, 15000, "all", 0, &info);
  const int64_t count = gpueig_fail_allocation (ctx, 0);
  CHECK (status == GPUEIG_OK && count >= 6, "%lld allocations",
         (long long) count);
  for (int64_t k = 1; k <= count; k++)
    {
      gpueig_fail_allocation (ctx, k);
      status = solve (ctx, 15000, "all", 0, &info);
      CHECK (status == GPUEIG_OUT_OF_MEMORY, "allocation %lld fails: %s",
             (long long) k, gpueig_message (ctx));
    }
  gpueig_fail_allocation (ctx, 0);
  gpueig_trim (ctx);
  CHECK (gpueig_memory (ctx) == 0, "%lld bytes are left",
         (long long) gpueig_memory (ctx));
}

/* Alternate calls on one device and on several: the GPUs' memory is freed every time;
   pinned memory, whose allocation is slow, is kept until gpueig_trim.  */
static void
test_turns (gpueig_context *ctx, const char *plugin)
{
  void *const library = dlopen (plugin, RTLD_NOW | RTLD_NOLOAD);
  const int *const pinned = library ? dlsym (library, "fake_pinned") : NULL;
  CHECK (pinned != NULL, "the plugin counts blocks: %s",
         pinned ? "" : dlerror ());
  if (! pinned)
    return;
  gpueig_trim (ctx);
  CHECK (*pinned == 0, "%d pinned blocks after a trim", *pinned);
  for (int round = 0; round < 2; round++)
    {
      check_shares (ctx, 15000, "all", 3);
      CHECK (*pinned == 3 + round, "%d pinned blocks on three devices",
             *pinned);
      check_shares (ctx, 15000, "0", 1);
      CHECK (*pinned == 4, "%d pinned blocks, one device more", *pinned);
    }
  gpueig_trim (ctx);
  CHECK (*pinned == 0, "%d pinned blocks after all", *pinned);
  dlclose (library);
}

/* The number of threads of this process.  */
static int
count_threads (void)
{
  int count = 0;
  DIR *folder = opendir ("/proc/self/task");
  while (folder && readdir (folder))
    count++;
  if (folder)
    closedir (folder);
  return count;
}

/* A context's end ends all threads, also those of the GPUs' contexts.  */
static void
test_threads (const char *plugin)
{
  listener l = { .polls = 0 };
  const int usual = omp_get_max_threads ();
  omp_set_num_threads (6);
  const int before = count_threads ();
  for (int cycle = 0; cycle < 20; cycle++)
    {
      gpueig_context *ctx = open_fake (&l, plugin);
      check_shares (ctx, 15000, "all", 3);
      CHECK (count_threads () > before, "the GPUs' contexts have threads");
      gpueig_destroy (ctx);
    }
  CHECK (count_threads () == before, "%d threads after 20 contexts, %d before",
         count_threads (), before);
  omp_set_num_threads (usual);
}

static void
test_lost (const char *plugin)
{
  listener l = { .polls = 0 };
  gpueig_info info;
  gpueig_context *ctx = open_fake (&l, plugin);
  check_shares (ctx, 15000, "all", 3);
  gpueig_status status = solve_wrong (ctx, 5000, FAKE_LOST, 1, &info);
  CHECK (status == GPUEIG_DEVICE_ERROR
             && strstr (gpueig_message (ctx), "fake_kernel on GPU 1") != NULL,
         "a lost GPU is told with its number: %s", gpueig_message (ctx));
  status = solve (ctx, 15000, "all", 0, &info);
  CHECK (status == GPUEIG_NO_DEVICE
             && strstr (gpueig_message (ctx), "GPU 1") != NULL,
         "then there is none: %s", gpueig_message (ctx));
  gpueig_trim (ctx);
  gpueig_destroy (ctx);
}

/* With "auto" a page of the second of three shares requests WHAT of its GPU: the CPU solves
   that share and nothing else.  */
static void
check_one_share (const char *plugin, int what)
{
  enum
  {
    ORDER = 24,
    PAGES = 1200,
    SQUARE = ORDER * ORDER
  };
  listener l = { .polls = 0 };
  gpueig_info info;
  gpueig_context *ctx = open_fake (&l, plugin);
  FREED double *x = check_array (GPUEIG_DOUBLE, SQUARE * PAGES),
               *y = check_array (GPUEIG_DOUBLE, SQUARE * PAGES),
               *values = check_array (GPUEIG_DOUBLE, ORDER * PAGES);
  gpueig_options options = gpueig_default_options ();
  options.n_devices = GPUEIG_ALL_DEVICES;
  for (int64_t p = 0; p < PAGES; p++)
    for (int64_t i = 0; i < ORDER; i++)
      x[p * SQUARE + i * (ORDER + 1)] = (double) (i + 1);
  x[600 * SQUARE] = what;
  const gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, ORDER, PAGES, x, values, y);
  const gpueig_status status
      = gpueig_onesided_eig (ctx, &problem, &options, &info);
  int by_gpu = 0, by_cpu = 0;
  for (int64_t p = 0; p < PAGES; p++)
    {
      /* The simulated GPU tells the pages of the stack, the CPU has a unit vector.  */
      by_gpu += (p < 400 || p >= 800) && y[p * SQUARE] == (double) (p / 400)
                && y[p * SQUARE + 2] == PAGES;
      by_cpu += p >= 400 && p < 800 && y[p * SQUARE + 2] == 0
                && values[p * ORDER + ORDER - 1] == ORDER;
    }
  CHECK (status == GPUEIG_OK && by_gpu == 800 && by_cpu == 400
             && strcmp (info.fallback, "cpu") == 0
             && info.device_lost == (what == FAKE_LOST),
         "error %d of one GPU of three: %d pages by the others, %d by the CPU: "
         "%s",
         what, by_gpu, by_cpu, gpueig_message (ctx));
  gpueig_destroy (ctx);
}

int
main (int argc, char **argv)
{
  listener l = { .polls = 0 };
  char folder[4096], plugin[4200];
  (void) argc;
  snprintf (folder, sizeof folder, "%s", argv[0]);
  snprintf (plugin, sizeof plugin, "%s/devices_plugin.so", dirname (folder));
  check_begin ("devices");
  gpueig_context *ctx = open_fake (&l, plugin);
  test_shares (ctx);
  test_lists (ctx);
  test_errors (ctx, &l);
  test_lines (ctx, &l);
  test_allocations (ctx);
  test_turns (ctx, plugin);
  test_threads (plugin);
  gpueig_destroy (ctx);
  check_one_share (plugin, FAKE_NO_MEMORY);
  check_one_share (plugin, FAKE_ERROR);
  test_lost (plugin);
  check_one_share (plugin, FAKE_LOST);
  return check_end ();
}

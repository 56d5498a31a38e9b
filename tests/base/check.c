/* Counters, contexts and random numbers for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *suite;
static int passed_count, failed_count, skipped_count;
static double nearest; /* to a limit of what is usual, as a part of it */
static char nearest_claim[256];

static int
verbose (void)
{
  return getenv ("GPUEIG_TEST_VERBOSE") != NULL;
}

const char *const check_type_name[]
    = { "single", "double", "complex single", "complex double" };

void *
check_memory (int64_t count, size_t size)
{
  void *x = calloc ((size_t) count + 1, size);
  if (! x)
    exit (2);
  return x;
}

void *
check_array (gpueig_type type, int64_t count)
{
  return check_memory (count, gpueig_scalar_size (type));
}

void
check_free (void *pointer)
{
  void *x;
  memcpy (&x, pointer, sizeof x);
  free (x);
}

void
check_begin (const char *name)
{
  suite = name;
}

void
check_result (int passed, const char *format, ...)
{
  va_list args;
  passed_count += passed;
  failed_count += ! passed;
  if (passed && ! verbose ())
    return;
  printf ("%s: %s: ", passed ? "pass" : "FAIL", suite);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\n");
  fflush (stdout);
}

void
check_ratio (double ratio, double limit, const char *format, ...)
{
  char claim[256];
  va_list args;
  va_start (args, format);
  vsnprintf (claim, sizeof claim, format, args);
  va_end (args);
  /* In this form NaN fails.  */
  check_result (ratio >= 0 && ratio < limit, "%s: ratio %.3g < %g", claim,
                ratio, limit);
}

void
check_usual (double ratio, int64_t n, double usual, const char *format, ...)
{
  char claim[256];
  va_list args;
  va_start (args, format);
  vsnprintf (claim, sizeof claim, format, args);
  va_end (args);
  const double error = ratio * sqrt ((double) n);
  if (error / usual > nearest)
    {
      nearest = error / usual;
      memcpy (nearest_claim, claim, sizeof claim);
    }
  check_result (error >= 0 && error < usual, "%s: usual %.3g < %g", claim,
                error, usual);
}

void
check_skip (const char *format, ...)
{
  va_list args;
  skipped_count++;
  printf ("skip: %s: ", suite);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\n");
}

int
check_end (void)
{
  if (nearest > 0)
    printf ("count: %.0f %% of what is usual at the most: %s\n", 100 * nearest,
            nearest_claim);
  printf ("%s: %d passed, %d failed, %d skipped\n", suite, passed_count,
          failed_count, skipped_count);
  return failed_count != 0 || passed_count + skipped_count == 0;
}

static int64_t polls, interrupted_poll;

static int
is_interrupted (void *data)
{
  (void) data;
  return ++polls == interrupted_poll;
}

int64_t
check_interrupt_at (gpueig_context *ctx, int64_t at)
{
  const gpueig_callbacks callbacks
      = { .interrupted = at > 0 ? is_interrupted : NULL };
  const int64_t before = polls;
  polls = 0;
  interrupted_poll = at;
  gpueig_set_callbacks (ctx, &callbacks);
  return before;
}

int
check_turn (int parts)
{
  static measure_random r = { 41 };
  const char *backend = getenv ("GPUEIG_TEST_BACKEND");
  return ! backend || strcmp (backend, "cuda") != 0
         || getenv ("GPUEIG_TEST_LONG") || measure_integer (&r, 1, parts) == 1;
}

#ifdef __linux__
int
check_simulate_gpu (const char *program)
{
  const char *backend = getenv ("GPUEIG_TEST_BACKEND"),
             *end = strrchr (program, '/');
  char plugin[4096];
  if (backend && strcmp (backend, "cuda") == 0)
    return 0;
  snprintf (plugin, sizeof plugin, "%.*splace_plugin.so",
            end ? (int) (end + 1 - program) : 0, program);
  setenv ("GPUEIG_TEST_BACKEND", "cuda", 1);
  setenv ("GPUEIG_TEST_PLUGIN", plugin, 1);
  setenv ("GPUEIG_FAKE", "", 1);
  return 1;
}
#else
int
check_simulate_gpu (const char *program)
{
  (void) program;
  return 0;
}
#endif

gpueig_context *
check_context (gpueig_options *options)
{
  gpueig_context *ctx;
  const char *backend = getenv ("GPUEIG_TEST_BACKEND");
  if (gpueig_create (&ctx) != GPUEIG_OK)
    exit (2);
  gpueig_set_plugin (ctx, getenv ("GPUEIG_TEST_PLUGIN"));
  *options = gpueig_default_options ();
  options->backend = GPUEIG_CPU;
  if (backend && strcmp (backend, "cuda") == 0)
    {
      gpueig_machine machine;
      gpueig_query (ctx, &machine);
      if (! machine.cuda)
        {
          printf ("FAIL: %s: backend cuda: %s\n", suite, machine.reason);
          exit (2);
        }
      options->backend = GPUEIG_CUDA;
    }
  const char *devices = getenv ("GPUEIG_DEVICE");
  if (devices && *devices
      && gpueig_set_devices (ctx, devices, options) != GPUEIG_OK)
    {
      printf ("FAIL: %s: GPUEIG_DEVICE: %s\n", suite, gpueig_message (ctx));
      exit (2);
    }
  const char *limits = getenv ("GPUEIG_TEST_LIMITS");
  if (limits)
    {
      char *end = NULL;
      const long multiprocessors = strtol (limits, &end, 10);
      const long shared = *end ? strtol (end + 1, &end, 10) : 0;
      gpueig_limit_device (ctx, (int) multiprocessors, shared,
                           *end && strtol (end + 1, NULL, 10));
    }
  return ctx;
}

gpueig_context *
check_gpus (gpueig_options *one, gpueig_options *all, gpueig_machine *machine)
{
  gpueig_context *ctx = check_context (all);
  gpueig_query (ctx, machine);
  if (all->backend == GPUEIG_CUDA && machine->n_devices == 1)
    {
      /* Not setenv, which Windows lacks.  */
      static char copies[] = "GPUEIG_DEVICE_COPIES=2";
      putenv (copies);
      gpueig_query (ctx, machine);
    }
  *one = *all;
  one->n_devices = 0;
  if (all->n_devices == 0)
    all->n_devices = GPUEIG_ALL_DEVICES;
  if (all->backend == GPUEIG_CUDA && machine->n_devices > 1)
    return ctx;
  check_skip ("there are not several GPUs");
  gpueig_destroy (ctx);
  return NULL;
}

/* --- random numbers: splitmix64; GPUEIG_TEST_SEED names other ones --- */

static uint64_t
other_numbers (void)
{
  const char *seed = getenv ("GPUEIG_TEST_SEED");
  return seed ? strtoull (seed, NULL, 10) * 0xd1342543de82ef95u : 0;
}

double
measure_uniform (measure_random *r)
{
  static uint64_t other, known;
  if (! known)
    {
      other = other_numbers ();
      known = 1;
    }
  uint64_t z = (r->state += 0x9e3779b97f4a7c15u) + other;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return ((double) (z >> 11) + 0.5) * 0x1p-52 - 1;
}

double
measure_chance (measure_random *r)
{
  return (measure_uniform (r) + 1) / 2;
}

double
measure_normal (measure_random *r)
{
  double u = measure_chance (r), v = measure_uniform (r);
  return sqrt (-2 * log (u)) * cos (3.14159265358979323846 * v);
}

double _Complex measure_number (measure_random *r, gpueig_type type)
{
  const double re = measure_normal (r);
  return gpueig_is_complex (type) ? re + I * measure_normal (r) : re;
}

int64_t
measure_integer (measure_random *r, int64_t least, int64_t most)
{
  const int64_t i
      = least + (int64_t) (measure_chance (r) * (double) (most - least + 1));
  return i > most ? most : i;
}

void
measure_shuffle (measure_random *r, int64_t n, int64_t *to)
{
  for (int64_t i = 0; i < n; i++)
    {
      const int64_t j = measure_integer (r, 0, i);
      to[i] = to[j];
      to[j] = i;
    }
}

void
measure_reflect (measure_random *r, int is_complex, int64_t n,
                 double _Complex *x, int both)
{
  FREED double _Complex *u = check_memory (n, sizeof *u);
  double norm = 0;
  for (int64_t i = 0; i < n; i++)
    {
      u[i] = measure_number (r, is_complex ? GPUEIG_COMPLEX_DOUBLE
                                           : GPUEIG_DOUBLE);
      norm += creal (u[i] * conj (u[i]));
    }
  for (int64_t j = 0; j < n; j++)
    {
      double _Complex dot = 0;
      for (int64_t i = 0; i < n; i++)
        dot += conj (u[i]) * x[i + n * j];
      for (int64_t i = 0; i < n; i++)
        x[i + n * j] -= 2 * dot / norm * u[i];
    }
  for (int64_t i = 0; both && i < n; i++)
    {
      double _Complex dot = 0;
      for (int64_t j = 0; j < n; j++)
        dot += x[i + n * j] * u[j];
      for (int64_t j = 0; j < n; j++)
        x[i + n * j] -= 2 * dot / norm * conj (u[j]);
    }
}

void
measure_random_symmetric (measure_random *r, gpueig_type type, int64_t n,
                          void *a)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        double im = gpueig_is_complex (type) && i < j ? measure_normal (r) : 0;
        double _Complex x = measure_normal (r) + im * I;
        measure_set (type, a, i + n * j, x);
        measure_set (type, a, j + n * i, conj (x));
      }
}

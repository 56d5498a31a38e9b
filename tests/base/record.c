/* A record of calls, for changes that are to change no result: status, message, warning, info
   and a hash of the results of every solver, on all ways to it, and of what follows where a
   method, a copy, an allocation or a GPU fails.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   record [WORD] | sort -u   calls with this WORD in their names

   Two runs on one machine print the same.  Without GPUEIG_TEST_BACKEND the CPU and the GPUs of
   place_plugin, with "cuda" real ones.  Fallbacks that no call had are told; then the status
   is 1.  */

#include "record_calls.h"

#include "plan/times.h"
#include "spoiled_lapack.h"

#include <complex.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  MOST_PAGES = 200
};

static gpueig_context *ctx;
static int simulated, has_workers;

/* Results for each page, in host memory.  */
static struct
{
  int64_t found[MOST_PAGES];
  int indefinite[MOST_PAGES], roots[MOST_PAGES], is_complex;
  unsigned char state[MOST_PAGES];
  double rcond[MOST_PAGES], residual[MOST_PAGES];
} of_pages;

/* --- solvers behind those of solvers.h --- */

#define FUNCTION(name, of, exponent)                                           \
  SOLVER_CALL (name, gpueig_funm, gpueig_funm_problem, .pages = p->pages,      \
               .n = p->n, .kind = of, .power = exponent, .a = p->a, .x = p->v, \
               .x_im = gpueig_is_complex (p->type) ? NULL : p->w,              \
               .is_complex = &of_pages.is_complex, .state = of_pages.state,    \
               .rcond = of_pages.rcond, .roots = of_pages.roots,               \
               .residual = of_pages.residual)
FUNCTION (run_sqrtm, GPUEIG_SQRTM, 0)
FUNCTION (run_logm, GPUEIG_LOGM, 0)
FUNCTION (run_expm, GPUEIG_EXPM, 0)
FUNCTION (run_inverse_cube, GPUEIG_MPOWER, -3)
FUNCTION (run_cube, GPUEIG_MPOWER, 3)
FUNCTION (run_power, GPUEIG_MPOWER, 0.3)
SOLVER_CALL (run_polar, gpueig_polar, gpueig_polar_problem, .pages = p->pages,
             .m = p->n, .n = p->n, .a = p->a, .u = p->v, .h = p->w)
SOLVER_CALL (run_pinv, gpueig_pinv, gpueig_pinv_problem, .pages = p->pages,
             .m = p->n, .n = p->n, .a = p->a, .x = p->v)
SOLVER_CALL (run_tall, gpueig_svd, gpueig_svd_problem, .pages = p->pages,
             .m = p->n * 2, .n = p->n / 2, .a = p->a, .s = p->lambda, .u = p->w,
             .v = p->v)
SOLVER_CALL (reorder, gpueig_ordschur, gpueig_ordschur_problem,
             .pages = p->pages, .n = p->n, .s = p->w, .u = p->v,
             .order = GPUEIG_SCHUR_LHP, .s_sorted = p->w, .u_sorted = p->v)

static gpueig_status
run_ordschur (gpueig_context *c, const any_problem *p,
              const gpueig_options *options, gpueig_info *info)
{
  any_problem q = *p;
  q.order = GPUEIG_SCHUR_UDO;
  const gpueig_status status
      = solvers[SOLVE_SCHUR].solve (c, &q, options, info);
  return status == GPUEIG_OK ? reorder (c, p, options, info) : status;
}

/* Those with GE_SOLVERS have no methods.  */
static const any_solver more[ALL_SOLVERS - SOLVERS]
    = { { "sqrtm", GE_SOLVERS, SCHUR_FORM, run_sqrtm },
        { "logm", GE_SOLVERS, SCHUR_FORM, run_logm },
        { "expm", GE_SOLVERS, SCHUR_FORM, run_expm },
        { "power -3", GE_SOLVERS, SCHUR_FORM, run_inverse_cube },
        { "power 3", GE_SOLVERS, SCHUR_FORM, run_cube },
        { "power 0.3", GE_SOLVERS, SCHUR_FORM, run_power },
        { "ordschur", GE_SOLVERS, SCHUR_FORM, run_ordschur },
        { "polar", GE_SVD, SCHUR_FORM, run_polar },
        { "pinv", GE_SVD, SCHUR_FORM, run_pinv },
        { "tall svd", GE_SVD, SINGULAR_VALUES, run_tall } };

static const any_solver *
solver_of (int i)
{
  return i < SOLVERS ? &solvers[i] : &more[i - SOLVERS];
}

/* --- problems --- */

static void
fill_pair (any_problem *p, unsigned traits, measure_random *r)
{
  const int64_t n = p->n;
  const double least = gpueig_is_double (p->type) ? 1e-13 : 1e-5;
  p->b = check_array (p->type, n * n * p->pages);
  for (int64_t k = 0; k < p->pages; k++)
    {
      char *b = page_of (p->type, p->b, n * n, k);
      const unsigned what = k == p->pages / 2 ? traits : 0;
      measure_random_symmetric (r, p->type, n, b);
      for (int64_t i = 0; i < n * n; i++)
        if (what & ILL)
          measure_set (p->type, b, i,
                       exp (-pow ((double) (i % n - i / n) / 12, 2))
                           + least * (i % (n + 1) == 0));
        else if (i % (n + 1) == 0)
          measure_set (p->type, b, i,
                       i && what & NEGATIVE ? -1 : 4. * (double) n);
    }
}

/* The page in the middle.  */
static void
fill_middle (any_problem *p, const row *r, measure_random *random)
{
  const int64_t n = p->n, middle = p->pages / 2;
  char *const x = p->a ? a_page (p, middle) : p->d;
  if (r->kind != RANDOM && p->a)
    mixed_page (random, r->kind, p->type, n,
                p->solver->kind == SYMMETRIC_MATRIX
                    || (r->traits & MARKS && middle % 2),
                x);
  for (int k = 3; k < 5 && r->kind != RANDOM && ! p->a; k++)
    for (int64_t i = 0; i < (k - 2) * n; i++)
      {
        void *const part = *problem_part (p, k);
        measure_set (p->type, part, i,
                     measure_get (p->type, part, i)
                         * (r->kind == PAGE_HUGE   ? 0x1p120
                            : r->kind == PAGE_TINY ? 0x1p-120
                                                   : 0));
      }
  for (int64_t i = 0; i < n * n && r->traits & STEEP; i++)
    measure_set (p->type, x, i,
                 i % (n + 1) == 0
                     ? pow (10, 31 - 62 * (double) (i / n) / (double) (n - 1))
                 : i % n + i / n == n - 1 ? 1e5
                                          : 0);
  if (r->traits & WEAK)
    measure_set (p->type, x, n / 2, 0.01);
  if (r->traits & (UNEQUAL | NOT_FINITE))
    measure_set (p->type, x, 1, r->traits & UNEQUAL ? 7 : (double) NAN);
}

static any_problem
make_row (const row *r, gpueig_type type)
{
  static const int64_t columns[] = { 4, 0, 2 };
  static unsigned char marks[MOST_PAGES];
  const int64_t n = r->n;
  measure_random random = { 8 };
  memset (marks, 0, sizeof marks);
  any_problem p = make_problem (solver_of (r->solver), type, n, r->pages,
                                r->traits & VALUES ? 1 : 3);
  fill_problem (&p, 8);
  for (int64_t i = 0; i < n * p.pages && p.a && r->traits & HIGH; i++)
    if (i / n != p.pages / 2 || p.pages == 1)
      measure_set (type, p.a, i / n * n * n + i % n * (n + 1), 4. * (double) n);
  for (int64_t k = p.pages > 1; k < p.pages && r->traits & MARKS; k += 2)
    {
      mixed_page (&random, PAGE_SYMMETRIC, type, n, 1, a_page (&p, k));
      marks[k] = 1;
    }
  fill_middle (&p, r, &random);
  if (r->traits & PAIR)
    fill_pair (&p, r->traits, &random);
  if (r->traits & DIAGONALS)
    take_diagonals (&p);
  if (r->traits & GUESS)
    p.guess = check_array (type, n * n * p.pages);
  for (int64_t i = 0; i < n * p.pages && r->traits & GUESS; i++)
    measure_set (type, p.guess, i / n * n * n + i % n * (n + 1), 1);
  p.first = r->traits & INDEX ? 2 : 0;
  p.last = r->traits & INDEX ? n / 2 : 0;
  p.vu = r->traits & INTERVAL ? 1 : 0;
  p.vl = -p.vu;
  p.found = r->traits & (INDEX | INTERVAL) ? of_pages.found : NULL;
  p.indefinite = r->traits & FLAGS ? of_pages.indefinite : NULL;
  p.marks = r->traits & MARKS ? marks : NULL;
  p.band = r->traits & BAND ? 2 : -1;
  p.columns = r->traits & COLUMNS ? columns : NULL;
  p.n_columns = r->traits & COLUMNS ? 3 : 0;
  return p;
}

/* --- calls --- */

typedef struct
{
  const row *r;
  const way *w;
  any_problem p, there; /* in host memory, and for the call */
  gpueig_array array[PARTS];
  gpueig_status status;
  gpueig_info info;
  char name[200], message[600];
  uint64_t hash;
} call;

/* What fails.  */
typedef enum
{
  NOTHING,
  ALLOCATION,
  DEVICE_CALL,
  INTERRUPT
} failure;

/* Number AT of the next WHAT fails, none if it is 0; returns how many there were.  */
static int64_t
let_fail (failure what, int64_t at)
{
  const int64_t polls = check_interrupt_at (ctx, what == INTERRUPT ? at : 0);
  return what == ALLOCATION    ? gpueig_fail_allocation (ctx, at)
         : what == DEVICE_CALL ? gpueig_fail_device_call (ctx, at)
                               : polls;
}

static void
hash_bytes (uint64_t *hash, const void *x, size_t bytes)
{
  for (size_t i = 0; x && i < bytes; i++)
    *hash = (*hash ^ ((const unsigned char *) x)[i]) * 0x100000001b3u;
}

/* Kernels, GPUs whose shares fail and numbers of bytes are those of a version, of a race and of
   a machine.  */
static void
cut_message (char *message, gpueig_status status)
{
  char *const ends[]
      = { strstr (message, " (simulated"), strstr (message, " (GPU ") };
  if (status == GPUEIG_OUT_OF_MEMORY)
    message[strcspn (message, "0123456789")] = '\0';
  for (int i = 0; i < 2; i++)
    if (ends[i])
      *ends[i] = '\0';
}

/* Solve, with number AT of WHAT failing; returns how many there were.  */
static int64_t
run_call (call *c, failure what, int64_t at)
{
  const row *r = c->r;
  gpueig_options o = gpueig_default_options ();
  o.backend = c->w->backend;
  o.n_devices = c->w->all ? GPUEIG_ALL_DEVICES : 0;
  o.method = r->method;
  o.high_accuracy = (r->traits & HIGH) != 0;
  o.max_sweeps = (r->traits & SWEEP) != 0;
  o.workers = 2;
  memset (&of_pages, 0, sizeof of_pages);
  of_pages.is_complex = -1;
  for (int k = FIRST_OUTPUT; k < PARTS; k++)
    {
      if (*problem_part (&c->p, k))
        memset (*problem_part (&c->p, k), 0, problem_bytes (&c->p, k));
      if (c->array[k])
        gpueig_array_upload (ctx, c->array[k], *problem_part (&c->p, k));
    }
  /* Threads that copy chunks may use a GPU that has just been lost.  */
  gpueig_limit_chunk (ctx, strstr (r->name, "lost") ? 0 : c->w->chunk);
  of_gesdd = of_gejsv = of_bdsqr = r->traits & SPOILED ? FAILS : RIGHT;
  let_fail (what, at);
  c->status = solve_problem (ctx, &c->there, &o, &c->info);
  const int64_t count = let_fail (what, 0);
  of_gesdd = of_gejsv = of_bdsqr = RIGHT;
  snprintf (c->message, sizeof c->message, "%s", gpueig_message (ctx));
  cut_message (c->message, c->status);
  fetch_outputs (ctx, &c->p, c->array);
  c->hash = 0xcbf29ce484222325u;
  hash_bytes (&c->hash, &of_pages, sizeof of_pages);
  for (int k = FIRST_OUTPUT; k < PARTS; k++)
    {
      char *const x = *problem_part (&c->p, k);
      const size_t bytes = problem_bytes (&c->p, k),
                   kept
                   = x == c->p.w && of_pages.is_complex == 0 ? 0
                     : r->traits & INTERVAL
                         ? bytes * (size_t) of_pages.found[0] / (size_t) r->n
                         : bytes;
      if (x)
        memset (x + kept, 0, bytes - kept); /* undefined */
      hash_bytes (&c->hash, x, bytes);
    }
  return count;
}

/* The sum of the moduli of the values, or of the first other result.  */
static double
sum_results (call *c)
{
  const int k = c->p.lambda ? FIRST_OUTPUT : FIRST_OUTPUT + 1 + ! c->p.v;
  const gpueig_type type = c->p.lambda ? c->p.values : c->p.vectors;
  int64_t i = (int64_t) (problem_bytes (&c->p, k) / gpueig_scalar_size (type));
  double sum = 0;
  while (i-- > 0)
    sum += cabs (measure_get (type, *problem_part (&c->p, k), i));
  return sum;
}

static char fallbacks
    [2000]; /* that calls had, as in WANTED, with a space on both sides */

/* Print what came of C; HASH: of the results without a failure, or 0.  */
static void
print_call (call *c, const char *when, uint64_t hash)
{
  const gpueig_info *info = &c->info;
  char text[400] = "";
  printf ("%s%s | %s %s", c->name, when, gpueig_status_id (c->status),
          c->message);
  if (c->status == GPUEIG_OK || c->status == GPUEIG_NO_CONVERGENCE)
    {
      snprintf (text, sizeof text, " %s:%s ", c->p.solver->name,
                info->fallback);
      if (! strstr (fallbacks, text))
        strcat (fallbacks, text);
      text[0] = '\0';
      if (info->fallback[0])
        gpueig_fallback_text (info, text, sizeof text);
      printf ("| %s | %s %s %s %d %d %d", text, info->backend, info->method,
              info->fallback, info->n_devices, info->converged,
              info->device_lost);
      printf (" | %lld %d", (long long) info->sweeps, info->n_off);
      for (int i = 0; i < info->n_extra; i++)
        if (! strstr (info->extra[i].name, "time"))
          printf (" %s %.4g", info->extra[i].name, info->extra[i].value);
      if (hash)
        printf (" | %s", c->hash == hash ? "" : "other bits");
      else if (info->device_lost) /* when it is depends on time */
        printf (" | %.6g", sum_results (c));
      else
        printf (" | %.6g %016llx", sum_results (c),
                (unsigned long long) c->hash);
    }
  printf ("\n");
}

static void
print_failures (call *c, failure what, const char *name)
{
  run_call (c, NOTHING, 0);
  const uint64_t hash = c->hash;
  for (int64_t k = 1;; k += simulated || c->r->pages == 1 ? 1 : 11)
    {
      gpueig_trim (ctx);
      if (run_call (c, what, k) < k)
        return;
      print_call (c, name, hash);
    }
}

static void
open_context (void)
{
  gpueig_options options;
  gpueig_destroy (ctx);
  ctx = check_context (&options);
}

/* Whether R is called on the way W.  */
static int
takes (const row *r, const way *w)
{
  const int engine = strncmp (r->method, "elpa", 4) == 0;
  return engine == (w->backend == GPUEIG_MPI) && (! engine || has_workers)
         && (simulated || r->how != FAKE)
         && (r->how == ALL || w->few
             || (r->how == FAKE && w->all && r->n * r->n * r->pages > 100000))
         && (w->all || r->n * r->n * r->pages < LARGE);
}

static void
record (const row *r, gpueig_type type, const way *w, const char *word)
{
  call c = { .r = r, .w = w };
  snprintf (c.name, sizeof c.name, "%s, %s, %s %lldx%lld, %s, %s",
            solver_of (r->solver)->name, r->method, check_type_name[type],
            (long long) r->n, (long long) r->pages, w->name, r->name);
  if (! takes (r, w) || ! strstr (c.name, word))
    return;
  if (r->how == FAKE)
    {
      setenv ("GPUEIG_FAKE", r->name, 1);
      open_context ();
    }
  c.p = c.there = make_row (r, type);
  if (w->place == GPUEIG_DEVICE)
    place_problem (ctx, 0, &c.p, &c.there, c.array);
  run_call (&c, NOTHING, 0);
  print_call (&c, "", 0);
  if (r->how == FAILURES)
    {
      print_failures (&c, ALLOCATION, ", allocation");
      print_failures (&c, DEVICE_CALL, ", call of CUDA");
      if (w->backend != GPUEIG_CPU) /* asked for as long as it takes */
        print_failures (&c, INTERRUPT, ", interrupt");
    }
  if (r->how == FAKE)
    {
      setenv ("GPUEIG_FAKE", "", 1);
      run_call (&c, NOTHING, 0);
      print_call (&c, ", the next call", 0);
    }
  free_arrays (ctx, c.array);
  free_problem (&c.p);
  gpueig_trim (ctx);
  if (r->how == FAKE)
    open_context ();
}

/* GIVEN for solver number I.  */
static void
record_solver (const row *given, int i, const char *word)
{
  static const char letters[] = "sdcz";
  const gpueig_backend backend = simulated ? GPUEIG_CPU : GPUEIG_CUDA;
  row r = *given;
  r.solver = i;
  for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
    {
      if (given->method ? m != GE_AUTO
                        : ! has_method (solver_of (i)->id, backend, m, r.n))
        continue;
      r.method = given->method ? given->method : ge_method_name (m);
      for (const char *t = r.types; *t; t++)
        for (size_t k = 0; k < COUNT (ways); k++)
          record (&r, (gpueig_type) (strchr (letters, *t) - letters), &ways[k],
                  word);
    }
}

/* Write FILE, times by which a GPU is always the fastest.  */
static void
write_times (const char *file)
{
  ge_time_line line[1000];
  ge_time_table table = { .hardware.threads = 2, .line = line };
  for (const ge_time_table *t = ge_built_in_times; t->count; t++)
    for (int i = 0; i < t->count; i++)
      if (t->line[i].backend == GPUEIG_CUDA)
        {
          ge_time_line *l = &line[table.count++];
          *l = t->line[i];
          for (int k = 0; k < GE_COEFFICIENTS; k++)
            l->at[k] *= 1e-4;
        }
  if (ge_write_times (ctx, file, "record", &table) != GPUEIG_OK)
    exit (2);
}

/* Set the environment; TIMES: the name of a new file for write_times.  */
static void
prepare (char *self, char *times)
{
  char name[4096];
  gpueig_machine machine;
  simulated = check_simulate_gpu (self);
  snprintf (name, sizeof name, "%s/../inst/gpueig-worker", dirname (self));
  setenv ("GPUEIG_WORKER", name, 1);
  setenv ("GPUEIG_DEVICE_COPIES", "2", 1);
  setenv ("GPUEIG_FAKE", "", 1);
  const int file = mkstemp (times);
  if (file < 0)
    exit (2);
  close (file);
  setenv ("GPUEIG_TIMES", times, 1);
  open_context ();
  write_times (times);
  gpueig_query (ctx, &machine);
  has_workers = machine.mpi;
}

int
main (int argc, char **argv)
{
  char times[] = "/tmp/record.XXXXXX", list[1000], text[40];
  int missing = 0;
  check_begin ("record");
  prepare (argv[0], times);
  for (size_t k = 0; k < COUNT (rows); k++)
    for (int i = 0; i < ALL_SOLVERS; i++)
      if (rows[k].solver == EACH || rows[k].solver == i)
        record_solver (&rows[k], i, argc > 1 ? argv[1] : "");
  unlink (times);
  gpueig_destroy (ctx);
  snprintf (list, sizeof list, "%s", wanted[! simulated]);
  for (char *word = strtok (list, " "); word && argc == 1;
       word = strtok (NULL, " "))
    {
      snprintf (text, sizeof text, " %s ", word);
      if (! strstr (fallbacks, text))
        missing = printf ("not reached:%s\n", text);
    }
  return missing > 0;
}

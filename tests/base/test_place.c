/* Claims about problems in memory of a GPU. Without one the plugin is place_plugin, in which
   an access of core to the memory of its "GPU" ends the process. Functions of matrices:
   devices.tst, arrays.tst.
   places_give_the_bits_of_the_host: status and message too, for every type, output and kind of
     failure; inputs are not written
   marks_of_symmetric_pages_arrive
   wrong_places_are_refused
   failing_allocations_fail_or_shrink: OUT_OF_MEMORY, or smaller chunks or host memory
   chunks_in_pieces_are_right
   failing_copies_fail_the_call
   only_left_pages_are_copied
   after_a_fault_the_host_goes_on
   too_large_is_refused_first: "auto" uses the CPU
   named_cpu_solves_what_is_on_a_gpu
   a_failing_share_is_reported: with its number; with "auto" the CPU solves it
   shares_are_interrupted_together: lines name their GPU, the calling thread reports and polls
   every_solver_and_type
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "place_order.h"
#include "place_twins.h"

#include <complex.h>
#include <pthread.h>

/* --- random problems --- */

/* Make one of COUNT elements of X invalid, or leave it.  */
static void
spoil (gpueig_type type, int64_t count, void *x)
{
  const int64_t kind = pick (12);
  if (count > 0 && kind < 2)
    measure_set (type, x, pick (count),
                 kind == 0 ? (double) NAN : 1e3 + measure_uniform (&rng));
}

/* A random part of the spectrum, rarely one that is not there.  */
static void
pick_part (any_problem *p)
{
  if (p->pages == 1 && pick (2))
    {
      p->vl = -1;
      p->vu = 2;
      return;
    }
  p->first = 1 + pick (p->n);
  p->last = p->first + pick (p->n - p->first + 1);
}

/* What a function takes of an inverse: columns, a band, real and imaginary parts apart.  */
static void
pick_inverse (any_problem *p)
{
  static int64_t columns[4];
  const int64_t kind = pick (4);
  if (kind == 0 && p->n > 4)
    {
      p->columns = columns;
      p->n_columns = pick (5);
      for (int64_t k = 0; k < p->n_columns; k++)
        columns[k] = pick (p->n);
    }
  else if (kind == 1 && p->n > 0)
    p->band = pick ((p->n + 1) / 2);
  if (gpueig_is_complex (p->type) && pick (2))
    {
      p->vectors = real_type (p->type);
      p->w = check_array (p->type, p->n * p->n);
    }
  for (int64_t i = 0; i < p->n && pick (8) == 0; i++)
    measure_set (p->type, p->d, i, 0);
}

/* A random problem of solver I, with what its function takes besides.  */
static any_problem
random_problem (int i, gpueig_type type, gpueig_options *o)
{
  const int64_t n = pick_order (), pages = i == SOLVE_TDINV ? 1 : pick_pages ();
  any_problem p
      = make_problem (&solvers[i], type, n, pages, (int) (1 + pick (3)));
  const int symmetric = p.solver->kind == SYMMETRIC_MATRIX;
  const double scale = pick (6) ? 1 : 1e-20;
  fill_problem (&p, (uint64_t) pick (1 << 30));
  if (p.a && pick (4) == 0)
    fill_symmetric (&p, &rng);
  if (p.a)
    measure_scale (type, n * n * pages, p.a, scale);
  if (i == SOLVE_MRRR && ! gpueig_is_complex (type) && pick (2))
    take_diagonals (&p);
  /* Chunks are checked one after the other.  */
  if (! (i == SOLVE_ONESIDED && is_fake ("failed")))
    spoil (type, i == SOLVE_TDINV ? n : n * n * pages,
           i == SOLVE_TDINV ? p.d : p.a);
  if ((i == SOLVE_EIG || i == SOLVE_JACOBI || i == SOLVE_EIG_GENERAL)
      && pick (4) == 0)
    {
      const double shift = pick (8) ? 4 * sqrt ((double) n) : 0;
      p.b = check_array (type, n * n * pages);
      for (int64_t page = 0; page < pages; page++)
        measure_random_symmetric (&rng, type, n,
                                  page_of (type, p.b, n * n, page));
      for (int64_t k = 0; k < n * pages; k++)
        measure_set (type, p.b, k / n * n * n + k % n * (n + 1), shift);
    }
  else if (i == SOLVE_JACOBI && pick (3) == 0)
    {
      p.guess = check_array (type, n * n * pages);
      for (int64_t k = 0; k < n * n * pages; k++)
        measure_set (type, p.guess, k, measure_normal (&rng));
    }
  if ((i == SOLVE_EIG || i == SOLVE_MRRR) && n > 1 && pick (4) == 0)
    pick_part (&p);
  p.unbalanced = pick (2) == 0;
  if (i == SOLVE_TDINV)
    pick_inverse (&p);
  if (i == SOLVE_SCHUR)
    {
      p.order = (gpueig_schur_order) (pick (2) ? pick (5) : GPUEIG_SCHUR_ANY);
      if (pick (4) == 0)
        widen_problem (&p);
    }
  o->high_accuracy = i == SOLVE_JACOBI && ! p.guess && pick (6) == 0;
  o->max_sweeps
      = symmetric && i != SOLVE_EIG && i != SOLVE_MRRR && pick (8) == 0;
  return p;
}

static void
places_give_the_bits_of_the_host (int i, gpueig_type type)
{
  gpueig_options o = options;
  int64_t found[2][16] = { { 0 } };
  int indefinite[2][16] = { { 0 } };
  double rcond[2] = { 0, 0 };
  CLEANUP (free_twins) twins t = make_twins (random_problem (i, type, &o));
  const any_problem *p = t.place;
  const ge_method method = (ge_method[]){ GE_AUTO, GE_METHOD_TDINV_GENERATORS,
                                          GE_METHOD_TDINV_SHERMAN }[pick (3)];
  for (int place = 0; place < 2; place++)
    {
      any_problem *r = &t.place[place];
      if (i == SOLVE_TDINV)
        o.method = ge_method_name (method);
      r->found = found[place];
      r->indefinite = p->b && i == SOLVE_EIG ? indefinite[place] : NULL;
      vary_call (&o);
      note (&t, place, solve_problem (ctx, r, &o, &t.info[place]));
      if (i == SOLVE_TDINV && p->lambda)
        memcpy (&rcond[place], p->lambda, sizeof rcond[0]);
    }
  for (int k = 0; k < 16; k++)
    t.different |= indefinite[0][k] != 0;
  /* Eigenvalues beyond those found in an interval are not set.  */
  const int64_t set = p->last         ? p->last - p->first + 1
                      : p->vu > p->vl ? found[0][0]
                                      : p->n;
  for (int k = FIRST_OUTPUT; k < PARTS; k++)
    if (p->solver->kind == INVERSE && t.compared[k])
      t.compared[k] = (size_t) ((p->band < 0 ? p->n : 2 * p->band + 1)
                                * (p->columns ? p->n_columns : p->n))
                      * gpueig_scalar_size (p->vectors);
    else if (set != p->n)
      t.compared[k] = t.compared[k] / (size_t) p->n * (size_t) set;
  compare (&t, solvers[i].name);
  CHECK (t.status[0] != GPUEIG_OK
             || (memcmp (found[0], found[1], sizeof found[0]) == 0
                 && memcmp (indefinite[0], indefinite[1], sizeof indefinite[0])
                        == 0
                 && memcmp (&rcond[0], &rcond[1], sizeof rcond[0]) == 0),
         "%s: found, indefinite and rcond", solvers[i].name);
}

static void
marks_of_symmetric_pages_arrive (gpueig_type type)
{
  unsigned char marks[2][16] = { { 0 } };
  int64_t count[2] = { 0, 0 };
  gpueig_options o = options;
  any_problem p = make_problem (&solvers[SOLVE_EIG_GENERAL], type,
                                pick_order (), pick_pages (), 1);
  fill_symmetric (&p, &rng);
  spoil (type, p.n * p.n * p.pages, p.a);
  CLEANUP (free_twins) twins t = make_twins (p);
  for (int place = 0; place < 2; place++)
    {
      any_problem *r = &t.place[place];
      CHECK (gpueig_find_symmetric (ctx, type, r->a, r->n, r->pages, r->place,
                                    marks[place], &count[place])
                 == GPUEIG_OK,
             "find_symmetric: %s", gpueig_message (ctx));
      r->marks = count[0] ? marks[place] : NULL;
      vary_call (&o);
      note (&t, place, solve_problem (ctx, r, &o, &t.info[place]));
    }
  CHECK (count[0] == count[1] && memcmp (marks[0], marks[1], 16) == 0,
         "find_symmetric: %lld pages are %lld", (long long) count[0],
         (long long) count[1]);
  compare (&t, "marked pages");
}

/* --- errors and memory --- */

static void
wrong_places_are_refused (void)
{
  CLEANUP (free_twins) twins t = symmetric_twins (4, 1);
  const any_problem *host = &t.place[0];
  static const char *const what[]
      = { "an input in host memory", "an output in host memory",
          "an unknown place", "a negative order" };
  for (int k = 0; k < 4; k++)
    {
      any_problem p = t.place[1];
      p.a = k == 0 ? host->a : p.a;
      p.lambda = k == 1 ? host->lambda : p.lambda;
      p.place = k == 2 ? (gpueig_place) 7 : p.place;
      p.n = k == 3 ? -1 : p.n;
      CHECK (solve_problem (ctx, &p, &options, NULL) == GPUEIG_BAD_ARGUMENT,
             "%s is refused", what[k]);
    }
}

static void
failing_allocations_fail_or_shrink (int place)
{
  CLEANUP (free_twins) twins t = symmetric_twins (12, 5);
  solve_both (&t, "the call");
  gpueig_limit_chunk (ctx, 2);
  for (int64_t k = 1; k < 200; k++)
    {
      if (place == 0)
        memset (t.place[0].v, 0, t.compared[FIRST_OUTPUT + 1]);
      gpueig_trim (ctx);
      gpueig_fail_allocation (ctx, k);
      const gpueig_status status
          = solve_problem (ctx, &t.place[place], &options, NULL);
      const int64_t allocations = gpueig_fail_allocation (ctx, 0);
      CHECK (status == GPUEIG_OUT_OF_MEMORY
                 || (status == GPUEIG_OK && all_same (&t)),
             "allocation %lld fails: status %d, %s", (long long) k,
             (int) status, gpueig_message (ctx));
      if (allocations < k)
        break;
    }
  gpueig_limit_chunk (ctx, 0);
}

static void
chunks_in_pieces_are_right (void)
{
  CLEANUP (free_twins) twins t = symmetric_twins (64, 150);
  gpueig_limit_chunk (ctx, 100);
  solve_both (&t, "several pieces");
  gpueig_limit_chunk (ctx, 0);
}

static void
failing_copies_fail_the_call (void)
{
  CLEANUP (free_twins) twins t = symmetric_twins (7, 6);
  setenv ("GPUEIG_FAKE", "copies", 1);
  gpueig_limit_chunk (ctx, 2);
  CHECK (solve_problem (ctx, t.place, &options, NULL) == GPUEIG_DEVICE_ERROR,
         "a copy fails: %s", gpueig_message (ctx));
  setenv ("GPUEIG_FAKE", "", 1);
  CHECK (solve_problem (ctx, t.place, &options, NULL) == GPUEIG_OK,
         "the next call: %s", gpueig_message (ctx));
  gpueig_limit_chunk (ctx, 0);
}

static void
only_left_pages_are_copied (gpueig_type type)
{
  static const int few[]
      = { SOLVE_EIG, SOLVE_EIG_GENERAL, SOLVE_SCHUR, SOLVE_SVD };
  enum
  {
    N = 7,
    PAGES = 9,
    LEFT = 3,
    SCALED = 1,
    EXTREME = 4 /* a pair whose B spans too much for all backends */
  };
  setenv ("GPUEIG_FAKE", "left", 1);
  for (int i = 0; i < 4; i++)
    {
      any_problem p = make_problem (&solvers[few[i]], type, N, PAGES, 3);
      size_t bytes = 0;
      fill_problem (&p, (uint64_t) i);
      if (i == 0)
        {
          p.b = check_array (type, N * N * PAGES);
          fill_symmetric (&p, &rng);
          memcpy (p.b, p.a, problem_bytes (&p, 0));
          for (int64_t k = 0; k < N * PAGES; k++)
            measure_set (type, p.b, k / N * N * N + k % N * (N + 1), 20);
          change_unit (type, N, page_of (type, p.b, N * N, EXTREME));
        }
      if (i < 3)
        measure_scale (type, N * N,
                       page_of (type, p.b ? p.b : p.a, N * N, SCALED), 1e-20);
      CLEANUP (free_twins) twins t = make_twins (p);
      for (int k = 0; k < PARTS; k++)
        if (k != FIRST_OUTPUT)
          bytes += t.compared[k];
      setenv ("GPUEIG_FAKE_COPIED", "0", 1);
      for (int place = 1; place >= 0; place--)
        {
          note (&t, place,
                solve_problem (ctx, &t.place[place], &options, &t.info[place]));
          if (place)
            CHECK_RATIO (strtod (getenv ("GPUEIG_FAKE_COPIED"), NULL)
                             - 2 * (double) t.compared[FIRST_OUTPUT],
                         (double) bytes / PAGES * (LEFT + (i ? 2 : 5)) + 1,
                         "%s: bytes that are copied for pages that are left",
                         solvers[few[i]].name);
        }
      compare (&t, "pages that are left:");
      CHECK (t.status[0] == GPUEIG_OK && t.info[0].fallback[0], "%s: fallback",
             solvers[few[i]].name);
      double worst = 0;
      for (int64_t k = 0; k < PAGES; k++)
        worst = worst_of (worst, i ? page_ratio (t.place, k)
                                   : page_errors (t.place, k, N).right
                                         / LIMIT_RESIDUAL);
      CHECK_RATIO (worst, 1, "%s: residuals where some are left",
                   solvers[few[i]].name);
    }
  setenv ("GPUEIG_FAKE", "", 1);
}

static void
after_a_fault_the_host_goes_on (void)
{
  static const gpueig_backend backends[] = { GPUEIG_CUDA, GPUEIG_AUTO };
  CLEANUP (free_twins) twins t = symmetric_twins (4, 1);
  gpueig_options o = options;
  setenv ("GPUEIG_FAKE", "lost", 1);
  CHECK (solve_problem (ctx, &t.place[1], &o, NULL) == GPUEIG_DEVICE_ERROR,
         "the call with the fault: %s", gpueig_message (ctx));
  setenv ("GPUEIG_FAKE", "", 1);
  for (int b = 0; b < 2; b++)
    {
      o.backend = backends[b];
      CHECK (solve_problem (ctx, &t.place[1], &o, NULL) == GPUEIG_DEVICE_LOST,
             "data of a lost GPU: %s", gpueig_message (ctx));
    }
  CHECK (solve_problem (ctx, &t.place[0], &o, NULL) == GPUEIG_OK,
         "data in host memory: %s", gpueig_message (ctx));
}

static void
too_large_is_refused_first (void)
{
  static const int few[] = { SOLVE_EIG, SOLVE_JACOBI, SOLVE_ONESIDED,
                             SOLVE_EIG_GENERAL, SOLVE_COMPLEX };
  gpueig_context *other;
  gpueig_info info;
  gpueig_options o = options;
  setenv ("GPUEIG_FAKE", "small", 1);
  CHECK (gpueig_create (&other) == GPUEIG_OK
             && gpueig_set_plugin (other, getenv ("GPUEIG_TEST_PLUGIN"))
                    == GPUEIG_OK,
         "a context");
  for (int k = 0; k < 10; k++)
    {
      CLEANUP (free_problem)
      any_problem p
          = make_problem (&solvers[few[k / 2]], GPUEIG_DOUBLE, 200, 1, 2);
      fill_symmetric (&p, &rng);
      o.backend = k % 2 ? GPUEIG_AUTO : GPUEIG_CUDA;
      const gpueig_status status = solve_problem (other, &p, &o, &info);
      CHECK (k % 2 ? status == GPUEIG_OK && strcmp (info.backend, "cpu") == 0
                         && ! info.fallback[0]
                   : status == GPUEIG_OUT_OF_MEMORY
                         && strstr (gpueig_message (other), "at least"),
             "%s, %s: %s", p.solver->name, k % 2 ? "auto" : "cuda",
             gpueig_message (other));
    }
  gpueig_destroy (other);
  setenv ("GPUEIG_FAKE", "", 1);
}

static void
named_cpu_solves_what_is_on_a_gpu (gpueig_type type)
{
  const gpueig_options before = options;
  options.backend = GPUEIG_CPU;
  places_give_the_bits_of_the_host (SOLVE_EIG, type);
  places_give_the_bits_of_the_host (SOLVE_EIG_GENERAL, type);
  places_give_the_bits_of_the_host (SOLVE_MRRR, type);
  places_give_the_bits_of_the_host (SOLVE_TDINV, type);
  options.backend = GPUEIG_AUTO;
  is_auto = 1;
  if (simulated)
    {
      places_give_the_bits_of_the_host (SOLVE_EIG, type);
      places_give_the_bits_of_the_host (SOLVE_TDINV, type);
    }
  options = before;
  is_auto = 0;
}

/* --- two GPUs --- */

static struct
{
  pthread_t thread;
  int polls, stop_at, lines, foreign;
} seen;

static int
stop_both (void *data)
{
  (void) data;
  seen.foreign += ! pthread_equal (seen.thread, pthread_self ());
  return ++seen.polls == seen.stop_at;
}

static void
see_line (void *data, const char *line)
{
  (void) data;
  seen.foreign += ! pthread_equal (seen.thread, pthread_self ());
  if (strncmp (line, "GPU ", 4) == 0)
    seen.lines |= 1 << (line[4] - '0');
}

/* A stack that is divided, in a context of its own, where WHAT happens on the second GPU, or
   solvers are "endless", gives STATUS, with "auto" too if LAST.  */
static void
a_failing_share_is_reported (const char *what, gpueig_status status, int last,
                             const any_problem *wanted)
{
  const gpueig_callbacks callbacks = { stop_both, see_line, NULL };
  const int is_lost = strcmp (what, "one lost") == 0;
  for (int automatic = 0; automatic < 2; automatic++)
    {
      gpueig_options o;
      gpueig_context *own = check_context (&o);
      const gpueig_status expected = automatic && ! last ? GPUEIG_OK : status;
      CLEANUP (free_problem)
      any_problem p = make_problem (wanted->solver, wanted->type, wanted->n,
                                    wanted->pages, 2);
      memcpy (p.a, wanted->a, problem_bytes (&p, 0));
      seen.thread = pthread_self ();
      seen.polls = seen.lines = seen.foreign = 0;
      seen.stop_at = strcmp (what, "endless") == 0 ? 2 : 0;
      gpueig_set_callbacks (own, &callbacks);
      o.backend = automatic ? GPUEIG_AUTO : GPUEIG_CUDA;
      o.n_devices = GPUEIG_ALL_DEVICES;
      o.display = 1;
      setenv ("GPUEIG_FAKE", what, 1);
      p.status = solve_problem (own, &p, &o, &p.info);
      setenv ("GPUEIG_FAKE", "", 1);
      CHECK (p.status == expected
                 && (expected == GPUEIG_OK || last
                     || strstr (gpueig_message (own), "GPU 1")),
             "\"%s\", auto %d: status %d, %s", what, automatic, (int) p.status,
             gpueig_message (own));
      /* The first GPU gives vectors another sign if so.  */
      int64_t by_gpu = 0, by_cpu = 0;
      for (int64_t page = 0; page < p.pages; page++)
        {
          const double x = creal (measure_get (p.type, v_page (&p, page), 0)),
                       y
                       = creal (measure_get (p.type, v_page (wanted, page), 0));
          by_gpu += x == -y;
          by_cpu += x == y;
        }
      CHECK (expected != GPUEIG_OK
                 || (same_values (&p, wanted)
                     && (is_lost || by_gpu == (*what ? 600 : 0))
                     && by_gpu + by_cpu == p.pages
                     && strcmp (p.info.fallback, *what ? "cpu" : "") == 0
                     && p.info.device_lost == is_lost),
             "\"%s\", auto %d: %d pages of the GPU, fallback \"%s\"", what,
             automatic, (int) by_gpu, p.info.fallback);
      CHECK (seen.foreign == 0 && (*what || seen.lines == 3),
             "\"%s\": lines of GPUs %d, %d calls from other threads", what,
             seen.lines, seen.foreign);
      if (is_lost && ! automatic)
        CHECK (solve_problem (own, &p, &o, NULL) == GPUEIG_NO_DEVICE
                   && strstr (gpueig_message (own), "GPU 1"),
               "then there is none: %s", gpueig_message (own));
      gpueig_destroy (own);
    }
}

static void
shares_are_interrupted_together (void)
{
  gpueig_options cpu = options, both = options;
  CLEANUP (free_problem)
  any_problem p
      = make_problem (&solvers[SOLVE_ONESIDED], GPUEIG_DOUBLE, 24, 1200, 2);
  cpu.backend = GPUEIG_CPU;
  both.n_devices = GPUEIG_ALL_DEVICES;
  fill_symmetric (&p, &rng);
  CHECK_FAILING_ALLOCATIONS (solve_problem (ctx, &p, &both, NULL),
                             "failing allocations on two GPUs");
  gpueig_fail_device_call (ctx, 0);
  check_solve (ctx, &p, &both, NULL, "by two GPUs");
  const int64_t calls = gpueig_fail_device_call (ctx, 0);
  for (int64_t k = 1; k <= calls; k++)
    {
      gpueig_fail_device_call (ctx, k);
      CHECK (solve_problem (ctx, &p, &both, NULL) == GPUEIG_DEVICE_ERROR
                 && strstr (gpueig_message (ctx), "simulated"),
             "call %d of %d on two GPUs fails: %s", (int) k, (int) calls,
             gpueig_message (ctx));
    }
  gpueig_fail_device_call (ctx, 0);
  check_solve (ctx, &p, &cpu, NULL, "by the CPU");
  a_failing_share_is_reported ("", GPUEIG_OK, 0, &p);
  a_failing_share_is_reported ("one", GPUEIG_DEVICE_ERROR, 0, &p);
  a_failing_share_is_reported ("one memory", GPUEIG_OUT_OF_MEMORY, 0, &p);
  a_failing_share_is_reported ("one lost", GPUEIG_DEVICE_ERROR, 0, &p);
  a_failing_share_is_reported ("slow", GPUEIG_NO_CONVERGENCE, 1, &p);
  a_failing_share_is_reported ("endless", GPUEIG_INTERRUPTED, 1, &p);
  both.backend = GPUEIG_AUTO;
  both.max_sweeps = 1;
  setenv ("GPUEIG_FAKE", "one", 1);
  CHECK (solve_problem (ctx, &p, &both, NULL) == GPUEIG_NO_CONVERGENCE,
         "a failed share that does not converge on the CPU: %s",
         gpueig_message (ctx));
  setenv ("GPUEIG_FAKE", "", 1);
}

static void
every_solver_and_type (int rounds)
{
  for (int round = 0; round < rounds; round++)
    for (gpueig_type type = 0; type < 4; type++)
      {
        for (int i = 0; i < SOLVERS; i++)
          places_give_the_bits_of_the_host (i, type);
        marks_of_symmetric_pages_arrive (type);
        named_cpu_solves_what_is_on_a_gpu (type);
      }
}

int
main (int argc, char **argv)
{
  static const char *const fakes[]
      = { "", "pages", "state", "left", "order", "failed", "memory" };
  (void) argc;
  check_begin ("place");
  simulated = check_simulate_gpu (argv[0]);
  setenv ("GPUEIG_FAKE", "", 1);
  ctx = check_context (&options);
  wrong_places_are_refused ();
  failing_allocations_fail_or_shrink (1);
  failing_allocations_fail_or_shrink (0);
  for (int f = 0; f < (simulated ? 7 : 1); f++)
    {
      setenv ("GPUEIG_FAKE", fakes[f], 1);
      every_solver_and_type (simulated                     ? 4
                             : getenv ("GPUEIG_TEST_LONG") ? 40
                                                           : 10);
    }
  /* Last, since the plugin protects as much memory as was ever used.  */
  setenv ("GPUEIG_FAKE", "", 1);
  chunks_in_pieces_are_right ();
  if (simulated)
    {
      failing_copies_fail_the_call ();
      for (gpueig_type type = 0; type < 4; type++)
        {
          only_left_pages_are_copied (type);
          test_order (ctx, &options, type);
        }
      too_large_is_refused_first ();
      shares_are_interrupted_together ();
      after_a_fault_the_host_goes_on ();
    }
  CHECK (gpueig_array_memory (ctx).arrays == 0, "no array is left");
  gpueig_destroy (ctx);
  return check_end ();
}

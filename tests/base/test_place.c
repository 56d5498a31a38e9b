/* Claims about problems in memory of a GPU: every solver gives the bits, the status and
   the message of the call with host memory, for every type, output and kind of failure,
   and whatever the chunks of a stack are; inputs are not written; nothing leaks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Without a GPU the plugin is place_plugin, in which an access of core to the memory of
   its "GPU" ends the process.  */

#include "place_failures.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>

/* Make one of COUNT elements of X invalid, or leave it.  */
static void
spoil (gpueig_type type, int64_t count, void *x)
{
  const int64_t kind = pick (12);
  if (count > 0 && kind < 2)
    measure_set (type, x, pick (count),
                 kind == 0 ? (double) NAN : 1e3 + measure_uniform (&rng));
}

enum
{
  PROBLEM_ARRAYS = 8,
  FIRST_OUTPUT = 5
};

/* P with copies of its arrays in memory of a GPU.  */
static any_problem
on_device (const any_problem *p, both *copy)
{
  any_problem q = *p;
  const int inverse = p->solver->kind == INVERSE;
  const int64_t square = p->n * p->n * p->pages, row = p->n * p->pages;
  const struct
  {
    char **at;
    gpueig_type type;
    int64_t count;
  } all[PROBLEM_ARRAYS] = { { &q.a, p->type, square },
                            { &q.b, p->type, square },
                            { &q.guess, p->type, square },
                            { &q.d, p->type, row },
                            { &q.e, p->type,
                              inverse ? 2 * p->n
                              : row   ? row - p->pages
                                      : 0 },
                            { &q.lambda, p->values, inverse ? 0 : row },
                            { &q.v, p->vectors, square },
                            { &q.w, p->vectors, square } };
  for (int i = 0; i < PROBLEM_ARRAYS; i++)
    {
      memset (&copy[i], 0, sizeof copy[i]);
      if (! *all[i].at || (inverse && i == FIRST_OUTPUT))
        continue;
      new_array (&copy[i], all[i].type, all[i].count);
      if (i < FIRST_OUTPUT)
        memcpy (copy[i].host, *all[i].at, copy[i].bytes);
      else
        memset (*all[i].at, 0xff, copy[i].bytes);
      send (&copy[i]);
      *all[i].at = copy[i].device;
    }
  q.place = GPUEIG_DEVICE;
  return q;
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
  for (int64_t k = 0; p.a && k < n * n * pages; k++)
    measure_set (type, p.a, k, scale * measure_get (type, p.a, k));
  if (i == SOLVE_MRRR && ! gpueig_is_complex (type) && pick (2))
    take_diagonals (&p);
  if (i != SOLVE_SVD || ! simulated) /* where a GPU's own kernel looks */
    spoil (type, i == SOLVE_TDINV ? n : n * n * pages,
           i == SOLVE_TDINV ? p.d : p.a);
  if ((i == SOLVE_EIG || i == SOLVE_JACOBI) && pick (4) == 0)
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
test_solver (int i, gpueig_type type)
{
  gpueig_options o = options;
  outcome result[2];
  both copy[PROBLEM_ARRAYS];
  const both *in[PROBLEM_ARRAYS] = { NULL }, *out[PROBLEM_ARRAYS] = { NULL };
  int64_t found[2][16] = { { 0 } };
  int indefinite[2][16] = { { 0 } }, n_in = 0, n_out = 0, any = 0;
  CLEANUP (free_problem) any_problem p = random_problem (i, type, &o);
  any_problem q = on_device (&p, copy);
  const ge_method method = (ge_method[]){ GE_AUTO, GE_METHOD_TDINV_GENERATORS,
                                          GE_METHOD_TDINV_SHERMAN }[pick (3)];
  double rcond[2] = { 0, 0 };
  const int64_t columns = p.last ? p.last - p.first + 1 : p.n;
  char *const outputs[] = { p.lambda, p.v, p.w };
  for (int place = 0; place < 2; place++)
    {
      any_problem *r = place ? &q : &p;
      if (i == SOLVE_TDINV)
        o.method = ge_method_name (method);
      r->found = found[place];
      r->indefinite = p.b && i == SOLVE_EIG ? indefinite[place] : NULL;
      vary_call (&o);
      const gpueig_status status = solve_problem (ctx, r, &o, &r->info);
      result[place] = note (status, &r->info);
      if (i == SOLVE_TDINV && p.lambda)
        memcpy (&rcond[place], p.lambda, sizeof rcond[0]);
    }
  for (int k = 0; k < 16; k++)
    any |= indefinite[0][k] != 0;
  for (int k = 0; k < PROBLEM_ARRAYS; k++)
    {
      both *c = &copy[k];
      if (! c->host)
        continue;
      if (k < FIRST_OUTPUT)
        {
          in[n_in++] = c;
          continue;
        }
      memcpy (c->host, outputs[k - FIRST_OUTPUT], c->bytes);
      /* Eigenvalues beyond those found in an interval are not set.  */
      if (p.solver->kind == INVERSE)
        c->compared = (size_t) ((p.band < 0 ? p.n : 2 * p.band + 1)
                                * (p.columns ? p.n_columns : p.n))
                      * gpueig_scalar_size (p.vectors);
      else if (p.last)
        c->compared = c->bytes / (size_t) p.n * (size_t) columns;
      else if (p.vu > p.vl)
        c->compared = c->bytes / (size_t) p.n * (size_t) found[0][0];
      if (! any)
        out[n_out++] = c;
    }
  compare (&result[0], &result[1], in, out, solvers[i].name, type, p.n,
           p.pages);
  CHECK (result[0].status != GPUEIG_OK
             || (memcmp (found[0], found[1], sizeof found[0]) == 0
                 && memcmp (indefinite[0], indefinite[1], sizeof indefinite[0])
                        == 0
                 && memcmp (&rcond[0], &rcond[1], sizeof rcond[0]) == 0),
         "%s: found, indefinite and rcond", solvers[i].name);
  free_arrays ();
}

/* Marks of symmetric pages, and a call that takes them.  */
static void
test_marks (gpueig_type type)
{
  const int64_t n = pick_order (), pages = pick_pages ();
  both a, lambda;
  unsigned char marks[2][16] = { { 0 } };
  int64_t count[2] = { 0, 0 };
  outcome result[2];
  gpueig_options o = options;
  new_array (&a, type, n * n * pages);
  fill_symmetric_pages (type, &a, n, pages, 0);
  spoil (type, n * n * pages, a.host);
  send (&a);
  new_array (&lambda, complex_type (type), n * pages);
  for (int place = 0; place < 2; place++)
    {
      gpueig_info info;
      CHECK (gpueig_find_symmetric (ctx, type, at (&a, (gpueig_place) place), n,
                                    pages, (gpueig_place) place, marks[place],
                                    &count[place])
                 == GPUEIG_OK,
             "find_symmetric: %s", gpueig_message (ctx));
      const gpueig_general g = { .type = type,
                                 .n = n,
                                 .pages = pages,
                                 .a = at (&a, (gpueig_place) place),
                                 .symmetric = count[0] ? marks[place] : NULL,
                                 .lambda = at (&lambda, (gpueig_place) place),
                                 .place = (gpueig_place) place };
      vary_call (&o);
      const gpueig_status status = gpueig_eig_general (ctx, &g, &o, &info);
      result[place] = note (status, &info);
    }
  CHECK (count[0] == count[1] && memcmp (marks[0], marks[1], 16) == 0,
         "find_symmetric: %lld pages are %lld", (long long) count[0],
         (long long) count[1]);
  const both *in[] = { &a, NULL }, *out[] = { &lambda, NULL };
  compare (&result[0], &result[1], in, out, "marked pages", type, n, pages);
  free_arrays ();
}

/* Functions of matrices, which a GPU computes wherever the data is.  */
static void
test_functions (gpueig_type type)
{
  const int64_t n = pick (6), pages = pick (3);
  const int wide = gpueig_is_complex (type);
  both a, x, x_im;
  outcome host = { 0 }, device = { 0 };
  int is_complex[2] = { 0, 0 };
  gpueig_info info;
  gpueig_options o = options;
  o.backend = GPUEIG_CUDA;
  gpueig_funm_problem p
      = { .kind = (gpueig_funm_kind) pick (4),
          .power = (double) (pick (9) - 3) / (1 + 2 * pick (2)),
          .type = type,
          .n = n,
          .pages = pages };
  new_array (&a, type, n * n * pages);
  fill_random (type, &a, 1);
  spoil (type, (int64_t) (a.bytes / gpueig_scalar_size (type)), a.host);
  send (&a);
  new_array (&x, type, n * n * pages);
  new_array (&x_im, type, n * n * pages);
  for (int place = 0; place < 2; place++)
    {
      p.place = (gpueig_place) place;
      p.a = at (&a, p.place);
      p.x = at (&x, p.place);
      p.x_im = wide ? NULL : at (&x_im, p.place);
      p.is_complex = &is_complex[place];
      const gpueig_status status = gpueig_funm (ctx, &p, &o, &info);
      CHECK (status != GPUEIG_OK || n * pages == 0
                 || strcmp (info.backend, "cuda") == 0 || info.fallback[0],
             "functions on the GPU");
      *(place ? &device : &host) = note (status, &info);
    }
  CHECK (is_complex[0] == is_complex[1], "real or complex");
  const both *in[] = { &a, NULL };
  const both *out[] = { &x, is_complex[0] ? &x_im : NULL, NULL };
  compare (&host, &device, in, out, "functions", type, n, pages);
  free_arrays ();
}

/* The order of a form, on the CPU.  */
static void
test_ordschur (gpueig_type type)
{
  const int64_t n = pick_order (), count = n * n * 2;
  const int vectors = pick (2) > 0;
  both array[4]; /* S, U and what they become */
  outcome result[2];
  gpueig_info info;
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_SCHUR], type, n, 2, 2);
  gpueig_options o = options;
  o.backend = GPUEIG_CPU;
  fill_problem (&p, (uint64_t) pick (1 << 30));
  CHECK (solve_problem (ctx, &p, &o, NULL) == GPUEIG_OK, "a form: %s",
         gpueig_message (ctx));
  for (int k = 0; k < 4; k++)
    new_array (&array[k], type, count);
  for (int k = 0; k < 2 && p.w; k++)
    {
      memcpy (array[k].host, k ? p.v : p.w, array[k].bytes);
      send (&array[k]);
    }
  o.backend = GPUEIG_AUTO;
  for (int k = 0; k < 2; k++)
    {
      const gpueig_place place = (gpueig_place) k;
      const gpueig_ordschur_problem r
          = { .type = type,
              .n = n,
              .pages = 2,
              .order = GPUEIG_SCHUR_LHP,
              .place = place,
              .s = at (&array[0], place),
              .u = vectors ? at (&array[1], place) : NULL,
              .s_sorted = at (&array[2], place),
              .u_sorted = vectors ? at (&array[3], place) : NULL };
      const gpueig_status status = gpueig_ordschur (ctx, &r, &o, &info);
      result[k] = note (status, &info);
    }
  const both *in[] = { &array[0], &array[1], NULL };
  const both *out[] = { &array[2], vectors ? &array[3] : NULL, NULL };
  compare (&result[0], &result[1], in, out, "ordschur", type, n, 2);
  free_arrays ();
}

/* --- errors and memory --- */

static void
test_wrong_places (void)
{
  both a, lambda;
  gpueig_symmetric s = new_symmetric (4, 1, &a, &lambda, NULL);
  s.lambda = lambda.device;
  s.place = GPUEIG_DEVICE;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "an input in host memory is refused");
  s.a = a.device;
  s.lambda = lambda.host;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "an output in host memory is refused");
  s.lambda = lambda.device;
  s.place = (gpueig_place) 7;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "an unknown place is refused");
  s.place = GPUEIG_DEVICE;
  s.n = -1;
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "a negative order is refused");
  free_arrays ();
}

/* The named CPU backend solves what is on a GPU.  */
static void
test_cpu_backend (gpueig_type type)
{
  const gpueig_options before = options;
  options.backend = GPUEIG_CPU;
  test_solver (SOLVE_EIG, type);
  test_solver (SOLVE_EIG_GENERAL, type);
  test_solver (SOLVE_MRRR, type);
  test_solver (SOLVE_TDINV, type);
  options.backend = GPUEIG_AUTO;
  is_auto = 1;
  if (simulated)
    {
      test_solver (SOLVE_EIG, type);
      test_solver (SOLVE_TDINV, type);
    }
  options = before;
  is_auto = 0;
}

static void
test_all (int rounds)
{
  for (int round = 0; round < rounds; round++)
    for (int t = 0; t < 4; t++)
      {
        const gpueig_type type = (gpueig_type) t;
        for (int i = 0; i < SOLVERS; i++)
          test_solver (i, type);
        test_marks (type);
        test_ordschur (type);
        if (round == 0) /* many calls of operations */
          test_functions (type);
        test_cpu_backend (type);
      }
}

int
main (int argc, char **argv)
{
  static const char *const fakes[]
      = { "", "pages", "state", "order", "failed", "memory" };
  char folder[4000], plugin[4096];
  const char *backend = getenv ("GPUEIG_TEST_BACKEND");
  (void) argc;
  check_begin ("place");
  simulated = ! (backend && strcmp (backend, "cuda") == 0);
  if (simulated)
    {
      snprintf (folder, sizeof folder, "%s", argv[0]);
      snprintf (plugin, sizeof plugin, "%s/place_plugin.so", dirname (folder));
      setenv ("GPUEIG_TEST_BACKEND", "cuda", 1);
      setenv ("GPUEIG_TEST_PLUGIN", plugin, 1);
    }
  setenv ("GPUEIG_FAKE", "", 1);
  ctx = check_context (&options);
  test_wrong_places ();
  test_failing_allocations (GPUEIG_DEVICE);
  test_failing_allocations (GPUEIG_HOST);
  for (int f = 0; f < (simulated ? 6 : 1); f++)
    {
      setenv ("GPUEIG_FAKE", fakes[f], 1);
      test_all (simulated ? 4 : getenv ("GPUEIG_TEST_LONG") ? 40 : 10);
    }
  /* Last, since the plugin protects as much memory as was ever used.  */
  setenv ("GPUEIG_FAKE", "", 1);
  test_pieces ();
  if (simulated)
    {
      test_failing_copies ();
      test_left_pages ();
      test_little_memory ();
      test_lost ();
    }
  CHECK (gpueig_array_memory (ctx).arrays == 0, "no array is left");
  gpueig_destroy (ctx);
  return check_end ();
}

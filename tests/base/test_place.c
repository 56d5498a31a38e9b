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

typedef gpueig_status symmetric_solver (gpueig_context *,
                                        const gpueig_symmetric *,
                                        const gpueig_options *, gpueig_info *);
typedef gpueig_status general_solver (gpueig_context *, const gpueig_general *,
                                      const gpueig_options *, gpueig_info *);

/* Make one element of B invalid, or leave it.  */
static void
spoil (gpueig_type type, const both *b)
{
  const int64_t count = (int64_t) (b->bytes / gpueig_scalar_size (type));
  const int64_t kind = pick (12);
  if (count > 0 && kind < 2)
    measure_set (type, b->host, pick (count),
                 kind == 0 ? (double) NAN : 1e3 + measure_uniform (&rng));
}

static const both none;

static void
test_symmetric (symmetric_solver *solver, const char *what, gpueig_type type)
{
  const int64_t n = pick_order (), pages = pick_pages ();
  const gpueig_type real = real_type (type);
  const int is_eig = solver == gpueig_eig_symmetric;
  const int onesided = solver == gpueig_onesided_eig;
  const int pair = ! onesided && pick (4) == 0;
  const int guess = solver == gpueig_jacobi_eig && ! pair && pick (3) == 0;
  both a, b = none, g = none, lambda, v;
  gpueig_symmetric s = { .type = type, .n = n, .pages = pages };
  gpueig_options o = options;
  outcome host = { 0 }, device = { 0 };
  if (is_eig && n > 1 && pick (4) == 0)
    {
      s.select = pages == 1 && pick (2) ? GPUEIG_SELECT_INTERVAL
                                        : GPUEIG_SELECT_INDEX;
      s.first = 1 + pick (n);
      s.last = s.first + pick (n - s.first + 1);
      s.vl = -1;
      s.vu = 2;
    }
  o.high_accuracy = solver == gpueig_jacobi_eig && ! guess && pick (6) == 0;
  o.max_sweeps = ! is_eig && pick (8) == 0;
  new_array (&a, type, n * n * pages);
  fill_symmetric (type, &a, n, pages, 0);
  if (pick (6) == 0)
    fill_symmetric (type, &a, n, pages, 1e30);
  spoil (type, &a);
  send (&a);
  if (pair)
    {
      new_array (&b, type, n * n * pages);
      fill_symmetric (type, &b, n, pages, pick (8) ? 4 * sqrt ((double) n) : 0);
      send (&b);
    }
  if (guess)
    {
      new_array (&g, type, n * n * pages);
      fill_random (type, &g, 1);
      send (&g);
    }
  const int64_t columns
      = s.select == GPUEIG_SELECT_INDEX ? s.last - s.first + 1 : n;
  const int vectors = pick (3) > 0;
  int64_t found[2][16] = { { 0 } };
  int indefinite[2][16] = { { 0 } };
  gpueig_info info;
  new_array (&lambda, real, columns * pages);
  new_array (&v, type, n * columns * pages);
  for (int place = 0; place < 2; place++)
    {
      s.place = (gpueig_place) place;
      s.a = at (&a, s.place);
      s.b = pair ? at (&b, s.place) : NULL;
      s.guess = guess ? at (&g, s.place) : NULL;
      s.lambda = at (&lambda, s.place);
      s.v = vectors ? at (&v, s.place) : NULL;
      s.found = found[place];
      s.indefinite = pair && is_eig && pages <= 16 ? indefinite[place] : NULL;
      vary_call (&o);
      *(place ? &device : &host) = note (solver (ctx, &s, &o, &info), &info);
    }
  /* Eigenvalues beyond those found in an interval are not set.  */
  if (s.select == GPUEIG_SELECT_INTERVAL && host.status == GPUEIG_OK)
    {
      lambda.compared = (size_t) found[0][0] * gpueig_real_size (type);
      v.compared = (size_t) (n * found[0][0]) * gpueig_scalar_size (type);
    }
  const both *in[] = { &a, pair ? &b : guess ? &g : NULL, NULL };
  const both *out[] = { &lambda, vectors ? &v : NULL, NULL };
  int any_indefinite = 0;
  for (int p = 0; s.indefinite && p < pages; p++)
    any_indefinite |= indefinite[0][p] != 0;
  if (any_indefinite)
    out[0] = NULL;
  compare (&host, &device, in, out, what, type, n, pages);
  if (host.status == GPUEIG_OK)
    CHECK (memcmp (found[0], found[1], sizeof found[0]) == 0
               && memcmp (indefinite[0], indefinite[1], sizeof indefinite[0])
                      == 0,
           "%s: found and indefinite", what);
  for (int p = 0; p < pages && host.status == GPUEIG_OK; p++)
    CHECK (s.select != GPUEIG_SELECT_ALL || found[0][p] == n, "%s: all found",
           what);
  free_arrays ();
}

static void
test_general (general_solver *solver, const char *what, gpueig_type type)
{
  const int64_t n = pick_order (), pages = pick_pages ();
  const gpueig_type wide = complex_type (type);
  both a, lambda, v, w;
  outcome host = { 0 }, device = { 0 };
  gpueig_options o = options;
  gpueig_general g
      = { .type = type, .n = n, .pages = pages, .balance = pick (2) == 0 };
  unsigned char symmetric[16] = { 0 };
  int64_t count[2] = { 0, 0 };
  gpueig_info info;
  new_array (&a, type, n * n * pages);
  fill_random (type, &a, pick (4) ? 1 : 1e-20);
  if (pick (4) == 0)
    fill_symmetric (type, &a, n, pages, 0);
  spoil (type, &a);
  send (&a);
  unsigned char marks[2][16] = { { 0 } };
  for (int place = 0; place < 2; place++)
    CHECK (gpueig_find_symmetric (ctx, type, at (&a, (gpueig_place) place), n,
                                  pages, (gpueig_place) place, marks[place],
                                  &count[place])
               == GPUEIG_OK,
           "find_symmetric: %s", gpueig_message (ctx));
  CHECK (count[0] == count[1] && memcmp (marks[0], marks[1], 16) == 0,
         "find_symmetric: %lld pages are %lld", (long long) count[0],
         (long long) count[1]);
  memcpy (symmetric, marks[0], sizeof symmetric);
  if (solver == gpueig_eig_general && count[0] > 0 && pick (2))
    g.symmetric = symmetric;
  new_array (&lambda, wide, n * pages);
  new_array (&v, wide, n * n * pages);
  new_array (&w, wide, n * n * pages);
  const int right = pick (3) > 0, left = pick (3) == 0;
  for (int place = 0; place < 2; place++)
    {
      g.place = (gpueig_place) place;
      g.a = at (&a, g.place);
      g.lambda = at (&lambda, g.place);
      g.v = right ? at (&v, g.place) : NULL;
      g.w = left ? at (&w, g.place) : NULL;
      vary_call (&o);
      *(place ? &device : &host) = note (solver (ctx, &g, &o, &info), &info);
    }
  const both *in[] = { &a, NULL };
  const both *out[] = { &lambda,
                        right  ? &v
                        : left ? &w
                               : NULL,
                        right && left ? &w : NULL, NULL };
  compare (&host, &device, in, out, what, type, n, pages);
  free_arrays ();
}

static void
test_mrrr (gpueig_type type)
{
  const int dense = gpueig_is_complex (type) || pick (2);
  const int64_t n = pick_order (), pages = pick_pages ();
  const gpueig_type real = real_type (type);
  both a = none, d = none, e = none, lambda, v;
  outcome host = { 0 }, device = { 0 };
  int64_t found[2][16] = { { 0 } };
  gpueig_mrrr_problem m = { .type = type, .n = n, .pages = pages };
  gpueig_options o = options;
  gpueig_info info;
  if (n > 1 && pick (3) == 0)
    {
      m.select = pages == 1 && pick (2) ? GPUEIG_SELECT_INTERVAL
                                        : GPUEIG_SELECT_INDEX;
      m.first = 1 + pick (n);
      m.last = m.first + pick (n - m.first + 1);
      m.vl = -1;
      m.vu = 2;
      m.last += pick (10) == 0 ? n : 0;
    }
  const int64_t wanted
      = m.select == GPUEIG_SELECT_INDEX ? m.last - m.first + 1 : n;
  const int64_t columns = wanted > n ? n : wanted;
  if (dense)
    {
      new_array (&a, type, n * n * pages);
      fill_symmetric (type, &a, n, pages, 0);
      spoil (type, &a);
      send (&a);
    }
  else
    {
      new_array (&d, type, n * pages);
      new_array (&e, type, (n > 0 ? n - 1 : 0) * pages);
      fill_random (type, &d, 1);
      fill_random (type, &e, 1);
      spoil (type, &d);
      send (&d);
      send (&e);
    }
  new_array (&lambda, real, columns * pages);
  new_array (&v, type, n * columns * pages);
  const int vectors = pick (3) > 0;
  for (int place = 0; place < 2; place++)
    {
      m.place = (gpueig_place) place;
      m.a = dense ? at (&a, m.place) : NULL;
      m.d = dense ? NULL : at (&d, m.place);
      m.e = dense ? NULL : at (&e, m.place);
      m.lambda = at (&lambda, m.place);
      m.v = vectors ? at (&v, m.place) : NULL;
      m.found = found[place];
      vary_call (&o);
      const gpueig_status status = gpueig_mrrr (ctx, &m, &o, &info);
      *(place ? &device : &host) = note (status, &info);
    }
  if (m.select == GPUEIG_SELECT_INTERVAL && host.status == GPUEIG_OK)
    {
      lambda.compared = (size_t) found[0][0] * gpueig_real_size (type);
      v.compared = (size_t) (n * found[0][0]) * gpueig_scalar_size (type);
    }
  const both *in[] = { dense ? &a : &d, dense ? NULL : &e, NULL };
  const both *out[] = { &lambda, vectors ? &v : NULL, NULL };
  compare (&host, &device, in, out, dense ? "mrrr (A)" : "mrrr (d, e)", type, n,
           pages);
  if (host.status == GPUEIG_OK)
    CHECK (found[0][0] == found[1][0], "mrrr: found");
  free_arrays ();
}

static void
test_tdinv (gpueig_type type)
{
  static const char *const methods[]
      = { "auto", "generators", "sherman-morrison" };
  const int64_t n = pick (10) ? pick_order () : 700;
  both c, a, b, x, x_im = none;
  outcome host = { 0 }, device = { 0 };
  double rcond[2] = { -1, -1 };
  int64_t columns[4];
  gpueig_options o = options;
  gpueig_info info;
  gpueig_tdinv_problem t = { .type = type, .n = n, .band = -1 };
  const gpueig_type real = real_type (type);
  o.method = methods[pick (3)];
  const int64_t kind = pick (4);
  if (kind == 0 && n > 0)
    {
      t.n_columns = pick (5);
      for (int64_t k = 0; k < t.n_columns; k++)
        columns[k] = pick (n);
      t.columns = columns;
    }
  else if (kind == 1)
    t.band = pick (n + 1);
  const int split = gpueig_is_complex (type) && pick (2);
  const int64_t count
      = (t.band < 0 ? n : 2 * t.band + 1) * (t.columns ? t.n_columns : n);
  new_array (&c, type, n > 0 ? n - 1 : 0);
  new_array (&a, type, n);
  new_array (&b, type, n > 0 ? n - 1 : 0);
  fill_random (type, &c, pick (8) ? 1 : 1e12);
  fill_random (type, &a, pick (8) ? 3 : 0);
  fill_random (type, &b, 1);
  spoil (type, &a);
  send (&c);
  send (&a);
  send (&b);
  new_array (&x, split ? real : type, count);
  if (split)
    new_array (&x_im, real, count);
  for (int place = 0; place < 2; place++)
    {
      t.place = (gpueig_place) place;
      t.c = at (&c, t.place);
      t.a = at (&a, t.place);
      t.b = at (&b, t.place);
      t.x = at (&x, t.place);
      t.x_im = split ? at (&x_im, t.place) : NULL;
      t.rcond = &rcond[place];
      const gpueig_status status = gpueig_tdinv (ctx, &t, &o, &info);
      *(place ? &device : &host) = note (status, &info);
    }
  const both *in[] = { &c, &a, &b, NULL };
  const both *out[] = { &x, split ? &x_im : NULL, NULL };
  compare (&host, &device, in, out, "tdinv", type, n, 1);
  if (host.status == GPUEIG_OK)
    CHECK (memcmp (&rcond[0], &rcond[1], sizeof rcond[0]) == 0, "tdinv: rcond");
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
  spoil (type, &a);
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

static void
test_schur (gpueig_type type)
{
  const int64_t n = pick_order (), pages = pick_pages ();
  both a, s, u, sorted, turned;
  outcome host = { 0 }, device = { 0 };
  gpueig_options o = options;
  gpueig_info info;
  gpueig_schur_problem g = { .type = type,
                             .n = n,
                             .pages = pages,
                             .widen = pick (4) == 0,
                             .order = (gpueig_schur_order) (pick (9) - 4) };
  if ((int) g.order < 0)
    g.order = GPUEIG_SCHUR_ANY;
  const gpueig_type wide = ! g.widen ? type : complex_type (type);
  new_array (&a, type, n * n * pages);
  fill_random (type, &a, pick (4) ? 1 : 1e-20);
  spoil (type, &a);
  send (&a);
  new_array (&s, wide, n * n * pages);
  new_array (&u, wide, n * n * pages);
  const int vectors = pick (2) > 0;
  for (int place = 0; place < 2; place++)
    {
      g.place = (gpueig_place) place;
      g.a = at (&a, g.place);
      g.s = at (&s, g.place);
      g.u = vectors ? at (&u, g.place) : NULL;
      vary_call (&o);
      const gpueig_status status = gpueig_schur (ctx, &g, &o, &info);
      *(place ? &device : &host) = note (status, &info);
    }
  const both *in[] = { &a, NULL };
  const both *out[] = { &s, vectors ? &u : NULL, NULL };
  compare (&host, &device, in, out, "schur", type, n, pages);
  if (host.status != GPUEIG_OK)
    {
      free_arrays ();
      return;
    }
  /* The order of the form, on the CPU.  */
  o.backend = GPUEIG_AUTO;
  new_array (&sorted, wide, n * n * pages);
  new_array (&turned, wide, n * n * pages);
  gpueig_ordschur_problem r
      = { .type = wide, .n = n, .pages = pages, .order = GPUEIG_SCHUR_LHP };
  for (int place = 0; place < 2; place++)
    {
      r.place = (gpueig_place) place;
      r.s = at (&s, r.place);
      r.u = vectors ? at (&u, r.place) : NULL;
      r.s_sorted = at (&sorted, r.place);
      r.u_sorted = vectors ? at (&turned, r.place) : NULL;
      const gpueig_status status = gpueig_ordschur (ctx, &r, &o, &info);
      *(place ? &device : &host) = note (status, &info);
    }
  const both *form[] = { &s, vectors ? &u : NULL, NULL };
  const both *result[] = { &sorted, vectors ? &turned : NULL, NULL };
  compare (&host, &device, form, result, "ordschur", wide, n, pages);
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
  test_symmetric (gpueig_eig_symmetric, "eig on the CPU", type);
  test_general (gpueig_eig_general, "general on the CPU", type);
  test_mrrr (type);
  test_tdinv (type);
  options.backend = GPUEIG_AUTO;
  is_auto = 1;
  if (simulated)
    {
      test_symmetric (gpueig_eig_symmetric, "auto", type);
      test_tdinv (type);
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
        test_symmetric (gpueig_eig_symmetric, "eig", type);
        test_symmetric (gpueig_jacobi_eig, "jacobi_eig", type);
        test_symmetric (gpueig_onesided_eig, "onesided_eig", type);
        test_general (gpueig_eig_general, "general", type);
        test_general (gpueig_complex_eig, "complex_eig", type);
        test_mrrr (type);
        test_tdinv (type);
        test_schur (type);
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
      test_left_page ();
      test_little_memory ();
      test_lost ();
    }
  CHECK (gpueig_array_memory (ctx).arrays == 0, "no array is left");
  gpueig_destroy (ctx);
  return check_end ();
}
